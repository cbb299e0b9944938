#include "kernels/host/passes.h"

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "core/schedules/row_fits.h"
#include "kernels/host/kernel_api.h"

namespace tilewalk {

std::int64_t PassPlan::shared_bytes() const {
  std::int64_t sum = 0;
  for (const SharedPart& part : shared) sum += part.bytes;
  return sum;
}

namespace {

// What the launches of a problem are made of: how many thread blocks, and bytes of one tile of each kind.
struct Sizes {
  explicit Sizes(const Problem& p)
      : e(p.numerics.element_bytes()),
        heads(p.shape.batch * p.shape.heads),
        q_tiles(heads * p.q_tiles()),
        kv_heads(p.shape.batch * p.shape.kv_heads),
        kv_tiles(kv_heads * p.kv_tiles()),
        br(trace_rows(p)),
        bc(trace_cols(p)),
        q(br * p.shape.d),
        k(bc * p.shape.d),
        s(br * bc) {}

  std::int64_t e, heads, q_tiles, kv_heads, kv_tiles;
  std::int64_t br, bc, q, k, s;  // elements of a Q tile, a KV tile, a score tile
};

// A walk over KV tiles with a running max and sum.
PassPlan online_walk(const Problem& p, Pass pass, std::int64_t blocks) {
  const Sizes n(p);
  return {pass,
          blocks,
          {{"Q", n.q * n.e},
           {"K", n.k * n.e},
           {"V", n.k * n.e},
           {"S and P", n.s * 4},
           {"O", n.q * 4},
           {"m, l and alpha", n.br * 12}}};
}

// The forward pass that a backward pass needs first. backward_standard reads P divided and in the problem's dtype, so
// the standard forward pass gets enough SRAM for a whole row of S, even if the problem has less.
std::vector<PassPlan> forward_passes(Problem p) {
  p.schedule = row_of(p).family.forward;
  if (row_of(p).memory.scores_in_hbm) p.machine.sram_bytes = p.shape.n_kv * 4 + 8;
  std::vector<PassPlan> passes = passes_of(p);
  for (PassPlan& each : passes) each.forward = true;
  return passes;
}

// A walk over Q tiles that adds to dQ, dK and dV. `rows`: its shared memory for values of one number a row. A walk that
// computes D itself needs a tile of O.
PassPlan gradient_walk(const Problem& p, Pass pass, bool reads_o, SharedPart rows) {
  const Sizes n(p);
  std::vector<SharedPart> shared = {{"Q", n.q * n.e},     {"dO", n.q * n.e},      {"K", n.k * n.e}, {"V", n.k * n.e},
                                    {"S and P", n.s * 4}, {"dP and dS", n.s * 4}, {"dQ", n.q * 4},  {"dK", n.k * 4},
                                    {"dV", n.k * 4},      std::move(rows)};
  if (reads_o) shared.insert(shared.begin() + 1, {"O", n.q * n.e});
  return {pass, n.kv_heads, std::move(shared)};
}

}  // namespace

std::vector<PassPlan> standard_passes(const Problem& p) {
  const Sizes n(p);
  const bool fits = standard_row_fits(p);
  std::vector<SharedPart> output = {{"O", n.q * 4}, {"P", n.s * (fits ? n.e : 4)}, {"V", n.k * n.e}};
  if (!fits) output.push_back({"l", n.br * 4});
  return {
      {Pass::StandardScores, n.q_tiles, {{"Q", n.q * n.e}, {"K", n.k * n.e}, {"S", n.s * 4}}},
      {Pass::StandardSoftmax, n.heads * p.shape.n_q, {{"row of S", (fits ? p.shape.n_kv : n.bc) * 4}, {"m and l", 8}}},
      {Pass::StandardOutput, n.q_tiles, output}};
}

std::vector<PassPlan> flash_v1_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = {{Pass::FlashV1Initialise, n.q_tiles, {}},
                                  {Pass::FlashV1Walk,
                                   n.heads,
                                   {{"Q", n.q * n.e},
                                    {"K", n.k * n.e},
                                    {"V", n.k * n.e},
                                    {"S and P", n.s * 4},
                                    {"O", n.q * 4},
                                    {"m, l and weights", n.br * 20}}}};
  if (p.numerics.dtype != DType::Fp32) passes.push_back({Pass::FlashV1Round, n.q_tiles, {{"O", n.q * 4}}});
  return passes;
}

