# Bars from zero, a number on each, since most of them are too low to be seen. Given: $rows (k,
# percent, label; a block a series), names, heading, missing, machine, run_time.

# Dark, middle and pale, told apart in grey, too.
array shade[6] = ["#0072B2", "#E69F00", "#DDEEF8", "#000000", "#D55E00", "#999999"]
series = words(names)
slot = 0.84 / series
place(k, i) = k + (i - (series + 1) / 2.0) * slot
upright = series > 1
turn = upright ? "left rotate by 90 offset 0, 0.4" : "center offset 0, 0.7"

eval terminal(760, 490)
# More than two names with their verdicts take two lines.
key_lines = series > 2 ? 2 : 1
set title heading . "\n" . machine . "\n" . run_time offset 0, 1.2 * key_lines - 0.3 noenhanced \
    textcolor rgb ink
set key at graph 0.5, graph 1.03 center bottom
set tmargin 4.8 + 1.2 * key_lines
set bmargin missing eq "" ? 4.5 : 6
set label missing at screen 0.99, screen 0.025 right noenhanced textcolor rgb ink
set xlabel "first wrong decimal against the float32 serial reference, after two iterations from cube" \
    offset 0, -0.6 textcolor rgb ink
set ylabel "share of the 3 n coordinates, %" textcolor rgb ink

stats $rows using 2 name "percent" nooutput
set xrange [0.5:10.5]
# Room for the upright numbers and, above them, the rule.
set yrange [0:percent_max * (upright ? 1.45 : 1.25)]
set ytics 0, 10, 100
set xtics scale 0 1, 1, 9
set xtics add ("later or\nnever" 10)

# The homework's rule: at most 1% may be wrong at decimals 1 and 2.
set arrow from 2.5, graph 0 to 2.5, graph 1 nohead dt 2 lw 1.5 lc rgb grey back
set label "accepted if at most 1%\nlies left of this line" at 2.56, graph 0.97 left \
    font ",12" textcolor rgb ink

plot for [i = 1:series] $rows index i - 1 \
         using (place($1, i)):2:(place($1, i) - slot / 2):(place($1, i) + slot / 2):(0):2 \
         with boxxyerror fill solid 1 border rgb ink lc rgb shade[pick(i)] \
         title word(names, i) noenhanced, \
     for [i = 1:series] $rows index i - 1 using (place($1, i)):2:3 with labels \
         @turn font ",12" noenhanced textcolor rgb ink notitle
