# The rates of `step` over n, on `distribution`: a line for each variant and peer that has more sizes
# than one, and the measured limit. A GPU's rates are those by the device's clock, without copies; a
# CPU's programs copy nothing. A line may be of many runs: of rows that are of one point the last counts.

function is_drawn() {
    return at("step") == step && at("distribution") == distribution && at("source") == "solution" &&
        at("clock") == (at("backend") == "cpu" ? "referee" : "device") && at("rate_gps") > 0
}

function add_point(name, n, value, verdict) {
    line_count = add_once(is_line, lines, line_count, name)
    point_count[name] += !((name, n) in rate)
    rate[name, n] = value + 0
    said[name, n] = verdict
}

pass == 1 && is_drawn() {
    n = at("n") + 0
    size_count = add_once(is_size, sizes, size_count, n)
    add_point(at("variant"), n, at("rate_gps"), at("verdict"))
    # A CPU's limit is its own memory's, and not what the others are held against.
    if (at("backend") != "cpu" && at("limit_gps") > 0)
        limit[at("variant"), n] = at("limit_gps")
    title = this_machine()
    run_time = at("time_utc")
}

# Colours are given in this order, so that the step's own lines have the same ones in all its pictures.
function kind(name) {
    return name == "measured limit" ? 0 : name ~ /^peer_/ ? 2 : 1
}

END {
    # The limit is that of the variant with most sizes, of which others may ask for more or less.
    for (k = 1; k <= line_count; k++)
        if (kind(lines[k]) == 1 && point_count[lines[k]] > point_count[longest])
            longest = lines[k]
    for (s = 1; s <= size_count; s++)
        if ((longest, sizes[s]) in limit)
            add_point("measured limit", sizes[s], limit[longest, sizes[s]], "accepted")
    sort(lines, line_count)
    for (k = 1; k <= line_count; k++)
        if (point_count[lines[k]] > 1) {
            drawn[++drawn_count] = lines[k]
            order[lines[k]] = kind(lines[k])
            is_own = is_own || kind(lines[k]) == 1
        }
    if (!is_own)
        exit
    sort_by(order, drawn, drawn_count)
    for (k = 1; k <= drawn_count; k++)
        colour_of[drawn[k]] = kind(drawn[k]) ? ++coloured : 0
    # The key has them as they stand above each other at the right.
    sort(sizes, size_count)
    for (k = 1; k <= drawn_count; k++)
        for (s = 1; s <= size_count; s++)
            if ((drawn[k], sizes[s]) in rate)
                order[drawn[k]] = -(last[drawn[k]] = rate[drawn[k], sizes[s]])
    sort_by(order, drawn, drawn_count)
    print "$rows << EOD"
    for (k = 1; k <= drawn_count; k++) {
        for (s = 1; s <= size_count; s++)
            if ((drawn[k], sizes[s]) in rate) {
                print sizes[s] "\t" rate[drawn[k], sizes[s]] "\t" star(said[drawn[k], sizes[s]])
                table = table "#| " drawn[k] "\t" sizes[s] "\t" rate[drawn[k], sizes[s]] "\t" \
                    said[drawn[k], sizes[s]] "\n"
            }
        print "\n"
    }
    print "EOD"
    printf "#| line\t#n\t#G/s\tverdict\n%s", table
    print "count = " drawn_count "; array name[count]; array place[count]"
    for (k = 1; k <= drawn_count; k++)
        print "name[" k "] = " quoted(drawn[k] ",  " short(last[drawn[k]])) \
            "; place[" k "] = " colour_of[drawn[k]]
    print "heading = " quoted(step ",  " distribution ",  without copies to and from the GPU")
    print "unit = " quoted(unit) "; verdicts = " quoted(verdicts)
    print "machine = " quoted(title) "; run_time = " quoted("until " run_time)
}
