# Scaling of a step over devices, from the facts rate_gps_N_DEVICES that devices.sh adds: the last of
# each. Efficiency is the rate over that of one device and over the number of devices; where one device
# was not measured at that n, over its rate at 131072: weak scaling, one curve.

pass == 1 {
    title = this_machine()
    run_time = at("time_utc")
}

pass == 3 && match(at("name"), /^rate_gps_[0-9]+_[0-9]+$/) {
    split(at("name"), word, "_")
    rate[at("variant"), word[3] + 0, word[4] + 0] = at("value")
    variant_count = add_once(is_variant, variants, variant_count, at("variant"))
    size_count = add_once(is_size, sizes, size_count, word[3] + 0)
    device_count = add_once(is_device, devices, device_count, word[4] + 0)
    rows++
}

# The lines of one curve; `weak`: of all n that one device was not measured at.
function curve(variant, n, weak,    d, s, one, efficiency, lines) {
    for (d = 1; d <= device_count; d++)
        for (s = 1; s <= size_count; s++) {
            if (!((variant, sizes[s], devices[d]) in rate))
                continue
            if (weak ? (variant, sizes[s], 1) in rate : sizes[s] != n)
                continue
            one = rate[variant, weak ? 131072 : n, 1]
            if (!(one > 0))
                continue
            efficiency = rate[variant, sizes[s], devices[d]] / one / devices[d]
            table = table "#| " variant ", n = " sizes[s] "\t" devices[d] "\t" \
                rate[variant, sizes[s], devices[d]] "\t" short(100 * efficiency) "%\n"
            lines = lines devices[d] "\t" efficiency "\t" short(100 * efficiency) "%\n"
        }
    return lines
}

END {
    if (!rows || device_count < 2)
        exit
    sort(sizes, size_count)
    sort(devices, device_count)
    print "$rows << EOD"
    for (v = 1; v <= variant_count; v++) {
        for (s = 1; s <= size_count; s++)
            if ((variants[v], sizes[s], 1) in rate) {
                print curve(variants[v], sizes[s], 0) "\n"
                name[++curves] = variants[v] ", n = " sizes[s]
                look[curves] = s " " v
            }
        if ((grows = curve(variants[v], 0, 1)) == "")
            continue
        print "1\t1\t\n" grows "\n"
        name[++curves] = variants[v] ", n grows"
        look[curves] = size_count + 1 " " v
    }
    print "EOD"
    print "#| curve\t#devices\t#G/s\t#efficiency\n" table
    print "array names[" curves "]; array hue[" curves "]; array dash[" curves "]"
    for (k = 1; k <= curves; k++) {
        split(look[k], word, " ")
        print "names[" k "] = " quoted(name[k]) "; hue[" k "] = " word[1] "; dash[" k "] = " word[2]
    }
    print "curves = " curves "; most = " devices[device_count]
    print "machine = " quoted(title) "; run_time = " quoted(run_time)
}
