# Reads a source with fences, the parts that a learner writes:
#
#   /* part 1, 5 lines: Each thread loads one body of the tile, if there is one. */
#   the solution's code
#   /* until solved:
#   code that stands there until the part is written, where the rest needs it to compile
#   */
#   /* end of part 1 */
#
# In a file of nvcc's flags the comments begin with #. What comes out is, by `want`,
#
#   skeleton   the source without the parts' code, with what stands there until they are solved;
#   part N     that part of the skeleton alone;
#   plain      the source as if it never had fences; a skeleton's or a learner's, too;
#   parts      a line for each part: number, line, budget in lines, what it holds, task; tabs between. It holds
#              nothing (empty), what stands there until it is solved (placeholder), or code (written).
#
# A fence that is not whole ends in one line and status 15.

BEGIN { OFS = "\t" }

function die(line, why) {
    printf "%s:%d: %s\n", FILENAME, line, why >"/dev/stderr"
    failed = 1
    exit 15
}

# A part that a learner has: written if it holds code and its `until solved` is gone.
function tell() {
    if (want == "parts")
        print part, began, budget, unsolved ? "placeholder" : code ? "written" : "empty", task
}

function put(line) {
    if (want == "skeleton" || (want == "plain" && !part) || want == "part " part)
        print line
}

# The text of a comment that fills its line, or nothing.
function comment(line) {
    gsub(/^[ \t]+|[ \t\r]+$/, "", line)
    if (line ~ /^\/\*.*\*\/$/)
        return substr(line, 4, length(line) - 6)
    return line ~ /^# / ? substr(line, 3) : ""
}

{
    text = comment($0)
    bare = $0
    gsub(/^[ \t]+|[ \t\r]+$/, "", bare)
}

text ~ /^part [0-9]+, [0-9]+ lines?: ./ {
    number = text
    sub(/^part /, "", number)
    sub(/,.*/, "", number)
    budget = text
    sub(/^part [0-9]+, /, "", budget)
    sub(/ .*/, "", budget)
    task = text
    sub(/^[^:]*: /, "", task)
    if (part)
        die(FNR, "part " number " begins inside part " part ", which needs its `end of part " part "` first")
    if (number != last + 1)
        die(FNR, "part " number " follows part " last + 0 ": a line `part " last + 1 ", ...` is needed before it, as it was")
    part = last = number
    began = FNR
    code = unsolved = 0
    if (want != "plain")
        put($0)
    next
}

text ~ /^end of part [0-9]+$/ {
    number = substr(text, 13)
    if (number != part)
        die(FNR, "part " number " ends here and began nowhere")
    if (stub)
        die(FNR, "part " number " ends inside `until solved`")
    if (want != "plain")
        put($0)
    tell()
    part = 0
    next
}

# In a solution: hidden from the compiler by a comment.
part && bare == "/* until solved:" {
    stub = 1
    indent = substr($0, 1, index($0, "/") - 1)
    if (want != "plain")
        put(indent "/* until solved */")
    next
}
stub && bare == "*/" {
    stub = 0
    if (want != "plain")
        put(indent "/* end of until solved */")
    next
}
stub {
    if (want != "plain")
        put($0)
    next
}

# In a skeleton, or in what a learner makes of it: compiled.
text == "until solved" || text == "end of until solved" {
    unsolved = 1
    next
}

part {
    if (bare != "" && text == "" && bare !~ /^\/\//)
        code = 1
    if (want == "plain")
        print
    next
}

{ put($0) }

END {
    if (!failed && part)
        die(began, "part " part " begins here and has no `end of part " part "`")
}
