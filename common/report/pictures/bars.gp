# Horizontal bars from zero, a panel a size or a subject, each with a scale of its own. Given: $rows
# (place, value, name, label, whether light; a block a panel), panels, panel_title, panel_axis and
# bars (how many in each), longest_name and longest_text (letters), machine, subtitle, verdicts.

bar = 26.0
gap = 92.0
heading = 86.0
total = 0
do for [i = 1:panels] {
    total = total + bars[i]
}
width = 720
height = heading + gap * panels + bar * total - (verdicts eq "" ? 34 : 16)
eval terminal(width, height)
array most[panels]
do for [i = 1:panels] {
    stats $rows index i - 1 using 2 name "value" nooutput
    most[i] = value_max
}
set multiplot
set lmargin at screen (30.0 + 8 * longest_name) / width
set rmargin at screen 0.96
# The label of the longest bar has room on its right.
inside = width * 0.96 - 30 - 8 * longest_name
room = inside / (inside - 7.0 * longest_text - 14)
# Tics at 1, 2 or 5 times a power of ten, eight at most: long figures stay apart.
digit(x) = x <= 1 ? 1 : x <= 2 ? 2 : x <= 5 ? 5 : 10
stride(x) = digit(x / 10 ** floor(log10(x))) * 10 ** floor(log10(x))
set border 1
set grid noytics xtics lc rgb light lw 1
set ytics scale 0 noenhanced
unset key
set label 1 machine at screen 0.5, screen 1 - 20.0 / height center noenhanced textcolor rgb ink
set label 2 subtitle at screen 0.5, screen 1 - 39.0 / height center noenhanced textcolor rgb ink
set label 3 verdicts at screen 0.99, screen 12.0 / height right noenhanced textcolor rgb ink

top = height - heading
do for [i = 1:panels] {
    set tmargin at screen top / height
    set bmargin at screen (top - bars[i] * bar) / height
    set title panel_title[i] offset 0, -0.6 noenhanced textcolor rgb ink
    set xlabel panel_axis[i] offset 0, 0.4 noenhanced textcolor rgb ink
    set xrange [0:most[i] * room]
    set xtics stride(most[i] * room / 8)
    set yrange [bars[i] - 0.5:-0.5]
    plot $rows index i - 1 using (0):1:(0):2:($1 - 0.36):($1 + 0.36):ytic(3) with boxxyerror \
             fc rgb bar_light fill solid 1 noborder, \
         $rows index i - 1 using (0):($5 > 0 ? NaN : $1):(0):2:($1 - 0.36):($1 + 0.36) \
             with boxxyerror fc rgb colour[1] fill solid 1 noborder, \
         $rows index i - 1 using 2:1:4 with labels left offset 0.6, 0 font ",12" \
             noenhanced textcolor rgb ink
    unset label
    top = top - bars[i] * bar - gap
}
unset multiplot
