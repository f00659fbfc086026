# Bandwidth of a copy against its size, both axes logarithmic. Given: $rows (bytes, GB/s, label, 1 or
# -1 for the higher and the lower of in and out; a block a series), names, main_sizes, machine, run_time.

# Filled is in; out is a ring around it, since the two may be equal.
array mark[4] = [7, 6, 5, 4]

eval terminal(760, 540)
stats $rows using 1 name "bytes" nooutput
stats $rows using 2 name "rate" nooutput
set logscale x 2
set logscale y
set xrange [bytes_min / 1.5:bytes_max * 2.6]
set yrange [rate_min / 1.4:rate_max * 1.9]
eval decades("y", 9)
set xtics ()
do for [e = 0:9:2] {
    set xtics add (sprintf("%d B", 2**e) 2**e, sprintf("%d KiB", 2**e) 2**(e + 10))
    set xtics add (sprintf("%d MiB", 2**e) 2**(e + 20), sprintf("%d GiB", 2**e) 2.0**(e + 30))
}

set title machine . "\n" . run_time offset 0, 0.9 noenhanced textcolor rgb ink
set key at graph 0.5, graph 1.03 center bottom
set tmargin 5
set xlabel "bytes copied at once" textcolor rgb ink
set ylabel "bandwidth, billion bytes per second (GB/s)" textcolor rgb ink

# A step copies 24 n bytes each way.
do for [i = 1:words(main_sizes)] {
    x = 24.0 * word(main_sizes, i)
    if (x > bytes_min / 1.5 && x < bytes_max * 2) {
        set arrow from x, graph 0 to x, graph 1 nohead dt 2 lw 1.5 lc rgb grey back
        set label "24 n, n = " . word(main_sizes, i) at x, graph 0.02 left rotate by 90 \
            offset -0.8, 0 font ",12" noenhanced textcolor rgb ink
    }
}

# The higher one of a pair has its last value above, the other one below.
apart = (rate_max / rate_min) ** 0.02
plot for [i = 1:4] $rows index i - 1 using 1:2 with linespoints lw 1.5 pt mark[i] \
         ps (i % 2 ? 0.8 : 1.4) lc rgb colour[i > 2 ? 2 : 1] title word(names, i), \
     for [i = 1:4] $rows index i - 1 using ($1 == bytes_max ? $1 : NaN):($2 * apart ** $4):3 \
         with labels left offset 1, 0 font ",12" noenhanced textcolor rgb ink notitle
