#include "view/walk/memory_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "view/sentence/sentence.h"
#include "view/units.h"

namespace tilewalk {
namespace {

bool of_keys(TensorId id) { return id == TensorId::K || id == TensorId::V || id == TensorId::dK || id == TensorId::dV; }

std::int64_t tile_of(TensorId id, const Step& step) { return of_keys(id) ? step.kv_tile : step.q_tile; }

// The section that first writes a tensor to HBM; -1 for what is there from the start.
int written_by(const Problem& p, TensorId id) {
  const bool naive = p.schedule == ScheduleKind::BackwardStandard;
  const bool backward = is_backward(p.schedule);
  switch (id) {
    case TensorId::Q:
    case TensorId::K:
    case TensorId::V:
    case TensorId::dO: return -1;
    case TensorId::O:
      if (backward) return -1;
      return p.schedule == ScheduleKind::Standard ? 2 : p.schedule == ScheduleKind::SplitKv ? 1 : 0;
    case TensorId::P: return naive ? -1 : 1;
    case TensorId::m:
    case TensorId::l:
    case TensorId::L: return backward ? -1 : 0;
    case TensorId::dQ: return naive ? 3 : 0;
    case TensorId::dK: return naive ? 4 : 1;
    case TensorId::dV: return naive ? 0 : 1;
    case TensorId::dP: return 1;
    case TensorId::dS: return 2;
    default: return 0;
  }
}

std::int64_t first_group_of(const Problem& p, TensorId id, std::int64_t tile) {
  return id == TensorId::OPartial ? tile * p.tiling.splits : tile;
}

// Whether the whole of a tile of an output has been written at the cursor, for the head in view.
bool is_written(const Schedule& schedule, const State& state, TensorId id, std::int64_t tile) {
  if (!state.started) return false;
  const Step& step = state.step;
  const int section = written_by(schedule.problem(), id);
  if (step.section != section) return step.section > section;
  const std::int64_t last = id == TensorId::OPartial ? first_group_of(schedule.problem(), id, tile + 1) - 1 : tile;
  return schedule.end_step_of_group(section, step.batch, step.head, last) <= state.cursor;
}

// Whether a part of it has: a first split's, or what the first visit of its group writes.
bool is_begun(const Schedule& schedule, const State& state, TensorId id, std::int64_t tile) {
  const Step& now = state.step;
  const int section = written_by(schedule.problem(), id);
  if (!state.started || now.section != section) return false;
  const std::int64_t group = first_group_of(schedule.problem(), id, tile);
  if (schedule.end_step_of_group(section, now.batch, now.head, group) <= state.cursor) return true;
  for (std::int64_t k = schedule.first_step_of_group(section, now.batch, now.head, group); k < state.cursor; ++k) {
    const Step step = schedule.step(k);
    if (step.visit > 0) return false;
    if (schedule.cost_of(step).of(id).write_bytes > 0) return true;
  }
  return false;
}

// What comes back from HBM and goes out again at every visit.
bool travels(const Problem& p, TensorId id) {
  if (p.schedule == ScheduleKind::FlashV1) return id == TensorId::O || id == TensorId::m;
  return is_backward(p.schedule) && p.schedule != ScheduleKind::BackwardStandard && id == TensorId::dQ;
}

std::vector<MemoryChip> chips_of(const Schedule& schedule, const State& state, TensorId id, int most) {
  const Problem& p = schedule.problem();
  const std::int64_t count = of_keys(id) ? p.kv_tiles() : p.q_tiles();
  const std::int64_t now = state.started ? tile_of(id, state.step) : -1;
  bool resident = false;
  if (state.started)
    for (const Resident& r : schedule.residents(state.step))
      resident |= r.tensor == id && r.bytes + r.register_bytes > 0;
  const bool output = written_by(p, id) >= 0;

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
    ChipState chip = output ? ChipState::Written : ChipState::Idle;
    const bool written = output && is_written(schedule, state, id, t);
    if (output && !written && !(t == now && is_begun(schedule, state, id, t)))
      chip = ChipState::Unwritten;  // on chip or not
    else if (t == now && resident && (!written || travels(p, id)))
      chip = ChipState::OnChip;
    chips.push_back({t, chip, fmt::format("{}{}", id == TensorId::OPartial ? "O" : name_of(id), t)});
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
  const std::int64_t e = p.numerics.element_bytes(), square = p.shape.n_q * p.shape.n_kv;
  const auto add = [&](TensorId id, std::string label, std::int64_t bytes, std::string help) {
    model.hbm.push_back(
        {id, std::move(label), format_bytes(bytes), "", std::move(help), chips_of(schedule, state, id, most_chips)});
  };
  const auto add_row = [&](TensorId id, std::int64_t width, std::string help) {
    add(id, name_of(id), (of_keys(id) ? p.shape.n_kv : p.shape.n_q) * width, std::move(help));
  };
  const auto never = [&](TensorId id, std::int64_t bytes, std::string help) {
    model.hbm.push_back({id, name_of(id), format_bytes(bytes) + " saved", "never written", std::move(help), {}});
  };
  const std::string never_s = "The score matrix would take this much HBM. Only one tile of it ever exists, on chip.";
  add_row(TensorId::Q, p.shape.d * e, "Queries of this head, by Q tile. Lit: on chip now.");
  add_row(TensorId::K, p.shape.d * e, "Keys, by KV tile. Lit: on chip now.");
  add_row(TensorId::V, p.shape.d * e, "Values, by KV tile. Lit: on chip now.");
  switch (p.schedule) {
    case ScheduleKind::Standard:
      add_row(TensorId::S, p.shape.n_kv * 4, "Scores, by rows of tiles: written by pass 1, read by pass 2.");
      add_row(TensorId::P, p.shape.n_kv * e, "Softmax weights, by rows of tiles: written by pass 2, read by pass 3.");
      add_row(TensorId::O, p.shape.d * e, "The result, by Q tile: written by pass 3.");
      break;
    case ScheduleKind::FlashV1:
      add_row(TensorId::O, p.shape.d * 4, "The result, by Q tile: read and written again, divided, at every visit.");
      add(TensorId::m, "m ℓ", p.shape.n_q * 8, "Max and sum of each row, by Q tile: read and written again at every visit.");
      never(TensorId::S, square * 4, never_s);
      break;
    case ScheduleKind::SplitKv:
      add(TensorId::OPartial, "O part", p.shape.n_q * p.tiling.splits * (p.shape.d + 1) * 4,
          "What the splits made of O, with their L: written by the splits, read once by the merge.");
      add_row(TensorId::O, p.shape.d * e, "The result, by Q tile: written by the merge.");
      never(TensorId::S, square * 4, never_s);
      break;
    case ScheduleKind::Backward:
    case ScheduleKind::BackwardV1: {
      const bool v1 = p.schedule == ScheduleKind::BackwardV1;
      add_row(TensorId::O, p.shape.d * e, "The forward pass's result, by Q tile.");
      add_row(TensorId::dO, p.shape.d * e, "The gradient that comes in, by Q tile.");
      if (v1)
        add(TensorId::m, "m ℓ", p.shape.n_q * 8, "Max and sum of each row, as the forward pass left them.");
      else
        add_row(TensorId::L, 4, "L of each row, as the forward pass left it: what P is made from.");
      if (!v1) add_row(TensorId::D, 4, "dO·O of each row, made by the first launch.");
      add_row(TensorId::dQ, p.shape.d * 4, "Gradient of Q: read and written again at every visit, in fp32.");
      add_row(TensorId::dK, p.shape.d * e, "Gradient of K: stays on chip, written once.");
      add_row(TensorId::dV, p.shape.d * e, "Gradient of V: stays on chip, written once.");
      never(TensorId::P, square * e, "P would take this much HBM. It is computed again, one tile at a time.");
      break;
    }
    case ScheduleKind::BackwardStandard:
      add_row(TensorId::dO, p.shape.d * e, "The gradient that comes in, by Q tile.");
      add_row(TensorId::P, p.shape.n_kv * e, "Softmax weights, kept by the forward pass.");
      add_row(TensorId::dP, p.shape.n_kv * 4, "Gradient of P, by rows of tiles: written by pass 2, read by pass 3.");
      add_row(TensorId::dS, p.shape.n_kv * e, "Gradient of S: written by pass 3, read by passes 4 and 5.");
      add_row(TensorId::dQ, p.shape.d * e, "Gradient of Q: written by pass 4.");
      add_row(TensorId::dK, p.shape.d * e, "Gradient of K: written by pass 5.");
      add_row(TensorId::dV, p.shape.d * e, "Gradient of V: written by pass 1.");
      break;
    default:
      add_row(TensorId::O, p.shape.d * e, "The result, by Q tile: written once, when its rows are finished.");
      never(TensorId::S, square * 4, never_s);
      break;
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
      if (r.bytes + r.register_bytes == 0) continue;
      filled += r.bytes;
      const double share = double(r.bytes) / double(p.machine.sram_bytes);
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
  model.filled = double(filled) / double(p.machine.sram_bytes);
  const auto device = device_named(p.machine.device);
  const bool teaching = device && p.machine.sram_bytes * 8 <= device->sram_per_block_bytes;
  model.sram_text =
      fmt::format("{} of {}{}", format_bytes(filled), format_bytes(p.machine.sram_bytes), teaching ? " (teaching size)" : "");
  model.purpose = state.started ? phase_purpose(p.schedule, state.step.phase) : "Everything is in HBM; SRAM is empty.";
  model.cost = step_cost_text(schedule, state);
  return model;
}

}  // namespace tilewalk
