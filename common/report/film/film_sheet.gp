# Twelve frames on a sheet. Given: what film_style.gp sets and needs, chosen (their numbers).

set terminal pngcairo size 1920, 1440 background rgb ground font "sans-serif,22"
set output folder . "/film.png"
set border lc rgb "#2A3140"
set multiplot layout 3, 4 margins 0, 1, 0, 1 spacing 0
do for [k in chosen] {
    set label 1 time_label(int(k)) at graph 0.04, 0.94 front textcolor rgb "#F0F0F0"
    plot frame(int(k)) matrix using 1:2:(log(1 + $3)) with image
}
unset multiplot
