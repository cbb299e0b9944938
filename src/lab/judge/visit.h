// What a kernel keeps for some rows of Q after a tile visit, and the judge that compares it with float64.
//
// After each visit a row keeps m (the max that is subtracted), l (the sum of the weights) and o (the sum of weighted
// rows of V), over the keys that the row has absorbed so far. m + log l must be the log-sum-exp of the scores of those
// keys, and o / l their attention. Any m is right that fits its l: the running max, an upper bound, a max that lags.
// Any order of loops and tiles is right. o may also be divided by l at each visit, as FlashAttention-1 does, in all
// visits of a run or in none.
//
// Shapes: Q, O [batch][heads][n_q][d]; K, V [batch][kv_heads][n_kv][d]; L [batch][heads][n_q]; contiguous. Scores are
// scale q.k in natural units. With Base::Two a kernel keeps m, and L at the end, times log2 e.
// Not modelled: the backward pass, dropout, attention biases.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/problem/problem.h"

namespace tilewalk {

// Lines of the kernel's text, from 1; 0 where unknown. m, l and o: the line of the tag whose phase makes the quantity.
struct VisitLines {
  int visit = 0;  // of the mark: visit_done or row_done
  int m = 0, l = 0, o = 0;
  bool operator==(const VisitLines&) const = default;
};

// One mark. Empty m, l or o: the kernel does not keep it (a missing m counts as 0, as in a softmax without a max).
struct LabVisit {
  std::int64_t batch = 0, head = 0;  // head of Q
  std::int64_t q_tile = 0, kv_tile = 0;
  std::int64_t first_row = 0, rows = 0;  // rows of Q in its head, all below n_q
  std::int64_t first_key = 0, keys = 0;  // rows of K that were absorbed; past n_kv or hidden by the mask: ignored
  // Keys add up within a thread block: blocks that share a Q tile's keys (split keys) each start afresh, unless a
  // block's first state fits as a continuation of the others. Number blocks across all launches of a run.
  std::int64_t thread_block = 0;
  bool of_row = false;                // a mark of one row: row_done
  std::vector<float> m = {}, l = {};  // [rows]
  std::vector<float> o = {};          // [rows][d]
  VisitLines lines = {};
  bool operator==(const LabVisit&) const = default;
};

// Fills q_tile, kv_tile, rows and keys as `visit_done(q_tile, kv_tile, …)` means them, cut at n_q and n_kv.
LabVisit visit_of_tiles(const Problem&, std::int64_t batch, std::int64_t head, std::int64_t q_tile,
                        std::int64_t kv_tile);
// `row_done(row, kv_tile, …)`: one row of Q in its head.
LabVisit visit_of_row(const Problem&, std::int64_t batch, std::int64_t head, std::int64_t row, std::int64_t kv_tile);

// The inputs as the kernel read them. At least batch x heads x n x d values each; more are not read.
struct AttentionInputs {
  std::span<const float> q, k, v;
};

// Before the run every value of an output has these bits: a NaN that no arithmetic makes. One that still has them was
// not written.
inline constexpr std::uint32_t kNotWritten = 0x7fdeadad;

// Results at the end. An empty span is not judged. L of a row that sees no key may be +inf (as FlashAttention stores)
// or -inf; its O must be 0.
struct LabOutputs {
  std::span<const float> o = {}, l = {};
};

enum class LabQuantity { M, L, O };  // at the end, L is the log-sum-exp
const char* name_of(LabQuantity);    // "m", "l", "o": in files
const char* letter_of(LabQuantity);  // "m", "ℓ", "o": in sentences

// The first wrong number.
struct WrongValue {
  bool at_end = false;      // of the outputs; then tiles and visit are of its place, `visit` is -1
  std::int64_t visit = -1;  // index of the mark, from 0
  std::int64_t batch = 0, head = 0, q_tile = 0, kv_tile = 0;
  std::int64_t row = 0;                     // of Q in its head
  std::optional<std::int64_t> column = {};  // of O; none for m, l and L
  LabQuantity quantity = LabQuantity::L;
  // In the kernel's base. Of l: what fits the kernel's own m. Of o: what fits the kernel's own l, or m if l is wrong.
  double expected = 0, got = 0;
  double bound = 0;  // how far `got` may be from `expected`
  int line = 0;      // 0 where unknown
};

struct Diagnosis {
  std::string name;      // "no-rescale-o"; empty where no known mistake fits
  std::string sentence;  // "o was not multiplied by α since visit 2."
  bool operator==(const Diagnosis&) const = default;
};

struct JudgeReport {
  bool passed = false;
  std::int64_t visits = 0, visits_wrong = 0;
  std::optional<WrongValue> first_wrong;
  std::optional<Diagnosis> diagnosis;   // none where passed
  std::optional<Diagnosis> second;      // another mistake beside it; without a name: one remains
  std::vector<std::string> complaints;  // faults other than wrong values: rows never visited, …
};

std::string sentence_of(const Problem&, const JudgeReport&);  // the verdict in one sentence

// What a row should keep after a visit, beside what it keeps. In the kernel's base. m: the largest score so far; l:
// what fits the kernel's own m; o: what fits the kernel's own l, or m if l is wrong.
struct ExpectedRow {
  double m = 0, l = 0;
  std::vector<double> o = {};  // empty: the kernel does not keep it
  bool m_wrong = false;        // NaN or infinite, though the row sees keys
  bool l_wrong = false, o_wrong = false;
};

struct JudgeRules {
  Base base = Base::E;        // of m in visits
  Base lse_base = Base::E;    // of L at the end
  bool visits_needed = true;  // false for kernels that do not keep a state: judged at the end alone
  bool expects = false;       // keeps the expected rows of each visit
};

// Judges a run. The inputs must outlive it. It reads the problem's shape, mask, scale, tile sizes and dtype (roundings
// to 16 bits of P and O are allowed where the dtype has 16). O(rows x keys x d) time for all visits of a run.
class Judge {
 public:
  Judge(const Problem&, const AttentionInputs&, const JudgeRules&);
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // In the order of the run. True: the visit is right. Each visit is judged by itself.
  bool add(const LabVisit&);
  // One for each row of the last visit, if JudgeRules::expects; empty where the visit was not judged.
  const std::vector<ExpectedRow>& expected() const;
  // Once, after the last visit.
  JudgeReport finish(const LabOutputs&);

 private:
  struct Run;
  std::unique_ptr<Run> run_;
};

// Inputs that expose mistakes: the largest score of each row comes late and the scores are wide, so that α matters in
// each visit; V has values of both signs. Behind the last row of each are `slack` rows of NaN, which no kernel may
// read. A pure function of its arguments. Problem::numerics.distribution is ignored, the seed is used.
struct ExposingInputs {
  std::vector<float> q, k, v;
  AttentionInputs view() const { return {q, k, v}; }
};
ExposingInputs exposing_inputs(const Problem&, std::int64_t slack);

}  // namespace tilewalk
