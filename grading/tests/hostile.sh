#!/bin/bash
# hostile.sh LEVEL [FILE...]: grades the hostile submissions and two honest ones in the sandbox of that level,
# and proves that nothing was touched: canaries, processes, the network, what is left behind, the
# gradebook. A line for each submission; at the end the names of those that earned anything else than
# hostile/expected.tsv says. With FILEs only those.
# Root is needed, for level 1 and for the cgroups. RUBRIC=file takes another rubric, one without speed say;
# KEEP=folder keeps all that was made.
# What archives can hold is test_collect_*.c's; what the filter of system calls and the referee find by
# themselves test_players.c's, which runs in this sandbox too (test_players_in_sandbox.c).
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
here=grading/tests/hostile
level=${1:?usage: hostile.sh LEVEL [FILE...]}
shift
SECRET=KANARIENTEXT-4711

world=$(mktemp -d /tmp/hostile.XXXXXX) || exit 1
canaries=$world/canaries out=$world/out submissions=$world/submissions home=$world/home
mkdir -m 777 "$canaries" "$home" && mkdir "$submissions" "$out"
chmod 755 "$world"
echo "$SECRET is nobody's business" >"$canaries/secret"
# Writable by all: nothing but the sandbox protects them.
for folder in "$canaries" "$home" "$out"; do
    echo untouched >"$folder/target" && chmod 666 "$folder/target"
done
echo untouched >/tmp/hostile-canary.$$ && chmod 666 /tmp/hostile-canary.$$

cc -o "$world/listener" $here/listener.c || exit 1
"$world/listener" "$canaries" &
listener=$!
leave() {
    kill $listener
    for of in pids memory; do
        echo $$ >/sys/fs/cgroup/$of/cgroup.procs
        find /sys/fs/cgroup/$of/"$net" -depth -type d -exec rmdir {} \;
    done
    rm -rf "$world" /tmp/hostile-canary.$$
}
trap 'leave 2>/dev/null' EXIT
while [ ! -s "$canaries/port" ]; do sleep 0.1; done

