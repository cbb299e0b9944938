// A deliberate mistake, for a room: which numbers it makes wrong, what they should be, and what it leaves out.
#pragma once

#include "view/present/present_model.h"
#include "view/walk/wrong_and_right.h"

namespace tilewalk {

// Marks the numbers that are printed otherwise than in the right tile or table.
void mark_wrong(PresentTile&, const PresentTile& right);
void mark_wrong(PresentTable&, const PresentTable& right);
// Adds the right numbers of the sentence's row, if it is wrong, below all rows: those stay opposite the tile's.
void add_right_row(PresentTable&, const PresentTable& right);
// Writes what is wrong, why, and the step's sentence below it (sentence_beside). Rings the row of the wrong number.
void explain_wrong(PresentModel&, const Schedule&, const State&, const WrongNumber&, bool output_right);
// What an earlier step made wrong and is still on chip; below it the step's own sentence.
void explain_still_wrong(PresentModel&, const Schedule&, const State&, const State& right);
// "mistake: forgets to shrink O", and in front of the colon whether that changes anything; empty without one.
std::string mistake_in_strip(const Session&);
// How the row of the sentence, `spoken` in its Q tile, would be right: "right: O old 0.44 × α 0.66 + 0.62 = 0.91".
// Empty where α is 1 or O is not multiplied by it in a phase of its own.
ArithmeticLine forgotten_product(const Session&, const State&, std::int64_t spoken);

}  // namespace tilewalk
