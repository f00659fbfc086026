# The copies and kernels of `step` in the last run that has its timeline, from the facts alone, whose
# names are timeline_n30000_00_copy_in_begin and _end, and timeline_n30000_copies for a sum.

at("step") == step && at("name") ~ /^timeline_n[0-9]+_/ {
    split(at("name"), word, "_")
    # A later run takes the place of an earlier one, from the first interval to its own last.
    run = at("run")
    variant = at("variant")
    size = word[2]
    what = substr(at("name"), length("timeline_" size "_") + 1)
    if (what !~ /^[0-9]+_/) {
        sum[what] = 1000 * at("value")
        next
    }
    number = word[3] + 0
    sub(/^[0-9]+_/, "", what)
    if (sub(/_begin$/, "", what))
        begin[number] = 1000 * at("value")
    else if (sub(/_end$/, "", what)) {
        name[number] = what
        end[number] = 1000 * at("value")
        count = number + 1
    }
}

function share(what) {
    return what " " short(sum[what]) " ms (" short(100 * sum[what] / whole) "%)"
}

END {
    if (!count)
        exit
    # The same colours in every picture: copies have the first two.
    names = "\"copy in\" \"copy out\""
    place["copy_in"] = 1
    place["copy_out"] = places = 2
    print "$rows << EOD"
    for (k = 0; k < count; k++) {
        if (!(name[k] in place)) {
            place[name[k]] = ++places
            names = names " " name[k]
        }
        whole = end[k] > whole ? end[k] : whole
        table = table sprintf("#| %s\t%.4g\t%.4g\n", name[k], begin[k], end[k])
        printf "%d\t%d\t%.9g\t%.9g\n", place[name[k]] <= 2, place[name[k]], begin[k], end[k]
    }
    print "EOD\n#| copy or kernel\t#begins at ms\t#ends at ms\n" table
    if (!(whole > 0))
        whole = 1
    print "names = '" names "'; whole = " whole
    print "heading = " quoted(step ",  variant " variant ",  n = " substr(size, 2))
    print "machine = " quoted(machine_name ",  run " run)
    print "sums = " quoted(share("copies") ",  " share("kernels") ",  " share("neither"))
}
