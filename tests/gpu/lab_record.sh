#!/usr/bin/env bash
# Runs the lab's solutions on this machine's GPU and writes assets/lab/gpu/CARD_DATE.json, say h100_2026-11-26.json.
#   tests/gpu/lab_record.sh CARD
set -euo pipefail
cd "$(dirname "$0")/../.."
card=${1:?the card\'s short name, such as h100}
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -1)
today=$(date -u +%Y-%m-%d)
cmake --preset release >/dev/null
cmake --build build --target tilewalk_lab_on_gpu
build/tests/tilewalk_lab_on_gpu . "assets/lab/gpu/${card}_$today.json" "$today" "$driver"
