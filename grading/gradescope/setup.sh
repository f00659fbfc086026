#!/bin/sh
# Gradescope runs this once, as root, when it builds the assignment's image: the zip is unpacked in
# /autograder/source then. What it prints, the instructor sees.
set -eu
export LC_ALL=C
cd /autograder/source
umask 022

apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends jq >/dev/null
sh course/common/setup.sh grading

# What is graded runs as a user of its own: it may build against common/ and steps/, and no more.
chmod 711 . course
chmod 700 course/solutions course/grading

cd course
make -s -C common
make -s -C grading all
echo 'the level of the sandbox here, and if it is not 2, why:'
build/sandbox probe
