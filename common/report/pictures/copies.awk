# Copy bandwidth by size, from the facts copy_in_pageable_<bytes> and its like of the last run that
# has them; a block of rows for each direction and kind of memory.

pass == 1 {
    machines[at("run")] = this_machine()
    times[at("run")] = at("time_utc")
}

pass == 3 && at("name") ~ /^copy_(in|out)_(pageable|pinned)_[0-9]+$/ && at("value") > 0 {
    # A later run takes the place of an earlier one.
    if (at("run") != last_run) {
        last_run = at("run")
        split("", bandwidth)
    }
    split(at("name"), word, "_")
    count = add_once(is_size, sizes, count, word[4] + 0)
    bandwidth[word[2] "_" word[3], word[4] + 0] = at("value") / 1e9
}

function of(kind, size) {
    return (kind, size) in bandwidth ? bandwidth[kind, size] : 0
}

END {
    if (!count)
        exit
    sort(sizes, count)
    kinds = split("in_pinned out_pinned in_pageable out_pageable", kind, " ")
    split("in, pinned;out, pinned;in, pageable;out, pageable", name, ";")
    print "$rows << EOD"
    for (k = 1; k <= kinds; k++) {
        for (s = 1; s <= count; s++)
            if (value = of(kind[k], sizes[s])) {
                other = of(kind[k + (k % 2 ? 1 : -1)], sizes[s])
                table = table "#| " name[k] "\t" sizes[s] "\t" value "\n"
                print sizes[s] "\t" value "\t" short(value) "\t" (value > other ? 1 : -1)
            }
        print "\n"
    }
    print "EOD\n#| copy\t#bytes\t#GB/s\n" table
    print "names = '\"" name[1] "\" \"" name[2] "\" \"" name[3] "\" \"" name[4] "\"'; main_sizes = '" main_sizes "'"
    print "machine = " quoted(last_run in machines ? machines[last_run] : "run " last_run)
    print "run_time = " quoted(times[last_run])
}
