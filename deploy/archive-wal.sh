#!/bin/sh
# Keeps one piece of PostgreSQL's log in a folder on another disk or machine. In postgresql.conf:
#   archive_command = '/path/to/archive-wal.sh "%p" "%f" /path/to/archive'
# It answers 0 only when the piece is there whole, under its name and on disk; otherwise PostgreSQL keeps the piece
# and tries again. It never replaces a file: a piece that differs comes from another server.
set -eu
[ $# -eq 3 ] || { echo "usage: archive-wal.sh PATH NAME FOLDER" >&2; exit 2; }
path=$1 name=$2 folder=$3

if [ -e "$folder/$name" ]; then
  # PostgreSQL may bring the same piece again after a crash.
  cmp -s "$path" "$folder/$name" && exit 0
  echo "archive-wal.sh: $folder/$name is there already and differs: does another server archive to this folder?" >&2
  exit 1
fi

new="$folder/.$name.$$"
trap 'rm -f "$new"' EXIT
dd if="$path" of="$new" bs=1M conv=fsync 2>/dev/null ||
  { echo "archive-wal.sh: $path cannot be copied to $folder" >&2; exit 1; }
# Unlike a renaming, a link fails if the name was taken meanwhile.
ln "$new" "$folder/$name"
rm "$new"
sync "$folder"
