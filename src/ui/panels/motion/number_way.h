// The way of a number from where it stands to what it makes. In one panel it is straight. Between two panels it leaves
// its row for the gap between them and turns into the row of its target from there, so it crosses no text. What stands
// on its way stays readable: there the number is not drawn.
#pragma once

#include <optional>
#include <vector>

#include "ui/draw.h"

namespace tilewalk {

// Its corners, from the middle of its place to that of its target. gap: x of the gap that it goes through; empty:
// straight.
std::vector<ImVec2> number_way(const draw::Rect& from, const draw::Rect& to, std::optional<float> gap);

}  // namespace tilewalk
