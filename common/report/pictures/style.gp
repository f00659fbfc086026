# Shared by all pictures of a record: `output_file` is given, fonts and colours are the same.

set encoding utf8
set datafile separator "\t"
set datafile missing "NaN"

# Okabe and Ito's colours, told apart by colour-blind eyes; the shapes tell them apart in grey.
array colour[6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00"]
array shape[6] = [7, 5, 9, 13, 11, 4]
pick(i) = (i - 1) % 6 + 1

ink = "#222222"
grey = "#999999"
light = "#E4E4E4"
bar_light = "#B8D4E8"
band_light = "#F3DFA2"

# A white ground, since a reader's own page may be dark.
terminal(width, height) = sprintf("set terminal svg size %d,%d ", width, height) . \
    "font 'sans-serif,13' background '#FFFFFF'"
set output output_file

# The key of the band of other machines stands at the bottom, where their names have room.
band_key(machines) = machines eq "" ? "" : \
    "set arrow from screen 0.012, screen 0.025 to screen 0.035, screen 0.025 " . \
    "nohead lw 5 lc rgb band_light; " . \
    "set label \"other machines: " . machines . "\" at screen 0.045, screen 0.025 " . \
    "noenhanced textcolor rgb ink"

# To be evaluated: tics at powers of two, 2**e, on the x axis, with `format` of `shown`; at 1, 2 and 5 times powers
# of ten, to 5 * 10**last, on an axis.
twos(format, shown, stride) = "set xtics (); set for [e = 0:30:" . stride . "] " . \
    "xtics add (sprintf('" . format . "', " . shown . ") 2**e)"
decades(axis, last) = "set " . axis . "tics (); set for [e = -6:" . last . "] for [m in '1 2 5'] " . \
    axis . "tics add (sprintf('%g', m * 10.0**e) m * 10.0**e)"

set border 3 lc rgb ink
set tics nomirror out scale 0.6 textcolor rgb ink
set grid ytics lc rgb light lw 1
set key outside top center horizontal reverse Left samplen 1 textcolor rgb ink noenhanced
