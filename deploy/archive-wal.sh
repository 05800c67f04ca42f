#!/bin/sh
# Copies one WAL segment of PostgreSQL to a folder on another disk or machine. In postgresql.conf:
#   archive_command = '/path/to/archive-wal.sh "%p" "%f" /path/to/archive'
# It returns 0 only when the whole segment is on disk under its name; otherwise PostgreSQL keeps the segment and
# tries again. It never replaces a file: a segment that differs comes from another server.
set -eu
[ $# -eq 3 ] || { echo "usage: archive-wal.sh PATH NAME FOLDER" >&2; exit 2; }
path=$1 name=$2 folder=$3

if [ -e "$folder/$name" ]; then
  # PostgreSQL may archive the same segment again after a crash.
  cmp -s "$path" "$folder/$name" && exit 0
  echo "archive-wal.sh: $folder/$name already exists and differs: does another server archive to this folder?" >&2
  exit 1
fi

new="$folder/.$name.$$"
trap 'rm -f "$new"' EXIT
dd if="$path" of="$new" bs=1M conv=fsync 2>/dev/null ||
  { echo "archive-wal.sh: could not copy $path to $folder" >&2; exit 1; }
# Unlike a rename, a link fails if the name was taken meanwhile.
ln "$new" "$folder/$name"
rm "$new"
sync "$folder"
