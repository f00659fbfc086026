# What the survey found, over accuracies or numbers of bodies: a line per column, and in grey what the paper's text
# states. Given: rows, seed (blocks of points, each with its name), seeds, columns, heading, least and most (powers of
# two of x), x_name, y_name, is_log.
eval terminal(920, 540)
set logscale x 2
if (is_log) { set logscale y }
set format y "%g"
set xtics ()
do for [e = least:most:2] {
    set xtics add (sprintf("2^{%d}", e) 2.0**e)
}
set xrange [2.0**(least - 1):2.0**(most + 1)]
if (!is_log) { set yrange [0:*] }
set title heading noenhanced textcolor rgb ink
set xlabel x_name textcolor rgb ink
set ylabel y_name textcolor rgb ink
set key outside right center vertical
plot for [c = 2:columns] rows using 1:c with linespoints lw 1.5 pt shape[pick(c - 1)] ps 0.8 \
         lc rgb colour[pick(c - 1)] title columnheader(c), \
     for [s = 1:seeds] seed index s - 1 using 1:2 with points pt shape[pick(s)] ps 1.3 lc rgb grey title columnheader(1)
