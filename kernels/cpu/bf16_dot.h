// Tiled attention's arithmetic with the bf16 dot product, VDPBF16PS of AVX512_BF16: two products a lane, fp32 sums.
// Debian 12's Highway does not have it, so these are intrinsics. The instruction treats subnormal inputs as 0 and
// rounds its sums to nearest even, flushing subnormal sums to 0. AMX, which some of these CPUs have too, is not used.
#pragma once

#include "kernels/cpu/panel_kernels.h"

namespace tilewalk::cpu {

// Null where the CPU or the compiler has no such instruction.
const PanelKernels* bf16_dot_kernels(bool narrow);

// to[x / 2][row][x % 2] of `real_rows` rows of d elements, zeros beyond, for panels of `rows`.
void pack_q_pairs(const std::uint16_t* from, std::int64_t d, std::int64_t real_rows, std::int64_t rows,
                  std::uint32_t* to);
// to[j / 2][x][j % 2] of `count` rows of d elements, zeros beyond, up to `columns` and to whole strips of keys.
void pack_v_pairs(const std::uint16_t* from, std::int64_t d, std::int64_t count, std::int64_t columns,
                  std::uint32_t* to);

// FLOPs of `rounds` rounds of independent dot products; 0 without the instruction.
double bf16_dots(long rounds, float* sink);

}  // namespace tilewalk::cpu
