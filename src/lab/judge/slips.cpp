#include "lab/judge/slips.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "base/small_float.h"

namespace tilewalk {
namespace {

// How far a slip's numbers may be from the kernel's: some roundings. A sum in another order rounds to a neighbouring
// short number now and then. So under slips of rounding a number may be a share of the kernel's own error away, and
// few numbers may be a whole unit of the short format away, which is up to twice the largest error.
constexpr double kRoundings = 3, kRelative = 1e-5, kShareOfRounding = 0.25, kMostOfRounding = 1e5;
constexpr double kNeighbour = 2.5, kMostNeighbours = 0.02;
// An o that is kept in a short format is also known by its numbers, all of which the format has.
constexpr double kMostNeighboursOfKept = 0.3;
constexpr double kNotFinite = 1e30, kTiny = 1e-30;

double tf32(double value, bool nearest) {
  const auto bits = std::bit_cast<std::uint32_t>(float(value));
  if ((bits & 0x7f800000u) == 0x7f800000u) return value;
  return double(std::bit_cast<float>((nearest ? bits + 0xfffu + ((bits >> 13) & 1u) : bits) & ~0x1fffu));
}

double dot(const float* q, const float* k, std::int64_t d, ShortFormat format) {
  double sum = 0;
  for (std::int64_t x = 0; x < d; ++x) sum += rounded_to(format, q[x]) * rounded_to(format, k[x]);
  return sum;
}

// One tile under a slip: which keys take part, from where, with which score.
class SlippedTile {
 public:
  SlippedTile(const JudgedInputs& in, const Slip& s, const RowCase& c, std::int64_t bc)
      : in_(in), s_(s), c_(c), shape_(in.problem().shape), bc_(bc), kv_head_(shape_.kv_head_of(c.id.head)) {
    if (s.other_kv_head) kv_head_ = c.id.head % shape_.kv_heads;
  }

  bool possible() const {
    if (s_.mask == Slip::MaskUse::WithinTile && shape_.mask.kind == MaskKind::None) return false;
    return !s_.other_kv_head || shape_.kv_heads < shape_.heads;
  }
  bool visible(std::int64_t key) const {
    const std::int64_t row = c_.id.row;
    const Band& band = in_.band();
    switch (s_.mask) {
      case Slip::MaskUse::Right: break;
      case Slip::MaskUse::OneMore: return key >= row + band.low && key <= row + band.high + 1;
      case Slip::MaskUse::OneLess: return key >= row + band.low && key <= row + band.high - 1;
      case Slip::MaskUse::Off: return true;
      case Slip::MaskUse::WithinTile: return key - c_.tile.first <= row % in_.problem().tiling.br;
      case Slip::MaskUse::OtherCorner: {
        Mask other = shape_.mask;
        if (other.kind == MaskKind::Causal)
          other.kind = MaskKind::CausalBottomRight;
        else if (other.kind == MaskKind::CausalBottomRight)
          other.kind = MaskKind::Causal;
        else if (other.kind == MaskKind::Window)
          other.kind = MaskKind::WindowBottomRight;
        else if (other.kind == MaskKind::WindowBottomRight)
          other.kind = MaskKind::Window;
        return other.band(shape_.n_q, shape_.n_kv).allows(row, key);
      }
    }
    return band.allows(row, key);
  }
  // Keys of the whole tile, those past n_kv too.
  std::int64_t end() const {
    return s_.ragged == Slip::Ragged::Hidden ? c_.tile.second : std::max(c_.tile.second, c_.tile.first + bc_);
  }
  double score(std::int64_t key) const {
    double factor = in_.factor();
    switch (s_.scale) {
      case Slip::Scale::Once: break;
      case Slip::Scale::Never: factor = 1; break;
      case Slip::Scale::Twice: factor *= factor; break;
      case Slip::Scale::TimesLog2E: factor /= std::numbers::ln2; break;
      case Slip::Scale::TimesLn2: factor *= std::numbers::ln2; break;
      case Slip::Scale::NeverInBaseTwo: factor = std::numbers::ln2; break;
    }
    const float* k = row_of(key, s_.k, true);
    return k ? dot(in_.q(c_.id), k, shape_.d, s_.scores) * factor : 0;
  }
  const float* v(std::int64_t key) const { return row_of(key, s_.v, false); }  // null: zeros

 private:
  const float* stale(std::int64_t key, bool of_k) const {
    const std::int64_t row = key - bc_;
    if (row < 0 || !in_.has_kv_row(c_.id.batch, kv_head_, row)) return nullptr;
    return of_k ? in_.k_of(c_.id.batch, kv_head_, row) : in_.v_of(c_.id.batch, kv_head_, row);
  }
  const float* row_of(std::int64_t key, Slip::Keys from, bool of_k) const {
    std::int64_t row = key;
    if (s_.ragged == Slip::Ragged::Stale && key >= shape_.n_kv) return stale(key, of_k);
    if (from == Slip::Keys::FirstTile) row = key - c_.tile.first;
    if (from == Slip::Keys::PreviousTile) row = key - bc_;
    if (from == Slip::Keys::NextTile) row = key + bc_;
    if (row >= shape_.n_kv && s_.ragged != Slip::Ragged::Memory) return nullptr;
    if (row < 0 || !in_.has_kv_row(c_.id.batch, kv_head_, row)) return nullptr;
    return of_k ? in_.k_of(c_.id.batch, kv_head_, row) : in_.v_of(c_.id.batch, kv_head_, row);
  }

