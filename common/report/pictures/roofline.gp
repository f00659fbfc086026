# Points under the line issue / slots, both axes logarithmic; their names in a column at the right, which
# the given commands put there. Given: $rows (slots, rate, whether the learner's), $levels (rate, text),
# levels (whether there are any), issue (billion slots per second), fewest and most slots, low and high
# of the rates' axis, heading, machine, run_time, verdicts.

eval terminal(760, 560)
set lmargin at screen 0.11
set rmargin at screen 0.63
set logscale xy
set xrange [fewest / 1.5:most * 1.15]
set yrange [low:high]
set xtics ()
do for [x in "1 2 3 4 5 6 8 10 12 15 20 25 30 40 50 60 80 100 150 200"] {
    set xtics add (x real(x))
}
eval decades("y", 9)
set title heading . "\n" . machine . "\n" . run_time offset 8, 0 noenhanced textcolor rgb ink
set xlabel "issue slots (instructions) per interaction" textcolor rgb ink
set ylabel "rate, billion interactions per second (G/s)" textcolor rgb ink
set label "step: slots, G/s" at graph 1.06, graph 1.05 left font ",12" textcolor rgb ink
set bmargin 4.5
set label verdicts at screen 0.99, screen 0.02 right noenhanced textcolor rgb ink
set key at graph 0.02, graph 0.02 left bottom vertical
if (levels) {
    set for [k = 1:|$levels|] label $levels[k][strstrt($levels[k], "\t") + 1:*] at graph 0.99, \
        first real(word($levels[k], 1)) right offset 0, 0.5 font ",11" noenhanced textcolor rgb ink
    set for [k = 1:|$levels|] arrow from graph 0, first real(word($levels[k], 1)) \
        to graph 1, first real(word($levels[k], 1)) nohead dt 2 lc rgb grey back
}
plot issue / x with lines lw 2 lc rgb ink title "limit by issue slots", \
     $rows using 1:($3 > 0 ? NaN : $2) with points pt shape[1] ps 1.1 lc rgb colour[1] title "solution", \
     $rows using 1:($3 > 0 ? $2 : NaN) with points pt shape[3] ps 1.3 lc rgb colour[2] title "yours"
