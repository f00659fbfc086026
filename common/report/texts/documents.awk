# Finds what a text says of this repository that is not so:
#
# - a link to a file that is not there, or to a heading (#...) that its file does not have;
# - a command `make ...`, in a code block or in inline code, with a verb, a variable, a step or a
#   variant that does not exist;
# - a path that begins with a tracked folder, in inline code, of which there is no file;
#
# and the marks of a merge that was not ended.
#
# Wants `verbs` and `variables`, what the Makefile knows, with spaces between them. Placeholders: NN and
# NN_name for a step, <anything> or `name` for a part of a path, ... and words in capitals. A path with
# a placeholder or a * must match a file all the same.

BEGIN {
    count = split(verbs, word, " ")
    for (i = 1; i <= count; i++)
        is_verb[word[i]] = 1
    count = split(variables, word, " ")
    for (i = 1; i <= count; i++)
        is_variable[word[i]] = 1
    while (("ls steps" | getline line) > 0)
        if (line ~ /^[0-9]/)
            step_of[line] = step_of[substr(line, 1, 2)] = line
    # The step that the maintainer guide adds as an example, and a test with it: the one that is not there.
    while (!example && (getline line <"docs/maintainer-guide.md") > 0)
        if (match(line, /steps\/[0-9][0-9]_[a-z]+/) && !(substr(line, RSTART + 6, RLENGTH - 6) in step_of))
            example = substr(line, RSTART + 6, RLENGTH - 6)
    close("docs/maintainer-guide.md")
    if (example)
        step_of[substr(example, 1, 2)] = step_of[example] = example
}

