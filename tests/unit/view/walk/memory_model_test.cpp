#include "view/walk/memory_model.h"

#include <algorithm>
#include <set>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

TEST_CASE("the tiles on chip are lit, finished outputs are written, S is never written") {
  Walk walk(picture());
  const MemoryModel m = build_memory_model(*walk.schedule, walk.after(Phase::Rescale), 8);
  REQUIRE(m.hbm.size() == 6);  // Q, K, V, O, L and S
  CHECK(m.hbm[0].tiles[2].state == MemoryTileState::OnChip);
  CHECK(m.hbm[0].tiles[0].state == MemoryTileState::Idle);
  CHECK(m.hbm[1].tiles[1].state == MemoryTileState::OnChip);
  CHECK(m.hbm[3].tiles[1].state == MemoryTileState::Written);
  CHECK(m.hbm[3].tiles[2].state == MemoryTileState::Unwritten);
  CHECK(m.hbm[3].tiles[3].state == MemoryTileState::Unwritten);
  CHECK(m.hbm[4].tensor == TensorId::L);
  CHECK(m.hbm[4].size == "64 B");
  CHECK(m.hbm[4].tiles[1].state == MemoryTileState::Written);
  CHECK(m.hbm[4].tiles[2].state == MemoryTileState::Unwritten);
  CHECK(m.hbm[5].note == "never written");
  CHECK(m.hbm[5].size == "needs 1.00 KiB");
}

TEST_CASE("among several heads HBM shows one of them, and says so, also of the bytes that S would take") {
  Problem p = picture();
  CHECK(build_memory_model(*Walk(p).schedule, Walk(p).at(0), 8).hbm_title == "HBM · global memory");
  p.shape.heads = p.shape.kv_heads = 3;
  p.shape.batch = 2;
  Walk walk(p);
  const MemoryModel m = build_memory_model(*walk.schedule, walk.at(0), 8);
  CHECK(m.hbm_title == "HBM · one head of 6");
  CHECK(m.hbm[5].size == "needs 1.00 KiB a head");
}

TEST_CASE("before the first step no cost stands beside what is in the memories") {
  Walk walk(picture());
  CHECK(build_memory_model(*walk.schedule, walk.at(0), 8).cost.empty());
  CHECK_FALSE(build_memory_model(*walk.schedule, walk.at(1), 8).cost.empty());
}

TEST_CASE("before the first step the memories say what will come from HBM first, and what SRAM will hold") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Problem p = picture();
    p.schedule = kind;
    Walk walk(p);
    const MemoryModel m = build_memory_model(*walk.schedule, walk.at(0), 8);
    CHECK(m.residents.empty());
    REQUIRE_FALSE(m.to_come.empty());
    CHECK(m.so_far.starts_with("first from HBM: "));
    const MemoryModel next = build_memory_model(*walk.schedule, walk.at(1), 8);
    CHECK(next.to_come.empty());
    for (const MemoryMove& move : next.moves)
      if (move.to_sram) CHECK(m.so_far.find(move.label + " " + move.bytes) != std::string::npos);
  }
  Walk walk(picture());
  CHECK(build_memory_model(*walk.schedule, walk.at(0), 8).so_far == "first from HBM: Q0 64 B");
  std::set<std::string> labels;
  for (const MemoryResident& r : build_memory_model(*walk.schedule, walk.at(0), 8).to_come) labels.insert(r.tile);
  for (const char* tile : {"Q0", "K0", "V0", "O0", "S"}) CHECK(labels.contains(tile));
  CHECK_FALSE(labels.contains("P"));  // which takes the place of S later
}

TEST_CASE("the residents add up to the schedule's working set, as in the picture") {
  Walk walk(picture());
  const MemoryModel m = build_memory_model(*walk.schedule, walk.after(Phase::Rescale), 8);
  CHECK(m.sram_text == "352 B of 1.00 KiB; H200 has 227 KiB");
  // H200: 140 GiB, as it reports, over 132 x 228 KiB, and 132 x 128 B at 1.83 GHz over 4.8 TB/s.
  CHECK(m.hbm_level == "HBM: 140 GiB, 4.8 TB/s");
  CHECK(m.sram_level == "SRAM: 132 SMs × 228 KiB, 30.9 TB/s; 227 of 228 KiB for one block");
  CHECK(m.sram_tip == "An SM has 228 KiB; one thread block may use 227 KiB of them.");
  CHECK(m.apart == "SRAM is 6.4 times faster, and 4,900 times smaller.");
  CHECK(m.residents.back().label == "m ℓ");
  double share = 0;
  for (const MemoryResident& r : m.residents) share += r.share;
  CHECK(share == Approx(m.filled));
}

TEST_CASE("current transfers are distinguished from earlier ones of the visit") {
  Walk walk(picture());
  const MemoryModel now = build_memory_model(*walk.schedule, walk.after(Phase::LoadKV), 8);
  REQUIRE(now.moves.size() == 2);
  CHECK(now.moves_now);
  CHECK(now.moves[0].label == "K1");
  CHECK(now.moves[0].bytes == "64 B");
  const MemoryModel later = build_memory_model(*walk.schedule, walk.after(Phase::Rescale), 8);
  CHECK(later.moves.size() == 2);
  CHECK_FALSE(later.moves_now);
}

TEST_CASE("many tiles are folded around the current one") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4096;
  Walk walk(p);
  const MemoryModel m = build_memory_model(*walk.schedule, walk.after(Phase::LoadKV, 500, 300), 7);
  CHECK(m.hbm[0].tiles.size() <= 7);
  bool found = false;
  for (const MemoryTile& shown : m.hbm[0].tiles) found |= shown.tile == 500 && shown.state == MemoryTileState::OnChip;
  CHECK(found);
  CHECK(m.hbm[0].tiles.front().tile == -1);
  CHECK(m.hbm[0].tiles.back().tile == -1);
}

