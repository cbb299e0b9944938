#!/bin/sh
# What record.sh needs on a machine that has an NVIDIA driver and little else: tests/gpu/pack.sh BUILD FOLDER copies the
# GPU suite and the recorder, with the shared libraries that they need beyond the C library's own.
set -eu
build=$1 folder=$2
mkdir -p "$folder/tests/lib"
cp "$build/tests/gpu_test" "$build/tests/tilewalk_record" "$folder/tests/"
ldd "$folder/tests/gpu_test" "$folder/tests/tilewalk_record" | awk '/=> \// {print $3}' | sort -u |
  grep -v '/lib\(c\|m\|dl\|rt\|pthread\)\.so' | while read -r library; do
  cp "$library" "$folder/tests/lib/"
done
du -sh "$folder"
