// The results of a backward pass, against float64.
#include <algorithm>
#include <cmath>

#include "core/witness/reference.h"
#include "lab/tasks/gradient_slips.h"
#include "lab/tasks/kernel_check.h"

namespace tilewalk::lab {

void KernelCheck::judge_gradients() {
  const Inputs inputs(setup_.problem);
  const Shape& s = setup_.problem.shape;
  const std::vector<float> dq = output("dQ"), dk = output("dK"), dv = output("dV");
  const std::int64_t group = s.head_group();
  const auto differs = [&](const char* name, const std::vector<float>& got, std::int64_t first, std::int64_t head,
                           std::int64_t rows, const std::vector<double>& expected) {
    double largest = 0;
    for (const double x : expected) largest = std::max(largest, std::abs(x));
    for (std::size_t at = 0; at < expected.size(); ++at) {
      const double is = got[std::size_t(first) + at];
      if (std::abs(is - expected[at]) <= kGradientShare * largest) continue;
      const std::int64_t row = std::int64_t(at) / s.d;
      report_.wrong_element = WrongElement{.tensor = name,
                                           .batch = head / s.heads,
                                           .head = head % s.heads + row / rows,
                                           .row = row % rows,
                                           .column = std::int64_t(at) % s.d,
                                           .expected = expected[at],
                                           .got = is};
      report_.sentence = text_of(*report_.wrong_element);
      return true;
    }
    return false;
  };
  report_.passed = false;
  for (std::int64_t batch = 0; batch < s.batch; ++batch)
    for (std::int64_t kv_head = 0; kv_head < s.kv_heads; ++kv_head) {
      ReferenceBackward reference(inputs, batch, kv_head);
      while (!reference.work()) {
      }
      const ReferenceGradients& expected = reference.gradients();
      const std::int64_t of_kv = (batch * s.kv_heads + kv_head) * s.n_kv * s.d;
      const std::int64_t of_q = (batch * s.heads + kv_head * group) * s.n_q * s.d;
      const std::int64_t head = batch * s.heads + kv_head * group;
      if (!differs("dV", dv, of_kv, head, s.n_kv, expected.dv) &&
          !differs("dK", dk, of_kv, head, s.n_kv, expected.dk) && !differs("dQ", dq, of_q, head, s.n_q, expected.dq))
        continue;
      report_.diagnosis = gradient_mistake(
          setup_.problem, {values_.q, values_.k, values_.v, values_.o, values_.d_o, values_.l}, {dq, dk, dv});
      if (report_.diagnosis) report_.sentence += " " + report_.diagnosis->sentence;
      return;
    }
  report_.passed = true;
  report_.sentence = "Right: dV, dK and dQ.";
}

}  // namespace tilewalk::lab
