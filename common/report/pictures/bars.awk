# Panels of horizontal bars, which bars.gp draws. Read before every picture's own script.

# Begins a panel: its title, and what its axis shows, with the unit.
function add_panel(title, axis) {
    panel_title[++panels] = title
    panel_axis[panels] = axis
}

# A bar of the last panel. `other`: it is there to compare with, and is drawn light.
function add_bar(value, name, text, other) {
    table = table "#| " panel_title[panels] "\t" name "\t" text "\n"
    panel_rows[panels] = panel_rows[panels] sprintf("%d\t%.9g\t%s\t%s\t%d\n", panel_bars[panels]++,
        value, name, text, other)
    longest_name = length(name) > longest_name ? length(name) : longest_name
    longest_text = length(text) > longest_text ? length(text) : longest_text
}

# `subtitle` stands below the machine's name.
function print_bars(title, subtitle,    k) {
    print "$rows << EOD"
    for (k = 1; k <= panels; k++)
        print panel_rows[k] "\n"
    print "EOD"
    printf "#| at\tprogram\t#value\n%s", table
    print "panels = " panels "; longest_name = " longest_name "; longest_text = " longest_text
    print "array panel_title[panels]; array panel_axis[panels]; array bars[panels]"
    for (k = 1; k <= panels; k++)
        print "panel_title[" k "] = " quoted(panel_title[k]) "; panel_axis[" k "] = " \
            quoted(panel_axis[k]) "; bars[" k "] = " panel_bars[k]
    print "machine = " quoted(title) "; subtitle = " quoted(subtitle)
    print "verdicts = " quoted(verdicts)
}
