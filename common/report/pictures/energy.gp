# Relative error of energy of a Plummer sphere over time. Given: $rows (time, |dE / E|; two blocks a
# variant, softened and not), names, machine.

eval terminal(920, 540)
set logscale y
set format y "10^{%T}"
set title machine noenhanced textcolor rgb ink
set key outside right center vertical
set xlabel "time, Henon units" textcolor rgb ink
set ylabel "|dE / E|" textcolor rgb ink

dash(i) = i % 2 ? 1 : 3
name(i) = word(names, (i + 1) / 2) . (i % 2 ? ", softened" : ", not softened")
plot for [i = 1:2 * words(names)] $rows index i - 1 using 1:2 with linespoints lw 1.5 \
         dt dash(i) pt shape[pick((i + 1) / 2)] ps 0.8 lc rgb colour[pick((i + 1) / 2)] \
         title name(i)
