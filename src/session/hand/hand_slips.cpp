// Slips at one number, by quantity.
#include <algorithm>

#include "session/hand/hand_diagnosis.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

class Slips {
 public:
  explicit Slips(const HandFacts& facts) : f_(facts), n_([this](double v) { return f_.number(v); }) {}

  std::vector<HandSlip> all() {
    switch (f_.place.quantity) {
      case Letter::S: scores(); break;
      case Letter::TileMax: tile_max(); break;
      case Letter::M: f_.log_sums.empty() ? running_max() : merged_max(); break;
      case Letter::Alpha: shrink(f_.m_old, f_.m, "What was summed"); break;
      case Letter::Beta: shrink(f_.tile_max, f_.m, "What this tile summed"); break;
      case Letter::P: weights(); break;
      case Letter::TileSum: tile_sum(); break;
      case Letter::L: f_.log_sums.empty() ? running_sum() : merged_sum(); break;
      case Letter::O: output(); break;
      case Letter::LogSum: log_sum(); break;
      case Letter::Weight: merge_weight(); break;
      case Letter::D: row_dot(); break;
      case Letter::DP: gradient_of_p(); break;
      case Letter::DS: gradient_of_s(); break;
      case Letter::DV: column_gradient(f_.column_rows_p, f_.column_do, "P"); break;
      case Letter::DK: column_gradient(f_.column_rows_ds, f_.column_q, "dS"); break;
      case Letter::DQ: row_gradient(); break;
      default: break;  // slips of any number are below
    }
    add("wrong-sign", -f_.right, "The size is right, the sign is not.");
    of_another();
    return std::move(out_);
  }

 private:
  void add(const char* name, double value, std::string words) {
    if (!std::isnan(value)) out_.push_back({name, value, std::move(words)});
  }
  double other_base(double x) const { return f_.problem->numerics.base == Base::E ? std::exp2(x) : std::exp(x); }
  const char* other_base_name() const { return f_.problem->numerics.base == Base::E ? "2" : "e"; }
  // "0.92 − 0.51", "0.92 + 0.51" for a negative second
  std::string difference(double a, double b) const { return n_(a) + (b < 0 ? " + " : " − ") + n_(std::fabs(b)); }
  std::string raised(double a, double b) const { return std::string(f_.base()) + "^(" + difference(a, b) + ")"; }

  void scores() {
    const double product = dot(f_.q_row, f_.k_row);
    if (f_.scale != 1)
      add("forgot-scale", product,
          n_(product) + " is the product alone. It still has to be multiplied by the scale, " + n_(f_.scale) +
              (f_.problem->numerics.scale ? "." : ", which is 1/√d."));
    if (f_.scale != 1 && !f_.problem->numerics.scale)
      add("scaled-by-d", product / double(f_.problem->shape.d),
          "That divides by d. The scores are divided by √d, because a sum of d products grows like √d.");
    add("added", (sum_of(f_.q_row) + sum_of(f_.k_row)) * f_.scale,
        "That adds the elements. Each element of Q is multiplied by the one of K at the same place.");
    for (std::size_t x = 0; x < f_.q_row.size() && f_.q_row.size() > 1; ++x)
      add("missed-a-product", (product - f_.q_row[x] * f_.k_row[x]) * f_.scale,
          "One product is missing: element " + std::to_string(x) + " of the row times element " + std::to_string(x) +
              " of the column.");
  }

  void tile_max() {
    add("least", f_.s.empty() ? NAN : *std::min_element(f_.s.begin(), f_.s.end()),
        "That is the smallest score that the row sees in this tile, not the largest.");
    add("largest-by-size", by_size(), "That is the largest by size. A negative score is smaller than a positive one.");
    add("old-max", f_.m, "That is the running max from before. This tile's own max looks at this tile alone.");
    add("masked", largest(f_.unmasked), masked_words());
  }
  double largest(const std::vector<double>& all) const {
    return all.empty() ? NAN : *std::max_element(all.begin(), all.end());
  }
  double by_size() const {
    double most = NAN;
    for (const double s : f_.s)
      if (std::isnan(most) || std::fabs(s) > std::fabs(most)) most = s;
    return most;
  }
  std::string masked_words() const {
    return "That score is masked: row " + std::to_string(f_.place.row) + " may not see its column, so it counts as −∞.";
  }

