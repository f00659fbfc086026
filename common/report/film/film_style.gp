# Shared by the two pictures of a film. Given: n; times; folder, which holds frame.0, frame.1, ...:
# for each how many bodies every cell of a square picture holds. The number gives the colour, so
# that density shows where dots would hide each other.

ground = "#05070D"
unset key
unset tics
unset colorbox
set xrange [-0.5:239.5]
set yrange [-0.5:239.5]
# Few colours keep the GIF small; a single body still has to be seen.
set palette maxcolors 16 defined (0 ground, 0.06 ground, 0.2 "#6655B0", 0.45 "#C4525C", \
    0.75 "#F5A742", 1 "#FFF6DC")
set cbrange [0:log(4 + n / 1000.0)]
time_label(k) = sprintf("t = %.2f", word(times, k + 1) + 0)
frame(k) = sprintf("%s/frame.%d", folder, k)
