#!/usr/bin/env bash
# A long run with libFuzzer, library and harness instrumented:
#   tests/fuzz/long.sh [--quick] MINUTES [TARGET…]
# Needs clang 14 or later and lld. The minutes are divided among the targets, one after another on one core.
# Each starts from its seeds and from the corpus of earlier runs, build-fuzz/corpus/TARGET, which is minimised at the
# end. A line a target reports executions, how many a second, edges reached, inputs kept, findings. An input that causes
# a failure stays in build-fuzz/findings/TARGET-…: fix the failure and add the input to the seeds. Exit 1 if there is
# one.
# --quick runs without sanitizers, several times as fast; afterwards run with sanitizers over the kept corpus.
set -euo pipefail
preset=fuzz
[ "${1:-}" != --quick ] || { preset=fuzz-quick; shift; }
minutes=${1:?minutes, such as 60}
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$root/build-$preset kept=$root/build-fuzz
command -v clang++ ld.lld >/dev/null || { echo "clang or lld is missing: apt-get install clang lld" >&2; exit 2; }
[ -f "$build/build.ninja" ] || (cd "$root" && cmake --preset "$preset" >/dev/null)
ninja -C "$build" --quiet fuzz
targets=("$@")
[ $# -gt 0 ] || mapfile -t targets < <(ls "$build/fuzz")
for name in "${targets[@]}"; do
  [ -x "$build/fuzz/$name" ] || { echo "there is no target $name; there are:" $(ls "$build/fuzz") >&2; exit 2; }
done
seconds=$((minutes * 60 / ${#targets[@]}))
[ "$seconds" -gt 0 ] || seconds=1
mkdir -p "$kept/findings"
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0:quarantine_size_mb=16
printf '%-12s %12s %8s %7s %7s %9s\n' target executions a-second edges inputs findings
found=0
for name in "${targets[@]}"; do
  fuzz=$build/fuzz/$name corpus=$kept/corpus/$name log=$kept/findings/$name.log
  longest=$("$fuzz" --longest)
  mkdir -p "$corpus"
  before=$(find "$kept/findings" -name "$name-*" | wc -l)
  "$fuzz" "$corpus" "$root/tests/fuzz/seeds/$name" -max_len="$longest" -max_total_time="$seconds" \
    -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -entropic=0 \
    -artifact_prefix="$kept/findings/$name-" >"$log" 2>&1 || true
  runs=$(awk '/stat::number_of_executed_units/ {print $2}' "$log")
  rate=$(awk '/stat::average_exec_per_sec/ {print $2}' "$log")
  edges=$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2 || true)
  rm -rf "$corpus.least"
  mkdir -p "$corpus.least"
  if "$fuzz" -merge=1 -max_len="$longest" "$corpus.least" "$corpus" "$root/tests/fuzz/seeds/$name" >>"$log" 2>&1; then
    rm -rf "$corpus" && mv "$corpus.least" "$corpus"
  fi
  now=$(($(find "$kept/findings" -name "$name-*" | wc -l) - before))
  found=$((found + now))
  printf '%-12s %12s %8s %7s %7s %9s\n' "$name" "${runs:-0}" "${rate:-0}" "${edges:-0}" \
    "$(find "$corpus" -type f | wc -l)" "$now"
done
[ "$found" -eq 0 ]
