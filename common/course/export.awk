# A text of the course as an exported copy has it, in which files are left out.
#
#   <!-- complete --> ... <!-- /complete -->    is dropped;
#   <!-- part 1 -->, <!-- prints -->, <!-- steps -->, <!--= ... -->2.0<!--/-->    leave what stands between them;
#   Why the numbers are what they are: [notes](...).    is dropped;
#   a table's row that begins with a link to what is left out, with `solutions/` or `grading/`, is dropped;
#   any other link to what is left out becomes its text.
#
# `name` is the text's path in the copy; the first file lists all paths that the copy has.

NR == FNR {
    there[$0] = 1
    next
}

# a/./b/../c is a/c.
function plain(path,    part, count, i, depth, kept) {
    count = split(path, part, "/")
    for (i = 1; i <= count; i++)
        if (part[i] == "..")
            depth -= depth > 0
        else if (part[i] != "" && part[i] != ".")
            kept[++depth] = part[i]
    path = ""
    for (i = 1; i <= depth; i++)
        path = path (i > 1 ? "/" : "") kept[i]
    return path
}

function leads_nowhere(target) {
    sub(/[ #].*/, "", target)
    if (target == "" || target ~ /^[a-z]+:/)
        return 0
    target = plain(folder target)
    return target != "" && !(target in there)
}

# The text with links to nowhere as their words; code as it is.
function without_links(text,    out, link, words, target) {
    while (match(text, /`[^`]*`|!?\[[^][]*\]\([^()]*\)/)) {
        link = substr(text, RSTART, RLENGTH)
        target = link
        sub(/^.*\]\(/, "", target)
        sub(/\)$/, "", target)
        words = link
        sub(/^!?\[/, "", words)
        sub(/\]\([^()]*\)$/, "", words)
        out = out substr(text, 1, RSTART - 1) (link !~ /^`/ && leads_nowhere(target) ? words : link)
        text = substr(text, RSTART + RLENGTH)
    }
    return out text
}

function row_of_nothing(line,    target) {
    if (line ~ /^\| `(solutions|grading)\/` \|/)
        return 1
    if (line !~ /^\| \[[^][]*\]\([^()]*\) \|/)
        return 0
    target = line
    sub(/^\| \[[^][]*\]\(/, "", target)
    sub(/\).*/, "", target)
    return leads_nowhere(target)
}

# Links may go over the ends of lines, so a paragraph is looked at as a whole; code is left alone.
function flush() {
    printf "%s", code || text ~ /^    / ? text : without_links(text)
    text = ""
}

FNR == 1 {
    folder = name
    if (!sub(/[^\/]*$/, "", folder))
        folder = ""
}

$0 == "<!-- complete -->" { dropped = 1 }
$0 == "<!-- /complete -->" { dropped = 0; next }
dropped { next }
# Nothing is filled in again there.
!code && /^<!-- \/?(part [0-9]+|prints|steps) -->$/ { next }
!code { gsub(/<!--=[^>]*-->|<!--\/-->/, "") }
/^Why the numbers are what they are: \[notes\]\(.*\)\.$/ || row_of_nothing($0) { next }

/^```/ {
    flush()
    code = !code
    print
    next
}

{ text = text $0 "\n" }
/^$/ { flush() }
END { flush() }