  const JudgedInputs& in_;
  const Slip& s_;
  const RowCase& c_;
  const Shape& shape_;
  std::int64_t bc_, kv_head_;
};

double rescaled(Rescale how, double old, double alpha, double added) {
  switch (how) {
    case Rescale::Right: return old * alpha + added;
    case Rescale::Skipped: return old + added;
    case Rescale::Inverse: return alpha == 0 ? old + added : old / alpha + added;
    case Rescale::AfterAdd: return (old + added) * alpha;
    case Rescale::Dropped: return added;
    case Rescale::NotAdded: return old * alpha;
    case Rescale::Twice: return old + old * alpha + added;
  }
  return 0;
}

}  // namespace

double rounded_to(ShortFormat format, double value) {
  switch (format) {
    case ShortFormat::None: break;
    case ShortFormat::Tf32: return tf32(value, true);
    case ShortFormat::Tf32Truncated: return tf32(value, false);
    case ShortFormat::Fp16: return double(float_from_fp16(fp16_from_float(float(value))));
    case ShortFormat::Bf16: return double(float_from_bf16(bf16_from_float(float(value))));
  }
  return value;
}

SlippedRow slip(const JudgedInputs& in, const Slip& s, const RowCase& c, std::int64_t bc) {
  const auto d = std::size_t(in.problem().shape.d);
  const SlippedTile tile(in, s, c, bc);
  SlippedRow out{0, std::vector<double>(d, 0.0), tile.possible()};
  if (!out.possible) return out;
  const KeptRow none{.m = -kUnbounded, .l = 0, .o = std::vector<double>(d, 0.0)};
  const KeptRow& before = c.before ? *c.before : none;

  std::vector<double> scores;
  std::vector<std::int64_t> keys, hidden;
  for (std::int64_t key = c.tile.first; key < tile.end(); ++key) {
    if (!tile.visible(key)) {
      hidden.push_back(key);
      continue;
    }
    keys.push_back(key), scores.push_back(tile.score(key));
  }
  out.sees_keys = !scores.empty() || before.m != -kUnbounded;
  double m = c.got.m, m_old = before.m;  // of α
  if (s.max == SubtractedMax::NewButUnkept) {
    for (const double score : scores) m = std::max(m, score);
    m = std::max(m, m_old);
    if (m_old != -kUnbounded && c.got.m != m_old) out.possible = false;  // a first max may be stored
  }
  if (s.max == SubtractedMax::Zero) m = m_old = 0;
  const double subtracted = s.max == SubtractedMax::Old ? m_old : m;
  const auto factor_of = [](Slip::Unit is) {
    return is == Slip::Unit::Same ? 1 : is == Slip::Unit::TimesLog2E ? 1 / std::numbers::ln2 : std::numbers::ln2;
  };
  const double unit = factor_of(s.exponent);
  const bool guarded = s.hidden != Slip::Hidden::NaN;
  const double alpha = guarded && m_old == -kUnbounded ? 0 : std::exp((m_old - m) * unit * factor_of(s.alpha_exponent));

  double sum = 0;
  std::vector<double> added(d, 0.0);
  const auto add = [&](std::int64_t key, double weight) {
    weight *= s.times_added;
    sum += weight;
    const double rounded = rounded_to(s.weights, weight);
    if (const float* v = tile.v(key))
      for (std::size_t x = 0; x < d; ++x) added[x] += rounded * rounded_to(s.values, v[x]);
  };
  for (std::size_t j = 0; j < keys.size(); ++j) add(keys[j], std::exp((scores[j] - subtracted) * unit));
  if (s.hidden != Slip::Hidden::NoWeight)
    for (const std::int64_t key : hidden)
      add(key, s.hidden == Slip::Hidden::ScoreZero ? std::exp(-m * unit)
               : guarded                           ? (m < -1e3 ? 1 : 0)
                                                   : std::exp(-kUnbounded - m));
  const double to_tile_max =
      scores.empty() ? 1 : std::exp((m - *std::max_element(scores.begin(), scores.end())) * unit);
  if (s.beta_of_o)
    for (double& each : added) each *= to_tile_max;

  out.l = rescaled(s.l, before.l.value_or(0), alpha, s.beta_of_l ? sum * to_tile_max : sum);
  if (s.back != Slip::Back::OldL && (s.back == Slip::Back::NewL) != (c.form == OForm::Divided)) out.possible = false;
  for (std::size_t x = 0; x < d && x < c.got.o.size(); ++x) {
    double old = before.o.empty() ? 0 : before.o[x];
    if (s.back == Slip::Back::NewL)
      old *= c.got.l.value_or(1);
    else if (s.back == Slip::Back::Undivided || (c.form == OForm::Divided && !s.divided_again))
      old *= before.l.value_or(1);
    double value = rescaled(s.o, rounded_to(s.o_kept, old), alpha, added[x]);
    if (c.form == OForm::Divided || s.divided_again) value = c.got.l && *c.got.l == 0 ? 0 : value / c.got.l.value_or(1);
    out.o[x] = rounded_to(s.o_kept, value);
  }
  return out;
}

namespace {

double distance(double a, double b, double unit) {
  if (std::isfinite(a) && std::isfinite(b)) return std::fabs(a - b) / unit;
  return (std::isnan(a) && std::isnan(b)) || a == b ? 0 : kNotFinite;
}

// Between neighbouring numbers of a short format, at least; 0 for none.
double unit_of(ShortFormat format, double value) {
  const double size = std::fabs(value);
  if (format == ShortFormat::Fp16) return std::max(0x1p-10 * size, 0x1p-24);
  if (format == ShortFormat::Bf16) return 0x1p-7 * size;
  return 0;
}

}  // namespace

double misfit(const JudgedInputs& in, const Slip& s, const WrongVisit& rows, std::int64_t bc) {
  // Where o is not kept, a mistake of l alone is the one to name.
  const bool of_o = s.o != Rescale::Right || s.beta_of_o || s.divided_again || s.back != Slip::Back::OldL;
  if (of_o && std::all_of(rows.begin(), rows.end(), [](const RowCase& c) { return c.got.o.empty(); }))
    return kUnbounded;
  double worst = 0, most_wrong = 0;
  std::size_t numbers = 0, to_neighbours = 0;
  for (const RowCase& c : rows) {
    const SlippedRow slipped = slip(in, s, c, bc);
    if (!slipped.possible) return kUnbounded;
    // Where m was never stored, nothing fits it, and every number would be within its tolerance.
    const bool unstored = !std::isfinite(c.got.m) && !c.exact.sees_nothing();
    if (unstored && slipped.sees_keys && s.max != SubtractedMax::NewButUnkept) return kUnbounded;
    const double l_tolerance = unstored ? kTiny : c.l_tolerance();
    const auto o_tolerance = [&](std::size_t x) { return unstored ? kTiny : c.o_tolerance(x); };
    double wrong = 0, o_size = 0;
    if (c.got.l) wrong = distance(*c.got.l, c.fitting_l(), l_tolerance);
    for (std::size_t x = 0; x < c.got.o.size(); ++x) {
      wrong = std::max(wrong, distance(c.got.o[x], c.fitting_o(x), o_tolerance(x)));
      o_size = std::max(o_size, std::fabs(slipped.o[x]));
    }
    most_wrong = std::max(most_wrong, wrong);
    const double by_rounding = s.rounds() ? std::min(wrong, kMostOfRounding) : 0;
    const auto explains = [&](double off) {
      if (off <= kRoundings + kShareOfRounding * by_rounding) {
        worst = std::max(worst, off);
        return true;
      }
      ++to_neighbours;
      return off <= kNeighbour * by_rounding;
    };
    // Both are numbers of the short format: equal, or neighbours.
    const auto explains_kept = [&](double got, double value, double tolerance) {
      if (got == value) return true;
      ++to_neighbours;
      return rounded_to(s.o_kept, got) == got && std::fabs(got - value) <= 1.01 * unit_of(s.o_kept, value) + tolerance;
    };
    numbers += c.got.o.size() + 1;
    if (c.got.l && !explains(distance(*c.got.l, slipped.l, l_tolerance + kRelative * std::fabs(slipped.l))))
      return kUnbounded;
    for (std::size_t x = 0; x < c.got.o.size(); ++x) {
      const double got = c.got.o[x], value = slipped.o[x], unit = o_tolerance(x) + kRelative * o_size;
      if (s.o_kept == ShortFormat::None ? !explains(distance(got, value, unit)) : !explains_kept(got, value, unit))
        return kUnbounded;
    }
  }
  const double most = s.o_kept == ShortFormat::None ? kMostNeighbours : kMostNeighboursOfKept;
  const bool few = double(to_neighbours) <= most * double(numbers);
  return few && worst <= 0.3 * most_wrong ? worst : kUnbounded;
}

std::optional<Slip> both_slips(const Slip& a, const Slip& b) {
  Slip out = a;
  bool possible = true;
  const auto take = [&](auto Slip::*field) {
    const auto usual = Slip{}.*field;
    if (b.*field == usual) return;
    possible = possible && a.*field == usual;
    out.*field = b.*field;
  };
  take(&Slip::l), take(&Slip::o), take(&Slip::max), take(&Slip::scale), take(&Slip::exponent),
      take(&Slip::alpha_exponent), take(&Slip::mask);
  take(&Slip::ragged), take(&Slip::hidden), take(&Slip::k), take(&Slip::v), take(&Slip::other_kv_head);
  take(&Slip::times_added), take(&Slip::divided_again), take(&Slip::back), take(&Slip::beta_of_l),
      take(&Slip::beta_of_o);
  take(&Slip::scores), take(&Slip::weights), take(&Slip::values), take(&Slip::o_kept);
  return possible ? std::optional(out) : std::nullopt;
}

}  // namespace tilewalk
