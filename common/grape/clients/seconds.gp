# Seconds over n, a line per column; those of the paper are grey. Given: rows, columns, heading.
eval terminal(760, 540)
set logscale xy
set format y "%g"
set xtics ()
do for [e = 8:20:2] {
    set xtics add (sprintf("%d", 2**e) 2**e)
}
set xrange [200:1500000]
set title heading noenhanced textcolor rgb ink
set xlabel "number of stars n" textcolor rgb ink
set ylabel "seconds" textcolor rgb ink
set key inside left top vertical Left
names = system("head -1 " . rows)
dash(c) = c <= 7 ? 1 : 2
plot for [c = 2:columns] rows using 1:c with linespoints lw 1.5 pt shape[pick(c - 1)] ps 0.9 \
    lc rgb colour[pick(c - 1)] dt dash(c) title word(names, c)
