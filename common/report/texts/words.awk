# The words that a text of this course does not use, and what it says instead; documents.awk hands over
# each paragraph without its code. A pattern is read in small letters, and a space in it is also the end of
# a line. What fits `unless` may stand. Words that are wrong in one sense only are not here: no pattern tells
# an integrator that is named from one that is not.

function refuse(pattern, better, unless) {
    refused[++words] = pattern
    instead[words] = better
    allowed[words] = unless
}

BEGIN {
    # A rate ends its phrase, or a word follows that begins no clause about "a thread". Words that are verbs,
    # too, count where a number precedes.
    many = "(^|[^a-z])(threads|lanes|warps|bytes|bits|bodies|stars|elements|keys|nodes|nonzeros|registers|instructions" \
        "|slots|cycles|iterations|interactions|operations|additions|multiply-adds|sectors|wavefronts" \
        "|([0-9]|two|three|four|eight) (blocks|items|rows|roots|issues|clocks|loads|stores|lines|launches|copies|passes)" \
        "|(one|a) (thread|lane|warp|block|row|body|item|root|load|store|sector|launch|copy|pass)|once|twice" \
        "|[kmg]i?b|[kmg]?b/s|g/s|[0-9] ?ms|[0-9])"
    one = "(thread|lane|warp|block|multiprocessor|scheduler|core|gpu|interaction|pair|body|star|item|element|key|row" \
        "|node|nonzero|cycle|clock|second|iteration|step|run|pass|launch|tile|request|byte|digit|group|round|access|student)"
    end = "([.,;:)?|*]|$| (and|or|but|as|at|in|on|to|by|from|with|without|than|if|when|where|while|instead|each|more" \
        "|less)[ ,.])"
    refuse(many " an? " one end, "\"per\": threads per block, bytes per interaction", "step [0-9][0-9] an? ")
    refuse("(ncu|counted|measured|times), an " one "[,: ]", "\"per interaction\"")
    refuse("(^|[^a-z])(a|one|each|every|per|another|the|next|first|last) turn([^a-z]|$)", "iteration", "a turn round")
    refuse("(two|three|four|five|six|seven|eight|[0-9]|many|few|fewer|more|all|the|its|loop's|whose|these) turns([^a-z]|$)",
        "iterations", "turns (it|into|out|to) ")
    refuse("turns? of (the|a|an|this|that|its|one|each) ([a-z]+ )?loop", "iteration")
    refuse("(^|[^a-z])(in|by) turns([^a-z]|$)", "interleaved (timing), double buffering (two places)")
    refuse("pass(es)? over the banks", "shared-memory wavefront")
    refuse("(limit(ed)?|bound(ed)?) (is|was|by|of) waiting|waiting (is|was) (the|a|its) limit|# (prediction: )?waiting$",
        "latency, latency-bound")
    refuse("the limit (is|was) (issue|memory|bandwidth)([^a-z]|$)|(issue|memory|bandwidth) (is|was|remains) (the|a|its) limit",
        "issue-bound, compute-bound, memory-bound, bandwidth-bound")
    refuse("under way", "in flight (loads, bytes)")
    refuse("a grid's width|grid's width at a time", "grid-stride loop")
    refuse("asks? (the )?(earlier (tiles|blocks)|(tiles|blocks|those) before)|blocks that ask", "decoupled look-back")
    refuse("words? of (the |a |its )?tiles?([^a-z]|$)|tile's word", "tile status: aggregate, inclusive prefix")
    refuse("takes? (a|the next|its|their) number([^a-z]|$)", "ticket (dynamic tile index)")
    refuse("tree of (halves|neighbours)", "sequential addressing, interleaved addressing")
    refuse("(exchanges?|exchanged) by swaps", "butterfly (XOR shuffle)")
    refuse("(^|[:*|]) *lanes with the same digit", "warp-level multisplit (match)")
    refuse("(first|one) lane counts for", "warp-aggregated atomic")
    refuse("counts? of (its|their) own for each warp", "privatised histogram")
    refuse("third law", "Newton's third law, symmetric pair interactions", "newton's third law")
    refuse("blocks that stay", "persistent blocks")
    refuse("unequal rows", "load imbalance")
    refuse("tail of the grid|grid's tail", "tail effect")
    refuse("needs (and|over) ceilings|ceilings (and|over) needs", "cost per unit of work, measured peaks")
    refuse("programs? of all cores", "thread-parallel program")
}

# `paragraph` begins at line `first` of the file.
function check_words(    text, whole, i, at, found, around) {
    text = paragraph
    gsub(/\n>/, "\n ", text)
    gsub(/\n +/, "\n", text) # indented items; only words are moved, no lines
    whole = tolower(text)
    gsub(/\n/, " ", whole)
    for (i = 1; i <= words; i++) {
        at = 0
        while (match(substr(whole, at + 1), refused[i])) {
            found = substr(whole, at + RSTART, RLENGTH)
            around = substr(whole, at + RSTART > 10 ? at + RSTART - 10 : 1, RLENGTH + 20)
            if (allowed[i] == "" || around !~ allowed[i]) {
                gsub(/^[^a-z0-9]+|[^a-z0-9]+$/, "", found)
                tell(line_in(text, at + RSTART), "\"" found "\": write " instead[i])
            }
            at += RSTART + RLENGTH - 1
        }
    }
}
