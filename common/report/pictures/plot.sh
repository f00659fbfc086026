# Read by scripts that draw, whose are `out`, `scratch` and, for plot, `here`, this file's folder.
# shellcheck shell=sh disable=SC2154
export LC_ALL=C

# fail CODE WORDS: ends the script.
fail() {
    echo "${0##*/}: $2" >&2
    exit "$1"
}

# publish PICTURE: puts SCRATCH/PICTURE into OUT. A picture that could not be drawn leaves the old one as it was.
publish() {
    cp "$scratch/$1" "$out/.$1.$$" && mv "$out/.$1.$$" "$out/$1" ||
        fail 10 "$out/$1 cannot be written"
    echo "$out/$1"
}

# plot NAME TEXT SCRIPT ...: gnuplot makes OUT/NAME.svg, with that alternative text.
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
        -e "s|<desc>Produced by.*</desc>|<desc>$text</desc>|" "$scratch/svg" >"$scratch/$picture" ||
        fail 1 "$picture could not be named"
    publish "$picture"
}
