# Seconds over n, both axes logarithmic, a line per method. Given: $rows (n, seconds; a block per line), count (of
# the lines), name, machine, run_time, and the places of crossings as arrows and labels.

eval terminal(760, 500)
stats $rows using 1 name "n" nooutput
set logscale x 2
set logscale y
set xrange [n_min / 1.3:n_max * 1.3]
eval twos("%d", "2**e", 2)
set format y "%g"
set title machine . "\n" . run_time offset 0, 0.2 noenhanced textcolor rgb ink
set key at graph 0.98, graph 0.03 right bottom vertical
set xlabel "n" textcolor rgb ink
set ylabel "seconds for the forces on all bodies" textcolor rgb ink
plot for [i = 1:count] $rows index i - 1 using 1:2 with linespoints lw 1.8 lc rgb colour[pick(i)] \
    pt shape[pick(i)] ps 0.9 title name[i]
