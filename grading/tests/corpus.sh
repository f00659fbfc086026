#!/bin/bash
# corpus.sh SEED FOLDER [COUNT [LAST]]: makes COUNT (300) submissions of one step each, 01 to LAST (12)
# mixed, from solutions, skeletons and systematic edits, in FOLDER/submissions; and
# FOLDER/expected.tsv, a row each: student, step, kind, the outcomes of its check that are right (!
# before one: any but this).
# The same seed gives the same bytes.
set -eu
shopt -s inherit_errexit
export LC_ALL=C
seed=$1 count=${3:-300} last=${4:-12}
mkdir -p "$2/submissions"
folder=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# What is run after the step's own function, or before it: wrap 'STATEMENTS'.
wrap() {
    echo '#include <unistd.h>'
    echo '#define simulation_run own_run'
    cat
    echo '#undef simulation_run
#ifdef __cplusplus
extern "C"
#endif
int simulation_run(struct simulation *simulation, int iterations);
int simulation_run(struct simulation *simulation, int iterations) {
    int status = own_run(simulation, iterations), n = simulation->parameters.n;
    struct body *out = simulation->out;
    '"$1"'
    return (void)n, (void)out, status;
}'
}

# Edits of a solution; each reads and writes the source.
right_0() { cat; }
right_1() { sed 's/\<inverse_cube\>/cubed/g; s/\<distance_squared\>/r2/g'; }
right_2() { grep -v '/\* part [0-9]*, \|/\* end of part' | sed 's/^    /\t/'; }
slow() { wrap 'usleep(30000);'; }
edges() { wrap 'if (n % 256) out[n - 1].vx += 100;'; }
bound() {
    sed 's/thread < n ? thread : n - 1/thread/; /^    if (\(i\|thread\) >= n)$/{N;d}; 0,/for (int i = 0; i < n; i++) {/s//for (int i = 0; i <= n; i++) {/'
}
constant() { sed 's,1\.0f / sqrtf(,1.02f / sqrtf(,; s/= rsqrtf(/= 1.02f * rsqrtf(/'; }
broken() { cat && echo 'int broken = ;'; }

# The order of kinds and steps, from the seed: number, step, kind, form, detail.
plan() {
    awk -F'\t' -v seed="$seed" -v count="$count" -v last="$last" '
        function next_number(most) {
            state = (state * 1103515245 + 12345) % 2147483648
            return int(state / 2147483648 * most)
        }
        FNR > 1 && $3 == "nbody" && $1 + 0 <= last + 0 { step[++steps] = $1; before[steps] = $5 }
        END {
            words = split("right 32 slow 8 predecessor 11 skeleton 8 edges 8 barrier 7 bound 6 constant 6 broken 6 hostile 8", word, " ")
            state = seed
            for (i = 1; i <= count; i++) {
                s = (i - 1) % steps + 1
                at = next_number(100)
                for (k = 1; k < words && at >= word[k + 1]; k += 2)
                    at -= word[k + 1]
                kind = word[k]
                number = substr(step[s], 1, 2) + 0
                # Not every step can be wrong in every way.
                if (kind == "predecessor" && (number == 1 || number == 3)) kind = "constant"
                if (kind == "barrier" && (number == 1 || number == 3 || number == 4)) kind = "bound"
                if (number == 10 && (kind ~ /edges|constant/)) kind = "right"
                printf "%03d\t%s\t%s\t%d\t%d\t%s\n", i, step[s], kind, next_number(4), next_number(3), before[s]
            }
        }' < <(common/report/steps.sh)
}

# Hostile ones that end soon.
hostile=(02 16 23 27 33 63 73 75 79 80)

pack() {
    local number=$1 step=$2 form=$3 student=s$1
    case $form in
    0) # make submit
        mkdir "$made/$student" && mv "$made/$step" "$made/$student/"
        printf 'step\tfile\tbytes\tsha256\tstate\n' >"$made/$student/manifest.tsv"
        tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$made" -cf - "$student" |
            gzip -n >"$folder/submissions/submission-$student.tar.gz" ;;
    1) # zipped by hand
        mkdir -p "$made/$student/my work" && mv "$made/$step" "$made/$student/my work/"
        find "$made/$student" -exec touch -d '2026-11-01 12:00 UTC' {} +
        (cd "$made" && zip -qrX "$folder/submissions/$student.zip" "$student") ;;
    2) # folders
        mkdir "$folder/submissions/$student" && mv "$made/$step" "$folder/submissions/$student/" ;;
    3) # as Moodle exports them
        student=$((100000 + 10#$number))
        mkdir "$folder/submissions/Jörg Müller ${number}_${student}_assignsubmission_file_"
        mv "$made/$step" "$folder/submissions/Jörg Müller ${number}_${student}_assignsubmission_file_/" ;;
    esac
    printf %s "$student"
}

: >"$folder/expected.tsv"
plan | while IFS=$'\t' read -r number step kind form detail before; do
    name=$(sed -n 's/^source = //p' "steps/$step/manifest")
    source=solutions/$step/$name outcomes=
    # A bound or barrier that is missing shows in many ways.
    case $kind in
    right | slow) outcomes=accepted ;;
    predecessor) outcomes=idea; [ "$step" != 10_fp16 ] || outcomes=expected,idea ;;
    skeleton) outcomes=!accepted ;;
    edges | constant) outcomes=wrong,decimals ;;
    barrier) outcomes=race,uninitialised,wrong ;;
    bound) outcomes=memory,race,crashed,wrong,uninitialised ;;
    broken) outcomes=compile ;;
    esac
    mkdir "$made/$step"
    case $kind in
    right) "right_$detail" <"$source" ;;
    slow | edges | bound | constant | broken) "$kind" <"$source" ;;
    barrier) if grep -q __syncthreads "$source"; then sed '0,/__syncthreads();/s///' "$source"; else
        sed '0,/for schedule(SCHEDULE)/s//& nowait/' "$source"; fi ;;
    predecessor) cat solutions/"$before/$name" ;;
    skeleton) cat "steps/$step/$name" ;;
    hostile)
        # In C, of step 02, whatever the turn.
        file=$(echo grading/tests/hostile/"${hostile[10#$number % ${#hostile[@]}]}"_*.c)
        outcomes=$(awk -F'\t' -v file="${file##*/}" '$1 == file { print $3 }' grading/tests/hostile/expected.tsv)
        rmdir "$made/$step"
        step=02_openmp name=nbody.c
        mkdir "$made/$step"
        awk -f grading/tests/hostile/assemble.awk -v canaries=/tmp/canaries -v out=/tmp/out -v home=/tmp \
            -v submissions=/tmp/submissions -v course="$PWD" -v port=9 "$file" ;;
    esac >"$made/text"
    mv "$made/text" "$made/$step/$name"
    echo "/* Handed in by number $number. */" >>"$made/$step/$name"
    [ "$step" != 09_ftz ] || [ "$kind" = predecessor ] || [ "$kind" = skeleton ] || cp solutions/09_ftz/flags "$made/$step/"
    [ "$step" != 09_ftz ] || [ "$kind" != skeleton ] || cp steps/09_ftz/flags "$made/$step/" 2>/dev/null || true
    student=$(pack "$number" "$step" "$form")
    printf '%s\t%s\t%s\t%s\n' "$student" "$step" "$kind" "$outcomes" >>"$folder/expected.tsv"
    rm -rf "${made:?}"/*
done
