# A line through a point a size, both axes logarithmic, and the measured limit above it. Given: $rows
# (n, rate, limit, label, whether a main size, how many lines below its label stands, band's lowest and
# highest), main_sizes, heading, machine, run_time, verdicts, band_machines.

eval terminal(760, 540)
stats $rows using 1 name "n" nooutput
stats $rows using 2 name "rate" nooutput
stats $rows using (valid(3) && $3 > $2 ? $3 : $2) name "top" nooutput
set logscale x 2
set logscale y
set xrange [n_min / 1.5:n_max * 1.5]
low = rate_min
high = top_max
if (band_machines ne "") {
    stats $rows using 7 name "below" nooutput
    stats $rows using 8 name "above" nooutput
    low = below_min < low ? below_min : low
    high = above_max > high ? above_max : high
}
set yrange [low / 2:high * 1.4]
eval decades("y", 9)
# As many powers of two as have room.
octaves = log(n_max / n_min * 1.5 ** 2) / log(2)
stride = ceil(8.0 * strlen(sprintf("%d", n_max)) * octaves / 640)
eval twos("%d", "2**e", stride)

set title heading . "\n" . machine . "\n" . run_time offset 0, 0.9 noenhanced textcolor rgb ink
set key at graph 0.5, graph 1.03 center bottom
set tmargin 6
set bmargin verdicts . band_machines eq "" ? 3.5 : 5
set xlabel "number of bodies n" textcolor rgb ink
set ylabel "rate, billion interactions per second (G/s)" textcolor rgb ink
eval band_key(band_machines)
set label verdicts at screen 0.99, screen 0.025 right noenhanced textcolor rgb ink

# Lines show a band of one machine, which has no height.
plot $rows using 1:7:8 with filledcurves lc rgb band_light notitle, \
     for [side = 7:8] $rows using 1:side with lines lw 5 lc rgb band_light notitle, \
     $rows using 1:3 with lines lw 2 lc rgb grey title "measured limit", \
     $rows using 1:2 with lines lw 1.5 lc rgb colour[1] notitle, \
     $rows using 1:($5 == 1 ? NaN : $2) with points pt shape[1] ps 1.1 lc rgb colour[1] \
         title "other sizes", \
     $rows using 1:($5 == 1 ? $2 : NaN) with points pt shape[2] ps 1.3 lc rgb colour[2] \
         title "n = " . main_sizes, \
     for [line = 1:2] $rows using 1:($6 == line ? $2 : NaN):4 with labels offset 0, -1.1 * line \
         font ",12" noenhanced textcolor rgb ink notitle
