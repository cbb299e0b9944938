// One row of Q over the keys that it has absorbed: log-sum-exp and attention in float64, and how far a right kernel may
// be from them. This is the measure of FlashAttention's own tests, applied to a state inside the run: the error may be
// at most twice the error of plain attention over the same keys in the same precision, plus a floor.
//
// The floor is twice `bound`, a first-order bound of the roundings of one side (terms as in core/witness/roundings.h).
// Unlike there, the two sides need not have the same scores bit for bit: a kernel may sum q.k in any order, so a
// score's own error is a part of the bound:
//   score     u scale 2 sqrt(2 d) (largest partial sum) + 6 u |s|
//   weight    u (9 + 4 (|s - m| + sum of |changes of m|)); in 16 bits h for P
//   sums      2 sqrt(2 n + 5 visits) u sum(w |v|)
// Plain attention's own error is within `bound` too. So it is computed only where an error is between 2 and 4 bounds.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/problem/problem.h"
#include "core/problem/tile_id.h"
#include "lab/judge/visit.h"

namespace tilewalk {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Reads rows of the inputs. Scores are natural: softmax is e^s.
class JudgedInputs {
 public:
  JudgedInputs(const Problem&, const AttentionInputs&);
  const Problem& problem() const { return p_; }
  const Band& band() const { return band_; }
  double factor() const { return factor_; }  // of q.k
  const float* q(const RowId& id) const {
    return in_.q.data() + ((id.batch * p_.shape.heads + id.head) * p_.shape.n_q + id.row) * p_.shape.d;
  }
  const float* k(const HeadId& id, std::int64_t key) const { return in_.k.data() + kv_row(id, key); }
  const float* v(const HeadId& id, std::int64_t key) const { return in_.v.data() + kv_row(id, key); }
  // The same by KV head, for mistakes; `row` counts from the head's first row and must be in the tensor.
  bool has_kv_row(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const;
  const float* k_of(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const;
  const float* v_of(std::int64_t batch, std::int64_t kv_head, std::int64_t row) const;

 private:
  std::int64_t kv_row(const HeadId& id, std::int64_t key) const {
    return ((id.batch * p_.shape.kv_heads + p_.shape.kv_head_of(id.head)) * p_.shape.n_kv + key) * p_.shape.d;
  }
  const Problem& p_;
  AttentionInputs in_;
  Band band_;
  double factor_;
};

using KeyRange = std::pair<std::int64_t, std::int64_t>;  // [first, second)

class JudgedRow {
 public:
  JudgedRow(const JudgedInputs&, const RowId&);

  bool overlaps(const KeyRange&) const;
  // The visible ones among these keys.
  void absorb(const KeyRange&);
  // The kernel's m after this visit, in natural units.
  void follow_max(double m);

  const RowId& id() const { return id_; }
  bool sees_nothing() const { return keys_ == 0; }
  double lse() const;                     // -inf where it sees nothing
  double max() const { return max_; }     // of the scores; -inf likewise
  double attention(std::size_t x) const;  // 0 likewise
  double lse_bound() const;
  double attention_bound(std::size_t x) const;
  // The errors of plain attention in fp32 over the same keys: of L, and the largest of O.
  struct PlainErrors {
    double lse = 0, attention = 0;
  };
  PlainErrors plain_errors() const;
  const std::vector<KeyRange>& absorbed() const { return absorbed_; }

 private:
  double per_weight() const;  // the part of a weight's relative error that is the same for all keys

  const JudgedInputs* inputs_;
  RowId id_;
  std::vector<KeyRange> absorbed_;
  std::int64_t keys_ = 0, visits_ = 0;
  double max_, sum_ = 0, moved_sum_ = 0;  // of e = exp(s - max); of e times its error, less what per_weight() has
  double last_m_, travel_ = 0, lag_ = 0;
  std::vector<double> o_, sizes_, moved_;  // sums of e v, e |v|, and as moved_sum_ of e |v|
};

}  // namespace tilewalk
