# Reads coordinates as `od -tf4` prints them: x, y, z of body after body, whatever the line breaks.
# The view is tilted by 60 degrees: x to the right, y and z mixed upwards.
#   task=range               prints a half-width: a tenth more than holds 99% of the bodies
#   task=frames n range folder   writes folder/frame.K: how many bodies each cell of a picture holds.
#                                Few bodies are discs, and leave a dot where they were in a frame

BEGIN {
    cells = 240
    along_y = 0.5
    along_z = 0.8660254
    few = 16
}

{
    for (i = 1; i <= NF; i++) {
        if (part == 0)
            x = $i
        else if (part == 1)
            y = $i
        else
            body(x, along_y * y + along_z * $i)
        part = (part + 1) % 3
    }
}

function body(right, up,    far) {
    bodies++
    if (task == "range") {
        far = right < 0 ? -right : right
        far = up > far ? up : -up > far ? -up : far
        # Bins of one percent.
        tally[int(100 * log(far > 1e-30 ? far : 1e-30) + 10000) - 10000]++
        return
    }
    right = int((right / range + 1) / 2 * cells + cells) - cells
    up = int((up / range + 1) / 2 * cells + cells) - cells
    mark(cell, right, up)
    if (n <= few) {
        mark(path, right, up)
        disc(right, up)
    }
    if (bodies % n == 0)
        write_frame()
}

function mark(where, right, up) {
    if (right >= 0 && right < cells && up >= 0 && up < cells)
        where[up * cells + right]++
}

function disc(right, up,    i, k) {
    for (i = -3; i <= 3; i++)
        for (k = -3; k <= 3; k++)
            if (i * i + k * k < 12) {
                mark(cell, right + i, up + k)
                mark(cell, right + i, up + k)
            }
}

function write_frame(    row, k, line, file) {
    file = folder "/frame." (frame++)
    for (row = 0; row < cells; row++) {
        line = ""
        for (k = row * cells; k < (row + 1) * cells; k++)
            line = line (k in cell ? cell[k] : 0) " "
        print line >file
    }
    close(file)
    split("", cell)
    for (k in path)
        cell[k] = 1
}

END {
    if (task != "range")
        exit
    for (k = -10000; below < 0.99 * bodies; k++)
        below += tally[k]
    print 1.1 * exp(k / 100)
}