TEST_CASE("before the first step nothing is on chip and nothing has moved") {
  Walk walk(picture(ScheduleKind::Standard));
  const MemoryModel m = build_memory_model(*walk.schedule, walk.at(0), 8);
  CHECK(m.residents.empty());
  CHECK(m.moves.empty());
  CHECK(m.filled == 0);
  for (const MemoryRow& row : m.hbm)
    for (const MemoryTile& shown : row.tiles) CHECK(shown.state != MemoryTileState::OnChip);
}

TEST_CASE("the naive walk writes S, then P, then O") {
  Walk walk(picture(ScheduleKind::Standard));
  const MemoryModel end = build_memory_model(*walk.schedule, walk.at(walk.schedule->step_count()), 8);
  for (const MemoryRow& row : end.hbm)
    if (row.tensor == TensorId::S || row.tensor == TensorId::P || row.tensor == TensorId::O)
      for (const MemoryTile& shown : row.tiles) CHECK(shown.state == MemoryTileState::Written);
}

TEST_CASE("O is drawn as not yet written until the step that stores it") {
  Walk walk(picture());
  const auto o_of_2 = [&](std::int64_t cursor) {
    return build_memory_model(*walk.schedule, walk.at(cursor), 8).hbm[3].tiles[2].state;
  };
  const std::int64_t stored = walk.schedule->end_step_of_group(0, {.group = 2});
  REQUIRE(walk.schedule->step(stored - 1).phase == Phase::Store);
  CHECK(o_of_2(stored - 1) == MemoryTileState::Unwritten);
  CHECK(o_of_2(stored) == MemoryTileState::Written);
}

TEST_CASE("at every step of every schedule a tile is unwritten exactly until a step has written of it") {
  for (const ScheduleKind kind : all_schedules())
    for (const MaskKind mask : {MaskKind::None, MaskKind::Causal}) {
      Problem p = picture(kind);
      p.shape.mask.kind = mask;
      p.machine.sram_bytes = 1 << 16;
      p.tiling.splits = kind == ScheduleKind::SplitKv ? 2 : 1;
      Walk walk(p);
      const std::int64_t steps = walk.schedule->step_count();
      const Cost whole = walk.schedule->totals_before(steps).cost;
      std::set<std::pair<TensorId, std::int64_t>> written;
      for (std::int64_t k = 0; k <= steps; ++k) {
        if (k > 0) {
          const Step step = walk.schedule->step(k - 1);
          const Cost cost = walk.schedule->cost_of(step);
          for (int i = 0; i < kTensorCount; ++i) {
            const bool of_keys = TensorId(i) == TensorId::dK || TensorId(i) == TensorId::dV;
            if (cost.of(TensorId(i)).write_bytes > 0)
              written.insert({TensorId(i), of_keys ? step.kv_tile : step.q_tile});
          }
        }
        for (const MemoryRow& row : build_memory_model(*walk.schedule, walk.at(k), 8).hbm)
          for (const MemoryTile& shown : row.tiles) {
            INFO(name_of(kind) << ", step " << k << ", " << row.label << " " << shown.tile);
            const bool output = whole.of(row.tensor).write_bytes > 0;
            REQUIRE((shown.state == MemoryTileState::Unwritten) ==
                    (output && !written.contains({row.tensor, shown.tile})));
          }
      }
    }
}

TEST_CASE("space is reserved for the most that any step moves, keeps and says") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    Walk walk(picture(kind));
    const MemoryRoom room = build_memory_model(*walk.schedule, walk.at(0), 8).room;
    std::size_t moves = 0, residents = 0;
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const MemoryModel m = build_memory_model(*walk.schedule, walk.at(k), 8);
      moves = std::max(moves, m.moves.size());
      residents = std::max(residents, m.residents.size());
      if (k > 0) CHECK(std::find(room.purposes.begin(), room.purposes.end(), m.purpose) != room.purposes.end());
    }
    const auto longest = [](const auto& all) {
      std::size_t most = 0;
      for (const auto& each : all) most = std::max(most, each.size());
      return most;
    };
    CHECK(longest(room.moves) == moves);
    CHECK(longest(room.residents) == residents);
  }
}

TEST_CASE("of a row of S in HBM as much is lit as the naive walk has written") {
  Walk walk(picture(ScheduleKind::Standard));
  std::int64_t parts = 0;
  for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
    const State& state = walk.at(k);
    if (state.step.section > 0) break;
    std::int64_t written = 0, now = 0;  // bytes of this row of tiles
    for (std::int64_t i = 0; i < k; ++i) {
      const Step step = walk.schedule->step(i);
      if (step.section != 0 || step.q_tile != state.step.q_tile) continue;
      now = walk.schedule->cost_of(step).of(TensorId::S).write_bytes;
      written += now;
    }
    const double whole = double(state.step.rows() * walk.problem.shape.n_kv * 4);
    if (!state.step.in_visit()) continue;
    INFO("step " << k);
    for (const MemoryRow& row : build_memory_model(*walk.schedule, state, 8).hbm)
      for (const MemoryTile& tile : row.tiles) {
        const bool at_hand = row.tensor == TensorId::S && tile.tile == state.step.q_tile;
        CHECK(tile.written == (at_hand ? double(written) / whole : 1));
        CHECK(tile.written_now == (at_hand ? double(now) / whole : 0));
        parts += tile.written > 0 && tile.written < 1;
      }
  }
  CHECK(parts > 10);
}
