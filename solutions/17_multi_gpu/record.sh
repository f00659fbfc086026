#!/bin/sh
# record.sh RECORD-facts.csv: what `make record` measures of this step beside its rows: rates over 1, 2, 4 and 8 GPUs.
exec common/report/tools/devices.sh "$1" 17_multi_gpu
