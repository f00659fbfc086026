# Fills the numbers of a text from the record. A number stands between marks that say where it comes
# from: terms, and constants, with " / ", " * ", " + " or " - " between them, the first two first.
#
#   <!--= h200 %.2f rate_gps(NN_name static 30000) / rate_gps(NN_other gcc_O0 30000) -->1.9<!--/-->
#
# name(step variant n [threads]) is a column of docs/results/h200/h200.csv, of the last such row, in
# N-body of those with bodies of `uniform`, and, without `threads`, of the one with the most;
# seconds(...) is seconds_median / iterations;
# a row of kernel-only forces, by the device's clock, is name(step variant n distribution);
# decimal_2(...) is the share, in percent, of coordinates first wrong at that decimal;
# fact(name [step variant]) is a fact. `folder` is docs/results; h200/by-hand is its h200/by-hand/by-hand.csv.
#
# All terms of a mark must be of one run, on one host. A mark that compares runs says so with `across`
# before the format: h200 across %.2f ...; where all are of one run the word is refused. Facts named
# ceiling_... (the machine's) and ncu_... (counts) may be of any run.
#
# Between `<!-- steps -->` and `<!-- /steps -->` it puts the table of all steps, from what `steps` prints.

function die(why) {
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

# Reads a machine's record into value[machine, column, key], once.
function load(machine,    file, base, line, field, name, columns, i, key, run, skip, count, shares, total) {
    if (machine in loaded)
        return
    loaded[machine] = 1
    base = machine
    sub(/.*\//, "", base)
    base = folder "/" machine "/" base
    file = base ".csv"
    if ((getline line <file) <= 0)
        die("no record " file)
    columns = split(line, name, ",")
    while ((getline line <file) > 0) {
        split(line, field, ",")
        split("", cell)
        for (i = 1; i <= columns; i++)
            cell[name[i]] = field[i]
        key = cell["step"] " " cell["variant"] " " cell["n"]
        cell["seconds"] = cell["seconds_median"] / (cell["iterations"] ? cell["iterations"] : 1)
        shares = split(cell["decimals"], count, ":")
        total = 0
        for (i = 1; i <= shares; i++)
            total += count[i]
        for (i = 1; i <= shares; i++)
            cell["decimal_" i] = 100 * count[i] / total
        if (cell["clock"] == "device") {
            for (i in cell)
                value[machine, i, key " " cell["distribution"]] = cell[i]
            continue
        }
        if (cell["distribution"] != "uniform" && cell["problem"] ~ /^(nbody.*)?$/)
            continue
        # A row without errors is there for a comparison: neither it nor what its run says of the step
        # stands in for what was measured for itself. At sizes at which nothing has errors it has no speed-up.
        compared[machine, cell["run"], cell["step"]] = 1
        if (cell["error_p99"] != "")
            measured[machine, cell["run"], cell["step"]] = measured[machine, cell["run"],
                cell["backend"]] = own[machine, key, cell["threads"]] = 1
        else if ((machine, key, cell["threads"]) in own)
            continue
        if (cell["speedup_previous"] != "")
            faster[machine, key, cell["threads"]] = 1
        else if (cell["error_p99"] == "" && (machine, key, cell["threads"]) in faster)
            continue
        for (i in cell) {
            value[machine, i, key " " cell["threads"]] = cell[i]
            if (cell["threads"] + 0 >= most[machine, key] + 0)
                value[machine, i, key] = cell[i]
        }
        if (cell["threads"] + 0 >= most[machine, key] + 0)
            most[machine, key] = cell["threads"]
    }
    close(file)
    file = base "-facts.csv"
    while ((getline line <file) > 0) {
        split(line, field, ",")
        run = machine SUBSEP field[1] SUBSEP
        if (field[2])
            skip = ((run field[2]) in compared) && !((run field[2]) in measured)
        else
            skip = field[4] ~ /^ceiling/ && field[4] !~ /gpu/ && !((run "cpu") in measured)
        if (skip)
            continue
        key = field[4] (field[2] ? " " field[2] : "") (field[3] ? " " field[3] : "")
        value[machine, "fact", key] = field[5]
        value[machine, "run", key] = field[1]
    }
    close(file)
}

# A term's value. What must be of one run with the mark's other terms is counted in `terms`, with its
# name, run and host (a fact has no host).
function term(machine, text,    open, column, key) {
    gsub(/^ +| *\)? *$/, "", text)
    if (text ~ /^[0-9.e+-]+$/)
        return text
    open = index(text, "(")
    column = substr(text, 1, open - 1)
    key = substr(text, open + 1)
    if (!((machine, column, key) in value))
        die("the record of " machine " has no " text ")")
    if (column != "fact" || key !~ /^(ceiling|ncu_)/) {
        name_of[++terms] = text ")"
        run_of[terms] = value[machine, "run", key]
        host_of[terms] = value[machine, "host", key]
    }
    return value[machine, column, key]
}

# Another run is another hour and perhaps another machine, which change a ratio as a program does.
function check_runs(across,    i, host, runs, hosts, said) {
    for (i = 1; i <= terms; i++) {
        host = host == "" ? host_of[i] : host
        runs += run_of[i] != run_of[1]
        hosts += host_of[i] != "" && host_of[i] != host
    }
    for (i = 1; i <= terms; i++)
        said = said (i > 1 ? ", " : "") name_of[i] " of run " run_of[i] \
            (hosts && host_of[i] != "" ? " on " host_of[i] : "")
    if (runs + hosts && !across)
        die(said ": measure them in one run, or say `across` before the format")
    if (across && !(runs + hosts))
        die("`across` is wrong where all is of one run" (terms ? ": " said : ""))
}

# machine, perhaps `across`, format, then terms and what stands between them. `sum` is that of the
# products before the one that `result` holds.
function evaluate(mark,    word, machine, across, format, rest, sum, result, operator, piece) {
    split(mark, word, " ")
    machine = word[1]
    across = word[2] == "across"
    format = word[2 + across]
    terms = 0
    load(machine)
    rest = substr(mark, index(mark, format) + length(format))
    operator = ""
    while (match(rest, / [*\/+-] /) || rest != "") {
        piece = RSTART ? substr(rest, 1, RSTART - 1) : rest
        piece = term(machine, piece)
        if (operator == "*")
            result *= piece
        else if (operator == "/")
            result /= piece
        else {
            if (operator != "")
                sum += result
            result = operator == "-" ? -piece : piece
        }
        operator = RSTART ? substr(rest, RSTART + 1, 1) : ""
        rest = RSTART ? substr(rest, RSTART + 3) : ""
    }
    check_runs(across)
    return sprintf(format, sum == "" ? result : sum + result)
}

function table_of_steps(    line, field, count) {
    print "| step | part | idea |\n| --- | --- | --- |"
    while ((steps | getline line) > 0)
        if (split(line, field, "\t") && field[1] ~ /^[0-9]/ && ++count)
            print "| [" field[1] "](steps/" field[1] "/README.md) | " field[2] " | " field[8] " |"
    close(steps)
    if (!count)
        die("no steps by " steps)
}

/^<!-- steps -->$/ {
    print
    table_of_steps()
    in_steps = 1
}

/^<!-- \/steps -->$/ { in_steps = 0 }

in_steps { next }

{
    out = ""
    while ((start = index($0, "<!--= "))) {
        rest = substr($0, start + 6)
        stop = index(rest, " -->")
        finish = index(rest, "<!--/-->")
        if (!stop || finish < stop)
            die("a mark is not closed on its line")
        out = out substr($0, 1, start + 5) substr(rest, 1, stop + 3) evaluate(substr(rest, 1, stop - 1)) "<!--/-->"
        $0 = substr(rest, finish + 8)
    }
    print out $0
}

END {
    if (in_steps && !failed)
        die("the table of steps has no end")
    exit failed
}
