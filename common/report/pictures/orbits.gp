# Paths of one body relative to the other, beside Kepler's ellipse. Given: $rows (x, y; a block a
# variant), names, eccentricity, machine.

eval terminal(860, 600)
set size ratio -1
set parametric
set trange [0:2 * pi]
set samples 400
set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
set title machine noenhanced textcolor rgb ink
set key outside right center vertical
set xlabel "x, semi-major axes" textcolor rgb ink
set ylabel "y" textcolor rgb ink
set grid xtics ytics lc rgb light lw 1
set label 1 "" at 0, 0 point pt 2 ps 1.2 lc rgb ink

plot for [i = words(names):1:-1] $rows index i - 1 using 1:2 with linespoints lw 1.2 pt shape[pick(i)] ps 0.5 \
         lc rgb colour[pick(i)] title word(names, i), \
     cos(t) - eccentricity, sqrt(1 - eccentricity ** 2) * sin(t) with lines lw 1.5 dt 2 lc rgb ink \
         title "Kepler's ellipse"
