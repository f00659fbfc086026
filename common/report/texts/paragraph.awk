# Read before the scripts that look through the paragraphs of texts: `paragraph` begins at line `first` of `file`.

function tell(line, why) {
    print file ":" line ": " why >"/dev/stderr"
    failed = 1
}

function line_in(text, position) {
    text = substr(text, 1, position)
    return first + gsub(/\n/, "", text)
}

# Blanks the last match in `paragraph`, but for line ends, by which lines are counted.
function blank(    found) {
    found = substr(paragraph, RSTART, RLENGTH)
    gsub(/[^\n]/, "~", found)
    paragraph = substr(paragraph, 1, RSTART - 1) found substr(paragraph, RSTART + RLENGTH)
}
