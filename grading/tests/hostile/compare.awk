# What was earned beside what expected.tsv says. In its words: `all`, `none`, `compiles`, and
# `but races idea`: all but these; `less`: anything but all, where that depends on the sizes that are drawn.
# An item that earned a part stands with its per cent, races:50. With | between them, either is right. Speed
# is another column: `none`, or `any`, since it depends on the machine.

function finish(   file, word, list, i, earned_all) {
    if (student == "")
        return
    list = missing
    sub(/^ /, "", list)
    word = !items ? "-" : !full && !parts ? "none" : list == "" ? "all" \
        : compiled && full == 1 && !parts ? "compiles" : "but " list
    file = (student in file_of) ? file_of[student] : student
    seen[student] = 1
    if (!(file in outcome_wanted))
        print "DIFFERS\t" file "\tis not in expected.tsv\t" outcome "\t" word
    else if (index("," outcome_wanted[file] ",", "," outcome ",") == 0)
        print "DIFFERS\t" file "\toutcome " outcome ", expected " outcome_wanted[file] "; earned " word
    else if (earned_wanted[file] == "less" ? word == "all" : index("|" earned_wanted[file] "|", "|" word "|") == 0)
        print "DIFFERS\t" file "\t" outcome "\tearned " word ", expected " earned_wanted[file]
    else if (speed_wanted[file] == "none" && fast > 0)
        print "DIFFERS\t" file "\t" outcome "\tearned " fast " for speed (" speed "), expected none"
    else
        print "as expected\t" file "\t" outcome "\t" word "\tspeed " speed " " fast
}

FNR == NR {
    if (FNR > 1) {
        outcome_wanted[$1] = $3
        earned_wanted[$1] = $4
        speed_wanted[$1] = $5
        name = $1
        sub(/_.*/, "", name)
        file_of[$1 ~ /\./ ? "hostile-" name : $1] = $1
        order[++files] = $1
    }
    next
}
$1 "/" $2 != last {
    finish()
    last = $1 "/" $2
    student = $1
    outcome = $3
    speed = $4
    missing = ""
    items = full = parts = compiled = fast = 0
}
$5 == "speed" { fast = $6; next }
$8 == "left out" || $7 == 0 { next }
{
    items++
    if ($6 >= $7 - 1e-9) {
        full++
        compiled += $5 == "compiles"
    } else {
        missing = missing " " $5 ($6 > 0 ? sprintf(":%.0f", 100 * $6 / $7) : "")
        parts += $6 > 0
    }
}
END {
    finish()
    for (i = 1; i <= files; i++) {
        name = order[i]
        sub(/_.*/, "", name)
        student = order[i] ~ /\./ ? "hostile-" name : order[i]
        if (!seen[student] && (only == "" || index(only, order[i])))
            print "DIFFERS\t" order[i] "\tnothing was taken from it\t-\t-"
    }
}
