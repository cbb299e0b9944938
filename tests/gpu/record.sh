#!/bin/sh
# Runs on a machine with an NVIDIA GPU, from the repository's root: the GPU suite, compute-sanitizer over a part of it,
# and the recordings.
#   tests/gpu/record.sh BUILD OUT [--only SCHEDULE,...] [--stale]
# BUILD contains tests/gpu_test and tests/tilewalk_record (and tests/lib, shared libraries that the machine may lack;
# pack.sh makes such a folder). OUT receives one file, recordings.tar.gz: recordings/ and the logs. --only records only
# those schedules, --stale only recordings that do not match the current kernels.
# In the environment: ROOT, the folder with the presets if not the current one; JOBS, recorders side by side; LIMIT,
# seconds after which the existing results are packed.
set -u
build=$1 out=$2
shift 2
root=${ROOT:-.} jobs=${JOBS:-8} limit=${LIMIT:-540}
[ -d "$build/tests/lib" ] && export LD_LIBRARY_PATH="$build/tests/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
work=$(mktemp -d)
mkdir -p "$out" "$work/recordings" "$work/logs"
logs=$work/logs
status=0
say() { echo "== $*" | tee -a "$logs/record.log"; }

# watched NAME COMMAND...: runs at most `limit` seconds, with its output in a log of that name and its exit code in
# NAME.rc
watched() {
  name=$1
  shift
  timeout "$limit" "$@" >"$logs/$name.log" 2>&1
  echo $? >"$logs/$name.rc"
}

say "GPU suite, compute-sanitizer and $jobs recorders, side by side"
watched gpu_test "$build/tests/gpu_test" &
if command -v compute-sanitizer >/dev/null; then
  for tool in memcheck racecheck; do
    watched "$tool" compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$build/tests/gpu_test" "a small grid of problems for compute-sanitizer" &
  done
else
  say "skipped: compute-sanitizer is not installed"
fi
share=0
while [ "$share" -lt "$jobs" ]; do
  watched "recorder_$share" "$build/tests/tilewalk_record" --share "$share/$jobs" "$@" "$root" "$work/recordings" &
  share=$((share + 1))
done
wait

for rc in "$logs"/*.rc; do
  name=$(basename "$rc" .rc)
  say "$name: exit $(cat "$rc")"
  [ "$(cat "$rc")" = 0 ] || status=1
  tail -n 3 "$logs/$name.log" | tee -a "$logs/record.log"
done
grep -h '^FAILED' "$logs"/recorder_*.log | tee -a "$logs/record.log"
say "$(find "$work/recordings" -type f | wc -l) recordings"
[ "$status" = 0 ] && say "all good" || say "SOMETHING FAILED"
tar -C "$work" -czf "$out/recordings.tar.gz" recordings logs
rm -r "$work"
exit $status
