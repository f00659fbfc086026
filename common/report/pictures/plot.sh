# Read by scripts that draw, whose are `here`, this file's folder, `out` and `scratch`.
# shellcheck shell=sh disable=SC2154
export LC_ALL=C

# fail CODE WORDS: ends the script.
fail() {
    echo "${0##*/}: $2" >&2
    exit "$1"
}

# plot NAME TEXT SCRIPT ...: gnuplot makes OUT/NAME.svg, with that alternative text. A picture that
# cannot be drawn leaves the old one as it was.
plot() {
    picture=$1.svg
    text=$2
    shift 2
    # Where there is nothing to draw, as without a measured limit, gnuplot warns; that is no news.
    gnuplot -e "output_file = '$scratch/svg'" "$here/style.gp" "$@" 2>"$scratch/errors" || {
        cat "$scratch/errors" >&2
        fail 1 "gnuplot could not draw $picture"
    }
    sed -e "s|<title>Gnuplot</title>|<title>$text</title>|" \
        -e "s|<desc>Produced by.*</desc>|<desc>$text</desc>|" "$scratch/svg" >"$out/.$picture.$$" &&
        mv "$out/.$picture.$$" "$out/$picture" ||
        fail 10 "$out/$picture cannot be written"
    echo "$out/$picture"
}
