# Finds measured numbers that no record stands behind: numbers with a unit (of the list below) outside
# the marks that fill.awk fills, and marks that name no column and no fact. Sizes in bytes are not
# measured, and a count has no unit. A number may stand outside marks
#
# - in a code block or in inline code;
# - in a paragraph that cites a seed: "seed report", "the report", "the seed's", or the number of a
#   figure or section;
# - under a heading that begins with Predict or Instructions, up to the next heading: it was worked
#   out before the run;
# - in a paragraph that begins with **Goal.**: how many minutes a step takes a reader.
#
# An item of a list and a row of a table are paragraphs of their own. A unit in a table's head is that
# of its whole column, unless the head cites a seed or says that the column was predicted.

BEGIN {
    unit = "%|per cent|times|cycles?|G/s|[TGMk]?B/s|[TGM]?FLOP/s|[GMk]?Hz|m?W|m?J|watts?|joules?" \
        "|[mun]?s|µs|(milli|micro|nano)?seconds?|min|minutes?|hours?"
    bare = "(^|[^A-Za-z0-9_])[0-9]+([.,][0-9]+)*(e[+-]?[0-9]+)?([ \n-]?(" unit ")|x)([^A-Za-z0-9_^]|$)"
    seed = "([Tt]he|[Ss]eed|[Hh]omework) report([^a-z]|$)|[Tt]he seed's" \
        "|[Ff]igure [0-9]|[Ff]igs?[.] [0-9]|[Ss]ection [0-9]+[.][0-9]"
}

# Prints where the last match in `paragraph` stands, and `why`.
function tell_match(why,    found) {
    found = substr(paragraph, RSTART, RLENGTH)
    gsub(/^[^0-9<]|[^A-Za-z0-9%>]$/, "", found)
    sub(/\n/, " ", found)
    tell(line_in(paragraph, RSTART), found " " why)
}

# A row of a table with its columns' units behind the cells; `head` if it names them.
function row(head, text,    cells, cell, i, with_units) {
    cells = split(text, cell, "|")
    for (i = 2; i < cells; i++) {
        sub(/ +$/, "", cell[i])
        if (head) {
            unit_of[i] = ""
            if (cell[i] !~ seed && cell[i] !~ /[Pp]redict/ && match(cell[i], "[ ,(](" unit ")([ ,)]|$)")) {
                unit_of[i] = " " substr(cell[i], RSTART + 1, RLENGTH - 1)
                sub(/[ ,)]$/, "", unit_of[i])
            }
        }
        with_units = with_units "|" cell[i] unit_of[i]
    }
    return with_units
}

function end_paragraph() {
    while (match(paragraph, /<!--= [^>]*-->[^<]*<!--\/-->/)) {
        if (substr(paragraph, RSTART, RLENGTH) !~ /^[^>]*[a-z0-9_]\(/)
            tell_match("names nothing of the record")
        blank()
    }
    while (match(paragraph, /`[^`]*`/))
        blank()
    if (!predicted && paragraph !~ seed && paragraph !~ /^[*][*]Goal[.]/)
        while (match(paragraph, bare)) {
            tell_match("stands outside marks; common/report/texts/numbers.awk has the rules")
            blank()
        }
    paragraph = ""
}

FNR == 1 {
    end_paragraph()
    file = FILENAME
    fenced = predicted = table = 0
}

/^ *```/ {
    end_paragraph()
    fenced = !fenced
}

fenced || /^ *```/ || (paragraph == "" && /^    /) { next }

/^#/ || /^ *$/ || /^\|/ || /^ *([-*]|[0-9]+[.]) / { end_paragraph() }

/^\|/ { $0 = row(!table, $0) }

{
    table = /^\|/
    sub(/^ +/, "")
    if (paragraph == "")
        first = FNR
    paragraph = paragraph == "" ? $0 : paragraph "\n" $0
}

/^#/ {
    predicted = /^#+ (Predict|Instructions)/
    end_paragraph()
}

END {
    end_paragraph()
    exit failed
}
