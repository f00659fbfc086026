# Makes a submission of a source here: awk -f assemble.awk -v canaries=... -v out=... SOURCE
# "honest.h" and solutions take the place of the lines that name them, since a submission is one
# file; @NAMES@ become paths and a port, as an attacker would know them.

function put(path,   line) {
    while ((getline line < path) > 0)
        fill(line)
    close(path)
}

function fill(line) {
    gsub(/@CANARIES@/, canaries, line)
    gsub(/@OUT@/, out, line)
    gsub(/@HOME@/, home, line)
    gsub(/@SUBMISSIONS@/, submissions, line)
    gsub(/@COURSE@/, course, line)
    gsub(/@PORT@/, port, line)
    print line
}

/^#include "honest\.h"/ { put(course "/grading/tests/hostile/honest.h"); next }
/^@SOLUTION / {
    sub(/@$/, "", $2)
    put(course "/solutions/" $2 "/nbody.cu")
    next
}
/^@BRACKETS@/ {
    for (i = 0; i < 8000; i++)
        printf "k<<<(((__shared__ int a[{"
    print ""
    next
}
{ fill($0) }
