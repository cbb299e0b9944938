#!/bin/sh
# Runs on a machine with an NVIDIA GPU, from the repository's root: the GPU suite, compute-sanitizer over a part of it, and
# the recordings. tests/gpu/record.sh BUILD OUT [--only SCHEDULE,...]: BUILD holds tests/gpu_test and tests/tilewalk_record
# (and tests/lib, shared libraries that machine may lack); OUT receives recordings.tar and record.log; --only records those
# schedules alone; ROOT in the environment, where the presets lie if not in the current folder.
set -u
build=$1 out=$2
shift 2
[ -d "$build/tests/lib" ] && export LD_LIBRARY_PATH="$build/tests/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
mkdir -p "$out"
log="$out/record.log"
status=0
say() { echo "== $*" | tee -a "$log"; }

: >"$log"
# The suite and the sanitizers side by side; the recordings after them, so that their times are their own.
say "GPU suite, compute-sanitizer memcheck and racecheck"
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck; do
    (timeout 240 compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/tests/gpu_test" "a small grid of problems for compute-sanitizer" \
      >"$out/$tool.log" 2>&1; echo "$tool: exit $?" >>"$out/$tool.log") &
  done
else
  say "skipped: compute-sanitizer is not installed"
fi
"$build/tests/gpu_test" >"$out/gpu_test.log" 2>&1 || status=1
wait
tail -n 40 "$out/gpu_test.log" | tee -a "$log"
for tool in memcheck racecheck; do
  [ -f "$out/$tool.log" ] || continue
  tail -n 5 "$out/$tool.log" | tee -a "$log"
  tail -n 1 "$out/$tool.log" | grep -q "exit 0" || status=1
done

say "recordings"
folder=$(mktemp -d)
"$build/tests/tilewalk_record" "$@" "${ROOT:-.}" "$folder" >"$out/recordings.log" 2>&1 || status=1
tee -a "$log" <"$out/recordings.log"
tar -C "$folder" -cf "$out/recordings.tar" .

[ "$status" = 0 ] && say "all good" || say "SOMETHING FAILED"
exit $status
