#!/bin/sh
# Prepares record.sh for a machine that has an NVIDIA GPU, its toolkit and little else: tests/gpu/pack.sh BUILD FOLDER
# copies the GPU suite and the recorder, with the shared libraries that they need beyond those of C and C++.
set -eu
build=$1 folder=$2
mkdir -p "$folder/tests/lib"
for program in gpu_test tilewalk_record; do
  cp "$build/tests/$program" "$folder/tests/"
  strip "$folder/tests/$program"
done
ldd "$folder/tests/gpu_test" "$folder/tests/tilewalk_record" | awk '/=> \// {print $3}' | sort -u |
  grep -v '/lib\(c\|m\|dl\|rt\|pthread\|stdc++\|gcc_s\)\.so' | while read -r library; do
  cp "$library" "$folder/tests/lib/"
done
du -sh "$folder"
