// One cell of the score matrix: its value, its sources and its use. For the tooltip and for the selection.
#pragma once

#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"
#include "view/scores/working.h"
#include "view/words/shown_texts.h"

namespace tilewalk {

struct InspectorModel {
  std::string place;              // "row 11, column 6 · Q tile 2 × KV tile 1 (full)"
  std::string value;              // the value that the cell shows: "S = 2.46"; otherwise why there is none
  std::vector<std::string> from;  // "S = 2.46", where it shows another quantity; "from Q[11] · K[6], 4 products, …"
  std::vector<std::string> goes;  // "weight P = 1.00 for V[6] in O[11]"
  Working working;                // how it is computed, term by term, where the problem is small enough
};

// Precondition: the cell is inside the matrix. `shown`: the quantity that the current tile shows; its products are
// written out.
InspectorModel build_inspector_model(const Schedule&, const Inputs&, const SeenState&, std::int64_t row,
                                     std::int64_t col, Quantity shown = Quantity::S);

// The same for one element of the current O tile (row of the matrix, column of the head).
InspectorModel build_output_inspector(const Schedule&, const Inputs&, const SeenState&, std::int64_t row,
                                      std::int64_t col);

std::string inspector_text(const InspectorModel&);   // of a score, one line for each part
std::string words_of_output(const InspectorModel&);  // of a value of O
void add_texts(ShownTexts&, const InspectorModel&, const std::string& where);

}  // namespace tilewalk
