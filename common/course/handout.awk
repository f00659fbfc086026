# Fills the marked blocks of a handout from what skeletons.sh found in `folder`:
#
#   <!-- part N --> ... <!-- /part N -->     the part as it stands in the skeleton
#   <!-- prints --> ... <!-- /prints -->     what a check of the skeleton says of it
#
# A block without an end, or a part that the step does not have, ends in one line and status 15.

function die(why) {
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 15
}

function part(number,    file, line, count, text, indent, i) {
    file = folder "/part-" number
    while ((getline line <file) > 0)
        text[++count] = line
    if (!count)
        die("the step has no part " number)
    match(text[1], /^ */)
    indent = RLENGTH
    print text[1] ~ /^ *#/ ? "```" : "```c"
    for (i = 1; i <= count; i++)
        print substr(text[i], 1, indent) ~ /^ *$/ ? substr(text[i], indent + 1) : text[i]
    print "```"
}

function prints(    line, field) {
    if ((getline line <(folder "/parts")) <= 0)
        die("the step has no parts")
    split(line, field, "\t")
    print "    " field[1] ":" field[3] ": part 1 is not written yet: " field[6]
}

/^<!-- \/?(part [0-9]+|prints) -->$/ {
    name = $0
    gsub(/^<!-- | -->$/, "", name)
    if (name == "/" block) {
        block = ""
        print
        next
    }
    if (block != "" || name ~ /^\//)
        die("the block " block " has no end before " name)
    block = name
    print
    if (name ~ /^part /)
        part(substr(name, 6))
    else
        prints()
    next
}

block == ""

END {
    if (!failed && block != "")
        die("the block " block " has no end")
}
