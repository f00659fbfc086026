# Whether a record's step 10, variant `seed`, n = 65536, has what figure 12 of the homework's report
# shows, within 2 points: 20, 60 and 15% of the coordinates first wrong at decimal 2, 3 and 4.

BEGIN { FS = ","; split("20 60 15", wanted, " ") }

FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    next
}

$column["step"] == "10_fp16" && $column["variant"] == "seed" && $column["n"] == 65536 {
    split($column["decimals"], count, ":")
    total = 0
    for (i in count)
        total += count[i]
    rows++
    for (k = 2; k <= 4; k++) {
        share = total ? 100 * count[k] / total : 0
        if (share < wanted[k - 1] - 2 || share > wanted[k - 1] + 2)
            wrong = 1
        shares = shares sprintf(" %.1f", share)
    }
    shares = shares ";"
}

END {
    print "figure 12, 20 60 15% at decimals 2 to 4:" shares
    exit wrong || !rows
}
