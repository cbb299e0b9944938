#include "kernels/cpu/bf16_dot.h"
#include "kernels/cpu/cpu_attention.h"
namespace tilewalk::cpu {
const PanelKernels* bf16_dot_kernels(bool) { return nullptr; }
void pack_q_pairs(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*) {}
void pack_v_pairs(const std::uint16_t*, std::int64_t, std::int64_t, std::int64_t, std::uint32_t*) {}
double bf16_dot_gflops(double) { return 0; }
}
namespace tilewalk { bool cpu_has_bf16_dot() { return false; } bool cpu_uses_bf16_dot() { return false; } }
