#!/bin/sh
# draw_film.sh FRAMES TIMES N OUTDIR [RANGE]: draws film.png, a sheet of twelve pictures, and
# film.gif, which moves. FRAMES holds x, y, z of N bodies as float32 of this machine, frame after
# frame; TIMES the frames' times, one a line. RANGE is the half-width shown, by default a tenth more
# than holds 99% of the bodies. Exit codes as in draw.sh.
set -u
export LC_ALL=C

here=$(dirname "$0")
. "$here/../pictures/plot.sh"

usage="usage: draw_film.sh FRAMES TIMES N OUTDIR [RANGE]"
[ $# -eq 4 ] || [ $# -eq 5 ] || fail 3 "$usage"
case $3 in '' | 0* | *[!0-9]*) fail 3 "$usage" ;; esac
frames=$1
times=$2
n=$3
out=$4

[ -s "$frames" ] && [ -s "$times" ] || fail 13 "$frames or $times is empty or not there"
count=$(awk 'NF != 1 || $1 != $1 + 0 { exit 1 } END { print NR }' "$times") ||
    fail 13 "$times is damaged: every line is one number"
[ "$(wc -c <"$frames")" -eq $((count * n * 12)) ] ||
    fail 13 "$frames does not hold $count frames of $n bodies"

if ! command -v gnuplot >/dev/null 2>&1; then
    echo "gnuplot is not installed: film.png and film.gif are left out"
    exit 0
fi
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || fail 1 "no temporary folder"
mkdir -p "$out" || fail 10 "$out cannot be made"

# Twelve frames from the first to the last.
chosen=$(awk -v last=$((count - 1)) \
    'BEGIN { for (i = 0; i < 12; i++) printf "%d ", i * last / 11 + 0.5 }')
range=${5:-$(for k in $chosen; do
    od -An -v -tf4 -j $((k * n * 12)) -N $((n * 12)) "$frames"
done | awk -f "$here/film.awk" -v task=range)}

od -An -v -tf4 "$frames" |
    awk -f "$here/film.awk" -v task=frames -v n="$n" -v range="$range" -v folder="$scratch" ||
    fail 1 "awk could not read $frames"
echo "n = $n; folder = '$scratch'" >"$scratch/film.gp"
printf "times = '%s'; chosen = '%s'\n" "$(tr '\n' ' ' <"$times")" "$chosen" >>"$scratch/film.gp"

# Side by side in time; gnuplot reports on the GIF's frames where it reports errors.
gnuplot "$scratch/film.gp" "$here/film_style.gp" "$here/film_sheet.gp" &
sheet=$!
gnuplot "$scratch/film.gp" "$here/film_style.gp" "$here/film_gif.gp" 2>"$scratch/errors" || {
    cat "$scratch/errors" >&2
    fail 1 "gnuplot could not draw film.gif"
}
wait $sheet || fail 1 "gnuplot could not draw film.png"
publish film.png
publish film.gif
