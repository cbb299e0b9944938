// The arithmetic of what the step's sentence names, printed while it happens: products beside a falling column, an
// exponent, a sum. A formula is the ledger's, with numbers in the places of its letters; products and sums are made
// from the ledger's sources. Numbers are rounded as in the sentence, and the title says so. Left out: numbers that are
// hidden, products and sums of tiles that are too large to work by hand, and all of it with a deliberate mistake, whose
// numbers follow no formula.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/inputs.h"
#include "session/hand/seen_state.h"
#include "view/motion/motion.h"

namespace tilewalk {

struct ArithmeticLine {
  std::string text;                          // "α = e^(0.51 − 0.92)"; of a product its first factor
  std::string factor = {};                   // the second factor of a product
  std::optional<TensorId> of = {}, by = {};  // the tensors of the two factors
  std::string result = {};                   // "0.66"
  bool aside = false;                        // left out where all is on one line
  // The text is printed when it begins, the result when it ends. The factors of a product travel meanwhile, and are
  // printed when they have met.
  Span span = {};
  std::optional<Quantity> makes = {};  // of a product that is made now: what it is added to
  std::int64_t index = -1;             // the position of both factors in their row or column
  std::string sum = {};                // with its product: "0.24" added to the old value, "Σ 0.70" from nothing
  bool is_product() const { return !factor.empty(); }
  bool is_printed(double t) const { return is_product() ? span.has_landed(t) : span.has_begun(t); }
  std::string at(double t) const;  // "α = e^(0.51 − 0.92) = 0.66", "−0.96 · −0.73"; empty before it begins
};

struct ArithmeticBar {  // of a column of the named row: as high as its weight
  std::int64_t col = 0;
  float weight = 0;
  std::string power, result;  // "e^(−0.75)", "0.47"
  std::string title;          // while it grows: "Row 9, column 6 · rounded"
  bool named = false;
  Span span = {};  // while it grows
};

struct Arithmetic {
  std::string title;  // "Row 9, column 6 · rounded"
  std::vector<ArithmeticLine> lines;
  std::vector<ArithmeticBar> bars;
  bool empty() const { return lines.empty(); }
  std::string title_at(double t) const;  // of the bar that grows, else of what the sentence names
  std::string on_one_line(double t) const;
};

// The two sources whose rows and columns meet in an element of a product; empty: it is none.
std::vector<const MadeFrom*> factors_of(const Made&);

// Of a step that masks, for tiles of hand size: what each row may see, and how many of its scores close.
Arithmetic mask_arithmetic(const Problem&, const Step&);

// moving: of this step, or null, and then all of it is printed at once.
Arithmetic build_arithmetic(const Schedule&, const Inputs&, const SeenState&, const Motion* moving);

}  // namespace tilewalk
