# Points measured, lines by the cycle model, both axes logarithmic. Given: the file `square` (threads a
# body, n, rate, the model's rate), `threads`, the numbers of threads in it, and `heading`.

eval terminal(860, 540)
set logscale x 2
set logscale y
stats square using 2 name "n" nooutput
set xrange [n_min / 1.5:n_max * 1.5]
eval twos("%d", "2**e", 2)
set title heading noenhanced textcolor rgb ink
set xlabel "number of bodies n" textcolor rgb ink
set ylabel "rate, billion interactions per second (G/s)" textcolor rgb ink
plot for [i = 1:words(threads)] square using 2:($1 == word(threads, i) + 0 ? $4 : 1/0) with lines \
         lw 1.5 lc rgb colour[pick(i)] notitle, \
     for [i = 1:words(threads)] square using 2:($1 == word(threads, i) + 0 ? $3 : 1/0) with points \
         pt shape[pick(i)] ps 1.1 lc rgb colour[pick(i)] title "T_sub = " . word(threads, i)
