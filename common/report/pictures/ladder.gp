# A line a row on a logarithmic axis (a bar's length would mean nothing there): a point with its value
# on the left, where no limit can cross it, and the measured limit as an upright line; behind it other
# machines' rates from the lowest to the highest.
# Given: $rows (line, rate, limit, label, band's lowest and highest; a block a size and program, then one of
# estimates for the GPU estimated_for, which are hollow, unless that is ""), lines, names of the blocks of
# rows, places (of their colours and shapes; negative: the learner's, open), borders between
# steps, lowest and highest of all these, band_machines.

count = words(places)
is_estimated = estimated_for ne ""
heading = 52 + 19 * ceil((count + is_estimated + 1) / 2.0)
height = 79 + heading + 17 * lines
eval terminal(760, height)
set lmargin at screen 180.0 / 760
set rmargin at screen 0.97
set tmargin at screen 1 - 1.0 * heading / height
set bmargin at screen (verdicts . band_machines eq "" ? 55.0 : 84.0) / height

set logscale x
low = lowest * (1.0 * lowest / highest) ** 0.14
high = highest * 1.2
# Two tics at least, since one alone gives no scale.
stretch = high / low < 6 ? sqrt(6 * low / high) : 1
set xrange [low / stretch:high * stretch]
set xtics ()
do for [e = -6:9] {
    set for [m = 1:(high / low > 300 ? 1 : 5)] xtics add (m == 3 || m == 4 ? "" : sprintf("%g", m * 10.0**e) m * 10.0**e)
}
set yrange [lines - 0.25:-0.75]
set grid noytics xtics lc rgb light lw 1
set for [b in borders] arrow from graph 0, first b to graph 1, first b nohead lc rgb light back

set label machine at screen 0.5, screen 1 - 20.0 / height center noenhanced textcolor rgb ink
set label run_time at screen 0.5, screen 1 - 39.0 / height center noenhanced textcolor rgb ink
set key at screen 0.5, screen 1 - 48.0 / height center top maxrows (count + is_estimated + 2) / 2
set xlabel "rate, billion interactions per second (G/s)" offset 0, 0.4 textcolor rgb ink
eval band_key(band_machines)
set label verdicts at screen 0.99, screen 12.0 / height right noenhanced textcolor rgb ink

place(i) = int(word(places, i))
size(i) = place(i) > 0 ? place(i) : place(i) + 10
# A loop over no block would draw one, so what may be missing is a part of the command.
label = "right offset -0.9, 0 font ',12' noenhanced textcolor rgb ink notitle"
rows = count == 0 ? "" : ", for [i = 1:count] $rows index i - 1 using 3:($1 - 0.4):(0):(0.8) " . \
    "with vectors nohead lw 2 lc rgb grey notitle, " . \
    "for [i = 1:count] $rows index i - 1 using 2:1 with points " . \
    "pt shape[pick(size(i))] - (place(i) < 0) ps 1 lw 1.5 lc rgb colour[pick(size(i))] title word(names, i), " . \
    "for [i = 1:count] $rows index i - 1 using 2:1:4 with labels " . label . ", " . \
    "keyentry with lines lw 2 lc rgb grey title 'measured limit'"
estimates = !is_estimated ? "" : ", $rows index count using 2:1 with points pt 8 ps 1.2 lw 1.5 lc rgb ink " . \
    "title 'estimated, ' . estimated_for, $rows index count using 2:1:4 with labels " . label
# Its border shows a band of one machine, which has no width.
plot for [i = 1:count + is_estimated] $rows index i - 1 using 5:1:5:6:($1 - 0.32):($1 + 0.32) \
    with boxxyerror fill solid 1 border lw 5 lc rgb band_light notitle @rows @estimates
