#include "view/motion/motion.h"

#include <regex>
#include <set>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/sentence/sentence.h"
#include "view/walk/memory_model.h"

using namespace tilewalk;
using tilewalk::test::picture;
using tilewalk::test::Walk;

namespace {

struct MovedStep {
  State before, after;
  Motion motion;
};

MovedStep moved(Walk& walk, std::int64_t cursor) {
  MovedStep out{.before = walk.at(cursor - 1), .after = {}, .motion = {}};
  out.after = walk.at(cursor);
  out.motion = build_motion(*walk.schedule, out.before, out.after);
  return out;
}

MovedStep moved_to(Walk& walk, Phase phase) { return moved(walk, walk.after(phase).cursor); }

// How many elements of a quantity have landed at t.
std::int64_t landed(const MovingValues& v, double t) {
  std::int64_t count = 0;
  for (std::int64_t r = v.row_begin; r < v.row_begin + v.rows; ++r)
    for (std::int64_t c = v.col_begin; c < v.col_begin + v.cols; ++c) count += v.of(r, c).has_landed(t);
  return count;
}

std::int64_t bytes_of(const Cost& cost) {
  const Traffic hbm = cost.hbm_total();
  return hbm.read_bytes + hbm.write_bytes;
}

}  // namespace

TEST_CASE("every phase of every schedule begins with nothing landed and ends with all of it") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      INFO(name_of(kind) << ", step " << k << ": " << name_of(step.after.step.phase));
      // A step moves tiles, makes numbers, or both.
      REQUIRE((!step.motion.tiles.empty() || !step.motion.values.empty()));
      for (const MovingValues& v : step.motion.values) {
        const std::int64_t all = v.rows * v.cols;
        REQUIRE(landed(v, 1) == all);
        if (v.changes.empty()) REQUIRE(landed(v, 0) == 0);
        REQUIRE(landed(v, 0.5) >= landed(v, 0.25));
      }
      for (const MovingTile& tile : step.motion.tiles) {
        REQUIRE(tile.bytes_landed(0) == 0);
        REQUIRE(tile.bytes_landed(1) == tile.bytes);
        REQUIRE(tile.bytes_landed(tile.crossing.end - 0.01) == 0);  // in the gap
        REQUIRE(tile.crossing.begin < tile.crossing.end);
        REQUIRE(tile.unfolding.begin < tile.unfolding.end);
        // A load crosses and then unfolds; a store folds and then crosses.
        if (tile.to_sram)
          REQUIRE(tile.unfolding.begin >= tile.crossing.end);
        else
          REQUIRE(tile.unfolding.end <= tile.crossing.begin);
      }
      REQUIRE(step.motion.bytes_so_far(0) == bytes_of(walk.schedule->totals_before(k - 1).cost));
      REQUIRE(step.motion.bytes_so_far(1) == bytes_of(walk.schedule->totals_before(k).cost));
    }
  }
}

TEST_CASE("what a motion makes is what the ledger of phases says, and no other number changes") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      if (step.before.started && step.before.step.tile() == step.after.step.tile() &&
          step.before.step.section == step.after.step.section)
        for (const QuantityRow& row : quantity_ledger()) {
          if (!row.values || step.motion.of(row.id) || !row.before) continue;
          INFO(name_of(kind) << ", step " << k << ", " << row.letter);
          REQUIRE((step.before.*row.values == step.after.*row.values || (step.after.*row.values).empty()));
        }
    }
  }
}

