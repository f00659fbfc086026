# Efficiency against the number of devices, a curve a variant and size. Given: $rows
# (devices, efficiency, label; a block a curve), names, curves, most; hue of the size, dash of the
# variant.

eval terminal(720, 470)
set logscale x 2
set xrange [0.9:most * 1.25]
set yrange [0:1.1]
set format y "%.1f"
set xtics 2
set title machine . "\n" . run_time noenhanced textcolor rgb ink
set key outside right center vertical Left reverse
set xlabel "devices" textcolor rgb ink
set ylabel "rate over that of one device, by device" textcolor rgb ink
set arrow 1 from 1, 1 to most, 1 nohead dt 2 lw 1.5 lc rgb grey back
plot for [i = 1:curves] $rows index i - 1 using 1:2 with linespoints pt shape[pick(hue[i])] \
    ps 1 lw 1.5 dt dash[i] lc rgb colour[pick(hue[i])] title names[i] noenhanced