function exists(pattern) {
    if (pattern ~ /[^][A-Za-z0-9_.,+\/*-]/)
        return 0
    if (!(pattern in known))
        known[pattern] = system("ls -d " pattern " >/dev/null 2>&1") == 0
    return known[pattern]
}

# A learner's file in steps/ need not be there yet, if the solution has one.
function is_there(pattern) {
    return exists(pattern) || (sub("steps/", "solutions/", pattern) && exists(pattern))
}

# What a text's headings are called in links: as on GitHub, in small letters, without punctuation, with
# hyphens for spaces; the second of one name gets a -1.
function read_headings(text,    line, in_code) {
    if (text in read)
        return
    read[text] = 1
    while ((getline line <text) > 0) {
        if (line ~ /^ *```/)
            in_code = !in_code
        if (in_code || line !~ /^#+ /)
            continue
        sub(/^#+ +/, "", line)
        gsub(/\]\([^)]*\)/, "", line)
        line = tolower(line)
        gsub(/[^a-z0-9 _\200-\377-]/, "", line)
        gsub(/ /, "-", line)
        heading[text, line (times[text, line] ? "-" times[text, line] : "")] = 1
        times[text, line]++
    }
    close(text)
}

function check_link(target, line,    path, anchor) {
    if (target ~ /^[a-z]+:/)
        return
    path = anchor = target
    sub(/#.*/, "", path)
    if (!sub(/^[^#]*#/, "", anchor))
        anchor = ""
    path = path == "" ? file : folder path
    if (!is_there(path))
        tell(line, target " leads to no file")
    else if (anchor != "") {
        read_headings(path)
        if (!((path, anchor) in heading))
            tell(line, target " leads to no heading of " path)
    }
}

function is_placeholder(value) {
    return value ~ /^(NN|NN_name|<[^>]*>|[.][.][.]|)$/
}

function has_variant(step, variant, ablate,    manifest, line) {
    manifest = "steps/" step "/manifest"
    if (!(manifest in read)) {
        read[manifest] = 1
        while ((getline line <manifest) > 0)
            if (match(line, /^(variant|standalone|without)_[A-Za-z0-9_]+/))
                variant_of[step, substr(line, 1, RLENGTH)] = 1
        close(manifest)
    }
    if (ablate && variant ~ /^without_/)
        return (step, variant) in variant_of
    return (step, "variant_" variant) in variant_of || (step, "standalone_" variant) in variant_of
}

function check_make(command, line,    count, word, i, name, elsewhere, value) {
    sub(/ [0-9]?>.*/, "", command)
    count = split(command, word, " ")
    for (i = 2; i <= count; i++) {
        name = word[i]
        if (name == "-C") {
            elsewhere = 1
            i++
        } else if (match(name, /^[A-Za-z_]+=/)) {
            name = substr(name, 1, RLENGTH - 1)
            value[name] = substr(word[i], RLENGTH + 1)
            if (!(name in is_variable))
                tell(line, "make has no variable " name)
        } else if (!elsewhere && name !~ /^(-.*|&|[A-Z]+|[.][.][.]|<.*>)$/ && !(name in is_verb))
            tell(line, "make has no verb " name)
    }
    if (is_placeholder(value["STEP"]))
        return
    if (!(value["STEP"] in step_of))
        tell(line, "there is no step " value["STEP"])
    else if (!is_placeholder(value["VARIANT"]) && step_of[value["STEP"]] != example &&
        !has_variant(step_of[value["STEP"]], value["VARIANT"], value["ABLATE"]))
        tell(line, step_of[value["STEP"]] " has no variant " value["VARIANT"])
}

# Commands stand by themselves or between && ; and |, perhaps behind settings of the environment.
function check_commands(text, line,    count, command, i) {
    count = split(text, command, /&&|[;|]/)
    for (i = 1; i <= count; i++) {
        sub(/^ +/, "", command[i])
        while (sub(/^[A-Z_]+=[^ ]* +/, "", command[i]))
            ;
        if (command[i] ~ /^make( |$)/)
            check_make(command[i], line)
    }
}

function check_path(path, line,    said) {
    said = path
    sub(/^[.]\//, "", path)
    sub(/:[0-9]+(:.*)?$/, "", path)
    gsub(/^["'(]+|["'),.;:]+$/, "", path)
    if (path !~ /^(steps|common|docs|solutions|grading)\//)
        return
    gsub(/<[^>]*>/, "*", path)
    gsub(example ? "NN_name|" example : "NN_name", "[0-9][0-9]_*", path)
    gsub(/\/NN/, "/[0-9][0-9]*", path)
    while (match(path, /\/name([.\/]|$)/))
        path = substr(path, 1, RSTART) "*" substr(path, RSTART + 5)
    if (path !~ /[{}$]|[.][.][.]/ && !is_there(path))
        tell(line, said " is not there")
}

function end_paragraph(    text, line, count, word, i) {
    while (match(paragraph, /`[^`]+`/)) {
        text = substr(paragraph, RSTART + 1, RLENGTH - 2)
        line = line_in(paragraph, RSTART)
        blank()
        gsub(/\n/, " ", text)
        check_commands(text, line)
        count = split(text, word, " ")
        for (i = 1; i <= count; i++)
            check_path(word[i], line)
    }
    while (match(paragraph, /\]\([^) \n]+\)/)) {
        text = substr(paragraph, RSTART + 2, RLENGTH - 3)
        line = line_in(paragraph, RSTART)
        blank()
        check_link(text, line)
    }
    while (match(paragraph, /<!--[^>]*-->/))
        blank()
    gsub(/~/, "", paragraph)
    check_words()
    paragraph = ""
}

FNR == 1 {
    end_paragraph()
    file = folder = FILENAME
    sub(/[^\/]*$/, "", folder)
    fenced = 0
}

/^(<<<<<<<|>>>>>>>) / {
    tell(FNR, "a merge was not ended")
    next
}

/^ *```/ {
    end_paragraph()
    fenced = !fenced
    next
}

fenced || (paragraph == "" && /^    /) {
    sub(/(^| )#.*/, "")
    check_commands($0, FNR)
    next
}

/^#/ || /^ *$/ || /^\|/ || /^ *([-*]|[0-9]+[.]) / { end_paragraph() }

{
    if (paragraph == "")
        first = FNR
    paragraph = paragraph == "" ? $0 : paragraph "\n" $0
}

END {
    end_paragraph()
    exit failed
}
