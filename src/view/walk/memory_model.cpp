#include "view/walk/memory_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/contains.h"
#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "session/document/compared_problems.h"
#include "view/sentence/sentence.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::int64_t tile_of(TensorId id, const Step& step) { return is_of_keys(id) ? step.kv_tile : step.q_tile; }

std::int64_t first_group_of(const Problem& p, TensorId id, std::int64_t tile) {
  return id == TensorId::OPartial ? tile * p.tiling.splits : tile;
}

// True if the whole tile of an output has been written at the cursor, for the head in view.
bool is_written(const Schedule& schedule, const State& state, int section, TensorId id, std::int64_t tile) {
  if (!state.started) return false;
  const Step& step = state.step;
  if (step.section != section) return step.section > section;
  const std::int64_t last = id == TensorId::OPartial ? first_group_of(schedule.problem(), id, tile + 1) - 1 : tile;
  return schedule.end_step_of_group(section, {.batch = step.batch, .head = step.head, .group = last}) <= state.cursor;
}

// True if a part of it has been written: by a first split, or by the first visit of its group.
bool is_begun(const Schedule& schedule, const State& state, int section, TensorId id, std::int64_t tile) {
  const Step& now = state.step;
  if (!state.started || now.section != section) return false;
  const GroupId group = {.batch = now.batch, .head = now.head, .group = first_group_of(schedule.problem(), id, tile)};
  if (schedule.end_step_of_group(section, group) <= state.cursor) return true;
  for (std::int64_t k = schedule.first_step_of_group(section, group); k < state.cursor; ++k) {
    const Step step = schedule.step(k);
    if (step.visit > 0) return false;
    if (schedule.cost_of(step).of(id).write_bytes > 0) return true;
  }
  return false;
}

// Sets the written share of a row of tiles during a visit. A visit writes all its columns in one step.
void set_written(MemoryTile& tile, const Schedule& schedule, const State& state, TensorId id) {
  const Step& now = state.step;
  const double columns = double(schedule.problem().shape.n_kv);
  if (!now.in_visit() || columns <= 0) return;
  const auto writes = [&](std::int64_t index) { return schedule.cost_of(schedule.step(index)).of(id).write_bytes > 0; };
  bool stored = false;
  for (std::int64_t k = now.index - now.phase_in_visit; k <= now.index; ++k) stored = stored || writes(k);
  tile.written = double(stored ? now.col_end : now.col_begin) / columns;
  tile.written_now = writes(now.index) ? double(now.cols()) / columns : 0;
}

bool is_of_cells(TensorId id) {
  return std::any_of(quantity_ledger().begin(), quantity_ledger().end(),
                     [id](const QuantityRow& row) { return row.tensor == id && row.shape == QuantityShape::Cell; });
}

