#include "session/hand/hand_facts.h"

#include <algorithm>
#include <numeric>

#include "core/problem/format_value.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

double or_nan(std::optional<double> value) { return value.value_or(NAN); }

std::vector<double> input_row(const Inputs& inputs, const Step& step, TensorId tensor, std::int64_t row) {
  const Problem& p = inputs.problem();
  const InputHead head = input_head(p, tensor, step.head_id());
  std::vector<double> out;
  for (std::int64_t x = 0; x < p.shape.d; ++x) out.push_back(double(inputs.at(head, row, x)));
  return out;
}

}  // namespace

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

std::string asked_number(const Problem& problem, double value) {
  const std::string text = format_value(problem, value);
  const bool few_digits = value != 0 && std::fabs(value) < 0.1 && text == compact_number(value);
  return few_digits && makes(row_of(problem), Quantity::DS) ? signed_number(value, 4) : text;
}

std::string HandFacts::number(double value) const { return asked_number(*problem, value); }
double HandFacts::power(double x) const { return problem->numerics.base == Base::E ? std::exp(x) : std::exp2(x); }
double HandFacts::logarithm(double x) const { return problem->numerics.base == Base::E ? std::log(x) : std::log2(x); }
const char* HandFacts::base() const { return base_text(*problem); }

namespace {

// Gathers the facts of one number. The state of HandValues is valid until another is asked for, so what was before the
// visit comes first.
class Gathering {
 public:
  Gathering(HandValues& values, const HandKey& key)
      : values_(values), key_(key), p_(values.problem()), step_(values.schedule().step(key.made_at)) {}

  HandFacts all() {
    f_.problem = &p_;
    f_.place = place_;
    f_.step = step_;
    f_.made = made_by(row_of(p_), step_, place_.quantity);
    f_.right = or_nan(values_.right(key_));
    f_.scale = p_.scale_value();
    f_.gradient_factor = double(p_.gradient_factor());
    for (std::int64_t k = unit_.first; k < unit_.end; ++k) f_.unit.push_back(values_.schedule().step(k));
    before_visit();
    state_ = &values_.after(step_.in_visit() ? unit_.end - 1 : step_.index);
    of_row();
    of_sources();
    by_columns();
    by_rows_of_tile();
    same_of_others();
    rows_of_inputs();
    return std::move(f_);
  }

 private:
  double number(const State& state, const HandPlace& place) const { return or_nan(number_at(p_, state, place)); }
  double of(Letter quantity, std::int64_t col = -1) const { return number(*state_, {quantity, row_, col}); }
  std::vector<double> input(TensorId tensor, std::int64_t row) const {
    return input_row(values_.inputs(), step_, tensor, row);
  }
  bool is_element() const { return x_ >= 0 && x_ < p_.shape.d; }

  void before_visit() {
    if (step_.section_name == SectionName::Merge &&
        (place_.quantity == Letter::M || place_.quantity == Letter::Weight || place_.quantity == Letter::L))
      f_.log_sums = values_.log_sums(step_, row_);
    if (step_.index > unit_.first) {
      const State& before = values_.after(unit_.first);  // loads: nothing of the row has changed yet
      f_.o_before = number(before, {Letter::O, row_, x_});
      if (place_.quantity == Letter::DQ || by_column_) f_.gradient_before = number(before, place_);
    }
    if (place_.quantity == Letter::O && f_.reads(Letter::O))
      f_.undivided = number(values_.after(step_.index - 1), {Letter::O, row_, x_});
  }

  void of_sources() {
    if (!f_.made) return;
    for (const MadeFrom& source : f_.made->from) {
      if (!source.quantity) continue;
      const QuantityRow& row = ledger_row(*source.quantity);
      const auto values = source.before ? row.before : row.values;
      if (!values || (row.shape != QuantityShape::Row && row.shape != QuantityShape::Cell)) continue;
      const std::int64_t col = row.shape == QuantityShape::Cell ? x_ : 0;
      const auto value = value_at(*state_, row.shape, state_->*values, row_, col, p_.shape.d);
      if (value) f_.sources.emplace_back(source, double(row.is_score ? display_score(p_, *value) : *value));
    }
  }