  void running_max() {
    add("tile-max", f_.tile_max,
        n_(f_.tile_max) + " is the largest score of this tile alone. The running max keeps what it had, " +
            n_(f_.m_old) + ", where that is larger.");
    add("old-max", f_.m_old,
        n_(f_.m_old) + " is the max so far, without this tile. Row " + std::to_string(f_.place.row) +
            " has a larger score here.");
    if (!f_.s.empty())
      add("least", *std::min_element(f_.s.begin(), f_.s.end()), "That is the smallest, not the largest.");
    add("masked", largest(f_.unmasked), masked_words());
    add("largest-by-size", by_size(), "That is the largest by size. A negative score is smaller than a positive one.");
    if (std::isfinite(f_.m_old))
      add("added", f_.m_old + f_.tile_max, "That is the sum of the two. The max is one of them: the larger.");
    if (f_.scale > 0 && f_.scale != 1)
      add("forgot-scale", f_.right / f_.scale,
          "That score is not scaled yet: it still has to be multiplied by " + n_(f_.scale) + ".");
  }

  // α or β: rescales values relative to `from` into values relative to `to`.
  void shrink(double from, double to, const std::string& what) {
    if (!std::isfinite(from) || !std::isfinite(to)) {
      add("kept-one", 1, "Nothing was summed before: the old max is −∞, and " + std::string(f_.base()) + "^(−∞) is 0.");
      return;
    }
    const double up = f_.power(to - from);
    if (from != to) {
      add("upside-down", up,
          n_(up) + " is " + raised(to, from) + ", the ratio upside down. " + what + " against " + n_(from) +
              " is too large when measured against " + n_(to) + ": it must shrink.");
      add("difference", from - to,
          n_(from - to) + " is the difference of the maxes. The ratio is " + f_.base() + " to that power.");
      add("difference", to - from,
          n_(to - from) + " is a difference of the maxes. The ratio is " + f_.base() + " to a power: old minus new.");
      add("other-base", other_base(from - to),
          std::string("That is ") + other_base_name() + " to the difference. This problem counts with base " +
              f_.base() + ".");
      add("kept-one", 1, "1 would mean that the max stayed. It moved from " + n_(from) + " to " + n_(to) + ".");
      add("quotient", from / to, "That divides the maxes. The ratio is " + std::string(f_.base()) + "^(old − new).");
      add("zeroed", 0, "0 would forget all that was summed. It only shrinks.");
    }
    if (f_.place.quantity == Letter::Alpha)
      add("tile-max", f_.power(from - f_.tile_max),
          "That measures against this tile's own max, " + n_(f_.tile_max) + ". The new running max is what counts.");
    add("no-max", f_.power(from),
        "That is " + std::string(f_.base()) + " to the old max. The new one is subtracted first.");
    add("no-max", f_.power(to), "That is " + std::string(f_.base()) + " to the new max. α is a ratio: old minus new.");
  }

  void weights() {
    const auto at = std::find(f_.cols.begin(), f_.cols.end(), f_.place.col);
    if (at == f_.cols.end()) return;
    const double s = f_.s[std::size_t(at - f_.cols.begin())], against = f_.against;
    const bool divided = f_.reads(Letter::L), from_l = f_.subtrahend() == Letter::LogSum;
    const double by = divided ? f_.l : 1;
    const std::string letter = from_l ? "L" : "the max";
    add("upside-down", f_.power(against - s) / by,
        "That is " + raised(against, s) + ", the wrong way round: " + letter + " is subtracted from the score.");
    add("no-max", f_.power(s) / by,
        "That is " + std::string(f_.base()) + "^(" + n_(s) + "): " + letter + ", " + n_(against) +
            ", was not subtracted.");
    add("other-base", other_base(s - against) / by,
        std::string("That is ") + other_base_name() + " to the difference. This problem counts with base " + f_.base() +
            ".");
    add("difference", s - against,
        n_(s - against) + " is the difference. The weight is " + f_.base() + " to that power.");
    if (f_.subtrahend() == Letter::M && !divided) {
      add("tile-max", f_.power(s - f_.tile_max),
          "That measures against this tile's own max, " + n_(f_.tile_max) + ". FA-2 measures against the running max.");
      if (std::isfinite(f_.m_old))
        add("old-max", f_.power(s - f_.m_old), "That measures against the max before this tile, " + n_(f_.m_old) + ".");
      add("divided-early", f_.right / f_.l,
          "That is divided by ℓ already. Here the exponentials stay undivided to the end.");
    }
    if (f_.subtrahend() == Letter::TileMax)
      add("running-max", f_.power(s - f_.m),
          "That measures against the running max. FA-1 measures a tile's exponentials against the tile's own max.");
    if (divided) {
      add("forgot-division", f_.power(s - against), "That is not divided by ℓ, " + n_(f_.l) + ", yet.");
      add("inverse-division", f_.power(s - against) * f_.l, "That is multiplied by ℓ. It is divided by it.");
    }
    if (f_.scale > 0 && f_.scale != 1 && !from_l)
      add("forgot-scale", f_.power((s - against) / f_.scale) / by, "Those scores are not scaled: √d was forgotten.");
  }

