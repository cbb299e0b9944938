#!/bin/sh
# Builds the fast kernels as a shared library (for bench_torch.py), their traced builds as another (for
# record_traces.py) and their test programs: kernels/fast/scripts/build.sh OUT_DIR
# NVCC names the compiler; flash_v3 is built for sm_90a, the rest for sm_90.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
out=${1:?usage: build.sh OUT_DIR}
nvcc=${NVCC:-nvcc}
mkdir -p "$out"

# compile ARCHITECTURE SOURCE: to an object of the same name, the compiler's words beside it
compile() {
  name=$(basename "$2" .cu)
  "$nvcc" -std=c++20 -O3 -I"$root" -I"$root/src" -Xcompiler -fPIC -Xptxas -v \
    "-gencode=arch=compute_$1,code=sm_$1" -c "$root/$2" -o "$out/$name.o" 2>"$out/$name.log"
}
for file in flash_v3 flash_v3_parts flash_v3_backward traced_stamps traced_state; do
  compile 90a "kernels/fast/$file.cu" &
done
for file in flash_v1 flash_v2 flash_v2_parts flash_v2_short few_rows few_rows_bulk flash_v2_backward naive \
  fast_attention; do
  compile 90 "kernels/fast/$file.cu"
done
compile 90 tests/gpu/fast_test.cu
compile 90 tests/gpu/fast_backward_test.cu
wait

objects=""
for file in flash_v3 flash_v3_parts flash_v3_backward flash_v1 flash_v2 flash_v2_parts flash_v2_short few_rows \
  few_rows_bulk flash_v2_backward naive fast_attention; do
  objects="$objects $out/$file.o"
done
traced="$out/traced_stamps.o $out/traced_state.o"
"$nvcc" -shared -cudart static $objects -o "$out/libtilewalk_fast.so"
for test in fast_test fast_backward_test; do
  "$nvcc" -cudart static $objects "$out/$test.o" -ldl -o "$out/$test"
done
"$nvcc" -shared -cudart static $objects $traced -o "$out/libtilewalk_fast_traced.so"
