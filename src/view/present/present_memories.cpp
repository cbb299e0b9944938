#include "view/present/present_memories.h"

#include <algorithm>

#include "base/contains.h"
#include "core/values/quantity.h"

namespace tilewalk {
namespace {

constexpr int kMostTiles = 6, kLeastTiles = 3;  // of a tensor in HBM

// "O2 in registers" is long for a room.
std::string short_name(const std::string& label) { return label.substr(0, label.find(" in ")); }

std::string_view letters_of(std::string_view label) { return label.substr(0, label.find_first_of("0123456789")); }

bool has_letters(const std::vector<MemoryTile>& tiles, std::string_view letters) {
  return std::any_of(tiles.begin(), tiles.end(),
                     [&](const MemoryTile& tile) { return tile.tile >= 0 && letters_of(tile.label) == letters; });
}

PresentMemories with_tiles(const Schedule& schedule, const State& state, int most_tiles) {
  MemoryModel all = build_memory_model(schedule, state, most_tiles);
  PresentMemories out;
  const auto in_hbm = [&](const std::string& label) {
    return std::any_of(all.hbm.begin(), all.hbm.end(),
                       [&](const MemoryRow& row) { return has_letters(row.tiles, letters_of(short_name(label))); });
  };
  for (const std::vector<std::string>& labels : all.room.residents) {
    const auto above = std::size_t(std::count_if(labels.begin(), labels.end(), in_hbm));
    out.most_only_on_chip = std::max(out.most_only_on_chip, labels.size() - above);
  }
  if (all.moves_now) out.moves = std::move(all.moves);
  for (MemoryRow& row : all.hbm) {
    const auto move = std::find_if(out.moves.begin(), out.moves.end(),
                                   [&](const MemoryMove& each) { return each.tensor == row.tensor; });
    if (row.tiles.empty() || (row.thin && move == out.moves.end())) continue;
    out.groups.push_back({row.tensor, std::move(row.tiles), {}, row.thin});
    if (!row.thin) continue;
    PresentGroup& thin = out.groups.back();
    std::erase_if(thin.tiles, [&](const MemoryTile& tile) { return tile.label != move->in_hbm; });
    thin.on_chip.push_back(move->label);
  }
  for (MemoryResident& resident : all.residents) {
    resident.label = short_name(resident.label);
    const auto group = std::find_if(out.groups.begin(), out.groups.end(),
                                    [&](const PresentGroup& g) { return g.tensor == resident.tensor; });
    if (group == out.groups.end())
      out.only_on_chip.push_back(std::move(resident));
    else
      group->on_chip.push_back(std::move(resident.label));
  }
  out.so_far = state.started ? std::move(all.so_far) : std::move(all.moves_note);
  return out;
}

bool moves(const PresentMemories& m, TensorId tensor) {
  return std::any_of(m.moves.begin(), m.moves.end(), [&](const MemoryMove& move) { return move.tensor == tensor; });
}

bool is_one_number_a_row(TensorId tensor) {
  return std::any_of(quantity_ledger().begin(), quantity_ledger().end(),
                     [&](const QuantityRow& row) { return row.tensor == tensor && row.shape == QuantityShape::Row; });
}

constexpr int kTurns = 4;

// In which turn a tensor that does not move leaves a short strip: first what no thread block has on chip.
int turn_to_leave(const PresentGroup& group) {
  if (group.on_chip.empty()) return 0;
  if (is_one_number_a_row(group.tensor)) return 1;
  return contains(kInputTensors, group.tensor) ? 2 : 3;
}

}  // namespace

double PresentGroup::width() const {
  double above = 0;
  for (const MemoryTile& tile : tiles) above += tile.tile < 0 ? kWidthOfFold : 1;
  return std::max(above, double(on_chip.size()));
}

double PresentMemories::width() const {
  double beside = double(only_on_chip.size()), all = 0;
  for (const PresentGroup& group : groups) group.thin ? beside += group.width() : all += group.width() + kBetweenGroups;
  return all + std::max(beside, double(most_only_on_chip));
}

PresentMemories build_present_memories(const Schedule& schedule, const State& state, double width) {
  PresentMemories out = with_tiles(schedule, state, kMostTiles);
  for (int most = kMostTiles; most-- > kLeastTiles && out.width() > width;) out = with_tiles(schedule, state, most);
  for (int turn = 0; turn < kTurns; ++turn)
    for (std::size_t i = out.groups.size(); i-- > 0 && out.width() > width;)
      if (turn_to_leave(out.groups[i]) == turn && !moves(out, out.groups[i].tensor))
        out.groups.erase(out.groups.begin() + std::ptrdiff_t(i));
  return out;
}

}  // namespace tilewalk
