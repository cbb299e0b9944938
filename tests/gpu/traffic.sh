#!/bin/sh
# Runs on a machine with an NVIDIA GPU and Nsight Compute, from the repository's root: every kernel over a grid of sizes, with
# the GPU's own counters beside what the machine model counts. tests/gpu/traffic.sh BUILD OUT: BUILD as for record.sh; OUT
# receives traffic.csv, which becomes assets/measurements/traffic_GPU.csv, launches.csv, ncu.csv and traffic.log.
# Nsight Compute empties the caches before each launch and keeps none of what a launch leaves in them.
set -u
build=$1 out=$2
[ -d "$build/tests/lib" ] && export LD_LIBRARY_PATH="$build/tests/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
mkdir -p "$out"
program="$build/tests/tilewalk_record"
command -v ncu >/dev/null || { echo "skipped: ncu is not installed"; exit 3; }

metrics=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,lts__t_bytes.sum,dram__bytes_read.sum,dram__bytes_write.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
# Counted by patched instructions, which not every version of the tool offers on every GPU.
for metric in smsp__sass_data_bytes_mem_global_op_ld.sum smsp__sass_data_bytes_mem_global_op_st.sum smsp__sass_data_bytes_mem_shared.sum; do
  if ncu --clock-control none --csv --launch-count 1 --metrics "$metric" "$program" --traffic --shortest 2>&1 | grep "\"$metric\"" | grep -vq 'n/a'; then
    metrics="$metrics,$metric"
  else
    echo "left out, not offered here: $metric" | tee -a "$out/traffic.log"
  fi
done

status=0
ncu --clock-control none --print-units base --csv --log-file "$out/ncu.csv" --metrics "$metrics" "$program" --traffic >"$out/launches.csv" 2>"$out/traffic.err" || status=1
cat "$out/traffic.err" | tee -a "$out/traffic.log"
python3 tests/gpu/traffic_table.py "$out/launches.csv" "$out/ncu.csv" \
  --gpu "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)" \
  --driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)" \
  --tool "$(ncu --version | grep -o 'Version [0-9.]*' | head -n 1)" >"$out/traffic.csv" 2>>"$out/traffic.log" || status=1
tail -n 30 "$out/traffic.log"
wc -l "$out/traffic.csv"
exit $status
