#include "session/hand/hand_words.h"

#include <cmath>
#include <cstdio>

#include "core/problem/paper_number.h"

namespace tilewalk {
namespace {

class Words {
 public:
  Words(const HandFacts& facts, const HandVeil& veil) : f_(facts), veil_(veil) {}

  // What it is made of, with its numbers.
  std::string given() const {
    const std::string at = name_of(f_.place) + ". ";
    switch (f_.place.quantity) {
      case HandQuantity::S:
        return at + "Q[" + row() + "]: " + list(f_.q_row) + ". K[" + col() + "]: " + list(f_.k_row) + "." +
               (f_.scale == 1 ? "" : " The scale is " + f_.number(f_.scale) + ".");
      case HandQuantity::TileMax: return at + "The largest score that the row sees in this tile.";
      case HandQuantity::M:
        if (!f_.log_sums.empty()) return at + "L of the splits: " + log_sums() + ".";
        if (f_.softmax == SoftmaxKind::WholeRows) return at + "The largest score that the row sees.";
        return at + "m was " + old(HandQuantity::M, f_.m_old) + ", this tile's max is " +
               number(HandQuantity::TileMax, f_.tile_max) + ".";
      case HandQuantity::Follow:
        return at + "m is " + old(HandQuantity::M, f_.m_old) + ", this tile's max is " +
               number(HandQuantity::TileMax, f_.tile_max) + ", the threshold is " +
               f_.number(display_score(*f_.problem, float(f_.problem->tiling.rescale_threshold))) +
               ". 1 if m follows, 0 if the stale one is kept.";
      case HandQuantity::Alpha:
        return at + "m was " + old(HandQuantity::M, f_.m_old) + ", m new is " + number(HandQuantity::M, f_.m) + ".";
      case HandQuantity::Beta:
        return at + "The tile's max is " + number(HandQuantity::TileMax, f_.tile_max) + ", m new is " +
               number(HandQuantity::M, f_.m) + ".";
      case HandQuantity::P: return at + weight_given();
      case HandQuantity::TileSum: return at + "The weights are " + cells(HandQuantity::P, f_.p) + ".";
      case HandQuantity::L: return at + sum_given();
      case HandQuantity::O: return at + output_given();
      case HandQuantity::LogSum:
        return at + "m is " + number(HandQuantity::M, f_.m) + ", ℓ is " + number(HandQuantity::L, f_.l) + ".";
      case HandQuantity::Weight: return at + "L of the splits: " + log_sums() + ".";
      case HandQuantity::D: return at + "The row of dO times the row of O, element by element, added up.";
      case HandQuantity::DP:
        return at + "dO[" + row() + "]: " + list(f_.do_row) + ". V[" + col() + "]: " + list(f_.v_row) + ".";
      case HandQuantity::DS:
        return at + "P is " + cell(HandQuantity::P, f_.p) + ", dP is " + cell(HandQuantity::DP, f_.dp) + ", D is " +
               number(HandQuantity::D, f_.d) + ".";
      case HandQuantity::DV:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) +
               ". P of each row of this tile: " + column(HandQuantity::P, f_.column_rows_p) +
               ". dO: " + list(f_.column_do) + ".";
      case HandQuantity::DK:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) +
               ". dS of each row of this tile: " + column(HandQuantity::DS, f_.column_rows_ds) +
               ". Q: " + list(f_.column_q) + ".";
      case HandQuantity::DQ:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) + ". dS is " +
               cells(HandQuantity::DS, f_.ds) + ", K is " + list(f_.ds_k) + ".";
    }
    return at;
  }

  std::string formula() const {
    const std::string base = f_.base();
    switch (f_.place.quantity) {
      case HandQuantity::S: return "Multiply element by element, add up, then multiply by the scale.";
      case HandQuantity::TileMax: return "The largest of this row's scores in this tile. Masked ones do not count.";
      case HandQuantity::M:
        if (!f_.log_sums.empty()) return "The largest of them.";
        return f_.softmax == SoftmaxKind::WholeRows ? "The largest of the whole row."
                                                    : "The larger of the two: what the row had, and this tile's.";
      case HandQuantity::Follow: return "m follows only where the tile's max beats it by more than the threshold.";
      case HandQuantity::Alpha: return "α = " + base + "^(m old − m new). It is never above 1.";
      case HandQuantity::Beta: return "β = " + base + "^(tile max − m new). It is never above 1.";
      case HandQuantity::P:
        if (f_.softmax == SoftmaxKind::FromL) return "P = " + base + "^(S − L).";
        if (f_.softmax == SoftmaxKind::PerTile) return "P = " + base + "^(S − tile max).";
        return f_.softmax == SoftmaxKind::Online ? "P = " + base + "^(S − m)." : "P = " + base + "^(S − m) / ℓ.";
      case HandQuantity::TileSum: return "Add up this tile's weights of the row.";
      case HandQuantity::L:
        if (!f_.log_sums.empty()) return "Add up the weights of the splits, " + base + "^(L − M) each.";
        if (f_.softmax == SoftmaxKind::PerTile) return "ℓ new = α × ℓ + β × tile ℓ.";
        return f_.softmax == SoftmaxKind::Online ? "ℓ new = α × ℓ + this tile's weights."
                                                 : "Add up " + base + "^(S − m) of the row.";
      case HandQuantity::O:
        if (f_.softmax == SoftmaxKind::PerTile) return "O = (α × ℓ old × O old + β × PV) / ℓ new.";
        if (f_.step.phase == Phase::Normalise) return "O = what was summed / ℓ.";
        return f_.softmax == SoftmaxKind::Online ? "O = α × what stood there + P · V."
                                                 : "O = what stood there + P · V.";
      case HandQuantity::LogSum: return base == "2" ? "L = m + log₂ ℓ." : "L = m + ln ℓ.";
      case HandQuantity::Weight: return "w = " + base + "^(L − M), M the largest of them.";
      case HandQuantity::D: return "D = dO · O of the row.";
      case HandQuantity::DP: return "dP = dO · V.";
      case HandQuantity::DS: return "dS = P × (dP − D).";
      case HandQuantity::DV: return "dV = what stood there + Pᵀ dO.";
      case HandQuantity::DK: return "dK = what stood there + dSᵀ Q.";
      case HandQuantity::DQ: return "dQ = what stood there + dS K.";
    }
    return "";
  }

  std::string with_numbers() const {
    const std::string base = f_.base();
    const auto power = [&](const std::string& a, const std::string& b) { return base + "^(" + a + " − " + b + ")"; };
    const std::string m = number(HandQuantity::M, f_.m), tile_max = number(HandQuantity::TileMax, f_.tile_max);
    switch (f_.place.quantity) {
      case HandQuantity::S: return "(" + products(f_.q_row, f_.k_row) + ") × " + f_.number(f_.scale) + ".";
      case HandQuantity::DP: return products(f_.do_row, f_.v_row) + ".";
      case HandQuantity::M:
        if (!f_.log_sums.empty() || f_.softmax == SoftmaxKind::WholeRows)
          return "Of " + (f_.log_sums.empty() ? cells(HandQuantity::S, f_.s) : log_sums()) + " the largest.";
        return "Of " + old(HandQuantity::M, f_.m_old) + " and " + tile_max + " the larger.";
      case HandQuantity::TileMax: return "Of " + cells(HandQuantity::S, f_.s) + " the largest.";
      case HandQuantity::O:
        if (f_.softmax == SoftmaxKind::PerTile)
          return "(" + number(HandQuantity::Alpha, f_.alpha) + " × " + old(HandQuantity::L, f_.l_old) + " × " +
                 old(HandQuantity::O, f_.o_before) + " + " + number(HandQuantity::Beta, f_.beta) + " × " + product() +
                 ") / " + number(HandQuantity::L, f_.l) + ".";
        if (f_.step.phase == Phase::Normalise)
          return old(HandQuantity::O, f_.undivided) + " / " + number(HandQuantity::L, f_.l) + ".";
        return kept() + weighed(HandQuantity::P, f_.p, f_.v) + ".";
      case HandQuantity::DQ:
        return old(HandQuantity::DQ, f_.gradient_before) + " + " + weighed(HandQuantity::DS, f_.ds, f_.ds_k) + ".";
      case HandQuantity::DV:
      case HandQuantity::DK:
        return "Each number of the first list times the one of the second, added to what stood before.";
      case HandQuantity::D: return "Add up dO × O, element by element.";
      case HandQuantity::Alpha: return power(old(HandQuantity::M, f_.m_old), m) + ".";
      case HandQuantity::Beta: return power(tile_max, m) + ".";
      case HandQuantity::P: return weight_formula(power);
      case HandQuantity::TileSum: return sum(HandQuantity::P, f_.p) + ".";
      case HandQuantity::L:
        if (!f_.log_sums.empty() || f_.softmax == SoftmaxKind::WholeRows) return given();
        return number(HandQuantity::Alpha, f_.alpha) + " × " + old(HandQuantity::L, f_.l_old) + " + " +
               (f_.softmax == SoftmaxKind::PerTile
                    ? number(HandQuantity::Beta, f_.beta) + " × " + number(HandQuantity::TileSum, f_.tile_l)
                    : sum(HandQuantity::P, f_.p)) +
               ".";
      case HandQuantity::LogSum: return m + " + log of " + number(HandQuantity::L, f_.l) + ".";
      case HandQuantity::DS:
        return cell(HandQuantity::P, f_.p) + " × (" + cell(HandQuantity::DP, f_.dp) + " − " +
               number(HandQuantity::D, f_.d) + ").";
      default: return given();
    }
  }

  std::string nearly() const {
    if (std::isinf(f_.right)) return "It is not finite.";
    if (f_.place.quantity == HandQuantity::Follow)
      return f_.right == 1 ? "It beats it by enough." : "It does not beat it by enough.";
    if (f_.right == 0) return "It is nothing at all.";
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(f_.right))));
    const double low = std::floor(std::fabs(f_.right) / unit) * unit, high = low + unit;
    const int digits = unit >= 1 ? 0 : int(std::lround(-std::log10(unit)));
    const double a = f_.right < 0 ? -high : low, b = f_.right < 0 ? -low : high;
    return "It lies between " + signed_number(a, digits) + " and " + signed_number(b, digits) + ".";
  }

  std::string unsettled() const {
    const auto open = [this](HandQuantity quantity, std::int64_t at = -1) {
      const HandPlace place{quantity, f_.place.row, at};
      return !(place == f_.place) && veil_.hides(place);
    };
    switch (f_.place.quantity) {
      case HandQuantity::M:
        if (veil_.hides_old(HandQuantity::M, f_.place.row)) return "m old";
        return open(HandQuantity::S) ? "S" : open(HandQuantity::TileMax) ? "tile max" : "";
      case HandQuantity::TileMax: return open(HandQuantity::S) ? "S" : "";
      case HandQuantity::Alpha:
      case HandQuantity::Beta: return open(HandQuantity::M) ? "m new" : open(HandQuantity::TileMax) ? "tile max" : "";
      case HandQuantity::P:
        if (f_.softmax != SoftmaxKind::PerTile && open(HandQuantity::M)) return "m";
        return open(HandQuantity::S, f_.place.col) ? "S" : "";
      case HandQuantity::TileSum: return open(HandQuantity::P) ? "P" : "";
      case HandQuantity::L:
        if (veil_.hides_old(HandQuantity::L, f_.place.row)) return "ℓ old";
        return open(HandQuantity::M)         ? "m new"
               : open(HandQuantity::Alpha)   ? "α"
               : open(HandQuantity::Beta)    ? "β"
               : open(HandQuantity::TileSum) ? "tile ℓ"
               : open(HandQuantity::P)       ? "P"
                                             : "";
      case HandQuantity::O:
        return open(HandQuantity::Alpha) ? "α" : open(HandQuantity::P) ? "P" : open(HandQuantity::L) ? "ℓ" : "";
      case HandQuantity::LogSum: return open(HandQuantity::M) ? "m" : open(HandQuantity::L) ? "ℓ" : "";
      case HandQuantity::Weight: return open(HandQuantity::M) ? "M" : "";
      case HandQuantity::DS:
        return open(HandQuantity::P, f_.place.col)    ? "P"
               : open(HandQuantity::DP, f_.place.col) ? "dP"
               : open(HandQuantity::D)                ? "D"
                                                      : "";
      default: return "";
    }
  }

 private:
  std::string row() const { return std::to_string(f_.place.row); }
  std::string col() const { return std::to_string(f_.place.col); }
  std::string number(HandQuantity quantity, double value) const {
    return veil_.hides({quantity, f_.place.row, -1}) ? "?" : f_.number(value);
  }
  std::string old(HandQuantity quantity, double value) const {
    return veil_.hides_old(quantity, f_.place.row) ? "?" : f_.number(value);
  }
  std::string list(const std::vector<double>& values) const {
    std::string out;
    for (const double value : values) out += (out.empty() ? "" : ", ") + f_.number(value);
    return out;
  }
  std::string products(const std::vector<double>& a, const std::vector<double>& b) const {
    std::string out;
    for (std::size_t x = 0; x < std::min(a.size(), b.size()); ++x)
      out += (x ? " + " : "") + f_.number(a[x]) + " × " + f_.number(b[x]);
    return out;
  }
  std::string weighed(HandQuantity quantity, const std::vector<double>& weights,
                      const std::vector<double>& values) const {
    std::string out;
    for (std::size_t c = 0; c < weights.size(); ++c)
      out += (c ? " + " : "") + at(quantity, weights, c) + " × " + f_.number(values[c]);
    return out;
  }
  std::string kept() const {
    if (f_.softmax != SoftmaxKind::Online) return old(HandQuantity::O, f_.o_before) + " + ";
    if (f_.first_visit) return "";
    return number(HandQuantity::Alpha, f_.alpha) + " × " + old(HandQuantity::O, f_.o_before) + " + ";
  }
  // P V of the tile: as well hidden as the weights that it is made of.
  std::string product() const { return veil_.hides({HandQuantity::P, f_.place.row, -1}) ? "?" : f_.number(f_.pv); }
  // Of the rows of the Q tile, what stands in one column.
  std::string column(HandQuantity quantity, const std::vector<double>& values) const {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const HandPlace place{quantity, f_.step.row_begin + std::int64_t(i), f_.place.row};
      out += (i ? ", " : "") + (veil_.hides(place) ? "?" : f_.number(values[i]));
    }
    return out;
  }
  std::string log_sums() const { return veil_.hides_old(HandQuantity::LogSum, f_.place.row) ? "?" : list(f_.log_sums); }
  std::string at(HandQuantity quantity, const std::vector<double>& values, std::size_t c) const {
    return veil_.hides({quantity, f_.place.row, f_.cols[c]}) ? "?" : f_.number(values[c]);
  }
  std::string cells(HandQuantity quantity, const std::vector<double>& values, const char* between = ", ") const {
    std::string out;
    for (std::size_t c = 0; c < values.size(); ++c) out += (c ? between : "") + at(quantity, values, c);
    return out;
  }
  std::string sum(HandQuantity quantity, const std::vector<double>& values) const {
    return cells(quantity, values, " + ");
  }
  std::string cell(HandQuantity quantity, const std::vector<double>& values) const {
    for (std::size_t c = 0; c < values.size(); ++c)
      if (f_.cols[c] == f_.place.col) return at(quantity, values, c);
    return "?";
  }
  std::string weight_given() const {
    const std::string s = "S is " + cell(HandQuantity::S, f_.s);
    switch (f_.softmax) {
      case SoftmaxKind::FromL: return s + ", L is " + f_.number(f_.lse) + ".";
      case SoftmaxKind::PerTile: return s + ", the tile's max is " + number(HandQuantity::TileMax, f_.tile_max) + ".";
      case SoftmaxKind::Online: return s + ", m is " + number(HandQuantity::M, f_.m) + ".";
      default: return s + ", m is " + number(HandQuantity::M, f_.m) + ", ℓ is " + number(HandQuantity::L, f_.l) + ".";
    }
  }
  template <class Power>
  std::string weight_formula(const Power& power) const {
    const std::string s = cell(HandQuantity::S, f_.s), m = number(HandQuantity::M, f_.m);
    switch (f_.softmax) {
      case SoftmaxKind::FromL: return power(s, f_.number(f_.lse)) + ".";
      case SoftmaxKind::PerTile: return power(s, number(HandQuantity::TileMax, f_.tile_max)) + ".";
      case SoftmaxKind::Online: return power(s, m) + ".";
      default: return power(s, m) + " / " + number(HandQuantity::L, f_.l) + ".";
    }
  }
  std::string sum_given() const {
    if (!f_.log_sums.empty()) return "L of the splits: " + log_sums() + ".";
    if (f_.softmax == SoftmaxKind::WholeRows) return "The weights are " + cells(HandQuantity::P, f_.p) + ", undivided.";
    const std::string before =
        "ℓ was " + old(HandQuantity::L, f_.l_old) + ", α is " + number(HandQuantity::Alpha, f_.alpha);
    if (f_.softmax == SoftmaxKind::PerTile)
      return before + ", tile ℓ is " + number(HandQuantity::TileSum, f_.tile_l) + ", β is " +
             number(HandQuantity::Beta, f_.beta) + ".";
    // Until the walk has made them, the weights are the pencil's to make.
    return before + ", the weights are " + cells(HandQuantity::P, f_.p) + ".";
  }
  std::string output_given() const {
    if (f_.softmax == SoftmaxKind::PerTile)
      return "O was " + old(HandQuantity::O, f_.o_before) + ", ℓ " + old(HandQuantity::L, f_.l_old) + "; α is " +
             number(HandQuantity::Alpha, f_.alpha) + ", β " + number(HandQuantity::Beta, f_.beta) + ", PV " +
             product() + ", ℓ new " + number(HandQuantity::L, f_.l) + ".";
    if (f_.step.phase == Phase::Normalise)
      return "What was summed is " + old(HandQuantity::O, f_.undivided) + ", ℓ is " + number(HandQuantity::L, f_.l) +
             ".";
    const std::string before =
        f_.first_visit ? "Nothing stood there"
        : f_.softmax == SoftmaxKind::Online
            ? "Before: " + old(HandQuantity::O, f_.o_before) + ", α is " + number(HandQuantity::Alpha, f_.alpha)
            : "Before: " + old(HandQuantity::O, f_.o_before);
    return before + ". P: " + cells(HandQuantity::P, f_.p) + ". V: " + list(f_.v) + ".";
  }

  const HandFacts& f_;
  const HandVeil& veil_;
};

}  // namespace

std::string prompt_of(const HandFacts& facts, const HandVeil& veil) { return Words(facts, veil).given(); }

std::string hint_of(const HandFacts& facts, const HandVeil& veil, int which) {
  const Words words(facts, veil);
  return which <= 1 ? words.formula() : which == 2 ? words.with_numbers() : words.nearly();
}

std::string unsettled(const HandFacts& facts, const HandVeil& veil) { return Words(facts, veil).unsettled(); }

}  // namespace tilewalk
