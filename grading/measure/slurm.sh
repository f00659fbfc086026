#!/bin/sh
# What engine_slurm.c wants of Slurm, from the course's root, for the tasks of FOLDER/slurm.tasks
# (measure/engine.h). Answers in one line on stdout, also with what failed.
#
#   slurm.sh submit FOLDER KIND COUNT    sends COUNT tasks as one job array
#   slurm.sh waiting FOLDER              how many of its jobs run or wait
#   slurm.sh cancel FOLDER
#   slurm.sh words FOLDER                the last of what its jobs said
#   slurm.sh tasks FOLDER COUNT STRIDE   what each job of the array does
#
# Partition, account and time are Slurm's own variables: SBATCH_PARTITION, SBATCH_ACCOUNT,
# SBATCH_TIMELIMIT.
set -u
export LC_ALL=C

# Slurm has arrays of at most 1001 jobs unless it is told otherwise; a job then does several tasks.
most_jobs=1000

verb=$1 folder=$2
log=$folder/slurm.log
list=$folder/slurm.tasks

# By its name an array is found again after its submitter was killed.
name=course-grading-$(realpath "$folder" | cksum | cut -d ' ' -f 1)

# Runs a command of Slurm; of a failure the last line is what says why.
ask() {
    command -v "$1" >/dev/null || { echo "$1 is not installed"; exit 1; }
    words=$("$@" 2>&1) && return 0
    printf '%s\n' "$words" | tail -n 1
    exit 1
}

# Whether the partition that the array goes to has GPUs. The default one is marked with a star.
has_gpus() {
    ask sinfo --noheader --format='%P %G' ${SBATCH_PARTITION:+--partition="$SBATCH_PARTITION"}
    [ -n "${SBATCH_PARTITION-}" ] || words=$(printf '%s\n' "$words" | grep '\* ')
    case $words in
    *gpu*) true ;;
    *) false ;;
    esac
}

case $verb in
submit)
    kind=$3 count=$4
    jobs=$((count < most_jobs ? count : most_jobs))
    rm -f "$log" "$list.failed"
    # A speed has a node for itself, and a GPU of it if there is one.
    set --
    if [ "$kind" = speed ]; then
        set -- --exclusive
        [ -n "${SBATCH_GRES-}${SBATCH_GPUS-}" ] || ! has_gpus || set -- --exclusive --gres=gpu:1
    fi
    # Slurm's own requeue waits for minutes; the engine submits again what was lost.
    ask sbatch --job-name="$name" --array=0-$((jobs - 1)) --no-requeue --chdir="$PWD" \
        --output="$log" --open-mode=append "$@" \
        grading/measure/slurm.sh tasks "$folder" "$count" "$jobs"
    ;;
waiting)
    ask squeue --me --name="$name" --array --noheader --format=%i
    printf '%s\n' "$words" | awk 'NF { jobs++ } END { print jobs + 0 }'
    ;;
cancel)
    ask scancel --me --name="$name"
    ;;
words)
    tail -n 1 "$log" 2>/dev/null | grep . || echo "nothing in $log, which all nodes should see"
    ;;
tasks)
    number=$SLURM_ARRAY_TASK_ID
    while [ "$number" -lt "$3" ]; do
        build/grade task "$list" "$number" || echo "$number $?" >>"$list.failed"
        number=$((number + $4))
    done
    ;;
esac
