// Converts the C interface's problem to a kernel's arguments.
#pragma once

#include "core/problem/section_plan.h"
#include "kernels/fast/fast_attention.h"
#include "kernels/fast/forward_args.h"
#include "kernels/fast/multiprocessors.h"

namespace tilewalk::fast {

constexpr size_t kCounterBytes = 256;  // at the start of every workspace

inline long long padded_d(long long d) { return (d + 7) / 8 * 8; }

// Precondition: the problem has been checked (fast_attention.cu).
inline ForwardArgs forward_args(const TilewalkFastProblem& p, Contender kernel) {
  ForwardArgs a{};
  a.q = p.q, a.k = p.k, a.v = p.v, a.o = p.o, a.lse = p.lse;
  a.work_counter = (unsigned*)p.workspace;
  a.all_heads = (int)(p.batch * p.heads);
  a.heads_per_kv = (int)(p.heads / p.kv_heads);
  a.n_q = (int)p.n_q, a.n_kv = (int)p.n_kv, a.d = (int)padded_d(p.d);
  a.causal_shift = p.mask == TILEWALK_FAST_CAUSAL_BOTTOM_RIGHT ? a.n_kv - a.n_q : 0;
  const SectionShape shape{a.all_heads, a.heads_per_kv, p.n_q, p.n_kv, a.d};
  const int sections = (int)section_count(kernel, shape, multiprocessors());
  a.section_heads = a.all_heads / sections, a.larger_sections = a.all_heads % sections;
  a.c = p.scale * 1.44269504f;
  return a;
}

}  // namespace tilewalk::fast