  void tile_sum() {
    sum_slips(f_.p, "tile ℓ");
    add("no-weights", sum_of(f_.s), "That adds the scores. Their exponentials are added.");
  }
  void sum_slips(const std::vector<double>& p, const std::string& what) {
    for (std::size_t c = 0; c < p.size() && p.size() > 1; ++c)
      add("missed-a-weight", f_.right - p[c],
          "One weight is missing in " + what + ": that of column " + std::to_string(f_.cols[c]) + ".");
    if (p.size() > 1)
      add("mean", f_.right / double(p.size()), "That is the mean of the exponentials. They are added, nothing more.");
    add("masked", f_.right + double(f_.step.cols() - std::int64_t(p.size())),
        "A masked column weighs 0, not 1: e^(−∞) is 0.");
  }
  void running_sum() {
    const double mine = sum_of(f_.p);
    if (!f_.reads_before(Letter::L)) {
      double weights = 0;
      for (const double s : f_.s) weights += f_.power(s);
      add("no-max", weights, "That sums " + std::string(f_.base()) + "^S without the max subtracted.");
      add("divided-early", 1, "1 is the sum after the division. ℓ is what they are divided by.");
      add("no-weights", sum_of(f_.s), "That adds the scores. Their exponentials are added.");
      return;
    }
    const bool per_tile = f_.reads(Letter::TileSum);
    const double part = per_tile ? f_.beta * f_.tile_l : mine;
    const std::string weights = per_tile ? "β × tile ℓ" : "this tile's exponentials";
    add("forget-rescale-l", f_.l_old + part,
        n_(f_.l_old) + " was summed against the old max. It shrinks by α before " + weights + " are added.");
    add("forgot-old-part", part, n_(part) + " is this tile's part alone. What was summed before, α × ℓ, is missing.");
    add("forgot-new-part", f_.alpha * f_.l_old,
        "That is α × ℓ. " + std::string(per_tile ? "β × tile ℓ is" : "This tile's exponentials are") +
            " still to be added.");
    add("old-sum", f_.l_old, n_(f_.l_old) + " is ℓ from before this visit.");
    if (f_.alpha > 0)
      add("inverse-rescale", f_.l_old / f_.alpha + part,
          "That divides the old ℓ by α. It is multiplied: what was summed must shrink.");
    add("rescaled-all", f_.alpha * (f_.l_old + part),
        "That shrinks this tile's exponentials too. They are measured against the new max already: α is for the old ℓ "
        "alone.");
    if (per_tile)
      add("forgot-beta", f_.alpha * f_.l_old + f_.tile_l,
          "The tile's own sum is measured against the tile's max: it has to shrink by β.");
    if (!per_tile) {
      double scores = 0;
      for (const double s : f_.s) scores += s;
      double unsubtracted = 0, by_tile = 0;
      for (const double s : f_.s) unsubtracted += f_.power(s), by_tile += f_.power(s - f_.tile_max);
      add("no-max", f_.alpha * f_.l_old + unsubtracted,
          "That adds " + std::string(f_.base()) + "^S. The max, " + n_(f_.m) +
              ", is subtracted from each score first.");
      add("tile-max", f_.alpha * f_.l_old + by_tile,
          "That measures the exponentials against this tile's own max. FA-2 measures against the running max, " +
              n_(f_.m) + ".");
      add("no-weights", f_.alpha * f_.l_old + scores, "That adds the scores. Their exponentials, P, are added.");
      for (std::size_t c = 0; c < f_.p.size() && f_.p.size() > 1; ++c)
        add("missed-a-weight", f_.right - f_.p[c],
            "One weight is missing: that of column " + std::to_string(f_.cols[c]) + ".");
      const double hidden = double(f_.step.cols() - std::int64_t(f_.p.size()));
      if (hidden > 0)
        add("masked", f_.right + hidden, "A masked column weighs 0, not 1: " + std::string(f_.base()) + "^(−∞) is 0.");
    }
  }

