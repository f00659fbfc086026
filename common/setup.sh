#!/bin/sh
# setup.sh [grading|tests]: installs what the course uses and this machine lacks, from the
# distribution's packages; with `grading` also what the grader needs, with `tests` that and a browser,
# in which a test loads the report page. Does nothing when nothing is missing. Without root or apt it
# prints the one line to run. A package that the distribution does not have is named and left out:
# what needs it says so.
set -u
export LC_ALL=C

case $* in
'' | grading | tests) ;;
*)
    echo "setup: usage: sh common/setup.sh [grading|tests]" >&2
    exit 3
    ;;
esac

missing=
want() { # want PACKAGE COMMAND...: the package is missing if the command fails
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}
header() { # header NAME FLAGS...: whether the C compiler finds it
    name=$1
    shift
    printf '#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <%s>\n' "$name" |
        "$@" -E -xc -
}
links() { # links COMPILER FLAGS...: whether an empty program compiles and links
    echo 'int main(void) { return 0; }' | "$@" -xc -o /dev/null -
}
browser() { # whatever a distribution calls it
    command -v chromium || command -v chromium-browser || command -v google-chrome
}
gif() { # gnuplot without its GIF terminal draws no film
    echo 'set terminal gif animate' | gnuplot
}

want make make --version
want gcc links gcc
want g++ g++ --version
want libc6-dev header stdio.h gcc
want clang links clang
want libomp-dev links clang -fopenmp
want libclang-rt-dev links clang -fsanitize=thread
want llvm llvm-symbolizer --version # names the lines of a race
want libcmocka-dev header cmocka.h gcc
want gnuplot-nox gif
want libwebsockets-dev header libwebsockets.h gcc # serves the page of make live
want fonts-dejavu-core test -d /usr/share/fonts/truetype/dejavu
want diffutils diff --version
want git git --version
if [ -n "${1-}" ]; then
    want bubblewrap bwrap --version
    want libarchive-dev header archive.h gcc
    want libsqlite3-dev header sqlite3.h gcc
    want libjansson-dev header jansson.h gcc
    want libinih-dev header ini.h gcc
    want nettle-dev header nettle/hmac.h gcc
    want similarity-tester sim_text -v
fi
if [ "${1-}" = tests ]; then
    want libgsl-dev header gsl/gsl_integration.h gcc # holds the galaxy's quadratures
    want libhdf5-dev header hdf5.h gcc -I/usr/include/hdf5/serial # a galaxy's bodies in Gadget's format
    want chromium browser
    want libxml2-utils xmllint --version # the schema of JUnit's XML
    want libopenmpi-dev command -v mpicc
    want openmpi-bin command -v mpirun
    want zip zip -v
    want gfortran gfortran --version # a client of the library in Fortran
    want pkg-config pkg-config --version
    want slurm-wlm command -v slurmctld
    want munge command -v munged
fi

[ -n "$missing" ] || exit 0

if command -v apt-get >/dev/null 2>&1; then
    # shellcheck disable=SC2086 # one word a package
    set -- $missing
    if [ "$(id -u)" -eq 0 ]; then
        root=
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        root='sudo'
    elif command -v sudo >/dev/null 2>&1 && [ -t 0 ]; then
        root='sudo' # it asks for the password
    else
        echo "setup: root is needed; run: sudo apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
    $root apt-get update -qq || { echo "setup: apt-get failed; its words stand above" >&2; exit 1; }
    there='' absent=''
    for package; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            there="$there $package"
        else
            absent="$absent $package"
        fi
    done
    [ -z "$absent" ] ||
        echo "setup: not among this distribution's packages, so what needs it is left out:$absent" >&2
    [ -n "$there" ] || exit 0
    echo "setup: installing$there"
    # shellcheck disable=SC2086 # one word a package
    $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $there \
        >/dev/null && exit 0
    echo "setup: apt-get failed; its words stand above" >&2
    exit 1
fi
echo "setup: no apt-get here; install with this system's own packages:$missing" >&2
exit 1