TEST_CASE("a step uses what it computes from and what it makes; a step that moves tiles leaves none aside") {
  const auto used = [](ScheduleKind kind, Phase phase) {
    Problem p = picture();
    p.schedule = kind;
    Walk walk(p);
    const Motion motion = moved_to(walk, phase).motion;
    std::string all;
    for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V, TensorId::O})
      if (motion.uses(id)) all += name_of(id);
    return all;
  };
  CHECK(used(ScheduleKind::FlashV2, Phase::LoadKV) == "QKVO");
  CHECK(used(ScheduleKind::FlashV2, Phase::Scores) == "QK");
  CHECK(used(ScheduleKind::FlashV2, Phase::RowMax) == "");
  CHECK(used(ScheduleKind::FlashV2, Phase::Rescale) == "O");
  CHECK(used(ScheduleKind::FlashV2, Phase::Exponentiate) == "");
  CHECK(used(ScheduleKind::FlashV2, Phase::Accumulate) == "VO");
  CHECK(used(ScheduleKind::FlashV2, Phase::Normalise) == "O");
}

TEST_CASE("scores land one after the other, in the order of rows and columns") {
  Walk walk(picture());
  const MovedStep step = moved_to(walk, Phase::Scores);
  const MovingValues& s = *step.motion.of(Quantity::S);
  CHECK(landed(s, 0) == 0);
  CHECK(landed(s, 0.5) == 4 + 2);  // row 8, and two of row 9, which the sentence names
  CHECK(landed(s, 1) == 16);
  CHECK(s.of(8, 4).end < s.of(8, 5).end);
  CHECK(s.of(8, 7).end < s.of(9, 4).end);
  CHECK(s.under_way(0.5).size() == 1);
  CHECK(step.motion.has_landed(Quantity::S, 8, 4, 0.5));
  CHECK(!step.motion.has_landed(Quantity::S, 11, 7, 0.5));
  CHECK(step.motion.has_landed(Quantity::P, 11, 7, 0.5));  // not made by this step: nothing to wait for
}

TEST_CASE(
    "the row that the sentence names is the one that moves slowly and is ringed, in every phase of every schedule") {
  const std::regex row("[Rr]ow (\\d+)"), column("[Rr]ow \\d+, column (\\d+)");
  std::set<Phase> named_phases;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      const std::string said = step_sentence(*walk.schedule, step.after);
      INFO(name_of(kind) << ", step " << k << ": " << said);
      std::smatch found;
      const std::int64_t named = std::regex_search(said, found, row) ? std::stoll(found[1]) : -1;
      bool told = false;
      for (const MovingValues& v : step.motion.values) {
        REQUIRE((v.named_row == -1 || v.named_row == named));
        for (const double t : {0.0, 0.2, 0.5, 0.8, 1.0})
          if (const auto ring = v.ringed(t); ring && named >= 0 && v.named_row >= 0) {
            REQUIRE(ring->first == named);
            // Weights have a title of their own for each cell.
            if (v.shape == QuantityShape::Cell && v.quantity() != Quantity::P && std::regex_search(said, found, column))
              REQUIRE(ring->second == std::stoll(found[1]));
          }
        if (v.named_row < 0) continue;
        told = true;
        double slow = 0, all = 0;
        for (std::int64_t r = v.row_begin; r < v.row_begin + v.rows; ++r) {
          const Span span = v.of(r, v.named_col < 0 ? v.col_begin : v.named_col);
          const bool cells = r == named && v.shape == QuantityShape::Cell;  // they may land one after the other
          (r == named ? slow : all) +=
              cells ? v.of(r, v.col_begin + v.cols - 1).end - v.of(r, v.col_begin).begin : span.end - span.begin;
          if (r == named && v.does_change(r, v.named_col < 0 ? v.col_begin : v.named_col))
            REQUIRE(v.ringed((span.begin + span.end) / 2)->first == named);
        }
        if (v.shrinks.empty() && v.changes.empty()) REQUIRE(slow > 2 * all);
      }
      // What the sentence names moves.
      REQUIRE(told == (named >= 0));
      if (told) named_phases.insert(step.after.step.phase);
    }
  }
  CHECK(named_phases.size() >= 12);
  Walk walk(picture());
  const MovedStep scores = moved_to(walk, Phase::Scores);
  using Place = std::pair<std::int64_t, std::int64_t>;
  CHECK(scores.motion.of(Quantity::S)->ringed(0.42) == Place{9, 6});
  CHECK(scores.motion.of(Quantity::S)->ringed(0.5) == Place{9, 6});
  const MovedStep max = moved_to(walk, Phase::RowMax);
  CHECK(max.motion.of(Quantity::M)->ringed(0.6) == Place{9, 0});
  CHECK(!max.motion.of(Quantity::M)->ringed(0));
  CHECK(!max.motion.of(Quantity::M)->ringed(1));
}

