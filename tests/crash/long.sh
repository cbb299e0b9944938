#!/usr/bin/env bash
# The long form of the crash tests: kill -9 at random moments, KILLS times (200 unless given) each while saving, running
# and racing. Takes about ten minutes. TILEWALK_CRASH_SEED repeats the moments of an earlier go.
#   tests/crash/long.sh [BUILD FOLDER [KILLS]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build}
ninja -C "$build" tilewalk crash_test
TILEWALK_CRASH_KILLS=${2:-200} exec "$build/tests/crash_test"