# The student hostile-09 hands in 09_what.c.
hand_in() {
    local name=${1##*/} step=$2 student
    student=hostile-${name%%_*}
    mkdir -p "$submissions/$student/$step"
    awk -f $here/assemble.awk -v canaries="$canaries" -v out="$out" -v home="$home" \
        -v submissions="$submissions" -v course="$PWD" -v port="$(cat "$canaries/port")" \
        "$1" >"$submissions/$student/$step/nbody.${name##*.}"
    [ ! -e "${1%.*}.flags" ] || sed "s,@CANARIES@,$canaries," "${1%.*}.flags" \
        >"$submissions/$student/$step/flags"
}
if [ $# -gt 0 ]; then
    for file; do
        hand_in $here/"${file##*/}" "$(awk -F'\t' -v file="${file##*/}" '$1 == file { print $2 }' $here/expected.tsv)"
    done
else
    while IFS=$'\t' read -r file step _; do
        [ ! -e "$here/$file" ] || hand_in "$here/$file" "$step"
    done <$here/expected.tsv
fi
for honest in honest-1 honest-2; do
    mkdir -p "$submissions/$honest/02_openmp"
    cp solutions/02_openmp/nbody.c "$submissions/$honest/02_openmp/"
done

{ make -s -C common && make -s -C grading; } >"$world/log" 2>&1 || { cat "$world/log"; exit 1; }

# A net below the sandbox: what slips through a hole in it must not take the machine away from others.
# Without such a net, nothing is started.
net=hostile-net-$$
net() {
    local of
    for of in pids memory; do
        mkdir -p "/sys/fs/cgroup/$of/$net" || return 1
    done
    echo 1500 >/sys/fs/cgroup/pids/$net/pids.max || return 1
    awk '/^MemTotal/ { printf "%d\n", $2 * 1024 * 0.6 }' /proc/meminfo \
        >/sys/fs/cgroup/memory/$net/memory.limit_in_bytes || return 1
    for of in pids memory; do
        echo $$ >"/sys/fs/cgroup/$of/$net/cgroup.procs" || return 1
    done
}
net 2>/dev/null || {
    echo "hostile.sh: no cgroups for pids and memory can be made here, and without their limits hostile programs are not started" >&2
    exit 63
}

# What must be the same afterwards.
course_sum() {
    { git ls-files -z; find build -maxdepth 1 -type f -print0; find build/common build/grading -type f -print0; } |
        xargs -0 sha256sum 2>/dev/null | sha256sum
}
left_behind() {
    find /tmp /var/tmp /dev/shm /run /sys/fs/cgroup -maxdepth 2 \
        \( -name 'hostile-*' -o -name 'course-grading.*' -o -nouser \) \
        ! -name "hostile-net*" ! -name "hostile-canary.*" 2>/dev/null | sort
    ipcs | grep '^0x'
}
# All that was started is in the net; what is left there when grading has ended was left behind.
strays() {
    find /sys/fs/cgroup/pids/"$net" -mindepth 2 -name cgroup.procs -exec cat {} + 2>/dev/null
    grep -vwE "$$|$listener" /sys/fs/cgroup/pids/"$net"/cgroup.procs | while read -r pid; do
        tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -E "course-grading|sleep|$world" | grep -v hostile.sh
    done
}
canary_sums() { sha256sum "$canaries/secret" "$canaries/target" "$home/target" "$out/target" /tmp/hostile-canary.$$; }
submission_sums() { (cd "$submissions" && find . -type f -print0 | sort -z | xargs -0 sha256sum); }
state() {
    course_sum >"$world/course.$1"
    left_behind >"$world/left.$1"
    canary_sums >"$world/canaries.$1"
    strays >"$world/strays.$1" 2>/dev/null
    submission_sums >"$world/submissions.$1"
}
state before
sent() { awk '/^Udp:/ { print $5 } /^Tcp:/ { print $6 }' /proc/net/snmp | paste -s; }
sent_before=$(sent)
begun=$(date +%s)

HOME=$home SANDBOX_LEVEL=$level build/grade grade --submissions "$submissions" --out "$out" \
    --rubric "${RUBRIC:-grading/rubric.ini}" >"$world/log" 2>&1 </dev/null
status=$?
sleep 1

failed=
complain() {
    echo "TOUCHED: $1"
    failed="$failed $2"
}
# same NAME TEXT [SIGN]: complains of what is not as it was before; SIGN > of what has come alone.
same() {
    diff "$world/$1.before" "$world/$1.after" | grep "^[${3-<>}]" >"$world/difference" &&
        complain "$2: $(head -n 5 "$world/difference" | cut -c 1-300 | paste -s)" "$1"
}
state after
[ $status -eq 0 ] || complain "build/grade ended with $status: $(tail -n 3 "$world/log" | paste -s)" grade
same course "the course's files"
same canaries "a canary"
same left "left behind" ">"
same strays "processes left" ">"
same submissions "submissions"
[ ! -e "$canaries/visitors" ] || complain "network: $(sort "$canaries/visitors" | uniq -c | paste -s)" network
touched=$(find "$canaries" "$home" "$out" /tmp -maxdepth 1 \( -name touched -o -name 'hostile-touched' -o -name hostile-filled -o -name hostile-folder \))
[ -z "$touched" ] || complain "files: $touched: $(cat $touched 2>/dev/null | sort | uniq -c | head | paste -s)" files
grep -rlF "$SECRET" "$out" "$world/log" >"$world/told" && complain "the secret stands in $(paste -s "$world/told")" secret
[ ! -r /etc/shadow ] || ! grep -rlF "$(head -n 1 /etc/shadow)" "$out" >"$world/told" ||
    complain "/etc/shadow stands in $(paste -s "$world/told")" shadow
# In JSON markup is text; a page shows it.
{
    find "$out" -type f ! -name 'gradebook*' ! -path '*/tasks/*' -print0 | xargs -0 grep -lP '\x1b'
    find "$out" \( -name '*.html' -o -name '*.md' \) -print0 | xargs -0 grep -lF '<script>alert'
} >"$world/told"
[ ! -s "$world/told" ] || complain "markup or escapes stand in $(paste -s "$world/told")" markup
grep -qP '\x1b\]|\x1b\[2J' "$world/log" && complain "escapes in what was printed" escapes

# What each earned. Without rows: nothing was taken from the submission.
sqlite3 -separator "$(printf '\t')" "$out/gradebook.sqlite" "
    SELECT submission.student, entry.step,
        (SELECT outcome FROM measurement WHERE entry = entry.id AND kind = 'check' ORDER BY repeat DESC LIMIT 1),
        coalesce((SELECT outcome FROM measurement WHERE entry = entry.id AND kind = 'speed' ORDER BY repeat DESC LIMIT 1), '-'),
        item, points, possible, state
    FROM submission JOIN entry ON entry.submission = submission.id
        LEFT JOIN grade ON grade.entry = entry.id
    WHERE submission.student <> '*' ORDER BY submission.student, entry.id, position" >"$world/rows"
awk -F'\t' -v only="$*" -f $here/compare.awk $here/expected.tsv "$world/rows" | sort >"$world/lines"
cat "$world/lines"
unexpected=$(awk -F'\t' '/^DIFFERS/ { print $2 }' "$world/lines" | paste -s -d ' ')
[ -z "${KEEP-}" ] || { cp -r "$world" "$KEEP"; }
echo "hostile: level $level, $(cut -f 1 "$world/rows" | sort -u | wc -l) graded in $(($(date +%s) - begun)) s, TCP and UDP sent by the machine $sent_before -> $(sent); differing: ${unexpected:-none}; touched: ${failed:-nothing}"
[ -z "$unexpected$failed" ]
