#include "session/hand/hand_words.h"

#include <cmath>
#include <cstdio>

#include "base/words.h"
#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

using Letter = Quantity;

class HandWords {
 public:
  HandWords(const HandFacts& facts, const HiddenAnswers& hidden_answers) : f_(facts), hidden_answers_(hidden_answers) {}

  // The sources of the number, with their values.
  std::string given() const {
    const std::string at = place_name(f_.place) + ". ";
    switch (f_.place.quantity) {
      case Letter::S:
        return at + "Q[" + row() + "]: " + list(f_.q_row) + ". K[" + col() + "]: " + list(f_.k_row) + "." +
               (f_.scale == 1 ? "" : " The scale is " + f_.number(f_.scale) + ".");
      case Letter::TileMax: return at + "The largest score that the row sees in this tile.";
      case Letter::M:
        if (!f_.log_sums.empty()) return at + "L of the splits: " + log_sums() + ".";
        if (!f_.reads_before(Letter::M)) return at + "The largest score that the row sees.";
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
      default: return at + sources() + ".";
    }
  }

  // "α = e^(m old − m new). It is never above 1."
  std::string formula() const {
    const Made* made = made_by(row_of(*f_.problem), f_.step, f_.place.quantity);
    if (!made) return "";
    std::string text = formula_of(*f_.problem, *made, Notation::Screen);
    if (!text.empty()) text += ".";
    if (made->note) text += (text.empty() ? "" : " ") + std::string(made->note);
    return text;
  }

