// What the cells of the score tile at hand may show.
#pragma once

namespace tilewalk {

enum class CellQuantity { S, P, DP, DS };

}  // namespace tilewalk
