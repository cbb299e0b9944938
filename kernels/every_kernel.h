// The files of the ladder, in order. The CPU's backend includes a header that defines CUDA's names first.
// CMakeLists.txt takes the list of kernel files from here.
#pragma once

#include "kernels/01_standard.cu"
#include "kernels/02_flash_v1.cu"
#include "kernels/03_flash_v2.cu"
#include "kernels/04_flash_v3.cu"
#include "kernels/05_flash_v4.cu"
#include "kernels/06_split_kv.cu"
#include "kernels/07_backward.cu"
#include "kernels/08_backward_v1.cu"
#include "kernels/09_backward_standard.cu"
