# Horizontal bars from zero, a panel a step. Given: $rows (place, rate, variant, label; a block a
# step), steps, bars (how many in each), size, longest (letters in a variant's name).

bar = 26.0
panel = 66.0
heading = 86.0
total = 0
do for [i = 1:words(steps)] {
    total = total + word(bars, i)
}
height = heading + panel * words(steps) + bar * total - (verdicts eq "" ? 20 : 0)
eval terminal(720, height)
array most[words(steps)]
do for [i = 1:words(steps)] {
    stats $rows index i - 1 using 2 name "rate" nooutput
    most[i] = rate_max
}
set multiplot
set lmargin at screen (30.0 + 8 * longest) / 720
set rmargin at screen 0.96
set border 1
set grid noytics xtics lc rgb light lw 1
set ytics scale 0 noenhanced
unset key
set label 1 machine at screen 0.5, screen 1 - 20.0 / height center noenhanced textcolor rgb ink
set label 2 run_time . ",  n = " . size at screen 0.5, screen 1 - 39.0 / height center \
    noenhanced textcolor rgb ink
set label 3 verdicts at screen 0.99, screen 12.0 / height right noenhanced textcolor rgb ink

top = height - heading
do for [i = 1:words(steps)] {
    count = int(word(bars, i))
    set tmargin at screen top / height
    set bmargin at screen (top - count * bar) / height
    set title word(steps, i) . ": billion interactions a second (G/s), and against the first" \
        offset 0, -0.6 noenhanced textcolor rgb ink
    set xrange [0:most[i] * 1.25]
    set yrange [count - 0.5:-0.5]
    plot $rows index i - 1 using (0):1:(0):2:($1 - 0.36):($1 + 0.36):ytic(3) with boxxyerror \
             fill solid 0.75 lc rgb colour[pick(i)], \
         $rows index i - 1 using 2:1:4 with labels left offset 0.6, 0 font ",12" \
             noenhanced textcolor rgb ink
    unset label
    top = top - count * bar - panel
}
unset multiplot
