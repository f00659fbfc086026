#!/bin/sh
# install.sh PREFIX: copies the library of build/lib, its header and what pkg-config reads to a folder, which is
# made. Exit codes are those of common/problems/outcome.h: 3 usage, 10 PREFIX cannot be written.
set -u

fail() {
    echo "error: $2" >&2
    exit "$1"
}

prefix=${1-}
[ -n "$prefix" ] || fail 3 "install needs a folder, as in \`make install PREFIX=\$HOME/grape6\`"
case $prefix in *[!A-Za-z0-9/._+@%~-]*) fail 3 "PREFIX=$prefix: a path without spaces and quotes is needed, which pkg-config can read" ;; esac
mkdir -p "$prefix/lib/pkgconfig" "$prefix/include" 2>/dev/null && prefix=$(cd "$prefix" && pwd) &&
    cp build/lib/libgrape6.so build/lib/libgrape6.a "$prefix/lib/" 2>/dev/null &&
    cp common/include/grape6.h "$prefix/include/" 2>/dev/null &&
    sed "s,^libdir=.*,libdir=$prefix/lib,; s,^includedir=.*,includedir=$prefix/include," build/lib/grape6.pc \
        2>/dev/null >"$prefix/lib/pkgconfig/grape6.pc" || fail 10 "PREFIX=$1 cannot be written; name a folder of your own"
echo "$prefix: the library; programs are built by"
echo "  export PKG_CONFIG_PATH=$prefix/lib/pkgconfig"
echo "  cc client.c \$(pkg-config --cflags --libs grape6)"
