#!/bin/sh
# accepts.sh COMPILER FLAGS FOLDER: prints FLAGS if COMPILER compiles and links a program with them, one of
# C++ if that is its language, whose library a linker may not find.
# That it does is remembered in FOLDER for as long as the compiler is no newer; that it does not is asked
# again, since a package may bring what was missing.
known=$3/$(printf '%s %s' "$1" "$2" | tr -c 'A-Za-z0-9=,+-' _)
compiler=$(command -v "${1%% *}") || exit 0
if [ -z "$(find -L "$known" -newer "$compiler" 2>/dev/null)" ]; then
    case $1 in *++*) language=c++ ;; *) language=c ;; esac
    # shellcheck disable=SC2086 # both may be several words
    echo 'int main(void) { return 0; }' | $1 $2 -x $language -o /dev/null - >/dev/null 2>&1 || exit 0
    { mkdir -p "$3" && : >"$known"; } 2>/dev/null
fi
echo "$2"
