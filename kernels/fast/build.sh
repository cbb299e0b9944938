#!/bin/sh
# Builds the fast kernels as a shared library (for bench_torch.py) and their test program: kernels/fast/build.sh OUT_DIR
# NVCC names the compiler; flash_v3 is built for sm_90a, the rest for sm_90.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:?usage: build.sh OUT_DIR}
nvcc=${NVCC:-nvcc}
mkdir -p "$out"
flags="-std=c++20 -O3 -I$root -Xcompiler -fPIC -Xptxas -v"
"$nvcc" $flags -gencode=arch=compute_90a,code=sm_90a -c "$root/kernels/fast/flash_v3.cu" -o "$out/flash_v3.o" 2> "$out/flash_v3.log" &
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/flash_v1.cu" -o "$out/flash_v1.o" 2> "$out/flash_v1.log"
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/flash_v2.cu" -o "$out/flash_v2.o" 2> "$out/flash_v2.log"
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/flash_v2_backward.cu" -o "$out/flash_v2_backward.o" 2> "$out/flash_v2_backward.log"
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/naive.cu" -o "$out/naive.o" 2> "$out/naive.log"
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/kernels/fast/fast_attention.cu" -o "$out/fast_attention.o" 2> "$out/fast_attention.log"
"$nvcc" $flags -gencode=arch=compute_90,code=sm_90 -c "$root/tests/gpu/fast_test.cu" -o "$out/fast_test.o" 2> "$out/fast_test.log"
wait
objects="$out/flash_v3.o $out/flash_v1.o $out/flash_v2.o $out/flash_v2_backward.o $out/naive.o $out/fast_attention.o"
"$nvcc" -shared -cudart static $objects -o "$out/libtilewalk_fast.so"
"$nvcc" -cudart static $objects "$out/fast_test.o" -ldl -o "$out/fast_test"
