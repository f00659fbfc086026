# Error of place against steps per orbit, both axes logarithmic, beside slopes 1 and 2. Given: $rows
# (steps, error; two blocks a variant, eccentricity 0.5 and 0.9), names, machine.

eval terminal(920, 600)
stats $rows using 1 name "steps" nooutput
stats $rows using 2 name "error" nooutput
set logscale x 2
set logscale y
set format y "10^{%T}"
set xrange [steps_min / 1.3:steps_max * 1.3]
set yrange [error_min / 3:error_max * 3]
eval twos("2^{%d}", "e", 2)
set title machine noenhanced textcolor rgb ink
set key outside right center vertical
set xlabel "steps per orbit" textcolor rgb ink
set ylabel "largest error of place in an orbit, semi-major axes" textcolor rgb ink

# Both slopes begin at one place, below the errors of e = 0.9.
slope(x, order) = error_max / 3 * (x / steps_min) ** -order
set label "order 1" at steps_max / 16, slope(steps_max / 16, 1) * 2 left textcolor rgb ink
set label "order 2" at steps_max / 8, slope(steps_max / 8, 2) * 6 left textcolor rgb ink
dash(i) = i % 2 ? 1 : 3
name(i) = word(names, (i + 1) / 2) . (i % 2 ? ", e = 0.5" : ", e = 0.9")
plot for [i = 1:2 * words(names)] $rows index i - 1 using 1:2 with linespoints lw 1.5 \
         dt dash(i) pt shape[pick((i + 1) / 2)] ps 0.8 lc rgb colour[pick((i + 1) / 2)] \
         title name(i), \
     slope(x, 1) with lines dt 2 lc rgb grey notitle, slope(x, 2) with lines dt 2 lc rgb grey notitle
