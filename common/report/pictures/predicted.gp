# A row a step: the predicted ratio is a line, the measured ones are points below each other; on the
# right stand all as numbers, under headings that serve as the key. Given: $rows (step, ratio, label,
# which size; a block a size), $predicted (step, ratio, label), steps, sizes, machine, run_time,
# verdicts.

count = words(sizes)
width = 760.0
height = 175 + 56 * steps
eval terminal(width, height)
across(i) = 1 - (45 + 84 * (count - i)) / width
down(y) = 1 - y / height
set lmargin at screen 185 / width
set rmargin at screen across(0) - 66 / width
set tmargin at screen down(105.0)
set bmargin at screen (verdicts eq "" ? 68.0 : 92.0) / height
unset key

stats $rows using 2 name "rate" nooutput
stats $predicted using 2 name "guess" nooutput
low = rate_min < guess_min ? rate_min : guess_min
high = rate_max > guess_max ? rate_max : guess_max
set logscale x
set xrange [(low < 1 ? low : 1) / 1.1:(high > 1 ? high : 1) * 1.1]
set yrange [steps + 0.5:0.5]
set grid noytics xtics lc rgb light lw 1
set xtics (0.25, 0.5, 0.6, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 7, 10, 20, 50)
set for [i = 1:steps - 1] arrow from graph 0, first i + 0.5 to screen 0.99, first i + 0.5 nohead \
    lc rgb light back
set arrow from 1, graph 0 to 1, graph 1 nohead dt 2 lc rgb grey back
place(k, i) = k + (i - (count + 1) / 2.0) * 0.8 / count

set label machine at screen 0.5, screen down(22.0) center noenhanced textcolor rgb ink
set label run_time at screen 0.5, screen down(41.0) center noenhanced textcolor rgb ink
set xlabel "ratio of its rate to that of the step it builds on" textcolor rgb ink
set label verdicts at screen 0.99, screen 12.0 / height right noenhanced textcolor rgb ink

set label "predicted by\nissue slots" at screen across(0), screen down(72.0) center font ",12" \
    textcolor rgb ink
set arrow from screen across(0) - 45 / width, screen down(93.0) \
    to screen across(0) - 45 / width, screen down(63.0) nohead lw 3 lc rgb grey
set label "measured at n =" at screen (across(1) + across(count)) / 2, screen down(72.0) center \
    font ",12" textcolor rgb ink
do for [i = 1:count] {
    set label word(sizes, i) at screen across(i), screen down(90.0) center font ",12" \
        textcolor rgb ink
    set label "" at screen across(i) - 33 / width, screen down(90.0) point pt shape[pick(i)] \
        ps 0.9 lc rgb colour[pick(i)]
}
do for [k = 1:steps] {
    set label word($predicted[k], 3) at screen across(0), first k center font ",12" \
        noenhanced textcolor rgb ink
}
do for [k = 1:|$rows|] {
    if (words($rows[k]) == 4) {
        set label word($rows[k], 3) at screen across(int(word($rows[k], 4))), \
            first int(word($rows[k], 1)) center font ",12" noenhanced textcolor rgb ink
    }
}

plot $predicted using 2:($1 - 0.42):(0):(0.84) with vectors nohead lw 3 lc rgb grey \
         title "predicted", \
     for [i = 1:count] $rows index i - 1 using 2:(place($1, i)) with points \
         pt shape[pick(i)] ps 1.1 lc rgb colour[pick(i)] title "n = " . word(sizes, i)
