// The mistakes that people make in a backward pass, each as a small change of the right arithmetic in float64. A
// mistake is named where it gives all of dQ, dK and dV that the kernel has written.
#pragma once

#include <optional>
#include <vector>

#include "core/problem/problem.h"
#include "lab/judge/visit.h"

namespace tilewalk::lab {

// Shapes as in the problem, contiguous; l is natural.
struct GradientInputs {
  const std::vector<float>&q, &k, &v, &o, &d_o, &l;
};
struct KernelGradients {
  const std::vector<float>&dq, &dk, &dv;
};

// A gradient is right within this share of the largest one of its tensor and head: fp32 sums of some hundred terms
// differ by less, and mistakes by more.
inline constexpr double kGradientShare = 1e-4;

// None where no mistake, and no two at once, fit; or where the problem is large.
std::optional<Diagnosis> gradient_mistake(const Problem&, const GradientInputs&, const KernelGradients&);

}  // namespace tilewalk::lab