  std::string with_numbers() const {
    const std::string base = f_.base();
    const auto power = [&](const std::string& a, const std::string& b) { return base + "^(" + a + " − " + b + ")"; };
    const std::string m = number(Letter::M, f_.m), tile_max = number(Letter::TileMax, f_.tile_max);
    switch (f_.place.quantity) {
      case Letter::S: return "(" + products(f_.q_row, f_.k_row) + ") × " + f_.number(f_.scale) + ".";
      case Letter::DP: return products(f_.do_row, f_.v_row) + ".";
      case Letter::M:
        if (!f_.reads_before(Letter::M))
          return "Of " + (f_.log_sums.empty() ? cells(Letter::S, f_.s) : log_sums()) + " the largest.";
        return "Of " + old(Letter::M, f_.m_old) + " and " + tile_max + " the larger.";
      case Letter::TileMax: return "Of " + cells(Letter::S, f_.s) + " the largest.";
      case Letter::O:
        if (f_.reads(Letter::PV))
          return "(" + number(Letter::Alpha, f_.alpha) + " × " + old(Letter::L, f_.l_old) + " × " +
                 old(Letter::O, f_.o_before) + " + " + number(Letter::Beta, f_.beta) + " × " + product() + ") / " +
                 number(Letter::L, f_.l) + ".";
        if (f_.reads(Letter::O)) return old(Letter::O, f_.undivided) + " / " + number(Letter::L, f_.l) + ".";
        return kept() + weighed(Letter::P, f_.p, f_.v) + ".";
      case Letter::DQ: return old(Letter::DQ, f_.gradient_before) + " + " + weighed(Letter::DS, f_.ds, f_.ds_k) + ".";
      case Letter::DV:
      case Letter::DK: return "Each number of the first list times the one of the second, added to the old value.";
      case Letter::D: return "Add up dO × O, element by element.";
      case Letter::Alpha: return power(old(Letter::M, f_.m_old), m) + ".";
      case Letter::Beta: return power(tile_max, m) + ".";
      case Letter::P: return weight_formula(power);
      case Letter::TileSum: return sum(Letter::P, f_.p) + ".";
      case Letter::L:
        if (!f_.reads_before(Letter::L)) return given();
        return number(Letter::Alpha, f_.alpha) + " × " + old(Letter::L, f_.l_old) + " + " +
               (f_.reads(Letter::TileSum) ? number(Letter::Beta, f_.beta) + " × " + number(Letter::TileSum, f_.tile_l)
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

  // The first source that is still hidden. Examines the sources of a source that cannot be a field.
  std::string unsettled() const { return first_hidden(f_.place.quantity, kMostPassedOver); }

 private:
  static constexpr int kMostPassedOver = 4;

  std::string first_hidden(Letter quantity, int most) const {
    const Made* made = made_in_unit(quantity);
    if (!made || most == 0) return "";
    for (const MadeFrom& source : made->from) {
      if (!source.quantity) continue;
      const QuantityRow& row = ledger_row(*source.quantity);
      if (source.before) {
        if (hidden_answers_.hides_old(row.id, f_.place.row)) return std::string(row.letter) + " old";
        continue;
      }
      const bool same_cell = row.shape == QuantityShape::Cell && ledger_row(quantity).shape == QuantityShape::Cell;
      const HandPlace place{row.id, f_.place.row, same_cell ? f_.place.col : -1};
      if (row.id == f_.place.quantity || !hidden_answers_.hides(place)) continue;
      const Made* of = made_in_unit(row.id);
      if (of && of->asked) return letter_of(*of, Notation::Screen);
      if (const std::string deeper = first_hidden(row.id, most - 1); !deeper.empty()) return deeper;
    }
    return "";
  }
  // The ledger's row of a quantity in the unit of the number.
  const Made* made_in_unit(Letter quantity) const {
    const ScheduleRow& about = row_of(*f_.problem);
    if (const Made* made = made_by(about, f_.step, quantity)) return made;
    for (const Step& step : f_.unit)
      if (const Made* made = made_by(about, step, quantity)) return made;
    return nullptr;
  }

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
    if (!f_.reads(Letter::Alpha)) return old(Letter::O, f_.o_before) + " + ";
    if (f_.first_visit) return "";
    return number(Letter::Alpha, f_.alpha) + " × " + old(Letter::O, f_.o_before) + " + ";
  }
  // P V of the tile: hidden if the weights are.
  std::string product() const { return hidden_answers_.hides({Letter::P, f_.place.row, -1}) ? "?" : f_.number(f_.pv); }
  // One column of the Q tile's rows.
  std::string column(Letter quantity, const std::vector<double>& values) const {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const HandPlace place{quantity, f_.step.row_begin + std::int64_t(i), f_.place.row};
      out += (i ? ", " : "") + (hidden_answers_.hides(place) ? "?" : f_.number(values[i]));
    }
    return out;
  }
  std::string log_sums() const {
    return hidden_answers_.hides_old(Letter::Partials, f_.place.row) ? "?" : list(f_.log_sums);
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
  // "m old is 1.5, tile max is 2", by the ledger.
  std::string sources() const {
    std::string out;
    for (const auto& [source, value] : f_.sources) {
      const QuantityRow& row = ledger_row(*source.quantity);
      const std::int64_t col = row.shape == QuantityShape::Cell ? f_.place.col : -1;
      const bool hidden = source.before ? hidden_answers_.hides_old(row.id, f_.place.row)
                                        : hidden_answers_.hides({row.id, f_.place.row, col});
      add_to_list(out,
                  std::string(row.letter) + (source.before ? " old is " : " is ") + (hidden ? "?" : f_.number(value)));
    }
    return out;
  }
  std::string weight_given() const {
    const Letter against = f_.subtrahend().value_or(Letter::M);
    const std::string name = against == Letter::TileMax ? "the tile's max" : ledger_row(against).letter;
    return "S is " + cell(Letter::S, f_.s) + ", " + name + " is " + number(against, f_.against) +
           (f_.reads(Letter::L) ? ", ℓ is " + number(Letter::L, f_.l) : "") + ".";
  }
  template <class Power>
  std::string weight_formula(const Power& power) const {
    return power(cell(Letter::S, f_.s), number(f_.subtrahend().value_or(Letter::M), f_.against)) +
           (f_.reads(Letter::L) ? " / " + number(Letter::L, f_.l) : "") + ".";
  }
  std::string sum_given() const {
    if (!f_.log_sums.empty()) return "L of the splits: " + log_sums() + ".";
    if (!f_.reads_before(Letter::L)) return "The exponentials are " + cells(Letter::P, f_.p) + ".";
    const std::string before = "ℓ was " + old(Letter::L, f_.l_old) + ", α is " + number(Letter::Alpha, f_.alpha);
    if (f_.reads(Letter::TileSum))
      return before + ", tile ℓ is " + number(Letter::TileSum, f_.tile_l) + ", β is " + number(Letter::Beta, f_.beta) +
             ".";
    // Until the walk has computed them, the person computes the weights.
    return before + ", the exponentials are " + cells(Letter::P, f_.p) + ".";
  }
  std::string output_given() const {
    if (f_.reads(Letter::PV))
      return "O was " + old(Letter::O, f_.o_before) + ", ℓ " + old(Letter::L, f_.l_old) + "; α is " +
             number(Letter::Alpha, f_.alpha) + ", β " + number(Letter::Beta, f_.beta) + ", PV " + product() +
             ", ℓ new " + number(Letter::L, f_.l) + ".";
    if (f_.reads(Letter::O))
      return "What was summed is " + old(Letter::O, f_.undivided) + ", ℓ is " + number(Letter::L, f_.l) + ".";
    const std::string before = f_.first_visit            ? "Nothing was summed before"
                               : f_.reads(Letter::Alpha) ? "Before: " + old(Letter::O, f_.o_before) + ", α is " +
                                                               number(Letter::Alpha, f_.alpha)
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
