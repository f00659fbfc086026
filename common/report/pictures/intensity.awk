# Instructions per second of every CUDA step that ncu has counted, over instructions per byte at two levels of
# memory, under what the GPU issues and what the levels deliver. An instruction of a warp counts 32 times, as
# issue slots do. The rate is that of the pass that ncu timed, else the kernel-only rate at the largest size, else
# the rate host to host.

# The source of a fact says of which size and distribution it is: "ncu n=268435456 integers ...".
is_facts && place == "" && split(at("source"), word, " ") > 1 {
    if (at("name") == "ncu_milliseconds")
        timed_n[at("step"), at("variant")] = substr(word[2], 3)
    if (at("name") == "ncu_slots")
        counted_of[at("step"), at("variant")] = word[3]
}

is_record && place == "" && at("clock") == "device" && at("source") == "solution" && at("rate_gps") > 0 {
    sizes_timed[at("n") + 0]
    by_distribution[at("step"), at("variant"), at("distribution"), at("n") + 0] = $0
}

# A fact of the step that is looked at, 0 if there is none.
function counted(name) {
    return fact["", step, variant, "ncu_" name] + 0
}

# The kernel-only row of the largest size, of the distribution that ncu counted if that is known, else the row of
# the referee's clock; "" if there is none.
function largest(    n, most, key, row) {
    for (n in sizes_timed) {
        key = step SUBSEP variant SUBSEP counted_of[step, variant] SUBSEP n
        if ((key in by_distribution) && n + 0 > most) {
            most = n + 0
            row = by_distribution[key]
        }
    }
    return most ? row : largest_kept("device") != "" ? largest_kept("device") : largest_kept("referee")
}

function largest_kept(clock,    n, most, key, row) {
    for (n in sizes_kept) {
        key = "" SUBSEP step SUBSEP variant SUBSEP "solution" SUBSEP clock SUBSEP n
        if ((key in kept) && n + 0 > most) {
            most = n + 0
            row = kept[key]
        }
    }
    return row
}

# A wavefront takes the pipe of L1 and shared memory for a clock, in which it delivers 128 bytes at most. A request
# of global memory is one wavefront, and more if its sectors of 32 bytes are more than four.
function wavefronts(    of_global) {
    of_global = counted("global_sectors") / 4
    if (of_global < counted("global_requests"))
        of_global = counted("global_requests")
    return counted("shared_wavefronts") + of_global
}

function add_point(per_byte, level, most,    share) {
    if (!(per_byte > 0))
        return
    share = speed / per_byte / most
    points = points per_byte "\t" speed / 1e12 "\t" level "\n"
    last_per_byte = per_byte
    table = table "#| " name "\t" short(slots) "\t" level_name[level] "\t" short(slots / per_byte) "\t" \
        short(per_byte) "\t" short(speed / 1e12) "\t" sprintf("%.0f%%", 100 * share) "\n"
    fewest = !fewest || per_byte < fewest ? per_byte : fewest
    greatest = per_byte > greatest ? per_byte : greatest
}

END {
    issue = fact["", "", "", "ceiling_gpu_issue"] + 0
    near = 4 * fact["", "", "", "ceiling_gpu_lds"]
    far = fact["", "", "", "ceiling_gpu_memory"] + 0
    if (!issue || !near || !far)
        exit
    level_name[1] = "L1 and shared memory"
    level_name[2] = "L2 cache"
    level_name[3] = "device memory"
    sort(step_list, step_count)
    for (s = 1; s <= step_count; s++) {
        step = step_list[s]
        variant = default_of(step, "solution")
        row = largest()
        if (row == "" || field(row, "backend") != "cuda" || !(slots = counted("slots")))
            continue
        timed = timed_n[step, variant] == field(row, "n") && counted("milliseconds") > 0
        # Ceilings are of one device. What runs on several has no limit in its row.
        if (!timed && !(field(row, "limit_gps") > 0))
            continue
        # Units of work per second. A pass has as many as its row says, whatever part of a step ncu timed.
        speed = field(row, "rate_gps") * 1e9
        if (timed)
            speed *= field(row, "seconds_median") / field(row, "iterations") / counted("milliseconds") * 1000
        speed *= slots
        name = step " " variant (timed ? "" : ", n = " field(row, "n") star(field(row, "verdict")))
        before = points
        if (counted("l1_data_share"))
            add_point(speed / (counted("l1_data_share") / 100 * near), 1, near)
        else if (wavefronts())
            add_point(slots / 4 / wavefronts(), 1, near)
        if (counted("dram_bytes"))
            add_point(slots / counted("dram_bytes"), 3, far)
        else if (counted("global_sectors") > counted("global_sector_hits"))
            add_point(slots / (counted("global_sectors") - counted("global_sector_hits")), 2, far)
        if (points == before)
            continue
        k = ++count
        text[k] = field(row, "step")
        x[k] = last_per_byte
        y[k] = speed / 1e12
        least = least == "" || speed < least ? speed : least
        last = row
    }
    if (count < 2)
        exit
    # The same axes for most records, so that two pictures can be compared.
    fewest = fewest > 0.5 ? 0.5 : fewest
    greatest = greatest < 1000 ? 1000 : greatest
    low = least < 2e12 ? least / 2e12 : 1
    high = issue / 1e12 * 1.6
    printf "$points << EOD\n%sEOD\n", points
    print_names(text, x, y, count, low, high, 0.048)
    print "#| step and variant\t#slots per unit\tlevel\t#bytes per unit\t#slots per byte\t#10^12 slots/s\t#share of the level\n" table
    print "issue = " issue / 1e12 "; near = " near / 1e12 "; far = " far / 1e12
    print "fewest = " fewest "; greatest = " greatest "; low = " low "; high = " high
    print "machine = " quoted(machine_of(last)) "; run_time = " quoted(field(last, "time_utc"))
    print "verdicts = " quoted(verdicts)
}