  void output() {
    if (f_.reads(Letter::O)) {
      add("forgot-division", f_.undivided, "That is what was summed. It is still to be divided by ℓ.");
      add("inverse-division", f_.l / f_.undivided, "That is ℓ divided by what was summed: upside down.");
      add("multiplied", f_.undivided * f_.l, "That is multiplied by ℓ. At the end O is divided by it.");
      add("divided-by-max", f_.undivided / f_.m, "That divides by the max. O is divided by the sum, ℓ.");
      add("divided-twice", f_.right / f_.l, "That is divided by ℓ twice. Once is enough.");
      return;
    }
    if (f_.reads(Letter::PV)) return joined_output();
    const double part = dot(f_.p, f_.v);
    const bool rescales = f_.reads(Letter::Alpha);
    if (rescales && !f_.first_visit) {
      add("forget-rescale-o", f_.o_before + part,
          n_(f_.o_before) + " was summed against the old max. It shrinks by α = " + n_(f_.alpha) +
              " before this tile's part is added.");
      if (f_.alpha > 0)
        add("inverse-rescale", f_.o_before / f_.alpha + part,
            "That divides the old value by α. The rule multiplies it.");
      add("rescaled-all", f_.alpha * (f_.o_before + part),
          "That shrinks this tile's part too. α is for the old value alone.");
    }
    const double kept = rescales ? f_.alpha * f_.o_before : f_.o_before;
    if (!f_.first_visit && kept != 0) {
      add("forgot-old-part", part, n_(part) + " is this tile's part alone. The old value is missing.");
      add("forgot-new-part", kept, "That is the old value. P times V of this tile is still to be added.");
    }
    if (rescales) add("divided-early", f_.right / f_.l, "That is divided by ℓ. FA-2 divides once, at the very end.");
    add("no-weights", (std::isnan(kept) ? 0 : kept) + sum_of(f_.v),
        "That adds V as it is. Each row of V is multiplied by its weight.");
    for (std::size_t c = 0; c < f_.p.size() && f_.p.size() > 1; ++c)
      add("missed-a-product", f_.right - f_.p[c] * f_.v[c],
          "One product is missing: the weight of column " + std::to_string(f_.cols[c]) + " times V.");
  }
  void joined_output() {
    const double old = f_.l_old * f_.alpha * f_.o_before, part = f_.beta * f_.pv;
    add("forgot-division", old + part, "That is α·ℓ·O + β·PV, not yet divided by ℓ new. FA-1 divides at every visit.");
    add("forget-rescale-o", (f_.l_old * f_.o_before + part) / f_.l, "The old part has to shrink by α.");
    add("forgot-beta", (old + f_.pv) / f_.l, "This tile's part has to shrink by β.");
    add("forgot-old-sum", (f_.alpha * f_.o_before + part) / f_.l,
        "The old O was divided by its ℓ. It is multiplied by that ℓ again before the new division.");
    add("forgot-old-part", part / f_.l, "That is this tile's part alone. The old O is missing.");
    add("divided-by-old", (old + part) / f_.l_old, "That divides by the old ℓ. The new one counts.");
  }

  void log_sum() {
    add("no-logarithm", f_.m + f_.l, "That is m + ℓ. L is m plus the logarithm of ℓ.");
    add("forgot-max", f_.logarithm(f_.l), "That is the logarithm of ℓ alone. m belongs to it.");
    add("logarithm-alone", f_.m, "That is m alone. The logarithm of ℓ is added.");
    add("other-base", f_.m + (f_.problem->numerics.base == Base::E ? std::log2(f_.l) : std::log(f_.l)),
        std::string("That logarithm has another base. This problem counts with base ") + f_.base() + ".");
  }
  void merged_max() {
    double least = INFINITY, sum = 0;
    for (const double l : f_.log_sums) least = std::min(least, l), sum += std::isinf(l) ? 0 : l;
    add("least", least, "That is the smallest L of the splits, not the largest.");
    add("added", sum, "That adds them. M is the largest of them.");
  }
  void merge_weight() {
    const double mine = f_.log_sums.at(std::size_t(std::max<std::int64_t>(0, f_.place.col)));
    if (std::isinf(mine)) return;
    double most = -INFINITY;
    for (const double l : f_.log_sums)
      if (!std::isinf(l)) most = std::max(most, l);
    shrink_like(mine, most);
  }
  void shrink_like(double from, double to) {
    add("upside-down", f_.power(to - from), "That is " + raised(to, from) + ", upside down: no weight is above 1.");
    add("difference", from - to, "That is the difference. The weight is " + std::string(f_.base()) + " to that power.");
    add("no-max", f_.power(from), "That is " + std::string(f_.base()) + "^L. M is subtracted first.");
    add("other-base", other_base(from - to),
        std::string("That is ") + other_base_name() + " to the difference. This problem counts with base " + f_.base() +
            ".");
    add("quotient", from / to, "That divides the two. The weight is " + std::string(f_.base()) + "^(L − M).");
  }
  void merged_sum() {
    double sum = 0;
    for (const double l : f_.log_sums) sum += std::isinf(l) ? 0 : l;
    add("no-weights", sum, "That adds the L. Their weights are added.");
    add("counted", double(f_.log_sums.size()),
        "That counts the splits. Each counts with its weight, which is 1 at most.");
  }