std::vector<PassPlan> online_passes(const Problem& p, Pass pass) { return {online_walk(p, pass, Sizes(p).q_tiles)}; }

std::vector<PassPlan> flash_v3_passes(const Problem& p) {
  const Sizes n(p);
  return {{Pass::FlashV3,
           n.q_tiles,
           {{"Q", n.q * n.e},
            {"K and V in " + std::to_string(p.tiling.stages) + " stages", p.tiling.stages * n.k * n.e},
            {"S and P", n.s * 4},
            {"O", n.q * 4},
            {"m, l and alpha", n.br * 12}}}};
}

std::vector<PassPlan> split_kv_passes(const Problem& p) {
  const Sizes n(p);
  return {online_walk(p, Pass::SplitKvWalk, n.q_tiles * p.tiling.splits),
          {Pass::SplitKvMerge,
           n.q_tiles,
           {{"L of the shares", p.tiling.splits * n.br * 4}, {"O", n.q * 4}, {"m and l", n.br * 8}}}};
}

std::vector<PassPlan> backward_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = forward_passes(p);
  passes.push_back({Pass::BackwardDots, n.q_tiles, {{"O", n.q * n.e}, {"dO", n.q * n.e}}});
  passes.push_back(gradient_walk(p, Pass::BackwardWalk, false, {"L and D", n.br * 8}));
  passes.push_back({Pass::BackwardScale, n.q_tiles, {}});
  return passes;
}

std::vector<PassPlan> backward_v1_passes(const Problem& p) {
  const Sizes n(p);
  std::vector<PassPlan> passes = forward_passes(p);
  passes.push_back({Pass::BackwardV1Initialise, n.q_tiles, {}});
  passes.push_back(gradient_walk(p, Pass::BackwardV1Walk, true, {"m, l and D", n.br * 12}));
  passes.push_back({Pass::BackwardV1Scale, n.q_tiles, {}});
  return passes;
}

std::vector<PassPlan> backward_standard_passes(const Problem& p) {
  const Sizes n(p);
  const std::int64_t row = backward_row_fits(p) ? p.shape.n_kv : n.bc;
  std::vector<PassPlan> passes = forward_passes(p);
  passes.push_back({Pass::BackwardStandardGradV, n.kv_tiles, {{"P", n.s * n.e}, {"dO", n.q * n.e}, {"dV", n.k * 4}}});
  passes.push_back({Pass::BackwardStandardGradP, n.q_tiles, {{"dO", n.q * n.e}, {"V", n.k * n.e}, {"dP", n.s * 4}}});
  passes.push_back({Pass::BackwardStandardGradS,
                    n.heads * p.shape.n_q,
                    {{"row of P", row * n.e}, {"row of dP and dS", row * 4}, {"D", 4}}});
  passes.push_back({Pass::BackwardStandardGradQ, n.q_tiles, {{"dS", n.s * n.e}, {"K", n.k * n.e}, {"dQ", n.q * 4}}});
  passes.push_back({Pass::BackwardStandardGradK, n.kv_tiles, {{"dS", n.s * n.e}, {"Q", n.q * n.e}, {"dK", n.k * 4}}});
  return passes;
}

std::vector<PassPlan> passes_of(const Problem& p) {
  const auto passes = rung_for(p.schedule).passes;
  return passes ? passes(p) : std::vector<PassPlan>{};
}

std::string sum_text(const std::vector<SharedPart>& parts) {
  std::string text;
  std::int64_t sum = 0;
  for (const SharedPart& part : parts) {
    add_to_list(text, part.name + " " + format_bytes(part.bytes), " + ");
    sum += part.bytes;
  }
  return text + " = " + format_bytes(sum);
}

namespace {

// The backward passes' own, not that of the forward pass before them.
PassPlan largest_pass(const Problem& p) {
  std::vector<PassPlan> passes = passes_of(p);
  std::erase_if(passes, [](const PassPlan& each) { return each.forward; });
  if (passes.empty()) return {};
  return *std::max_element(passes.begin(), passes.end(),
                           [](const PassPlan& a, const PassPlan& b) { return a.shared_bytes() < b.shared_bytes(); });
}

}  // namespace

std::int64_t kernel_shared_bytes(const Problem& p) { return largest_pass(p).shared_bytes(); }
std::string kernel_shared_sum(const Problem& p) { return sum_text(largest_pass(p).shared); }

}  // namespace tilewalk