// The help text of a tensor's line, by its life in HBM.
std::string help_of(const Schedule& schedule, const HbmTensor& t) {
  const int pass = writing_section(schedule, t.id) + 1;
  switch (t.id) {
    case TensorId::Q: return "Queries of this head, by Q tile. Lit: on chip now.";
    case TensorId::K: return "Keys, by KV tile. Lit: on chip now.";
    case TensorId::V: return "Values, by KV tile. Lit: on chip now.";
    case TensorId::S:
      if (t.life == Life::Never)
        return "The score matrix would take this much HBM. Only one tile of it ever exists, on chip.";
      return fmt::format("Scores, by rows of tiles: written by pass {}, read by pass {}.", pass, pass + 1);
    case TensorId::P:
      if (t.life == Life::Never) return "P would take this much HBM. It is computed again, one tile at a time.";
      if (t.life == Life::Given) return "Softmax weights, kept by the forward pass.";
      return fmt::format("Softmax weights, by rows of tiles: written by pass {}, read by pass {}.", pass, pass + 1);
    case TensorId::O:
      if (t.life == Life::Given) return "The forward pass's result, by Q tile.";
      if (t.life == Life::Travels) return "The result, by Q tile: read and written again, divided, at every visit.";
      if (t.life == Life::Merged) return "The result, by Q tile: written by the merge.";
      if (t.life == Life::Once) return "The result, by Q tile: written once, when its rows are finished.";
      return fmt::format("The result, by Q tile: written by pass {}.", pass);
    case TensorId::m:
      return t.life == Life::Given ? "Max and sum of each row, as the forward pass left them."
                                   : "Max and sum of each row, by Q tile: read and written again at every visit.";
    case TensorId::L:
      if (t.life == Life::Once) return "L = m + log ℓ of each row, by Q tile: written once, for a backward pass.";
      return "L of each row, as the forward pass left it: what P is made from.";
    case TensorId::OPartial:
      return "What the splits made of O, with their L: written by the splits, read once by the merge.";
    case TensorId::D: return "dO·O of each row, made by the first launch.";
    case TensorId::dO: return "The gradient that comes in, by Q tile.";
    case TensorId::dQ:
      if (t.life == Life::Travels) return "Gradient of Q: read and written again at every visit, in fp32.";
      return fmt::format("Gradient of Q: written by pass {}.", pass);
    case TensorId::dK:
    case TensorId::dV: {
      const char letter = name_of(t.id)[1];
      if (t.life == Life::Once) return fmt::format("Gradient of {}: stays on chip, written once.", letter);
      return fmt::format("Gradient of {}: written by pass {}.", letter, pass);
    }
    case TensorId::dP:
      return fmt::format("Gradient of P, by rows of tiles: written by pass {}, read by pass {}.", pass, pass + 1);
    case TensorId::dS:
      return fmt::format("Gradient of S: written by pass {}, read by passes {} and {}.", pass, pass + 1, pass + 2);
    default: return "";
  }
}

// In HBM, S and P lie by rows of tiles, and m and ℓ by Q tile.
std::string name_in_hbm(TensorId id, std::int64_t tile) {
  return fmt::format("{}{}", id == TensorId::OPartial ? "O" : name_of(id), tile);
}

std::vector<MemoryTile> tiles_of(const Schedule& schedule, const State& state, const HbmTensor& tensor, int most) {
  const Problem& p = schedule.problem();
  const TensorId id = tensor.id;
  const std::int64_t count = is_of_keys(id) ? p.kv_tiles() : p.q_tiles();
  const std::int64_t now = state.started ? tile_of(id, state.step) : -1;
  bool resident = false;
  if (state.started)
    for (const Resident& r : schedule.residents(state.step))
      resident |= r.tensor == id && r.bytes + r.register_bytes > 0;
  const int section = writing_section(schedule, id);
  const bool output = section >= 0;

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
  std::vector<MemoryTile> tiles;
  if (begin > 0) tiles.push_back({-1, MemoryTileState::Idle, "…"});
  for (std::int64_t t = begin; t < end; ++t) {
    MemoryTileState shown = output ? MemoryTileState::Written : MemoryTileState::Idle;
    const bool written = output && is_written(schedule, state, section, id, t);
    if (output && !written && !(t == now && is_begun(schedule, state, section, id, t)))
      shown = MemoryTileState::Unwritten;  // whether it is on chip or not
    else if (t == now && resident && (!written || tensor.life == Life::Travels))
      shown = MemoryTileState::OnChip;
    tiles.push_back({t, shown, name_in_hbm(id, t)});
    tiles.back().now = t == now;
    if (t == now && output && state.step.section == section && is_of_cells(id))
      set_written(tiles.back(), schedule, state, id);
  }
  if (end < count) tiles.push_back({-1, MemoryTileState::Idle, "…"});
  return tiles;
}

std::vector<MemoryMove> moves_of(const Cost& cost, const Step& step) {
  std::vector<MemoryMove> moves;
  for (int i = 0; i < kTensorCount; ++i) {
    const TensorId id = TensorId(i);
    const Traffic& t = cost.of(id);
    const auto add = [&](bool to_sram, std::int64_t bytes) {
      const std::int64_t tile = tile_of(id, step);
      if (bytes > 0)
        moves.push_back({id, to_sram, tile_name(id, tile), name_in_hbm(id, tile), format_bytes(bytes), bytes});
    };
    add(true, t.read_bytes);
    add(false, t.write_bytes);
  }
  return moves;
}

