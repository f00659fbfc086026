# What the page is made of. Whatever comes from a record enters as text, never as markup.

function h(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

function paragraph(text, kind) {
    if (text != "")
        print "<p" (kind == "" ? "" : " class=\"" kind "\"") ">" h(text) "</p>"
}

# A table of lines, with tabs between the cells. The first line has the columns' names; # begins that of
# a column of numbers. A row's first cell names it.
function print_table(id, caption, text,    lines, line, cells, cell, i, k, kind, value) {
    lines = split(text, line, "\n")
    print "<table id=\"" id "\"><caption>" h(caption) "</caption>"
    for (i = 1; i <= lines; i++) {
        if (line[i] == "")
            continue
        cells = split(line[i], cell, "\t")
        printf "%s<tr>", i == 1 ? "<thead>" : ""
        for (k = 1; k <= cells; k++) {
            if (i == 1)
                kind[k] = sub(/^#/, "", cell[k]) ? " class=\"number\"" : ""
            value = h(cell[k])
            gsub(/[_:]/, "&<wbr>", value)
            if (i > 1 && k == 1 && (cell[k] in is_step))
                value = "<a href=\"#step-" h(cell[k]) "\">" value "</a>"
            printf i == 1 ? "<th scope=\"col\"%s>%s</th>" : k == 1 ? "<th scope=\"row\"%s>%s</th>" : \
                "<td%s>%s</td>", kind[k], value
        }
        print "</tr>" (i == 1 ? "</thead><tbody>" : "")
    }
    print "</tbody></table>"
}

# Puts a picture in, if it was drawn, and its numbers, which stand beside what gnuplot was given.
function figure(name,    id, file, line, table) {
    if (!(name in drawn))
        return
    id = name
    gsub(/[^A-Za-z0-9-]/, "", id)
    file = ENVIRON["scratch"] "/" name ".gp"
    while ((getline line <file) > 0)
        if (sub(/^#[|] /, "", line))
            table = table line "\n"
    close(file)
    print "<figure><figcaption>" h(drawn[name]) "</figcaption>"
    print "<svg role=\"img\" aria-label=\"" h(drawn[name]) "\""
    file = ENVIRON["out"] "/" name ".svg"
    while ((getline line <file) > 0) {
        if (line ~ /^<[?]xml|^<svg|^ xmlns/)
            continue
        # Names are the page's, not the picture's.
        gsub(/ id=['"]/, "&" id "-", line)
        gsub(/href='#/, "&" id "-", line)
        print line
    }
    close(file)
    print "<details><summary>The numbers of this picture</summary>"
    print_table(id "-table", drawn[name], table)
    print "</details></figure>"
}

function begin_section(id, heading) {
    print "<section id=\"" id "\"><h2>" h(heading) "</h2>"
}

# A share of 1 in percent, by two digits at least.
function percent(share) {
    return sprintf(100 * share >= 10 || share == 0 ? "%.0f%%" : "%.2g%%", 100 * share)
}

function times(ratio) {
    return short(ratio) " times"
}

# 33.2e12 lanes/s as "33.2 · 10¹² lanes/s".
function with_unit(value, unit) {
    return value >= 1e12 ? short(value / 1e12) " · 10¹² " unit : value >= 1e9 ? short(value / 1e9) " · 10⁹ " unit : \
        short(value) " " unit
}

BEGIN {
    # Limits and ceilings by the names that a record gives them.
    count = split("gpu_issue=issue slots;gpu_fma=multiply-adds of the GPU (FMA);" \
        "gpu_mufu=special functions of the GPU (MUFU);gpu_lds=loads of shared memory (LDS);" \
        "gpu_tensor=multiply-adds of the tensor cores;gpu_memory=bytes of the GPU’s memory;" \
        "gpu_copy_in_pageable=copies to the GPU, pageable memory;" \
        "gpu_copy_out_pageable=copies from the GPU, pageable memory;" \
        "gpu_copy_in_pinned=copies to the GPU, page-locked memory;" \
        "gpu_copy_out_pinned=copies from the GPU, page-locked memory;" \
        "rsqrt=square roots of the CPU;fma=multiply-adds of the CPU;copy=bytes of the CPU’s memory;" \
        "issue=issue slots;mufu=special functions of the GPU (MUFU);lds=loads of shared memory (LDS);" \
        "memory=bytes of memory", pair, ";")
    for (k = 1; k <= count; k++) {
        split(pair[k], word, "=")
        name_of[word[1]] = word[2]
    }
    while ((getline line <(ENVIRON["scratch"] "/drawn")) > 0) {
        split(line, word, "\t")
        drawn[word[1]] = word[2]
        names[++drawn_count] = word[1]
    }
}

function resource(name,    threads) {
    sub(/^ceiling_/, "", name)
    if (match(name, /_[0-9]+$/)) {
        threads = ", " substr(name, RSTART + 1) (substr(name, RSTART) == "_1" ? " thread" : " threads")
        name = substr(name, 1, RSTART - 1)
    }
    return (name in name_of ? name_of[name] : name) threads
}
