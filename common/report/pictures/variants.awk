# Rates, in `unit` a second, of all variants of `step` in the last run that has more than one; a panel a size that has more than
# one. Numbers come by value and before words, words as the record has them. Variants that leave an
# idea out are closing.awk's.

function is_variant_of_step() {
    return at("step") == step && of_default_setup() && at("variant") !~ /^without_/
}

pass == 1 {
    note_default()
    if (is_variant_of_step() && !((at("run"), at("n"), at("variant")) in seen)) {
        seen[at("run"), at("n"), at("variant")] = 1
        if (++count[at("run"), at("n")] > 1)
            last_run = at("run")
    }
}

pass == 2 && at("run") == last_run && is_variant_of_step() && count[last_run, at("n")] > 1 {
    n = at("n") + 0
    if ((n, at("variant")) in rate)
        next
    size_count = add_once(is_size, sizes, size_count, n)
    variant_count = add_once(is_variant, variants, variant_count, at("variant"))
    rate[n, at("variant")] = at("rate_gps")
    text[n, at("variant")] = label(at("rate_gps"))
    word[n, at("variant")] = at("verdict") == "accepted" ? "" : ",  " at("verdict")
    title = this_machine()
    subtitle = at("time_utc") ",  variants of " step
}

END {
    if (!size_count)
        exit
    sort(sizes, size_count)
    for (k = 1; k <= variant_count; k++)
        order[variants[k]] = variants[k] ~ /^[0-9]+$/ ? variants[k] + 0 : 1e9
    sort_by(order, variants, variant_count)
    default = default_variant[last_run, step]
    for (s = 1; s <= size_count; s++) {
        n = sizes[s]
        add_panel("n = " n ":  rate, and against the default, " default,
            "billion " unit " per second (G/s)")
        for (k = 1; k <= variant_count; k++) {
            variant = variants[k]
            if (!((n, variant) in rate))
                continue
            against = ""
            if ((n, default) in rate)
                against = sprintf("  (%s x)", short(rate[n, variant] / rate[n, default]))
            add_bar(rate[n, variant], variant, text[n, variant] against word[n, variant],
                variant != default)
        }
    }
    print_bars(title, subtitle)
}
