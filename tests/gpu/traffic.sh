#!/bin/sh
# Runs on a machine with an NVIDIA GPU and Nsight Compute, from the repository's root: every kernel over a grid of
# sizes, with the GPU's own counters beside the bytes that the machine model counts.
#   tests/gpu/traffic.sh BUILD OUT [TABLE]
# BUILD as for record.sh; OUT receives traffic.csv, which becomes assets/measurements/traffic_GPU.csv, l2_writes.csv,
# likewise, the raw launches*.csv and ncu*.csv, and traffic.log. For problems in TABLE, an earlier traffic.csv of the
# same GPU, the counters are copied from there, and only the DRAM bytes after a flush are measured again.
# Three runs. 1: all counters. Nsight Compute empties the caches before each launch and keeps nothing that a launch
# leaves in them. 2: only DRAM bytes and time, each launch between two flushes, so that bytes still dirty in L2 at its
# end are counted, beside it. 3: the same for kernels that only read and write (l2_probe.cu).
set -u
build=$1 out=$2 table=${3:-}
[ -d "$build/tests/lib" ] && export LD_LIBRARY_PATH="$build/tests/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
mkdir -p "$out"
program="$build/tests/tilewalk_record" here=$(dirname "$0")
command -v ncu >/dev/null || { echo "skipped: ncu is not installed"; exit 3; }
watch="ncu --clock-control none --profile-from-start off --print-units base --csv"
status=0

dram=dram__bytes_read.sum,dram__bytes_write.sum,gpu__time_duration.sum
warm="$watch --cache-control none --metrics $dram"
$warm --log-file "$out/ncu_probe.csv" "$build/tests/tilewalk_l2_probe" \
  >"$out/launches_probe.csv" 2>"$out/traffic.err" || status=1
$warm --log-file "$out/ncu_flush.csv" "$program" --traffic --flush \
  >"$out/launches_flush.csv" 2>>"$out/traffic.err" || status=1

metrics=l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
metrics=$metrics,lts__t_bytes.sum,dram__bytes_read.sum,dram__bytes_write.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
# Counted by patched instructions, which not every version of the tool offers on every GPU.
for what in global_op_ld global_op_st shared; do
  metric=smsp__sass_data_bytes_mem_$what.sum
  if $watch --launch-count 1 --metrics "$metric" "$program" --traffic --shortest 2>&1 |
    grep "\"$metric\"" | grep -vq 'n/a'; then
    metrics="$metrics,$metric"
  else
    echo "left out, not offered here: $metric" | tee -a "$out/traffic.log"
  fi
done
$watch --log-file "$out/ncu.csv" --metrics "$metrics" "$program" --traffic ${table:+--without "$table"} \
  >"$out/launches.csv" 2>>"$out/traffic.err" || status=1

cat "$out/traffic.err" | tee -a "$out/traffic.log"
python3 "$here/traffic_table.py" "$out" ${table:+--onto "$table"} \
  --gpu "$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)" \
  --driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)" \
  --tool "$(ncu --version | grep -o 'Version [0-9.]*' | head -n 1)" 2>>"$out/traffic.log" || status=1
tail -n 30 "$out/traffic.log"
wc -l "$out/traffic.csv" "$out/l2_writes.csv"
exit $status