  // The row's numbers as the visit leaves them, or as they are at the step where it is an edge.
  void of_row() {
    const std::int64_t r = row_ - state_->step.row_begin;
    const auto old = [&](const std::vector<float>& from) {
      return r >= 0 && std::size_t(r) < from.size() ? double(from[std::size_t(r)]) : NAN;
    };
    f_.m_old = std::isnan(old(state_->m_old)) ? NAN : double(display_score(p_, float(old(state_->m_old))));
    f_.l_old = old(state_->l_old);
    f_.first_visit = std::isinf(f_.m_old);
    f_.tile_max = of(Letter::TileMax), f_.m = of(Letter::M), f_.alpha = of(Letter::Alpha);
    f_.beta = of(Letter::Beta), f_.l = of(Letter::L), f_.tile_l = of(Letter::TileSum);
    f_.lse = of(Letter::LogSum), f_.d = of(Letter::D);
    if (f_.subtrahend()) f_.against = of(*f_.subtrahend());
    if (r >= 0 && x_ >= 0 && std::size_t(r * p_.shape.d + x_) < state_->pv.size())
      f_.pv = double(state_->pv[std::size_t(r * p_.shape.d + x_)]);
  }

  void by_columns() {
    const bool has_tile = step_.kv_tile >= 0 || step_.section_name == SectionName::Softmax;
    if (!has_tile || step_.cols() > 64) return;
    for (std::int64_t col = begin_; col < end_; ++col) {
      f_.cols.push_back(col);
      f_.s.push_back(of(Letter::S, col));
      f_.p.push_back(of(Letter::P, col));
      f_.dp.push_back(of(Letter::DP, col));
      f_.ds.push_back(of(Letter::DS, col));
      f_.v.push_back(is_element() ? input(TensorId::V, col)[std::size_t(x_)] : NAN);
      f_.ds_k.push_back(is_element() ? input(TensorId::K, col)[std::size_t(x_)] : NAN);
    }
  }

  // What the rows of the Q tile add to dK and dV.
  void by_rows_of_tile() {
    if (!by_column_) return;
    for (std::int64_t i = step_.row_begin; i < step_.row_end; ++i) {
      f_.column_rows_p.push_back(number(*state_, {Letter::P, i, place_.row}));
      f_.column_rows_ds.push_back(number(*state_, {Letter::DS, i, place_.row}));
      f_.column_do.push_back(input(TensorId::dO, i)[std::size_t(x_)]);
      f_.column_q.push_back(input(TensorId::Q, i)[std::size_t(x_)]);
    }
  }

  void same_of_others() {
    if (by_column_) return;
    if (ledger_row(place_.quantity).shape == QuantityShape::Cell) {
      for (std::int64_t col = begin_; col < end_; ++col)
        if (col != x_) f_.same_of_others.emplace_back(col, of(place_.quantity, col));
      return;
    }
    for (std::int64_t other = step_.row_begin; other < step_.row_end; ++other)
      if (other != row_) f_.same_of_others.emplace_back(other, number(*state_, {place_.quantity, other, x_}));
  }

  void rows_of_inputs() {
    if (place_.quantity == Letter::S || place_.quantity == Letter::DP) {
      f_.q_row = input(TensorId::Q, row_);
      f_.k_row = input(TensorId::K, x_);
      f_.v_row = input(TensorId::V, x_);
      if (place_.quantity == Letter::DP) f_.do_row = input(TensorId::dO, row_);
    }
    if (place_.quantity == Letter::D) {
      f_.do_row = input(TensorId::dO, row_);
      for (std::int64_t x = 0; x < p_.shape.d; ++x) f_.o_row.push_back(of(Letter::O, x));
    }
    if (place_.quantity == Letter::M && step_.kv_tile >= 0) {
      const std::vector<double> q = input(TensorId::Q, row_);
      for (std::int64_t col = step_.col_begin; col < step_.col_end; ++col)
        f_.unmasked.push_back(dot(q, input(TensorId::K, col)) * f_.scale);
    }
  }

  HandValues& values_;
  const HandKey& key_;
  const Problem& p_;
  const Step step_;
  const HandPlace& place_ = key_.place;
  const HandUnit unit_ = unit_of(values_.schedule(), step_);
  const bool by_column_ = ledger_row(place_.quantity).shape == QuantityShape::ColByHead;
  const std::int64_t row_ = by_column_ ? step_.row_begin : place_.row, x_ = place_.col;
  const std::int64_t begin_ = std::max(step_.col_begin, p_.shape.band().first_col(row_)),
                     end_ = std::min(step_.col_end, p_.shape.band().end_col(row_, p_.shape.n_kv));
  const State* state_ = nullptr;
  HandFacts f_;
};

}  // namespace

HandFacts facts_of(HandValues& values, const HandKey& key) { return Gathering(values, key).all(); }

}  // namespace tilewalk
