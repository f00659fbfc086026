# Relative errors of a walk at 1, 50, 90 and 99 per cent of the bodies and the largest, over accuracy and angle;
# and what an error costs by either. Given: $rows (errors.awk: two blocks), direct_median, direct_largest, names,
# machine.

eval terminal(1180, 430)
set multiplot layout 1, 3 title machine noenhanced textcolor rgb ink
set logscale x 2
set logscale y
set format y "10^{%T}"
set yrange [1e-8:100]
set xtics ()
do for [e = 0:20:4] {
    set xtics add (sprintf("2^{-%d}", e) 2**-e)
}
set key inside top left vertical
set ylabel "relative error" textcolor rgb ink
array names_of[5] = ["1%", "50%", "90%", "99%", "largest"]

set xlabel "accuracy" textcolor rgb ink
plot for [i = 1:5] $rows index 0 using 1:i + 1 with linespoints lw 1.5 pt shape[i] ps 0.6 lc rgb colour[i] \
         title names_of[i], \
     direct_median with lines dt 2 lc rgb grey title "all pairs in float:", \
     direct_largest with lines dt 3 lc rgb grey title "50%, largest"

set xtics ()
do for [e = 0:6] {
    set xtics add (sprintf("2^{-%d}", e) 2**-e)
}
set xlabel "opening angle" textcolor rgb ink
plot for [i = 1:5] $rows index 1 using 1:i + 1 with linespoints lw 1.5 pt shape[i] ps 0.6 lc rgb colour[i] notitle, \
     direct_median with lines dt 2 lc rgb grey notitle, \
     direct_largest with lines dt 3 lc rgb grey notitle

set xtics autofreq
set format x "%g"
set xlabel "parts per body" textcolor rgb ink
set ylabel "relative error at 99%" textcolor rgb ink
set key inside bottom left vertical
plot $rows index 0 using 7:5 with linespoints lw 1.5 pt shape[1] ps 0.6 lc rgb colour[1] title "by the accuracy", \
     $rows index 1 using 7:5 with linespoints lw 1.5 pt shape[2] ps 0.6 lc rgb colour[2] title "by the angle"
unset multiplot
