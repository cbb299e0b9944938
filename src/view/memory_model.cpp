#include "view/memory_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/device_model.h"
#include "view/sentence.h"
#include "view/units.h"

namespace tilewalk {
namespace {

bool is_output(TensorId id) { return id != TensorId::Q && id != TensorId::K && id != TensorId::V; }

std::int64_t tile_of(TensorId id, const Step& step) {
  const bool query = id == TensorId::Q || id == TensorId::O || id == TensorId::S || id == TensorId::P;
  return query ? step.q_tile : step.kv_tile;
}

// Rows of Q tiles of an output whose writing is over at the cursor, for the head in view.
std::int64_t written_tiles(const Schedule& schedule, const State& state, TensorId id) {
  if (!state.started) return 0;
  const Step& step = state.step;
  const int section = schedule.section_count() == 1 ? 0 : id == TensorId::S ? 0 : id == TensorId::P ? 1 : 2;
  if (step.section != section) return step.section > section ? schedule.problem().q_tiles() : 0;
  const bool group_over = schedule.end_step_of_group(section, step.batch, step.head, step.q_tile) == state.cursor;
  return step.q_tile + (group_over ? 1 : 0);
}

std::vector<MemoryChip> chips_of(const Schedule& schedule, const State& state, TensorId id, int most) {
  const bool query = id != TensorId::K && id != TensorId::V;
  const std::int64_t count = query ? schedule.problem().q_tiles() : schedule.problem().kv_tiles();
  const std::int64_t now = state.started ? tile_of(id, state.step) : -1;
  bool resident = false;
  if (state.started)
    for (const Resident& r : schedule.residents(state.step)) resident |= r.tensor == id;
  const std::int64_t written = is_output(id) ? written_tiles(schedule, state, id) : 0;

  std::int64_t begin = 0, end = count;
  most = std::max(3, most);
  if (count > most) {
    const std::int64_t window = most - 2;
    begin = std::clamp<std::int64_t>(std::max<std::int64_t>(0, now) - window / 2, 0, count - window);
    end = begin + window;
    if (begin == 0)
      end = most - 1;
    else if (end >= count)
      begin = count - (most - 1), end = count;
  }
  std::vector<MemoryChip> chips;
  if (begin > 0) chips.push_back({-1, ChipState::Idle, "…"});
  for (std::int64_t t = begin; t < end; ++t) {
    ChipState chip = ChipState::Idle;
    if (t == now && resident && !(is_output(id) && t < written))
      chip = ChipState::OnChip;
    else if (is_output(id))
      chip = t < written ? ChipState::Written : ChipState::Unwritten;
    chips.push_back({t, chip, fmt::format("{}{}", name_of(id), t)});
  }
  if (end < count) chips.push_back({-1, ChipState::Idle, "…"});
  return chips;
}

void add_moves(MemoryModel& model, const Schedule& schedule, const Step& step) {
  const Cost cost = schedule.cost_of(step);
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = TensorId(i);
    const Traffic& t = cost.of(id);
    if (t.read_bytes > 0)
      model.moves.push_back({id, true, tile_name(id, tile_of(id, step)), format_bytes(t.read_bytes)});
    if (t.write_bytes > 0)
      model.moves.push_back({id, false, tile_name(id, tile_of(id, step)), format_bytes(t.write_bytes)});
  }
}

}  // namespace

MemoryModel build_memory_model(const Schedule& schedule, const State& state, int most_chips) {
  const Problem& p = schedule.problem();
  MemoryModel model;
  const bool flash = p.schedule != ScheduleKind::Standard;
  const auto bytes_of = [&p](TensorId id) {
    const std::int64_t rows = id == TensorId::K || id == TensorId::V ? p.n_kv : p.n_q;
    return rows * p.d * p.element_bytes();
  };
  const auto add_row = [&](TensorId id, std::int64_t bytes, std::string help) {
    MemoryRow row{id, name_of(id), format_bytes(bytes), "", std::move(help), chips_of(schedule, state, id, most_chips)};
    model.hbm.push_back(std::move(row));
  };
  add_row(TensorId::Q, bytes_of(TensorId::Q), "Queries of this head, by Q tile. Lit: on chip now.");
  add_row(TensorId::K, bytes_of(TensorId::K), "Keys, by KV tile. Lit: on chip now.");
  add_row(TensorId::V, bytes_of(TensorId::V), "Values, by KV tile. Lit: on chip now.");
  const std::int64_t square = p.n_q * p.n_kv;
  if (flash) {
    add_row(TensorId::O, bytes_of(TensorId::O), "The result, by Q tile: written once, when its rows are finished.");
    model.hbm.push_back({TensorId::S,
                         "S",
                         format_bytes(square * 4) + " saved",
                         "never written",
                         "The score matrix would take this much HBM. Only one tile of it ever exists, on chip.",
                         {}});
  } else {
    add_row(TensorId::S, square * 4, "Scores, by rows of tiles: written by pass 1, read by pass 2.");
    add_row(TensorId::P, square * p.element_bytes(),
            "Softmax weights, by rows of tiles: written by pass 2, read by pass 3.");
    add_row(TensorId::O, bytes_of(TensorId::O), "The result, by Q tile: written by pass 3.");
  }

  if (state.started) {
    add_moves(model, schedule, state.step);
    model.moves_now = !model.moves.empty();
    for (int back = 1; model.moves.empty() && back <= state.step.phase_in_visit; ++back)
      add_moves(model, schedule, schedule.step(state.step.index - back));
  }
  if (model.moves.empty()) model.moves_note = state.started ? "nothing moves: on chip" : "nothing has moved yet";

  model.sram_title = "SRAM · one thread block";
  std::int64_t filled = 0;
  if (state.started) {
    const std::vector<Resident> residents = schedule.residents(state.step);
    for (const Resident& r : residents) {
      filled += r.bytes;
      const double share = double(r.bytes) / double(p.sram_bytes);
      if (r.tensor == TensorId::l && !model.residents.empty() && model.residents.back().tensor == TensorId::m) {
        model.residents.back().label = "m ℓ";
        model.residents.back().bytes += r.bytes;
        model.residents.back().share += share;
      } else {
        const std::string label = tile_name(r.tensor, tile_of(r.tensor, state.step));
        model.residents.push_back(
            {r.tensor, r.register_bytes > 0 ? label + " in registers" : label, r.bytes, share, false});
      }
    }
    for (MemoryResident& r : model.residents)
      for (const MemoryMove& move : model.moves) r.fresh |= model.moves_now && move.to_sram && move.tensor == r.tensor;
  }
  model.filled = double(filled) / double(p.sram_bytes);
  const auto device = device_named(p.device);
  const bool teaching = device && p.sram_bytes * 8 <= device->sram_per_block_bytes;
  model.sram_text =
      fmt::format("{} of {}{}", format_bytes(filled), format_bytes(p.sram_bytes), teaching ? " (teaching size)" : "");
  model.purpose = state.started ? phase_purpose(p.schedule, state.step.phase) : "Everything is in HBM; SRAM is empty.";
  model.cost = step_cost_text(schedule, state);
  return model;
}

}  // namespace tilewalk
