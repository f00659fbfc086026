# Counts the instructions of an interaction in the machine code of a program in C, as
# `objdump -d --no-show-raw-insn` prints it for x86-64. Prints per interaction slots (all instructions),
# fma (additions, products and multiply-adds of floats or doubles), roots (with estimates of them), divisions, rest;
# then lanes, the floats that a root takes at once, which is 1 for scalar code, and interactions, those
# of one turn of the loop over pairs. Prints nothing if no loop takes square roots.
#
# A turn is the shortest way from a root back to itself. An interaction takes one root, so a turn has as
# many interactions as its roots take floats. Of several loops, the one with the widest roots is meant,
# and of these the one with most interactions: others finish what vectors left over, or are for
# processors without such vectors. No call is on the way: the compiler calls sqrtf() for negative arguments
# only, beside the root as an instruction. Where a function has no such instruction, the call is the root.

function number(hex,    i, value) {
    for (i = 1; i <= length(hex); i++)
        value = 16 * value + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
}

function is_root(name) {
    return name ~ /^v?r?sqrt[0-9]*[ps][sd]$/ || name == "call" # of a call that is on the way
}

# Floats that a root takes at once; or doubles, half as many.
function width(k,    floats) {
    if (code[k] == "call" || code[k] ~ /s[sd]$/)
        return 1
    floats = operands[k] ~ /%zmm/ ? 16 : operands[k] ~ /%ymm/ ? 8 : 4
    return code[k] ~ /pd$/ ? floats / 2 : floats
}

function kind(name) {
    if (is_root(name))
        return "roots"
    if (name ~ /^v?(div|rcp)[0-9]*[ps][sd]$/)
        return "divisions"
    return name ~ /^v?(add|sub|mul|fn?m(add|sub)[0-9]*)[ps][sd]$/ ? "fma" : "rest"
}

# Instruction k, 1 ... count, leads to k + 1 if falls[k], and to jump[k] if that is not 0.
function understand(    k, own_root) {
    for (k = 1; k <= count; k++)
        own_root = own_root || (code[k] != "call" && is_root(code[k]))
    for (k = 1; k <= count; k++) {
        jump[k] = code[k] ~ /^j/ ? at[target[k]] + 0 : 0
        falls[k] = k < count && code[k] !~ /^(jmp|ret|hlt|ud2)/ &&
            (code[k] != "call" || (!own_root && operands[k] ~ /<sqrtf[@>]/))
    }
}

# Finds the shortest way from instruction `start` back to it: from[k] is the one before k. Returns
# whether there is one.
function find_way(start,    queue, first, last, k) {
    split("", from)
    queue[last = 1] = start
    for (first = 1; first <= last && !(start in from); first++) {
        k = queue[first]
        if (falls[k] && !((k + 1) in from)) {
            from[k + 1] = k
            queue[++last] = k + 1
        }
        if (jump[k] && !(jump[k] in from)) {
            from[jump[k]] = k
            queue[++last] = jump[k]
        }
    }
    return start in from
}

# All loops of a function; the best one's turn is kept in best[].
function finish(    start, k, turn, interactions, lanes, i) {
    understand()
    for (start = 1; start <= count; start++) {
        if (!is_root(code[start]) || !falls[start] || !find_way(start))
            continue
        split("", turn)
        interactions = 0
        k = start
        do {
            turn["slots"]++
            turn[kind(code[k])]++
            if (is_root(code[k]))
                interactions += width(k)
            k = from[k]
        } while (k != start)
        lanes = interactions / turn["roots"]
        if (lanes > widest || (lanes == widest && interactions > most)) {
            widest = lanes
            most = interactions
            split("", best)
            for (i in turn)
                best[i] = turn[i]
        }
    }
    count = 0
    split("", at)
}

/^[0-9a-f]+ <.*>:$/ {
    finish()
}

/^ *[0-9a-f]+:\t/ {
    at[number(substr($1, 1, length($1) - 1))] = ++count
    sub(/^ *[0-9a-f]+:\t/, "")
    sub(/^(bnd|notrack|rep[nz]*|lock|data16|cs) +/, "")
    code[count] = $1
    target[count] = number($2)
    operands[count] = $2 " " $3
}

END {
    finish()
    if (!most)
        exit
    split("slots fma roots divisions rest", names, " ")
    for (i = 1; i in names; i++)
        printf "%s %.6g\n", names[i], best[names[i]] / most
    print "lanes", most / best["roots"]
    print "interactions", most
}
