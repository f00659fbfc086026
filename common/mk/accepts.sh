#!/bin/sh
# accepts.sh COMPILER FLAGS KNOWN: prints FLAGS if COMPILER compiles and links a program with them, one of
# C++ if that is its language, whose library a linker may not find.
# That it does is remembered by a file KNOWN for as long as the compiler is no newer; that it does not is asked
# again, since a package may bring what was missing.
compiler=$(command -v "${1%% *}") || exit 0
# shellcheck disable=SC3013 # every sh has it, though only the POSIX of 2024 does
if ! [ "$3" -nt "$compiler" ]; then
    case $1 in *++*) language=c++ ;; *) language=c ;; esac
    # shellcheck disable=SC2086 # both may be several words
    echo 'int main(void) { return 0; }' | $1 $2 -x $language -o /dev/null - >/dev/null 2>&1 || exit 0
    { mkdir -p "${3%/*}" && : >"$3"; } 2>/dev/null
fi
echo "$2"
