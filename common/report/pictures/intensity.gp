# Points of each step, one per level of memory, under the line of what the GPU issues and the slanted lines of what
# the levels deliver; both axes logarithmic. Given: $points (slots per byte, 10^12 slots per second, level), issue
# (10^12 slots per second), near and far (10^12 bytes per second), fewest and greatest slots per byte, low and high
# of the other axis, machine, run_time, verdicts, and the names of the steps as labels at the right.

eval terminal(760, 560)
set lmargin at screen 0.11
set rmargin at screen 0.71
set bmargin 9
set logscale xy
set xrange [fewest / 2:greatest * 1.6]
set yrange [low:high]
eval decades("x", 4)
eval decades("y", 9)
set xtics rotate by -45
set title machine . "\n" . run_time offset 0, 0 noenhanced textcolor rgb ink
set xlabel "instructions (issue slots) per byte at that level" textcolor rgb ink
set ylabel "10^{12} instructions (issue slots) per second" textcolor rgb ink
set label verdicts at screen 0.99, screen 0.97 right noenhanced textcolor rgb ink
set key at screen 0.1, screen 0.02 left bottom vertical maxrows 3 width -3
set samples 500
roof(x, slope) = slope * x < issue ? slope * x : issue
plot issue with lines lw 2 lc rgb ink title "issue of instructions, measured", \
     roof(x, near) with lines lw 2 lc rgb colour[1] title "L1 and shared memory, measured", \
     roof(x, far) with lines lw 2 lc rgb colour[2] title "device memory, measured", \
     $points using 1:($3 == 1 ? $2 : NaN) with points pt shape[1] ps 1.1 lc rgb colour[1] title "step, L1 and shared memory", \
     $points using 1:($3 == 2 ? $2 : NaN) with points pt shape[3] ps 1.3 lc rgb colour[3] title "step, L2", \
     $points using 1:($3 == 3 ? $2 : NaN) with points pt shape[2] ps 1.1 lc rgb colour[2] title "step, device memory"