TEST_CASE("a front runs through a tile that is too large to follow cell by cell") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 64;
  p.tiling.br = p.tiling.bc = 16;
  p.machine.sram_bytes = 1 << 16;
  Walk walk(p);
  const MovedStep step = moved_to(walk, Phase::Scores);
  const MovingValues& s = *step.motion.of(Quantity::S);
  CHECK(s.under_way(0.5).empty());
  CHECK(s.of(32, 16).end < s.of(47, 31).begin);
  CHECK(s.of(33, 16).end == s.of(32, 17).end);
}

TEST_CASE("the mask closes the cells that it changes and leaves the others") {
  Walk walk(picture());
  const MovedStep step = moved(walk, walk.after(Phase::Mask, 2, 2).cursor);
  const MovingValues& s = *step.motion.of(Quantity::S);
  CHECK(!s.does_change(11, 8));  // below the diagonal
  CHECK(s.does_change(8, 11));   // above it
  CHECK(s.of(11, 8).has_landed(s.span.begin));
  CHECK(landed(s, 0.5) == 10 + 3 + 2);  // rows 8 and 9 are closed
  CHECK(landed(s, 1) == 16);
}

TEST_CASE("rows of O shrink by their α, and those whose α is 1 do not move") {
  Walk walk(picture());
  const MovedStep step = moved_to(walk, Phase::Rescale);
  const MovingValues& o = *step.motion.of(Quantity::O);
  for (std::int64_t row = 8; row < 12; ++row) CHECK(o.shrink(row) == step.after.alpha[std::size_t(row - 8)]);
  CHECK(o.shrink(8) == 1);
  CHECK(o.shrink(9) < 0.7f);
  CHECK(step.motion.of(Quantity::Alpha)->span.end <= o.span.begin);
  CHECK(!step.motion.of(Quantity::L));  // ℓ shrinks at the row sum, where the program does it
}

TEST_CASE("at its first tile a row of O has nothing to shrink") {
  Walk walk(picture());
  const MovedStep step = moved(walk, 36);  // the rescale of Q2 and K0
  REQUIRE(step.after.step.phase == Phase::Rescale);
  REQUIRE(step.after.step.kv_tile == 0);
  for (std::int64_t row = 8; row < 12; ++row) {
    CHECK(step.after.alpha[std::size_t(row - 8)] == 0);
    CHECK(step.motion.of(Quantity::O)->shrink(row) == 1);
  }
}

TEST_CASE("weights land a row at a time, in the named row one after the other, sums a row each") {
  Walk walk(picture());
  const MovedStep weights = moved_to(walk, Phase::Exponentiate);
  const MovingValues& p = *weights.motion.of(Quantity::P);
  CHECK(p.of(8, 4).end == p.of(8, 7).end);
  for (std::int64_t col = 4; col < 7; ++col) CHECK(p.of(9, col).end == p.of(9, col + 1).begin);
  CHECK(p.of(8, 4).end == p.of(9, 4).begin);
  CHECK(p.of(9, 7).end == p.of(10, 4).begin);
  for (const double t : {0.25, 0.45, 0.65}) {
    REQUIRE(p.under_way(t).size() == 1);
    CHECK(p.ringed(t) == p.under_way(t)[0]);
  }
  const MovedStep sums = moved_to(walk, Phase::RowSum);
  CHECK(landed(*sums.motion.of(Quantity::L), 0.5) == 1);
}

