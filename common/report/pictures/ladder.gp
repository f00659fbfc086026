# A point a row on a logarithmic axis (a bar's length would mean nothing there), with the measured
# limit as a line above it and the value below, where no limit can cross it; behind it other
# machines' rates from the lowest to the highest.
# Given: $rows (step, rate, limit, label, band's lowest and highest; a block a size), steps, sizes,
# tic_lines, lowest and highest of all these, band_machines.

count = words(sizes)
width = 120 + steps * (28 * count > 84 ? 28 * count : 84)
width = width < 720 ? 720 : width
eval terminal(width, 560)

# Side by side while five figures fit, else upright.
slot = count > 1 ? 0.9 / count : 0.3
upright = 0.9 / count * (width - 120) / steps < 38

set logscale y
low = lowest * (1.0 * lowest / highest) ** (upright ? 0.18 : 0.25)
high = highest * 1.4
# Two tics at least, since one alone gives no scale.
stretch = high / low < 6 ? sqrt(6 * low / high) : 1
set yrange [low / stretch:high * stretch]
set ytics ()
do for [e = -6:9] {
    set for [m in "1 2 5"] ytics add (sprintf("%g", m * 10.0**e) m * 10.0**e)
}
set xrange [0.5:steps + 0.5]
set xtics scale 0
set for [i = 1:steps - 1] arrow from i + 0.5, graph 0 to i + 0.5, graph 1 nohead lc rgb light back

turn = upright ? "right rotate by 90 offset 0, -0.7" : "center offset 0, -1"
place(step, i) = step + (i - (count + 1) / 2.0) * slot

set title machine . "\n" . run_time offset 0, 0.9 noenhanced textcolor rgb ink
set key at graph 0.5, graph 1.03 center bottom
set tmargin 5
set bmargin tic_lines + (verdicts . band_machines eq "" ? 1 : 2)
set ylabel "rate, billion interactions a second (G/s)" textcolor rgb ink
eval band_key(band_machines)
set label verdicts at screen 0.99, screen 0.025 right noenhanced textcolor rgb ink

# Its border shows a band of one machine, which has no height.
plot for [i = 1:count] $rows index i - 1 \
         using (place($1, i)):5:(place($1, i) - slot / 2):(place($1, i) + slot / 2):5:6 \
         with boxxyerror fill solid 1 border lw 5 lc rgb band_light notitle, \
     for [i = 1:count] $rows index i - 1 using (place($1, i) - 0.4 * slot):3:(0.8 * slot):(0) \
         with vectors nohead lw 2 lc rgb grey notitle, \
     for [i = 1:count] $rows index i - 1 using (place($1, i)):2 with points \
         pt shape[pick(i)] ps 1.1 lc rgb colour[pick(i)] title "n = " . word(sizes, i), \
     for [i = 1:count] $rows index i - 1 using (place($1, i)):2:4 with labels \
         @turn font ",12" noenhanced textcolor rgb ink notitle, \
     keyentry with lines lw 2 lc rgb grey title "measured limit"