  void row_dot() {
    add("added-dO", sum_of(f_.do_row), "That adds dO. Each element is multiplied by O's at the same place first.");
    add("added-O", sum_of(f_.o_row), "That adds O. Each element is multiplied by dO's at the same place first.");
    add("added", sum_of(f_.do_row) + sum_of(f_.o_row), "That adds dO and O. They are multiplied, element by element.");
    if (f_.o_row.size() != f_.do_row.size() || f_.o_row.empty()) return;
    add("multiplied-sums", sum_of(f_.do_row) * sum_of(f_.o_row),
        "That multiplies the sums. Element by element first, then the sum.");
    add("mean", f_.right / double(f_.o_row.size()), "That is the mean of the products. They are added, nothing more.");
    for (std::size_t x = 0; x < f_.o_row.size() && f_.o_row.size() > 1; ++x)
      add("missed-a-product", f_.right - f_.do_row[x] * f_.o_row[x],
          "One product is missing: that of element " + std::to_string(x) + ".");
  }
  void gradient_of_p() {
    add("used-q", dot(f_.q_row, f_.v_row), "That takes the row of Q. dP is dO · V.");
    add("used-k", dot(f_.do_row, f_.k_row), "That takes the row of K. dP is dO · V.");
    if (f_.scale != 1)
      add("scaled", f_.right * f_.scale, "That is scaled. The scale belongs to the scores, not to dP.");
  }
  void gradient_of_s() {
    const auto at = std::find(f_.cols.begin(), f_.cols.end(), f_.place.col);
    if (at == f_.cols.end()) return;
    const std::size_t c = std::size_t(at - f_.cols.begin());
    add("forgot-d", f_.p[c] * f_.dp[c], "That is P × dP. D is subtracted from dP first: dS = P × (dP − D).");
    add("forgot-p", f_.dp[c] - f_.d, "That is dP − D. It is still to be multiplied by P.");
    add("upside-down", f_.p[c] * (f_.d - f_.dp[c]), "That is P × (D − dP): the difference is the wrong way round.");
    add("added", f_.p[c] * (f_.dp[c] + f_.d), "That adds D. It is subtracted: dS = P × (dP − D).");
    add("subtracted-last", f_.p[c] * f_.dp[c] - f_.d, "D is subtracted before P is multiplied in.");
  }
  void column_gradient(const std::vector<double>& weights, const std::vector<double>& rows, const std::string& letter) {
    const double part = dot(weights, rows);
    add("forgot-old-part", part, "That is this visit's part alone. The old value is missing.");
    add("forgot-new-part", f_.gradient_before, "That is the value before this visit.");
    add("no-weights", (std::isnan(f_.gradient_before) ? 0 : f_.gradient_before) + sum_of(rows),
        "Each row is multiplied by its " + letter + " before it is added.");
    if (f_.gradient_factor != 1)
      add("scaled", f_.right * f_.gradient_factor, "That is scaled already. The scale comes once, at the very end.");
  }
  void row_gradient() {
    const double part = dot(f_.ds, f_.ds_k);
    add("forgot-old-part", part, "That is this visit's part alone. The old value is missing.");
    add("forgot-new-part", f_.gradient_before, "That is the value before this visit.");
    add("used-p", (std::isnan(f_.gradient_before) ? 0 : f_.gradient_before) + dot(f_.p, f_.ds_k),
        "That weighs K with P. dQ is made of dS · K.");
    if (f_.gradient_factor != 1)
      add("scaled", f_.right * f_.gradient_factor, "That is scaled already. The scale comes once, at the very end.");
  }

  void of_another() {
    const bool cell = f_.place.quantity == Letter::S || f_.place.quantity == Letter::P ||
                      f_.place.quantity == Letter::DP || f_.place.quantity == Letter::DS;
    for (const auto& [at, value] : f_.same_of_others)
      add(cell ? "another-column" : "another-row", value,
          "That is the number of " + std::string(cell ? "column " : "row ") + std::to_string(at) + ", not of " +
              (cell ? "column " + std::to_string(f_.place.col) : "row " + std::to_string(f_.place.row)) + ".");
  }

  const HandFacts& f_;
  std::function<std::string(double)> n_;
  std::vector<HandSlip> out_;
};

}  // namespace

std::vector<HandSlip> slips_of(const HandFacts& facts) { return Slips(facts).all(); }

}  // namespace tilewalk
