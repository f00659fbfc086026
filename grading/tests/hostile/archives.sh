#!/bin/bash
# archives.sh FOLDER SOURCE: archives of every bad kind, each with the honest SOURCE as step 02 where
# there is room for one. What a bad member would write or show is named hostile-touched or secret.
set -eu
export LC_ALL=C
folder=$1 source=$2
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# begin NAME: an archive's folder with the honest file.
begin() {
    cd "$made"
    rm -rf work
    mkdir -p "work/$1/02_openmp"
    cp "$source" "work/$1/02_openmp/nbody.c"
    cd work
}

begin archive-parent
touch hostile-touched
tar -P --transform='s,^hostile-touched,../../../../../../tmp/hostile-touched,' \
    -czf "$folder/archive-parent.tar.gz" archive-parent hostile-touched

begin archive-absolute
touch hostile-touched
tar -P --transform='s,^hostile-touched,/tmp/hostile-touched,' \
    -cf "$folder/archive-absolute.tar" archive-absolute hostile-touched

begin archive-parent-zip
mkdir deep && cd deep && touch ../hostile-touched
zip -q "$folder/archive-parent-zip.zip" ../hostile-touched ../archive-parent-zip/02_openmp/nbody.c

begin archive-link
ln -sf "$source" archive-link/02_openmp/nbody.c
tar -czf "$folder/archive-link.tar.gz" archive-link

begin archive-link-zip
ln -sf "$source" archive-link-zip/02_openmp/nbody.c
zip -qry "$folder/archive-link-zip.zip" archive-link-zip

begin archive-hardlink
ln archive-hardlink/02_openmp/nbody.c archive-hardlink/02_openmp/other
tar -P --transform="flags=h;s,.*,$source," -cf "$folder/archive-hardlink.tar" archive-hardlink

begin archive-folder-link
mkdir other && cp archive-folder-link/02_openmp/nbody.c other/hostile-touched
rm -r archive-folder-link/02_openmp && ln -s /tmp archive-folder-link/02_openmp
tar --transform='s,^other,archive-folder-link/02_openmp,' \
    -czf "$folder/archive-folder-link.tar.gz" archive-folder-link other

begin archive-pipe
rm archive-pipe/02_openmp/nbody.c && mkfifo archive-pipe/02_openmp/nbody.c
tar -czf "$folder/archive-pipe.tar.gz" archive-pipe

begin archive-device
tar --transform='s,^zero,archive-device/02_openmp/nbody.c,' -C /dev \
    -czf "$folder/archive-device.tar.gz" zero

begin archive-bomb
truncate -s 1G archive-bomb/02_openmp/nbody.c
tar -cf - archive-bomb | gzip -1 >"$folder/archive-bomb.tar.gz"

begin archive-sparse
truncate -s 1T archive-sparse/02_openmp/nbody.c
tar -Sczf "$folder/archive-sparse.tar.gz" archive-sparse

begin archive-many
mkdir archive-many/files
(cd archive-many/files && seq 20000 | xargs touch)
tar -czf "$folder/archive-many.tar.gz" archive-many

begin archive-nested
(cd archive-nested && zip -qr inner.zip 02_openmp && rm -r 02_openmp)
zip -qr "$folder/archive-nested.zip" archive-nested

begin archive-locked
zip -qr -P secret "$folder/archive-locked.zip" archive-locked

begin archive-cut
head -c 300000 /dev/urandom >archive-cut/noise
tar -czf whole.tar.gz archive-cut/noise archive-cut/02_openmp
head -c 100000 whole.tar.gz >"$folder/archive-cut.tar.gz"

head -c 100000 /dev/urandom >"$folder/archive-noise.zip"
: >"$folder/archive-nothing.tar.gz"

begin archive-names
for name in $'\033[2J\033]0;owned\a' $'two\nlines' $'\xff\xfe' '<script>alert(1)<b>' '=1+1' '-rf' "$(printf '%0200d' 0)"; do
    echo >"archive-names/$name"
done
tar -czf "$folder/archive-names.tar.gz" archive-names

begin archive-twice
mkdir -p archive-twice/other/02_openmp
echo 'int wrong(void);' >archive-twice/other/02_openmp/nbody.c
zip -qr "$folder/archive-twice.zip" archive-twice

begin archive-deep
deep=archive-deep$(printf '/d%.0s' $(seq 1000))
mkdir -p "$deep" && touch "$deep/leaf"
tar -czf "$folder/archive-deep.tar.gz" archive-deep

begin archive-long
{ cat "$source"; awk 'BEGIN { for (i = 0; i < 8000000; i++) print "/* */" }'; } >archive-long/02_openmp/nbody.c
tar -czf "$folder/archive-long.tar.gz" archive-long

begin archive-binary
printf 'int a;\0\377\376 int b;\n' >archive-binary/02_openmp/nbody.c
tar -czf "$folder/archive-binary.tar.gz" archive-binary

# Folders may lead elsewhere, too.
mkdir -p "$folder/folder-link/02_openmp" "$folder/folder-pipe/02_openmp"
ln -s "$source" "$folder/folder-link/02_openmp/nbody.c"
mkfifo "$folder/folder-pipe/02_openmp/nbody.c"
mkdir -p "$folder/folder-of-link"
ln -s "$(dirname "$source")" "$folder/folder-of-link/02_openmp"
