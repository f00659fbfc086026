# All frames in motion. Given: what film_style.gp sets and needs.

set terminal gif animate delay 8 loop 0 size 480, 480 background rgb ground font "sans-serif,13"
set output folder . "/film.gif"
unset border
set margins 0, 0, 0, 0
do for [k = 0:words(times) - 1] {
    set label 1 time_label(k) at graph 0.04, 0.95 front textcolor rgb "#F0F0F0"
    plot frame(k) matrix using 1:2:(log(1 + $3)) with image
}
