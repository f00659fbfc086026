#!/bin/bash
# other_debian.sh SUITE FOLDER: the README's two commands on another Debian (trixie is 13), which
# debootstrap makes in FOLDER unless it is there. For maintainers; needs root and debootstrap. The
# last commit is tested, as a fresh clone, without nvcc; all that is written lies below FOLDER.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
[ $# -eq 2 ] || { echo "other_debian: usage: other_debian.sh SUITE FOLDER" >&2; exit 3; }
suite=$1 folder=$2
[ "$(id -u)" -eq 0 ] || { echo "other_debian: only root may enter another root folder" >&2; exit 4; }
command -v debootstrap >/dev/null || { echo "other_debian: install debootstrap" >&2; exit 4; }

[ -e "$folder/etc/debian_version" ] || debootstrap --variant=minbase "$suite" "$folder"
folder=$(cd "$folder" && pwd)
rm -rf "$folder/root/course"
git clone -q . "$folder/root/course"

# A root of its own, not only chroot: the grader's sandbox mounts things below its root.
# shellcheck disable=SC2016 # expanded by the inner shells
exec unshare --mount --pid --fork sh -euc '
    mount --bind "$1" "$1"
    cd "$1"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t tmpfs tmpfs tmp
    cp /etc/resolv.conf etc/resolv.conf
    mkdir -p host
    pivot_root . host
    exec chroot . bash -euc "
        umount -l /host
        export HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
        cd /root/course
        apt-get update -qq
        time sh common/setup.sh tests
        time make test"
' sh "$folder"
