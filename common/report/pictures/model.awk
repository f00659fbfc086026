# The cycle model of all-pairs forces with T_sub threads per body: equations 2 to 7 of Miki, Takahashi
# and Mori (2012). Lines of n_i, n_j, T_sub and seconds, separated by tabs; of T_sub C_acc cycles are
# spent on adding up.
#
#   task=predict   writes each line with the model's seconds behind it, from C_cal, L and C_ker
#   task=fit       writes C_cal, L and C_ker, in cycles, that fit the lines best, and the error that
#                remains: the root of the mean square of relative errors
#
# Given by -v: N_core (lanes that a multiprocessor has), N_SM (multiprocessors), B_SM (blocks at once
# on one), T_tot (threads per block), clock (Hz), C_acc ("1:0 2:17 ..."; 0 where T_sub is not named).

BEGIN {
    FS = OFS = "\t"
    pairs = split(C_acc, pair, " ")
    for (i = 1; i <= pairs; i++) {
        split(pair[i], part, ":")
        adds[part[1] + 0] = part[2]
    }
}

# Cycles as a sum: by_cal * C_cal + by_latency * L + by_kernel * C_ker + fixed. With more than one
# block at once, `waits` says which term of the maximum of equation 3 it is: the latency of a load or
# the interactions of a tile.
function count(n_i, n_j, T_sub, waits,    rounds, hidden, rest, interactions) {
    rounds = n_i * T_sub / (T_tot * N_SM)                       # equation 5
    rounds = int(rounds) + (rounds > int(rounds))
    hidden = B_SM > 1 ? int(rounds / B_SM) : 0
    rest = B_SM > 1 ? rounds - B_SM * hidden : rounds
    interactions = T_tot / T_sub
    by_cal = n_j / N_core * interactions * (rest + (waits ? 0 : B_SM * hidden))
    by_latency = n_j / N_core * (rest + (waits ? B_SM * hidden : 0)) + 2 * (hidden + rest)
    by_kernel = hidden + rest
    fixed = (T_sub in adds ? adds[T_sub] : 0) * (hidden + rest) # equations 4, 6 and 7
}

function seconds(n_i, n_j, T_sub, cal, latency, kernel) {
    count(n_i, n_j, T_sub, latency > T_tot / T_sub * cal)
    return (by_cal * cal + by_latency * latency + by_kernel * kernel + fixed) / clock
}

task == "predict" {
    print $0, sprintf("%.4g", seconds($1, $2, $3, C_cal, L, C_ker))
}

task == "fit" && $4 > 0 {
    rows++
    n_i[rows] = $1
    n_j[rows] = $2
    T_sub[rows] = $3 + 0
    measured[rows] = $4
}

# Solves the normal equations for the unknowns of `used` (1, 2, 3), the others being 0; false if they
# have no solution.
function solve(used,    i, j, k, m, factor, pivot) {
    for (i = 1; i <= 3; i++) {
        for (j = 1; j <= 4; j++)
            m[i, j] = index(used, i) && (j == 4 || index(used, j)) ? normal[i, j] : 0
        if (!index(used, i))
            m[i, i] = 1
    }
    for (k = 1; k <= 3; k++) {
        pivot = m[k, k]
        if (pivot <= 1e-12 * (index(used, k) ? normal[k, k] : 1))
            return 0
        for (i = 1; i <= 3; i++) {
            if (i == k)
                continue
            factor = m[i, k] / pivot
            for (j = k; j <= 4; j++)
                m[i, j] -= factor * m[k, j]
        }
    }
    for (k = 1; k <= 3; k++) {
        solution[k] = m[k, 4] / m[k, k]
        if (solution[k] < 0)
            return 0
    }
    return 1
}

# The mean square of relative errors of what solve() found.
function left(    r, sum, error) {
    for (r = 1; r <= rows; r++) {
        error = seconds(n_i[r], n_j[r], T_sub[r], solution[1], solution[2], solution[3]) / \
            measured[r] - 1
        sum += error * error
    }
    return sum / rows
}

# Equation 3 takes the larger of two terms, so the equations are linear once it is known from which
# T_sub on loads are waited for. Each is tried; relative errors count, and no cost is negative.
function fit(    r, w, threshold, i, j, k, sets, set, error) {
    sets = split("123 12 13 23 1 2 3", set, " ")
    for (threshold = 1; threshold <= 64; threshold *= 2) {
        for (i = 1; i <= 3; i++)
            for (j = 1; j <= 4; j++)
                normal[i, j] = 0
        for (r = 1; r <= rows; r++) {
            count(n_i[r], n_j[r], T_sub[r], T_sub[r] >= threshold)
            w = 1 / (measured[r] * clock)
            x[1] = by_cal * w
            x[2] = by_latency * w
            x[3] = by_kernel * w
            x[4] = 1 - fixed * w
            for (i = 1; i <= 3; i++)
                for (j = 1; j <= 4; j++)
                    normal[i, j] += x[i] * x[j]
        }
        for (k = 1; k <= sets; k++) {
            if (!solve(set[k]))
                continue
            error = left()
            if (best == "" || error < best) {
                best = error
                for (i = 1; i <= 3; i++)
                    found[i] = solution[i]
            }
        }
    }
}

END {
    if (task != "fit")
        exit
    if (rows < 3) {
        print "model.awk: " rows + 0 " lines, and three unknowns" >"/dev/stderr"
        exit 1
    }
    fit()
    print "C_cal", sprintf("%.4g", found[1])
    print "L", sprintf("%.4g", found[2])
    print "C_ker", sprintf("%.4g", found[3])
    print "error", sprintf("%.3g", sqrt(best))
}
