#include "session/hand/hand_words.h"

#include <cmath>
#include <cstdio>

#include "base/words.h"
#include "core/problem/paper_number.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

class HandWords {
 public:
  HandWords(const HandFacts& facts, const HiddenAnswers& hidden_answers) : f_(facts), hidden_answers_(hidden_answers) {}

  // What it is made of, with its numbers.
  std::string given() const {
    const std::string at = name_of(f_.place) + ". ";
    switch (f_.place.quantity) {
      case Letter::S:
        return at + "Q[" + row() + "]: " + list(f_.q_row) + ". K[" + col() + "]: " + list(f_.k_row) + "." +
               (f_.scale == 1 ? "" : " The scale is " + f_.number(f_.scale) + ".");
      case Letter::TileMax: return at + "The largest score that the row sees in this tile.";
      case Letter::M:
        if (!f_.log_sums.empty()) return at + "L of the splits: " + log_sums() + ".";
        if (f_.softmax == SoftmaxKind::WholeRows) return at + "The largest score that the row sees.";
        return at + "m was " + old(Letter::M, f_.m_old) + ", this tile's max is " +
               number(Letter::TileMax, f_.tile_max) + ".";
      case Letter::Follow:
        return at + "m is " + old(Letter::M, f_.m_old) + ", this tile's max is " +
               number(Letter::TileMax, f_.tile_max) + ", the threshold is " +
               f_.number(display_score(*f_.problem, float(f_.problem->tiling.rescale_threshold))) +
               ". 1 if m follows, 0 if the stale one is kept.";
      case Letter::Alpha:
        return at + "m was " + old(Letter::M, f_.m_old) + ", m new is " + number(Letter::M, f_.m) + ".";
      case Letter::Beta:
        return at + "The tile's max is " + number(Letter::TileMax, f_.tile_max) + ", m new is " +
               number(Letter::M, f_.m) + ".";
      case Letter::P: return at + weight_given();
      case Letter::TileSum: return at + "The exponentials are " + cells(Letter::P, f_.p) + ".";
      case Letter::L: return at + sum_given();
      case Letter::O: return at + output_given();
      case Letter::LogSum: return at + "m is " + number(Letter::M, f_.m) + ", ℓ is " + number(Letter::L, f_.l) + ".";
      case Letter::Weight: return at + "L of the splits: " + log_sums() + ".";
      case Letter::D: return at + "The row of dO times the row of O, element by element, added up.";
      case Letter::DP:
        return at + "dO[" + row() + "]: " + list(f_.do_row) + ". V[" + col() + "]: " + list(f_.v_row) + ".";
      case Letter::DS:
        return at + "P is " + cell(Letter::P, f_.p) + ", dP is " + cell(Letter::DP, f_.dp) + ", D is " +
               number(Letter::D, f_.d) + ".";
      case Letter::DV:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) +
               ". P of each row of this tile: " + column(Letter::P, f_.column_rows_p) + ". dO: " + list(f_.column_do) +
               ".";
      case Letter::DK:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) +
               ". dS of each row of this tile: " + column(Letter::DS, f_.column_rows_ds) + ". Q: " + list(f_.column_q) +
               ".";
      case Letter::DQ:
        return at + "Before: " + old(f_.place.quantity, f_.gradient_before) + ". dS is " + cells(Letter::DS, f_.ds) +
               ", K is " + list(f_.ds_k) + ".";
    }
    return at;
  }

  std::string formula() const {
    const std::string base = f_.base();
    switch (f_.place.quantity) {
      case Letter::S: return "Multiply element by element, add up, then multiply by the scale.";
      case Letter::TileMax: return "The largest of this row's scores in this tile. Masked ones do not count.";
      case Letter::M:
        if (!f_.log_sums.empty()) return "The largest of them.";
        return f_.softmax == SoftmaxKind::WholeRows ? "The largest of the whole row."
                                                    : "The larger of the two: what the row had, and this tile's.";
      case Letter::Follow: return "m follows only where the tile's max beats it by more than the threshold.";
      case Letter::Alpha: return "α = " + base + "^(m old − m new). It is never above 1.";
      case Letter::Beta: return "β = " + base + "^(tile max − m new). It is never above 1.";
      case Letter::P:
        if (f_.softmax == SoftmaxKind::FromL) return "P = " + base + "^(S − L).";
        if (f_.softmax == SoftmaxKind::PerTile) return "P = " + base + "^(S − tile max).";
        return f_.softmax == SoftmaxKind::Online ? "P = " + base + "^(S − m)." : "P = " + base + "^(S − m) / ℓ.";
      case Letter::TileSum: return "Add up this tile's exponentials of the row.";
      case Letter::L:
        if (!f_.log_sums.empty()) return "Add up the weights of the splits, " + base + "^(L − M) each.";
        if (f_.softmax == SoftmaxKind::PerTile) return "ℓ new = α × ℓ + β × tile ℓ.";
        return f_.softmax == SoftmaxKind::Online ? "ℓ new = α × ℓ + this tile's exponentials."
                                                 : "Add up " + base + "^(S − m) of the row.";
      case Letter::O:
        if (f_.softmax == SoftmaxKind::PerTile) return "O = (α × ℓ old × O old + β × PV) / ℓ new.";
        if (f_.step.phase == Phase::Normalise) return "O = what was summed / ℓ.";
        return f_.softmax == SoftmaxKind::Online ? "O = α × what stood there + P · V."
                                                 : "O = what stood there + P · V.";
      case Letter::LogSum: return base == "2" ? "L = m + log₂ ℓ." : "L = m + ln ℓ.";
      case Letter::Weight: return "w = " + base + "^(L − M), M the largest of them.";
      case Letter::D: return "D = dO · O of the row.";
      case Letter::DP: return "dP = dO · V.";
      case Letter::DS: return "dS = P × (dP − D).";
      case Letter::DV: return "dV = what stood there + Pᵀ dO.";
      case Letter::DK: return "dK = what stood there + dSᵀ Q.";
      case Letter::DQ: return "dQ = what stood there + dS K.";
    }
    return "";
  }

  std::string with_numbers() const {
    const std::string base = f_.base();
    const auto power = [&](const std::string& a, const std::string& b) { return base + "^(" + a + " − " + b + ")"; };
    const std::string m = number(Letter::M, f_.m), tile_max = number(Letter::TileMax, f_.tile_max);
    switch (f_.place.quantity) {
      case Letter::S: return "(" + products(f_.q_row, f_.k_row) + ") × " + f_.number(f_.scale) + ".";
      case Letter::DP: return products(f_.do_row, f_.v_row) + ".";
      case Letter::M:
        if (!f_.log_sums.empty() || f_.softmax == SoftmaxKind::WholeRows)
          return "Of " + (f_.log_sums.empty() ? cells(Letter::S, f_.s) : log_sums()) + " the largest.";
        return "Of " + old(Letter::M, f_.m_old) + " and " + tile_max + " the larger.";
      case Letter::TileMax: return "Of " + cells(Letter::S, f_.s) + " the largest.";
      case Letter::O:
        if (f_.softmax == SoftmaxKind::PerTile)
          return "(" + number(Letter::Alpha, f_.alpha) + " × " + old(Letter::L, f_.l_old) + " × " +
                 old(Letter::O, f_.o_before) + " + " + number(Letter::Beta, f_.beta) + " × " + product() + ") / " +
                 number(Letter::L, f_.l) + ".";
        if (f_.step.phase == Phase::Normalise)
          return old(Letter::O, f_.undivided) + " / " + number(Letter::L, f_.l) + ".";
        return kept() + weighed(Letter::P, f_.p, f_.v) + ".";
      case Letter::DQ: return old(Letter::DQ, f_.gradient_before) + " + " + weighed(Letter::DS, f_.ds, f_.ds_k) + ".";
      case Letter::DV:
      case Letter::DK: return "Each number of the first list times the one of the second, added to what stood before.";
      case Letter::D: return "Add up dO × O, element by element.";
      case Letter::Alpha: return power(old(Letter::M, f_.m_old), m) + ".";
      case Letter::Beta: return power(tile_max, m) + ".";
      case Letter::P: return weight_formula(power);
      case Letter::TileSum: return sum(Letter::P, f_.p) + ".";
      case Letter::L:
        if (!f_.log_sums.empty() || f_.softmax == SoftmaxKind::WholeRows) return given();
        return number(Letter::Alpha, f_.alpha) + " × " + old(Letter::L, f_.l_old) + " + " +
               (f_.softmax == SoftmaxKind::PerTile
                    ? number(Letter::Beta, f_.beta) + " × " + number(Letter::TileSum, f_.tile_l)
                    : sum(Letter::P, f_.p)) +
               ".";
      case Letter::LogSum: return m + " + log of " + number(Letter::L, f_.l) + ".";
      case Letter::DS:
        return cell(Letter::P, f_.p) + " × (" + cell(Letter::DP, f_.dp) + " − " + number(Letter::D, f_.d) + ").";
      default: return given();
    }
  }

  std::string nearly() const {
    if (std::isinf(f_.right)) return "It is not finite.";
    if (f_.place.quantity == Letter::Follow)
      return f_.right == 1 ? "It beats it by enough." : "It does not beat it by enough.";
    if (f_.right == 0) return "It is nothing at all.";
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(f_.right))));
    const double low = std::floor(std::fabs(f_.right) / unit) * unit, high = low + unit;
    const int digits = unit >= 1 ? 0 : int(std::lround(-std::log10(unit)));
    const double a = f_.right < 0 ? -high : low, b = f_.right < 0 ? -low : high;
    return "It lies between " + signed_number(a, digits) + " and " + signed_number(b, digits) + ".";
  }

  std::string unsettled() const {
    const auto open = [this](Letter quantity, std::int64_t at = -1) {
      const HandPlace place{quantity, f_.place.row, at};
      return !(place == f_.place) && hidden_answers_.hides(place);
    };
    switch (f_.place.quantity) {
      case Letter::M:
        if (hidden_answers_.hides_old(Letter::M, f_.place.row)) return "m old";
        return open(Letter::S) ? "S" : open(Letter::TileMax) ? "tile max" : "";
      case Letter::TileMax: return open(Letter::S) ? "S" : "";
      case Letter::Alpha:
      case Letter::Beta: return open(Letter::M) ? "m new" : open(Letter::TileMax) ? "tile max" : "";
      case Letter::P:
        if (f_.softmax != SoftmaxKind::PerTile && open(Letter::M)) return "m";
        return open(Letter::S, f_.place.col) ? "S" : "";
      case Letter::TileSum: return open(Letter::P) ? "P" : "";
      case Letter::L:
        if (hidden_answers_.hides_old(Letter::L, f_.place.row)) return "ℓ old";
        return open(Letter::M)         ? "m new"
               : open(Letter::Alpha)   ? "α"
               : open(Letter::Beta)    ? "β"
               : open(Letter::TileSum) ? "tile ℓ"
               : open(Letter::P)       ? "P"
                                       : "";
      case Letter::O: return open(Letter::Alpha) ? "α" : open(Letter::P) ? "P" : open(Letter::L) ? "ℓ" : "";
      case Letter::LogSum: return open(Letter::M) ? "m" : open(Letter::L) ? "ℓ" : "";
      case Letter::Weight: return open(Letter::M) ? "M" : "";
      case Letter::DS:
        return open(Letter::P, f_.place.col) ? "P" : open(Letter::DP, f_.place.col) ? "dP" : open(Letter::D) ? "D" : "";
      default: return "";
    }
  }

 private:
  std::string row() const { return std::to_string(f_.place.row); }
  std::string col() const { return std::to_string(f_.place.col); }
  std::string number(Letter quantity, double value) const {
    return hidden_answers_.hides({quantity, f_.place.row, -1}) ? "?" : f_.number(value);
  }
  std::string old(Letter quantity, double value) const {
    return hidden_answers_.hides_old(quantity, f_.place.row) ? "?" : f_.number(value);
  }
  std::string list(const std::vector<double>& values) const {
    std::string out;
    for (const double value : values) add_to_list(out, f_.number(value));
    return out;
  }
  std::string products(const std::vector<double>& a, const std::vector<double>& b) const {
    std::string out;
    for (std::size_t x = 0; x < std::min(a.size(), b.size()); ++x)
      out += (x ? " + " : "") + f_.number(a[x]) + " × " + f_.number(b[x]);
    return out;
  }
  std::string weighed(Letter quantity, const std::vector<double>& weights, const std::vector<double>& values) const {
    std::string out;
    for (std::size_t c = 0; c < weights.size(); ++c)
      out += (c ? " + " : "") + at(quantity, weights, c) + " × " + f_.number(values[c]);
    return out;
  }
  std::string kept() const {
    if (f_.softmax != SoftmaxKind::Online) return old(Letter::O, f_.o_before) + " + ";
    if (f_.first_visit) return "";
    return number(Letter::Alpha, f_.alpha) + " × " + old(Letter::O, f_.o_before) + " + ";
  }
  // P V of the tile: as well hidden as the weights that it is made of.
  std::string product() const { return hidden_answers_.hides({Letter::P, f_.place.row, -1}) ? "?" : f_.number(f_.pv); }
  // Of the rows of the Q tile, what stands in one column.
  std::string column(Letter quantity, const std::vector<double>& values) const {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const HandPlace place{quantity, f_.step.row_begin + std::int64_t(i), f_.place.row};
      out += (i ? ", " : "") + (hidden_answers_.hides(place) ? "?" : f_.number(values[i]));
    }
    return out;
  }
  std::string log_sums() const {
    return hidden_answers_.hides_old(Letter::LogSum, f_.place.row) ? "?" : list(f_.log_sums);
  }
  std::string at(Letter quantity, const std::vector<double>& values, std::size_t c) const {
    return hidden_answers_.hides({quantity, f_.place.row, f_.cols[c]}) ? "?" : f_.number(values[c]);
  }
  std::string cells(Letter quantity, const std::vector<double>& values, const char* between = ", ") const {
    std::string out;
    for (std::size_t c = 0; c < values.size(); ++c) out += (c ? between : "") + at(quantity, values, c);
    return out;
  }
  std::string sum(Letter quantity, const std::vector<double>& values) const { return cells(quantity, values, " + "); }
  std::string cell(Letter quantity, const std::vector<double>& values) const {
    for (std::size_t c = 0; c < values.size(); ++c)
      if (f_.cols[c] == f_.place.col) return at(quantity, values, c);
    return "?";
  }
  std::string weight_given() const {
    const std::string s = "S is " + cell(Letter::S, f_.s);
    switch (f_.softmax) {
      case SoftmaxKind::FromL: return s + ", L is " + f_.number(f_.lse) + ".";
      case SoftmaxKind::PerTile: return s + ", the tile's max is " + number(Letter::TileMax, f_.tile_max) + ".";
      case SoftmaxKind::Online: return s + ", m is " + number(Letter::M, f_.m) + ".";
      default: return s + ", m is " + number(Letter::M, f_.m) + ", ℓ is " + number(Letter::L, f_.l) + ".";
    }
  }
  template <class Power>
  std::string weight_formula(const Power& power) const {
    const std::string s = cell(Letter::S, f_.s), m = number(Letter::M, f_.m);
    switch (f_.softmax) {
      case SoftmaxKind::FromL: return power(s, f_.number(f_.lse)) + ".";
      case SoftmaxKind::PerTile: return power(s, number(Letter::TileMax, f_.tile_max)) + ".";
      case SoftmaxKind::Online: return power(s, m) + ".";
      default: return power(s, m) + " / " + number(Letter::L, f_.l) + ".";
    }
  }
  std::string sum_given() const {
    if (!f_.log_sums.empty()) return "L of the splits: " + log_sums() + ".";
    if (f_.softmax == SoftmaxKind::WholeRows) return "The exponentials are " + cells(Letter::P, f_.p) + ".";
    const std::string before = "ℓ was " + old(Letter::L, f_.l_old) + ", α is " + number(Letter::Alpha, f_.alpha);
    if (f_.softmax == SoftmaxKind::PerTile)
      return before + ", tile ℓ is " + number(Letter::TileSum, f_.tile_l) + ", β is " + number(Letter::Beta, f_.beta) +
             ".";
    // Until the walk has made them, the weights are the pencil's to make.
    return before + ", the exponentials are " + cells(Letter::P, f_.p) + ".";
  }
  std::string output_given() const {
    if (f_.softmax == SoftmaxKind::PerTile)
      return "O was " + old(Letter::O, f_.o_before) + ", ℓ " + old(Letter::L, f_.l_old) + "; α is " +
             number(Letter::Alpha, f_.alpha) + ", β " + number(Letter::Beta, f_.beta) + ", PV " + product() +
             ", ℓ new " + number(Letter::L, f_.l) + ".";
    if (f_.step.phase == Phase::Normalise)
      return "What was summed is " + old(Letter::O, f_.undivided) + ", ℓ is " + number(Letter::L, f_.l) + ".";
    const std::string before = f_.first_visit                      ? "Nothing stood there"
                               : f_.softmax == SoftmaxKind::Online ? "Before: " + old(Letter::O, f_.o_before) +
                                                                         ", α is " + number(Letter::Alpha, f_.alpha)
                                                                   : "Before: " + old(Letter::O, f_.o_before);
    return before + ". P: " + cells(Letter::P, f_.p) + ". V: " + list(f_.v) + ".";
  }

  const HandFacts& f_;
  const HiddenAnswers& hidden_answers_;
};

}  // namespace

std::string prompt_of(const HandFacts& facts, const HiddenAnswers& hidden_answers) {
  return HandWords(facts, hidden_answers).given();
}

std::string hint_of(const HandFacts& facts, const HiddenAnswers& hidden_answers, int which) {
  const HandWords words(facts, hidden_answers);
  return which <= 1 ? words.formula() : which == 2 ? words.with_numbers() : words.nearly();
}

std::string unsettled(const HandFacts& facts, const HiddenAnswers& hidden_answers) {
  return HandWords(facts, hidden_answers).unsettled();
}

}  // namespace tilewalk