TEST_CASE("weights that the mask leaves out take no time of the named row") {
  Walk walk(picture());
  const MovedStep step = moved(walk, walk.after(Phase::Exponentiate, 2, 2).cursor);
  const MovingValues& p = *step.motion.of(Quantity::P);
  const std::int64_t row = p.named_row;
  REQUIRE(row == 9);
  CHECK(p.of(row, 8).begin == p.of(8, 8).end);
  CHECK(p.of(row, 9).end == p.of(10, 8).begin);
  CHECK(p.of(row, 8).end == p.of(row, 9).begin);
  CHECK(p.of(row, 8).end < p.of(row, 9).end);
  CHECK(p.of(row, 11).end == p.of(row, 9).end);
}

TEST_CASE("S and P of a visit dissolve when the next step leaves it, unless HBM has them") {
  Walk walk(picture());
  const MovedStep next = moved(walk, walk.after(Phase::Accumulate, 2, 0).cursor + 1);
  REQUIRE(next.motion.dissolving);
  CHECK(next.motion.dissolving->tile.kv_tile == 0);
  for (std::int64_t row = 8; row < 12; ++row)
    for (std::int64_t col = 0; col < 4; ++col) {
      CHECK(next.motion.dissolving->of(row, col).share(0) == 0);
      CHECK(next.motion.dissolving->of(row, col).share(1) == 1);
    }
  CHECK(!moved_to(walk, Phase::Scores).motion.dissolving);
  Walk naive(picture(ScheduleKind::Standard));
  for (std::int64_t k = 1; k <= naive.schedule->step_count(); ++k) CHECK(!moved(naive, k).motion.dissolving);
}

TEST_CASE("naive attention's S crosses to HBM and comes back, with the bytes of its tile") {
  Walk walk(picture(ScheduleKind::Standard));
  const MovedStep out = moved_to(walk, Phase::StoreS);
  REQUIRE(out.motion.tiles.size() == 1);
  CHECK(out.motion.tiles[0].tensor == TensorId::S);
  CHECK(!out.motion.tiles[0].to_sram);
  CHECK(out.motion.tiles[0].bytes == 4 * 4 * 4);
  const Span counts = out.motion.tiles[0].counting();
  const std::int64_t half = out.motion.tiles[0].bytes_landed((counts.begin + counts.end) / 2);
  CHECK(half > 0);
  CHECK(half % 16 == 0);
  bool comes_back = false;
  for (const MovingTile& tile : moved_to(walk, Phase::LoadS).motion.tiles)
    comes_back = comes_back || (tile.tensor == TensorId::S && tile.to_sram);
  CHECK(comes_back);
}

TEST_CASE("every tile that moves has its place in HBM, in every schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      const MemoryModel memory = build_memory_model(*walk.schedule, walk.at(k), 8);
      for (const MovingTile& tile : step.motion.tiles) {
        if (tile.tensor == TensorId::l) continue;                                       // in the line of m
        if (tile.tensor == TensorId::L || tile.tensor == TensorId::LPartial) continue;  // not everywhere a line
        INFO(name_of(kind) << ", step " << k << ": " << tile.in_hbm);
        const auto row = std::find_if(memory.hbm.begin(), memory.hbm.end(),
                                      [&](const MemoryRow& r) { return r.tensor == tile.tensor; });
        REQUIRE(row != memory.hbm.end());
        CHECK(std::any_of(row->tiles.begin(), row->tiles.end(),
                          [&](const MemoryTile& t) { return t.label == tile.in_hbm; }));
      }
    }
  }
}

TEST_CASE("every tile that comes to SRAM has its place there, in every schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      const MemoryModel memory = build_memory_model(*walk.schedule, walk.at(k), 8);
      for (const MovingTile& tile : step.motion.tiles) {
        if (!tile.to_sram || tile.tensor == TensorId::l) continue;  // l: in the place of m
        if (tile.tensor == TensorId::OPartial) continue;            // merged into O as it comes
        INFO(name_of(kind) << ", step " << k << ": " << tile.label);
        CHECK(std::any_of(memory.residents.begin(), memory.residents.end(),
                          [&](const MemoryResident& r) { return r.tensor == tile.tensor && r.tile == tile.label; }));
      }
    }
  }
}

