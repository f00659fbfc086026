#!/bin/sh
# record.sh RECORD-facts.csv: what `make record` measures of this step beside its rows: its default and that of
# the step it builds on, where bodies lie as in the other problems, since half precision may mind it.
set -eu

for distribution in uniform plummer; do
    for program in "14_register_blocking chosen" "16_tensor_cores two_halves"; do
        build/referee bench --step "${program% *}" --variant "${program#* }" --of solutions --ablate 0 --clock device \
            --resume 1 --n 131072 --distribution $distribution --machine "$(basename "${1%-facts.csv}")"
    done
done
