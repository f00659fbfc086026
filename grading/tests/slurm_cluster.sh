#!/bin/sh
# slurm_cluster.sh can                 whether this machine can have one; if not, says why
# slurm_cluster.sh start FOLDER        a Slurm cluster on this machine: a controller, nodes n1 and n2
# slurm_cluster.sh kill-node FOLDER N  node nN is lost, with all that runs on it, and the controller
#                                      told, which takes minutes to notice by itself
# slurm_cluster.sh stop FOLDER         ends it, with all that runs on it, and removes FOLDER
#
# All of it lies in FOLDER, an absolute path without spaces; commands of Slurm find it with
# SLURM_CONF=FOLDER/slurm.conf. Needs root, and slurm-wlm and munge of Debian 12.
set -u
export LC_ALL=C
umask 022

fail() {
    echo "slurm_cluster: $*" >&2
    exit 1
}

folder=${2-}
export SLURM_CONF="$folder/slurm.conf"

# Starts a daemon in a session of its own and writes down its process.
begin() { # begin NAME COMMAND...
    name=$1
    shift
    setsid "$@" >"$folder/$name.out" 2>&1 </dev/null &
    echo $! >"$folder/$name.pid"
}

end() { # end NAME
    [ -s "$folder/$1.pid" ] || return 0
    read -r process <"$folder/$1.pid"
    # A number alone may be someone else's by now.
    if grep -qs "$folder\|slurm" "/proc/$process/cmdline"; then
        kill -KILL "$process"
        while grep -qs '^State:.[^Z]' "/proc/$process/status"; do sleep 0.05; done
    fi
    rm -f "$folder/$1.pid"
}

stop() {
    for name in n1 n2 slurmctld munged; do
        end "$name"
    done
    until rm -rf "$folder" 2>/dev/null; do sleep 0.1; done
}

# The nodes differ by name and port alone. A busy machine must not lose one by its timeouts.
write_configuration() { # write_configuration PORT
    cat >"$SLURM_CONF" <<END
ClusterName=course
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
SlurmctldPort=$1
SlurmctldPidFile=$folder/slurmctld.pid.own
SlurmctldLogFile=$folder/slurmctld.log
StateSaveLocation=$folder/state
SlurmdPidFile=$folder/%n.pid.own
SlurmdLogFile=$folder/%n.log
SlurmdSpoolDir=$folder/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
ReturnToService=2
SlurmdTimeout=60
MessageTimeout=30
TCPTimeout=10
SlurmctldTimeout=60
InactiveLimit=0
KillWait=1
MinJobAge=300
NodeName=n1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$(($1 + 1)) CPUs=2
NodeName=n2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$(($1 + 2)) CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=60 State=UP OverSubscribe=NO
END
}

# A node has a process tree of its own: when its first process dies, so does everything on it.
node() { # node NAME
    begin "$1" unshare --pid --fork --kill-child --mount-proc slurmd -D -N "$1" -f "$SLURM_CONF"
}

can() {
    [ "$(id -u)" -eq 0 ] || fail 'a cluster of its own needs root'
    for command in slurmctld slurmd munged; do
        command -v "$command" >/dev/null || fail "$command is not installed"
    done
    unshare --pid --fork --mount-proc true 2>/dev/null ||
        fail 'this machine allows no process trees of their own'
}

start() {
    can
    stop
    mkdir -p "$folder/state" || fail "cannot make $folder"
    (umask 077 && dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 2>/dev/null)
    write_configuration $((20000 + $$ % 4000 * 3))

    begin munged munged --foreground --force --key-file="$folder/munge.key" \
        --socket="$folder/munge.socket" --pid-file="$folder/munged.pid.own" \
        --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
    tries=0
    until [ -S "$folder/munge.socket" ]; do
        [ $((tries += 1)) -lt 100 ] || fail "munged does not start: $(tail -n 1 "$folder/munged.log" "$folder/munged.out")"
        sleep 0.05
    done
    begin slurmctld slurmctld -D -f "$SLURM_CONF"
    node n1
    node n2
    tries=0
    until [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" -eq 2 ]; do
        [ $((tries += 1)) -lt 200 ] || fail "the nodes do not become idle; their logs are in $folder"
        sleep 0.1
    done
}

case ${1-}:$folder in
can:*) can ;;
start:/*) start ;;
stop:/*) stop ;;
kill-node:/*)
    end "n${3:?which node, 1 or 2}"
    scontrol update NodeName="n$3" State=DOWN Reason=lost
    ;;
*) fail 'usage: can, or start, stop or kill-node, and an absolute path' ;;
esac