// Residents with the same colour share a box: m and ℓ.
std::vector<MemoryResident> residents_of(const std::vector<Resident>& held, const Step& step, double capacity) {
  std::vector<MemoryResident> out;
  for (const Resident& r : held) {
    if (r.bytes + r.register_bytes == 0) continue;
    const double share = double(r.bytes) / capacity;
    if (r.tensor == TensorId::l && !out.empty() && out.back().tensor == TensorId::m) {
      out.back().label = "m ℓ";
      out.back().bytes += r.bytes;
      out.back().share += share;
    } else {
      const std::string tile = tile_name(r.tensor, tile_of(r.tensor, step));
      out.push_back({r.tensor, tile, r.register_bytes > 0 ? tile + " in registers" : tile, r.bytes, share, false});
    }
  }
  return out;
}

MemoryRoom kept_room(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  MemoryRoom room;
  Step step;  // gets the tiles with the longest names
  step.q_tile = p.q_tiles() - 1, step.kv_tile = p.kv_tiles() - 1;
  for (step.section = 0; step.section < schedule.section_count(); ++step.section) {
    const SectionPlan& section = schedule.section(step.section);
    step.section_name = section.name;
    for (const auto* phases : {&section.prologue, &section.visit, &section.epilogue})
      for (const Phase phase : *phases) {
        step.phase = phase;
        const std::int64_t rows = std::min(p.tiling.br, p.shape.n_q),
                           cols = phases == &section.visit ? std::min(p.tiling.bc, p.shape.n_kv) : p.shape.n_kv;
        room.moves.push_back(moves_of(schedule.plan().cost(section.name, phase, rows, cols), step));
        std::vector<std::string> labels;
        for (const MemoryResident& r :
             residents_of(schedule.plan().residents(section.name, phase, rows, cols), step, 1))
          labels.push_back(r.label);
        room.residents.push_back(std::move(labels));
        const std::string purpose = phase_purpose(schedule, step);
        if (!contains(room.purposes, purpose)) room.purposes.push_back(purpose);
      }
  }
  return room;
}

// What will come from HBM first, and what SRAM will hold once the first visit has filled it: S, which P replaces later.
void set_to_come(MemoryModel& model, const Schedule& schedule) {
  constexpr std::int64_t kMostSteps = 24;
  std::string first;
  bool visits = false;
  for (std::int64_t k = 0; k < std::min(kMostSteps, schedule.step_count()); ++k) {
    const Step step = schedule.step(k);
    if (visits && (!step.in_visit() || step.phase_in_visit == 0)) break;
    visits = visits || step.in_visit();
    if (first.empty())
      for (const MemoryMove& move : moves_of(schedule, step))
        if (move.to_sram) first += (first.empty() ? "" : ", ") + move.label + " " + move.bytes;
    std::vector<MemoryResident> held = residents_of(schedule, step);
    if (held.size() > model.to_come.size()) model.to_come = std::move(held);
  }
  if (!first.empty()) model.so_far = "first from HBM: " + first;
}

void set_levels(MemoryModel& model, const DeviceModel& device) {
  const double bytes = device.memory_bytes(), smaller = bytes / device.sram_bytes();
  model.levels_title = "Two memories of " + device.title;
  model.hbm_level = fmt::format("HBM: {}, {:.2g} TB/s", format_bytes(std::llround(bytes)), device.hbm_gb_per_s / 1000);
  model.sram_level = fmt::format("SRAM: {} SMs × {}, {:.3g} TB/s", device.sms, format_bytes(device.sram_per_sm_bytes),
                                 device.sram_gb_per_s() / 1000);
  if (device.sram_per_block_bytes < device.sram_per_sm_bytes) {  // the other limit that the page names
    const std::string most = format_bytes(device.sram_per_sm_bytes), block = format_bytes(device.sram_per_block_bytes);
    model.sram_level += fmt::format("; {} of {} for one block", block.substr(0, block.find(' ')), most);
    model.sram_tip = fmt::format("An SM has {}; one thread block may use {} of them.", most, block);
  }
  model.apart = fmt::format("SRAM is {} times faster, and {} times smaller.",
                            format_digits(device.sram_gb_per_s() / device.hbm_gb_per_s, 2),
                            format_count(std::int64_t(std::round(smaller / 100) * 100)));
}

}  // namespace

