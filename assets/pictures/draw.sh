#!/bin/sh
# Draws the pictures of the README with the program itself: assets/pictures/draw.sh [PATH TO tilewalk]. The tests draw each
# again and compare, so a picture that has gone stale is seen. One line a picture: file, then the flags of `render`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tilewalk=$(realpath "${1:-$here/../../build/tilewalk}")
cd "$here/../.."
while read -r file flags; do
  eval "\"$tilewalk\" render --out \"$here/$file\" $flags"  # the flags are words, some in quotes
done <"$here/pictures.txt"
# The film at the head of the README: one tile visit, phase by phase, then what the whole walk moved.
"$tilewalk" render --out "$here/visit.gif" --preset picture --animate 39:48:end --picture post --size 720x720 --fps 12 --ms 900
