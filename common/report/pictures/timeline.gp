# Two rows, copies and kernels, against the device's clock. Given: $rows (1: a copy, 0: a kernel;
# which name; begin and end, ms), names, whole (ms), heading, machine, sums.

# In each row dark and light, so that neighbours differ in grey, too.
array shade[6] = ["#0072B2", "#8CCBEE", "#F0A030", "#000000", "#CCCCCC", "#8A3A00"]
eval terminal(760, 300)
set tmargin 6
set bmargin 5
set lmargin 11
set title heading . "\n" . machine offset 0, 1.4 noenhanced textcolor rgb ink
set key at graph 0.5, graph 1.04 center bottom
set xlabel "ms" offset 0, 0.3 textcolor rgb ink
set label 1 sums at screen 0.5, screen 0.05 center noenhanced textcolor rgb ink
set xrange [-0.01 * whole:1.01 * whole]
set yrange [-0.6:1.6]
set ytics ("kernels" 0, "copies" 1) scale 0
set grid noytics xtics lc rgb light lw 1
# The border keeps what is shorter than a pixel visible.
set style fill solid 1 border

plot for [i = 1:words(names)] $rows using ($2 == i ? $3 : NaN):1:3:4:($1 - 0.35):($1 + 0.35) \
         with boxxyerror lw 0.5 lc rgb shade[(i - 1) % 6 + 1] title word(names, i)
