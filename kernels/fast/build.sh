#!/bin/sh
# Builds the fast kernels as a shared library (for bench_torch.py), their traced builds as another (for record_traces.py)
# and their test program: kernels/fast/build.sh OUT_DIR
# NVCC names the compiler; flash_v3 is built for sm_90a, the rest for sm_90.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: build.sh OUT_DIR}
nvcc=${NVCC:-nvcc}
mkdir -p "$out"
flags="-std=c++20 -O3 -I$root -Xcompiler -fPIC -Xptxas -v"
for file in flash_v3 traced_stamps traced_state; do
  "$nvcc" $flags -gencode=arch=compute_90a,code=sm_90a -c "$root/kernels/fast/$file.cu" -o "$out/$file.o" 2> "$out/$file.log" &
done
for file in flash_v1 flash_v2 flash_v2_backward naive fast_attention; do
  "$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/$file.cu" -o "$out/$file.o" 2> "$out/$file.log"
done
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/tests/gpu/fast_test.cu" -o "$out/fast_test.o" 2> "$out/fast_test.log"
wait
objects="$out/flash_v3.o $out/flash_v1.o $out/flash_v2.o $out/flash_v2_backward.o $out/naive.o $out/fast_attention.o"
"$nvcc" -shared -cudart static $objects -o "$out/libtilewalk_fast.so"
"$nvcc" -cudart static $objects "$out/fast_test.o" -ldl -o "$out/fast_test"
"$nvcc" -shared -cudart static $objects "$out/traced_stamps.o" "$out/traced_state.o" -o "$out/libtilewalk_fast_traced.so"
