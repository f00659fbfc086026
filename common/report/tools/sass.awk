# Counts the instructions of an interaction in machine code, as `cuobjdump -sass` prints it. Wants
# `program`, a name for messages. Prints what is counted and how many there are per interaction:
# slots (all of them), fma (FADD, FMUL, FFMA), half (the same of fp16 pairs), mufu, lds_16 ... lds_128
# (loads of shared memory by bits), ldg (loads of global memory), rest. A kind without any is left out.
#
# What is counted is one turn of the loop over pairs, along the path that is always taken. A call is
# never on it: the compiler calls where an argument is near the ends of float's range. So a CALL ends
# a path here, and what leads only to one or follows only one is not counted; the branch around it is.
# A CALL with a condition is another thing: for sm_80 the compiler leaves loops that way, so it is a
# jump. An interaction takes one square root, so a turn has as many interactions as roots. Of several
# loops, the one with most roots is meant: others finish what unrolling left over.

function die(why) {
    print "sass.awk: " program ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

function number(hex,    i, value) {
    hex = tolower(hex)
    for (i = 3; i <= length(hex); i++)
        value = 16 * value + index("0123456789abcdef", substr(hex, i, 1)) - 1
    return value
}

# Instruction k, 1 ... count, leads to k + 1 if falls[k], and to jump[k] if that is not 0.
function understand(    k, target) {
    for (k = 1; k <= count; k++) {
        jump[k] = 0
        falls[k] = k < count && (guard[k] || code[k] !~ /^(CALL|EXIT|RET)/)
        if (code[k] ~ /^(BRX|JMP|JMX)/)
            die(kernel ": where " code[k] " jumps to is not written there")
        if (code[k] !~ /^BRA/ && !(code[k] ~ /^CALL/ && guard[k]))
            continue
        target = operands[k]
        if (!match(target, /0x[0-9a-f]+ *$/))
            die(kernel ": where " code[k] " " target " jumps to is not an address")
        jump[k] = at[number(substr(target, RSTART))]
        if (!jump[k])
            die(kernel ": there is no instruction where " code[k] " " target " jumps to")
        # A condition may stand before BRA or among its operands.
        falls[k] = k < count && (guard[k] || RSTART > 1)
    }
}

# The loop that `last` closes by jumping back to `head`: whatever reaches `last` and not by way of
# `head`. Goes into body[]; returns its roots.
function find_body(head, last,    k, changed, roots) {
    split("", body)
    body[head] = body[last] = 1
    do {
        changed = 0
        for (k = count; k >= 1; k--)
            if (!body[k] && ((falls[k] && k + 1 != head && body[k + 1]) ||
                (jump[k] && jump[k] != head && body[jump[k]])))
                body[k] = changed = 1
    } while (changed)
    for (k = 1; k <= count; k++)
        roots += body[k] && is_root(k)
    return roots + 0
}

function is_root(k) {
    return code[k] ~ /^MUFU\.(RSQ|SQRT)/
}

function kind(name) {
    if (name ~ /^(FADD|FMUL|FFMA)/)
        return "fma"
    if (name ~ /^(HADD2|HMUL2|HFMA2)/)
        return "half"
    if (name ~ /^MUFU/)
        return "mufu"
    if (name ~ /^LDS/)
        return "lds_" (name ~ /\.128/ ? 128 : name ~ /\.64/ ? 64 : name ~ /\.[US]16/ ? 16 : 32)
    return name ~ /^LDG/ ? "ldg" : "rest"
}

# Walks one turn of the loop in body[] and counts into turn[]. Returns whether one way leads round.
function walk(head, last,    k, stays, jumps) {
    split("", turn)
    for (k = head; turn["slots"] < count; k = stays ? k + 1 : jump[k]) {
        turn["slots"]++
        turn[kind(code[k])]++
        if (is_root(k) && guard[k])
            die(kernel ": a square root has a condition, so that roots are not interactions")
        stays = falls[k] && body[k + 1]
        jumps = jump[k] && body[jump[k]]
        if (k == last)
            return !stays
        if (stays == jumps)
            return 0
    }
    return 0
}

# All loops of a kernel; the best one's turn is kept in best[].
function finish(    k, i, loops, roots, inner, head, last, tangled) {
    if (!count)
        return
    understand()
    for (k = 1; k <= count; k++) {
        if (!jump[k] || jump[k] > k || !(roots = find_body(jump[k], k)))
            continue
        if (!walk(jump[k], k)) {
            tangled[k] = roots
            continue
        }
        simple[k] = 1
        if (roots == most && turn["slots"] != best["slots"])
            rival = kernel
        if (roots > most) {
            most = roots
            rival = ""
            split("", best)
            for (i in turn)
                best[i] = turn[i]
        }
    }
    # A loop with branches is an outer one, or one that cannot be counted.
    for (k in tangled) {
        find_body(jump[k], k + 0)
        inner = 0
        for (i in simple)
            inner += body[i]
        if (!inner && tangled[k] > unclear) {
            unclear = tangled[k]
            where = kernel
        }
    }
    count = 0
    split("", at)
    split("", simple)
}

/Function :/ {
    finish()
    kernel = $NF
}

/^ *\/\*[0-9a-f]+\*\/ / {
    address = $1
    gsub(/[^0-9a-f]/, "", address)
    sub(/^ *\/\*[0-9a-f]+\*\/ */, "")
    sub(/ *;.*/, "")
    guard[++count] = sub(/^@[^ ]+ +/, "")
    at[number("0x" address)] = count
    code[count] = operands[count] = $1
    sub(/^[^ ]+ */, "")
    operands[count] = $0
}

END {
    if (failed)
        exit 1
    finish()
    if (unclear > most)
        die(where ": its loop over pairs has branches and no one path")
    if (!most)
        die("no loop takes square roots")
    if (rival != "")
        die(rival ": two loops take " most " roots per iteration with different instructions")
    split("slots fma half mufu lds_16 lds_32 lds_64 lds_128 ldg rest", names, " ")
    for (i = 1; i in names; i++)
        if (names[i] in best)
            printf "%s %.6g\n", names[i], best[names[i]] / most
}
