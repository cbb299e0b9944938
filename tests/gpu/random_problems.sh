#!/bin/sh
# Random problems on a machine with an NVIDIA GPU, from the repository's root:
#   tests/gpu/random_problems.sh BUILD FAST OUT [COUNT] [SEED]
# COUNT problems (10000) through the teaching kernels, each equal to the replay in every bit and near float64 by
# FlashAttention's rule, and COUNT more through every variant of the fast kernels under that rule. All outputs are
# poisoned and lie between guard bands. BUILD contains tests/gpu_test (pack.sh makes such a folder), FAST fast_test
# (kernels/fast/scripts/build.sh). OUT receives random_problems.txt. SEED (1) makes other problems. Without a GPU:
#   TILEWALK_RANDOM_PROBLEMS=20000 build/tests/property_test "[verdict]"
# compares as many very small problems of every kind with float64, right ones and wrong ones.
set -u
build=$1 fast=$2 out=$3 count=${4:-10000} seed=${5:-1}
[ -d "$build/tests/lib" ] && export LD_LIBRARY_PATH="$build/tests/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d)
mkdir -p "$out"
teaching=10 fast_tests=5
i=0
while [ "$i" -lt "$teaching" ]; do
  TILEWALK_RANDOM_PROBLEMS=$((count / teaching)) TILEWALK_RANDOM_SEED=$((seed * 1000000 + i * count / teaching)) \
    "$build/tests/gpu_test" "kernels on the GPU equal the replay in every bit over random problems*" \
    >"$work/teaching_$i" 2>&1 && touch "$work/teaching_$i.held" &
  i=$((i + 1))
done
i=0
while [ "$i" -lt "$fast_tests" ]; do  # a shape is two problems: bf16 and fp16
  "$fast/fast_test" --random $((count / fast_tests / 2)) --seed $((seed * 1000 + i)) >"$work/fast_$i" 2>&1 &&
    touch "$work/fast_$i.held" &
  i=$((i + 1))
done
wait
{
  date -u +%F
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  grep -h 'random problems, seeds\|shapes, two types\|FAILED' "$work"/teaching_* "$work"/fast_*
} | tee "$out/random_problems.txt"
held=$(find "$work" -name '*.held' | wc -l)
[ "$held" = $((teaching + fast_tests)) ] || { tail -n 40 "$work"/* >>"$out/random_problems.txt"; held=; }
rm -r "$work"
[ -n "$held" ] && echo "all held" | tee -a "$out/random_problems.txt"
