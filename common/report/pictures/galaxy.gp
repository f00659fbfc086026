# Four profiles of a galaxy, bodies as points and the model as lines: densities of the spheres, surface
# density of the disk, rotation, Toomre's Q. Rings round points are the same bodies later, if million_years is
# not 0. Given: $rows (galaxy.awk), million_years, names, machine.

later = million_years > 0 ? sprintf("after %g million years", million_years) : ""

eval terminal(920, 760)
set multiplot layout 2, 2 title machine noenhanced textcolor rgb ink
set key inside bottom left vertical
set logscale xy
set format y "10^{%T}"
set format x "%g"
set xlabel "r, kpc" textcolor rgb ink

set ylabel "solar masses per kpc^3" textcolor rgb ink
plot $rows using 1:3 with lines lw 1.5 lc rgb colour[1] notitle, \
     $rows using 1:2 with points pt shape[1] ps 0.6 lc rgb colour[1] title "halo", \
     $rows using 1:5 with lines lw 1.5 lc rgb colour[2] notitle, \
     $rows using 1:4 with points pt shape[2] ps 0.6 lc rgb colour[2] title "stellar halo", \
     $rows using 1:7 with lines lw 1.5 lc rgb colour[3] notitle, \
     $rows using 1:6 with points pt shape[3] ps 0.6 lc rgb colour[3] title "bulge", \
     $rows using 1:15 with points pt 6 ps 1.1 lc rgb colour[1] notitle, \
     $rows using 1:16 with points pt 6 ps 1.1 lc rgb colour[2] notitle, \
     $rows using 1:17 with points pt 6 ps 1.1 lc rgb colour[3] notitle, \
     keyentry with points pt 6 ps 1.1 lc rgb ink title later

set xlabel "R, kpc" textcolor rgb ink
set ylabel "solar masses per kpc^2" textcolor rgb ink
plot $rows using 1:9 with lines lw 1.5 lc rgb colour[4] title "model", \
     $rows using 1:8 with points pt shape[4] ps 0.7 lc rgb colour[4] title "disk", \
     $rows using 1:18 with points pt 6 ps 1.1 lc rgb ink title later

unset logscale
set format y "%g"
set xrange [0:40]
set ylabel "km/s" textcolor rgb ink
set key inside bottom right vertical
plot $rows using 1:12 with lines dt 3 lw 1.5 lc rgb colour[5] title "circle", \
     $rows using 1:11 with lines lw 1.5 lc rgb colour[4] title "model", \
     $rows using 1:10 with points pt shape[4] ps 0.7 lc rgb colour[4] title "disk's bodies", \
     $rows using 1:19 with points pt 6 ps 1.1 lc rgb ink title later

set key inside top center vertical
set ylabel "Toomre's Q" textcolor rgb ink
set yrange [0:8]
plot 1 with lines dt 2 lc rgb grey title "Q = 1", \
     $rows using 1:14 with lines lw 1.5 lc rgb colour[4] title "model", \
     $rows using 1:13 with points pt shape[4] ps 0.7 lc rgb colour[4] title "disk's bodies", \
     $rows using 1:20 with points pt 6 ps 1.1 lc rgb ink title later
unset multiplot
