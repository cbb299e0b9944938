// The two memories while presenting, as two strips one above the other: the tiles in HBM, and below them what is on
// chip. A tile on chip is below its tensor in HBM, so that it falls straight down; what HBM never has is at the right,
// with nothing above it.
// Adds a tile of L (one number a row) at the steps that move L. It replaces L among the on-chip residents.
// Tiles far from the current one are folded. A strip that is still too short leaves out tensors that do not move at
// this step: first those without a tile on chip, then L and D, then inputs, then results. Within each, the last goes
// first.
#pragma once

#include <string>
#include <vector>

#include "view/walk/memory_model.h"

namespace tilewalk {

struct PresentGroup {  // a tensor in HBM
  TensorId tensor{};
  std::vector<MemoryTile> tiles;
  std::vector<std::string> on_chip;  // below them: "K1"
  bool thin = false;                 // one number a row, such as L
  double width() const;              // in tiles; a fold is half as wide
};

struct PresentMemories {
  std::vector<PresentGroup> groups;
  std::vector<MemoryResident> only_on_chip;
  std::size_t most_only_on_chip = 0;    // at any step of the walk: nothing shifts when one comes
  std::vector<MemoryMove> moves;        // of this step
  std::vector<std::string> wrong = {};  // letters of what a mistake made wrong on chip: "O", "ℓ"
  std::string so_far;                   // "nothing crosses: 992 B so far", where there are none
  double width() const;                 // in tiles, gaps between groups included
};

inline constexpr double kBetweenGroups = 0.25, kWidthOfFold = 0.5;  // in tiles

// `width`: of the strip, in tiles.
PresentMemories build_present_memories(const Schedule&, const State&, double width);

}  // namespace tilewalk
