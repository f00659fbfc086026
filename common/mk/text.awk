# text.awk FILE: the file with each header of the course that it includes, or that one of those does, in
# its place, once; includes of others are left out, and macros of pragmas count as used. -v folders=: where
# those headers are, with spaces between.

function show(file,   line, name, count, folder, i) {
    if (seen[file]++)
        return
    while ((getline line < file) > 0)
        if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            name = line
            sub(/^[^"]*"/, "", name)
            sub(/".*/, "", name)
            count = split(folders, folder, " ")
            for (i = 1; i <= count; i++)
                show(folder[i] "/" name)
        } else if (line !~ /^[ \t]*#[ \t]*include/) {
            sub(/^[ \t]*#[ \t]*pragma/, "pragma", line)
            print line
        }
    close(file)
}

BEGIN { show(ARGV[1]) }
