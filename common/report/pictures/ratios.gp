# Times of rows of threads by those of the exchange, over n, a colour for each number of threads per body:
# full points with the softening first in both, open ones with it last in the rows. Given: the file
# `ratios` (threads per body, n, kernel, ratio) and `threads`, the numbers of threads in it.

eval terminal(860, 540)
set logscale x 2
stats ratios using 2 name "n" nooutput
set xrange [n_min / 1.5:n_max * 1.5]
eval twos("%d", "2**e", 2)
is(i, name, value) = column(1) == word(threads, i) + 0 && strcol(3) eq name ? value : NaN
set xlabel "number of bodies n" textcolor rgb ink
set ylabel "speed-up over rows of threads" textcolor rgb ink
set title "dashed, open: the softening last in the rows" noenhanced textcolor rgb ink
plot 1 with lines lw 1 lc rgb grey notitle, \
     for [i = 1:words(threads)] ratios using 2:(is(i, "block", $4)) with linespoints \
         pt shape[pick(i)] ps 1.1 lw 1.5 lc rgb colour[pick(i)] \
         title "T_sub = " . word(threads, i), \
     for [i = 1:words(threads)] ratios using 2:(is(i, "block_softening_last", $4)) with linespoints \
         pt shape[pick(i)] - 1 ps 1.1 lw 1.5 dt 2 lc rgb colour[pick(i)] notitle