TEST_CASE("a row of O shrinks once α has reached it, and its number changes where the shrink ends, at t = 0.75") {
  Walk walk(picture());
  const MovedStep step = moved_to(walk, Phase::Rescale);
  const MovingValues& o = *step.motion.of(Quantity::O);
  CHECK(!o.of(9, 0).has_landed(0.74));
  CHECK(o.of(9, 0).has_landed(0.75));
  CHECK(o.height(9, 0.3) == 1);
  CHECK(o.factor_way(0.2) == 0);
  for (const double t : {0.3, 0.4, 0.5})
    if (o.height(9, t) < 1) CHECK(o.factor_way(t) == 1);
  double last = 1;
  for (const double t : {0.5, 0.55, 0.6, 0.7, 0.75}) {
    CHECK(o.height(9, t) < last);
    last = o.height(9, t);
  }
  CHECK(o.height(9, 0.75) == Approx(o.shrink(9)));
  CHECK(o.height(9, 0.9) == Approx(o.shrink(9)));
  CHECK(o.height(9, 1) == 1);
  for (const double t : {0.0, 0.5, 0.85, 1.0}) CHECK(o.height(8, t) == 1);
}

TEST_CASE("the rows of O shrink through most of the step, after their factors have landed") {
  Walk walk(picture());
  const MovedStep step = moved_to(walk, Phase::Rescale);
  const MovingValues *o = step.motion.of(Quantity::O), *alpha = step.motion.of(Quantity::Alpha);
  REQUIRE((o && alpha));
  REQUIRE(!o->shrinks.empty());
  CHECK(landed(*alpha, o->span.begin) == alpha->rows);
  CHECK(o->span.share(0.2) == 0);
  CHECK(o->span.share(0.3) > 0);
  CHECK(o->span.share(0.5) > 0.5);
  CHECK(o->span.share(0.5) < 0.7);
  CHECK(o->span.share(0.7) > 0.9);
  CHECK(o->span.share(0.75) == 1);
}

TEST_CASE("the mask goes through its rows one after the other, and closes what a row may not see") {
  Walk walk(picture());
  const MovedStep step = moved(walk, walk.after(Phase::Mask, 2, 2).cursor);  // on the diagonal: 6 of 16 close
  const MovingValues& s = *step.motion.of(Quantity::S);
  REQUIRE(s.masks());
  CHECK_FALSE(step.motion.of(Quantity::S)->does_change(8, 8));
  const auto last_of = [&](std::int64_t row) { return s.of(row, 11).end; };
  CHECK(s.of(8, 9).end < s.of(8, 10).end);
  CHECK(last_of(8) < last_of(9));
  CHECK(last_of(9) < last_of(10));
  for (const std::int64_t row : {8, 9, 10}) {
    const Span span = mask_row_span(step.after.step, row);
    CHECK(s.of(row, 11).begin >= span.begin - 1e-9);
    CHECK(s.of(row, 11).end <= span.end + 1e-9);
  }
  CHECK_FALSE(moved_to(walk, Phase::RowMax).motion.values.front().masks());
}

TEST_CASE("all tiles of a step cross at once, in every schedule") {
  int together = 0;
  for (const ScheduleKind kind : all_schedules()) {
    Walk walk(picture(kind));
    for (std::int64_t k = 1; k <= walk.schedule->step_count(); ++k) {
      const MovedStep step = moved(walk, k);
      INFO(name_of(kind) << ", step " << k);
      for (const MovingTile& tile : step.motion.tiles) {
        const MovingTile& first = step.motion.tiles[0];
        CHECK(tile.to_sram == first.to_sram);
        CHECK(tile.crossing.begin == first.crossing.begin);
        CHECK(tile.crossing.end == first.crossing.end);
        CHECK((tile.to_sram ? tile.unfolding.begin == tile.crossing.end : tile.unfolding.end == tile.crossing.begin));
        together += &tile != &first;
      }
    }
  }
  CHECK(together > 20);
}
