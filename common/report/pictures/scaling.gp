# Speed-up over one thread beside the ideal, both axes in powers of two; below it, where the record
# has them, the share of the position loop. Given: $rows (threads, speed-up, label; a block a size),
# sizes, scaled_step, $loops (place, share, variant, label), bars.

count = words(sizes)
lower = bars > 0 ? 60 + 24 * bars : 0
height = 540 + lower
eval terminal(720, height)
set multiplot

stats $rows using 1 name "threads" nooutput
stats $rows using 2 name "speedup" nooutput
if (bars > 0) {
    stats $loops using 2 name "share" nooutput
}
low = speedup_min < 1 ? speedup_min : 1
high = speedup_max > threads_max ? speedup_max : threads_max
across = threads_max ** 0.1
up = (high / low) ** 0.1
set logscale xy 2
set xrange [1 / across:threads_max * across]
set yrange [low / up:high * up]
# Values stand below on the right of the marks, those of every other size above on the left.
side(i) = i % 2 ? 0.5 : -0.5
set ytics 2

set lmargin at screen 0.11
set rmargin at screen 0.96
set tmargin at screen 1 - 95.0 / height
set bmargin at screen (lower + 70.0) / height
set title machine . "\n" . run_time offset 0, 0.9 noenhanced textcolor rgb ink
set key at graph 0.5, graph 1.03 center bottom
set xlabel "threads" textcolor rgb ink
set ylabel "speed-up of " . scaled_step . " over one thread" noenhanced textcolor rgb ink
set label 1 verdicts at screen 0.99, screen (lower + 12.0) / height right noenhanced \
    textcolor rgb ink

set arrow 1 from 1, 1 to threads_max, threads_max nohead dt 2 lw 1.5 lc rgb grey back
plot keyentry with lines dt 2 lw 1.5 lc rgb grey title "ideal", \
     for [i = 1:count] $rows index i - 1 using 1:2 with points \
         pt shape[pick(i)] ps 1.1 lc rgb colour[pick(i)] title "n = " . word(sizes, i), \
     for [i = 1:count] $rows index i - 1 using ($1 * across ** side(i)):($2 / up ** side(i)):3 \
         with labels font ",12" noenhanced textcolor rgb ink notitle

if (bars > 0) {
    unset logscale
    unset label 1
    unset arrow 1
    unset key
    unset grid
    set lmargin at screen 0.2
    set tmargin at screen (lower - 30.0) / height
    set bmargin at screen 12.0 / height
    set title "position loop: share of both loops' time, and time per iteration (the step's own clock)" \
        offset 0, -0.5 textcolor rgb ink
    unset xlabel
    unset ylabel
    set border 2
    unset xtics
    set ytics scale 0 noenhanced ()
    set yrange [bars - 0.4:-0.6]
    set xrange [0:(share_max > 0 ? share_max * 1.35 : 1)]
    plot $loops using (0):1:(0):2:($1 - 0.3):($1 + 0.3):ytic(3) with boxxyerror \
             fill solid 0.75 lc rgb colour[1], \
         $loops using 2:1:4 with labels left offset 0.6, 0 font ",12" noenhanced textcolor rgb ink
}
unset multiplot
