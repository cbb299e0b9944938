#!/usr/bin/env bash
# The long form of the crash tests: kill -9 at random moments, KILLS times (200 unless given) each while saving, running
# and racing; and every verb under LIMITS memory limits (60 unless given). Takes about twenty minutes.
# TILEWALK_CRASH_SEED repeats the moments and limits of an earlier run.
#   tests/crash/long.sh [BUILD FOLDER [KILLS [LIMITS]]]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build}
ninja -C "$build" tilewalk crash_test
TILEWALK_CRASH_KILLS=${2:-200} TILEWALK_MEMORY_LIMITS=${3:-60} exec "$build/tests/crash_test"
