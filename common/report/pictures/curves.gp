# Rates over n, both axes logarithmic, a line a program, and the measured limit. Given: $rows (n, rate,
# star; a block a line), count (of the lines), name and place (of the colour; 0: the limit), unit (what
# the rate counts), heading, machine, run_time, verdicts.

eval terminal(760, 540)
stats $rows using 1 name "n" nooutput
stats $rows using 2 name "rate" nooutput
set logscale x 2
set logscale y
set xrange [n_min / 1.3:n_max * 1.3]
set yrange [rate_min / 1.5:rate_max * 1.5]
eval twos("2^{%d}", "e", 2)
set format y "%g"

set title heading . "\n" . machine . "\n" . run_time offset 0, 0.2 noenhanced textcolor rgb ink
set key outside right center vertical title "rate at its largest n" left
set xlabel "n" textcolor rgb ink
set ylabel "rate, billion " . unit . " per second (G/s)" textcolor rgb ink
set bmargin verdicts eq "" ? 3.5 : 5
set label verdicts at screen 0.99, screen 0.025 right noenhanced textcolor rgb ink

hue(i) = place[i] == 0 ? grey : colour[pick(place[i])]
plot for [i = 1:count] $rows index i - 1 using 1:2 with linespoints lw 1.8 lc rgb hue(i) \
         pt (place[i] == 0 ? 0 : shape[pick(place[i])]) ps 0.9 title name[i], \
     for [i = 1:count] $rows index i - 1 using 1:2:3 with labels offset 0.8, 0.4 \
         noenhanced textcolor rgb hue(i) notitle