bool is_of_keys(TensorId id) {
  return id == TensorId::K || id == TensorId::V || id == TensorId::dK || id == TensorId::dV;
}

std::vector<MemoryMove> moves_of(const Schedule& schedule, const Step& step) {
  return moves_of(schedule.cost_of(step), step);
}

std::vector<MemoryResident> residents_of(const Schedule& schedule, const Step& step) {
  return residents_of(schedule.residents(step), step, double(schedule.problem().machine.sram_bytes));
}

MemoryModel build_memory_model(const Schedule& schedule, const State& state, int most_tiles) {
  const Problem& p = schedule.problem();
  MemoryModel model;
  const std::int64_t heads = p.shape.batch * p.shape.heads;
  model.hbm_title = heads > 1 ? "HBM · one head of " + format_count(heads) : "HBM · global memory";
  const auto add = [&](const HbmTensor& t) {
    // What is never written has the type that naive attention writes it in.
    const Problem of_type = t.life == Life::Never ? compared_under(p, row_of(p).family.naive) : p;
    const std::int64_t bytes = (is_of_keys(t.id) ? p.shape.n_kv : p.shape.n_q) * bytes_a_row(of_type, t.width);
    const std::string letters = t.letters ? t.letters : name_of(t.id), help = help_of(schedule, t);
    if (t.life == Life::Never)
      model.hbm.push_back({t.id,
                           letters,
                           "needs " + format_bytes(bytes) + (heads > 1 ? " a head" : ""),
                           "never written",
                           help,
                           {},
                           false});
    else
      model.hbm.push_back({t.id, letters, format_bytes(bytes), "", help, tiles_of(schedule, state, t, most_tiles),
                           t.width == Width::Number && t.life == Life::Once});
  };
  for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V}) add({id, Width::Stored, Life::Given});
  for (const HbmTensor& t : row_of(p).memory.tensors) add(t);

  if (state.started) {
    model.moves = moves_of(schedule, state.step);
    model.moves_now = !model.moves.empty();
    for (int back = 1; model.moves.empty() && back <= state.step.phase_in_visit; ++back)
      model.moves = moves_of(schedule, schedule.step(state.step.index - back));
  }
  if (model.moves.empty()) model.moves_note = state.started ? "nothing moves: on chip" : "nothing has moved yet";

  if (state.started && !model.moves_now)
    model.so_far = fmt::format("nothing crosses: {} so far",
                               format_bytes(schedule.totals_before(state.cursor).cost.hbm_total().bytes()));

  if (!state.started && schedule.step_count() > 0) set_to_come(model, schedule);

  model.sram_title = "SRAM · one thread block";
  std::int64_t filled = 0;
  if (state.started) {
    model.residents = residents_of(schedule, state.step);
    for (const MemoryResident& r : model.residents) filled += r.bytes;
    for (MemoryResident& r : model.residents)
      for (const MemoryMove& move : model.moves) r.fresh |= model.moves_now && move.to_sram && move.tensor == r.tensor;
  }
  model.filled_bytes = filled;
  model.filled = double(filled) / double(p.machine.sram_bytes);
  const auto device = device_named(p.machine.device);
  const bool small = device && p.machine.sram_bytes < device->sram_per_block_bytes;  // reduced SRAM
  model.sram_text =
      fmt::format("{} of {}{}", format_bytes(filled), format_bytes(p.machine.sram_bytes),
                  small ? fmt::format("; {} has {}", device->title, format_bytes(device->sram_per_block_bytes)) : "");
  if (device) set_levels(model, *device);
  model.purpose = state.started ? phase_purpose(schedule, state.step) : "Everything is in HBM; SRAM is empty.";
  if (state.started) model.cost = step_cost_text(schedule, state);
  model.room = kept_room(schedule);
  return model;
}

}  // namespace tilewalk
