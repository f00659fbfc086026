# Read before every picture's own script, with the files RECORD RECORD FACTS: the record is read twice,
# since which rows are drawn depends on later ones. `pass` counts the files; at(name) is a field of the
# current row. A line "#| ..." that a script prints is a row of the table beside its picture. What the
# manifests say of a step is in the table of steps.sh, steps.tsv in the folder `scratch` of the environment.

BEGIN {
    FS = ","
    read_steps()
}

function read_steps(    file, line, columns, name, field, cell, k, word) {
    file = ENVIRON["scratch"] "/steps.tsv"
    columns = (getline line <file) > 0 ? split(line, name, "\t") : 0
    while ((getline line <file) > 0) {
        split(line, field, "\t")
        for (k = 1; k <= columns; k++)
            cell[name[k]] = field[k] == "-" ? "" : field[k]
        title_of[cell["step"]] = cell["title"]
        problem_of[cell["step"]] = cell["problem"]
        builds_on[cell["step"]] = cell["builds_on"]
        cost_of[cell["step"]] = cell["cost"]
        split(cell["variants"], word, " ")
        named_default[cell["step"]] = word[1]
    }
    close(file)
}

FNR == 1 {
    pass++
    split("", column)
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

function at(name) {
    return $(column[name])
}

# Rows of the problem that is drawn: `problem`, else the ladder's.
function of_problem() {
    return at("problem") == (problem == "" ? "nbody" : problem)
}

# Rows whose rates can stand side by side: the course's own code, timed by one clock, the referee's unless `clock` says
# otherwise.
function drawable() {
    return at("source") == "solution" && at("clock") == (clock == "" ? "referee" : clock) && of_problem() &&
        (at("backend") == "cpu" || at("backend") == "cuda") &&
        at("seconds_median") > 0 && at("rate_gps") > 0
}

# Keeps, run by run, what a step's default is: the manifest's, once the record has that, since a bench that was
# resumed begins with another variant; else what the run has first. A default without a speed has no mark; the
# next variant must not take its place.
function note_default(    key) {
    if (at("source") != "solution")
        return
    key = at("run") SUBSEP at("step")
    if (at("variant") == named_default[at("step")])
        has_named[at("step")] = 1
    if (at("step") in has_named)
        default_variant[key] = named_default[at("step")]
    else if (!(key in default_variant))
        default_variant[key] = at("variant")
    if (!(key in default_threads) && drawable() && at("variant") == default_variant[key]) {
        default_threads[key] = at("threads")
        default_distribution[key] = at("distribution")
    }
}

# Rows that differ from their step's default in the variant at most.
function of_default_setup(    key) {
    key = at("run") SUBSEP at("step")
    return drawable() && key in default_threads && at("threads") == default_threads[key] &&
        at("distribution") == default_distribution[key]
}

# Its default's own.
function is_default() {
    return of_default_setup() && at("variant") == default_variant[at("run"), at("step")]
}

# Three digits, but never fewer than the integer has.
function short(x) {
    return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : x >= 0.1 ? "%.2f" : "%.2g", x)
}

# Three digits, however small.
function three_digits(x) {
    return sprintf(x >= 100 ? "%.0f" : "%#.3g", x)
}

# A star where the verdict is anything but a plain `accepted`.
function star(verdict) {
    if (verdict == "accepted")
        return ""
    if (!((pass, verdict) in starred)) {
        starred[pass, verdict] = 1
        verdicts = verdicts (verdicts == "" ? "* verdict: " : "; ") verdict
    }
    return "*"
}

function label(x) {
    return short(x) star(at("verdict"))
}

# Within single quotes gnuplot expands nothing.
function quoted(s) {
    gsub(/'/, "''", s)
    return "'" s "'"
}

function this_machine() {
    return at("host") ":  " at("cpu") (at("gpu") == "" ? "" : "  +  " at("gpu"))
}

# Sorts list[1..count]; numbers by value, strings by letter.
function sort(list, count,    i, key) {
    for (i = 1; i <= count; i++)
        key[list[i]] = list[i]
    sort_by(key, list, count)
}

# Sorts list[1..count] by key[list[i]]; what is equal keeps its order.
function sort_by(key, list, count,    i, j, moved) {
    for (i = 2; i <= count; i++) {
        moved = list[i]
        for (j = i - 1; j >= 1 && key[list[j]] > key[moved]; j--)
            list[j + 1] = list[j]
        list[j + 1] = moved
    }
}

# Names of points in a column at the right, no two nearer than `gap`, each with a line to its point. The axis of y
# is logarithmic, from `low` to `high`.
function print_names(text, x, y, count, low, high, gap,    k, order, height, stand) {
    for (k = 1; k <= count; k++) {
        order[k] = k
        height[k] = log(y[k] / low) / log(high / low)
    }
    sort_by(height, order, count)
    for (k = 1; k <= count; k++)
        stand[k] = k > 1 && height[order[k]] < stand[k - 1] + gap ? stand[k - 1] + gap : height[order[k]]
    if (stand[count] > 1)
        stand[count] = 1
    for (k = count - 1; k >= 1 && stand[k] > stand[k + 1] - gap; k--)
        stand[k] = stand[k + 1] - gap
    for (k = 1; k <= count; k++) {
        print "set label " quoted(text[order[k]]) " at graph 1.06, graph " stand[k] \
            " left noenhanced font ',12' textcolor rgb ink"
        print "set arrow from first " x[order[k]] ", first " y[order[k]] " to graph 1.05, graph " stand[k] \
            " nohead lw 0.7 lc rgb grey back"
    }
}

function add_once(seen, list, count, value) {
    if (value in seen)
        return count
    seen[value] = 1
    list[count + 1] = value
    return count + 1
}
