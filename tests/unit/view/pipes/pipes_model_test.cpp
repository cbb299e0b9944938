#include "view/pipes/pipes_model.h"

#include "base/units.h"
#include "core/predict/predict.h"
#include "core/schedules/registry.h"
#include "core/walk/in_step.h"
#include "core/walk/transfers.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;

namespace {

std::shared_ptr<const Schedule> schedule_of(ScheduleKind kind, std::int64_t n = 16) {
  Problem p = test::picture(kind);
  p.shape.n_q = p.shape.n_kv = n;
  p.machine.sram_bytes = 1 << 16;
  return make_schedule(p);
}

std::int64_t counted_bytes(const Schedule& schedule, std::int64_t cursor) {
  const Traffic t = schedule.totals_before(cursor).cost.hbm_total();
  return t.read_bytes + t.write_bytes;
}

PipesModel model_of(const Schedule& schedule, std::int64_t cursor) {
  const auto other = schedule_of(row_of(schedule.problem()).family.naive);
  return build_pipes_model(*other, cursor_in_step(schedule, cursor, *other, Pace::Byte), schedule, cursor);
}

const Pipe& pipe_of(const PipeSide& side, TensorId tensor, int section, bool write) {
  for (const Pipe& pipe : side.pipes)
    if (pipe.tensor == tensor && pipe.section == section && pipe.write == write) return pipe;
  FAIL("there is no such pipe");
  return side.pipes.front();
}

}  // namespace

TEST_CASE("the bytes of the pipes are the counters', at every step of every schedule") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    const auto schedule = schedule_of(kind);
    for (std::int64_t cursor = 0; cursor <= schedule->step_count(); ++cursor) {
      const PipeSide side = model_of(*schedule, cursor).sides[1];
      std::int64_t sum = 0, all = 0;
      for (const Pipe& pipe : side.pipes) {
        sum += pipe.so_far, all += pipe.bytes;
        REQUIRE((pipe.state == PipeState::Done     ? pipe.so_far == pipe.bytes
                 : pipe.state == PipeState::ToCome ? pipe.so_far == 0
                                                   : pipe.so_far <= pipe.bytes));
      }
      REQUIRE(sum == counted_bytes(*schedule, cursor));
      REQUIRE(side.bytes == sum);
      REQUIRE(all == counted_bytes(*schedule, schedule->step_count()));
      REQUIRE(side.of_bytes == all);
    }
  }
}

TEST_CASE("a pipe's bytes are the sum of the transfers of its tensor, direction and pass") {
  for (const ScheduleKind kind : all_schedules()) {
    INFO(name_of(kind));
    const auto schedule = schedule_of(kind);
    const PipeSide side = model_of(*schedule, 0).sides[1];
    for (const Pipe& pipe : side.pipes) {
      std::int64_t bytes = 0;
      for (const Transfer& t : transfers_of(*schedule))
        if (t.section == pipe.section && t.tensor == pipe.tensor && t.write == pipe.write) bytes += t.bytes;
      CHECK(pipe.bytes == bytes);
    }
  }
}

TEST_CASE("a pipe is as wide as its bytes a tile visit: naive's pipe of S twice its pipe of P in fp16, K as FA-2's") {
  Problem p = test::picture();
  p.numerics.dtype = DType::Fp16;
  const auto flash = make_schedule(p);
  p.schedule = ScheduleKind::Standard;
  const auto naive = make_schedule(p);
  const PipesModel m = build_pipes_model(*naive, 0, *flash, 0);
  const double s = pipe_of(m.sides[0], TensorId::S, 0, true).visit_bytes;
  CHECK(s == 4.0 * 4 * 4);  // a 4×4 tile in fp32
  CHECK(pipe_of(m.sides[0], TensorId::S, 1, false).visit_bytes == s);
  CHECK(pipe_of(m.sides[0], TensorId::P, 1, true).visit_bytes == s / 2);
  CHECK(pipe_of(m.sides[0], TensorId::K, 0, false).visit_bytes == 4.0 * 4 * 2);
  CHECK(pipe_of(m.sides[1], TensorId::K, 0, false).visit_bytes ==
        pipe_of(m.sides[0], TensorId::K, 0, false).visit_bytes);
}

TEST_CASE("areas fill as their tensor is written, and the side that never writes it says so") {
  const auto naive = schedule_of(ScheduleKind::Standard), flash = schedule_of(ScheduleKind::FlashV2);
  const auto area = [](const PipeSide& side, TensorId id) {
    for (const PipeArea& each : side.areas)
      if (each.tensor == id) return each;
    FAIL("there is none");
    return PipeArea{};
  };
  double last = 0;
  for (std::int64_t k = 0; k <= naive->step_count(); ++k) {
    const PipesModel m = build_pipes_model(*flash, flash->step_count(), *naive, k);
    const PipeArea s = area(m.sides[1], TensorId::S);
    CHECK(s.bytes == 16 * 16 * 4);
    REQUIRE(s.filled >= last);
    last = s.filled;
    CHECK(area(m.sides[1], TensorId::Q).filled == 1);
    CHECK_FALSE(area(m.sides[0], TensorId::S).exists);
    CHECK(area(m.sides[0], TensorId::S).bytes == s.bytes);
    CHECK(area(m.sides[0], TensorId::O).filled == 1);
  }
  CHECK(last == 1);
}

TEST_CASE("where P is computed in the memory of S the two share one area, on both sides") {
  Problem p = test::picture();
  p.numerics.dtype = DType::Fp16;
  const auto flash = make_schedule(p);
  p.schedule = ScheduleKind::Standard, p.numerics.narrow_scores = true;
  const auto naive = make_schedule(p);
  const auto area = [](const PipeSide& side, TensorId id) {
    for (const PipeArea& each : side.areas)
      if (each.tensor == id) return each;
    FAIL("there is none");
    return PipeArea{};
  };
  const auto at = [&](std::int64_t k) { return build_pipes_model(*naive, k, *flash, 0); };
  const PipesModel begin = at(0), end = at(naive->step_count());
  for (const PipeSide& side : begin.sides) CHECK(area(side, TensorId::P).over == TensorId::S);
  CHECK(area(begin.sides[0], TensorId::S).name == "S, then P");
  CHECK(area(begin.sides[1], TensorId::S).name == "S and P");
  CHECK(area(begin.sides[0], TensorId::S).note == "not yet written");
  CHECK(area(end.sides[0], TensorId::S).note == "P: whole");
  bool half = false;
  for (std::int64_t k = 0; k <= naive->step_count(); ++k)
    half = half || area(at(k).sides[0], TensorId::S).brief == "P 50 %";
  CHECK(half);
  const auto wide = schedule_of(ScheduleKind::Standard);  // in fp32 each has its own memory
  CHECK_FALSE(area(build_pipes_model(*wide, 0, *wide, 0).sides[0], TensorId::P).over);
  Problem back = p;
  back.schedule = ScheduleKind::BackwardStandard;  // P is given there, with no S
  const auto backward = make_schedule(back);
  CHECK_FALSE(area(build_pipes_model(*backward, 0, *backward, 0).sides[0], TensorId::P).over);
}

TEST_CASE("among several heads the tile in SRAM says whose it is, and the areas say briefly how full they are") {
  Problem p = schedule_of(ScheduleKind::Standard)->problem();
  p.shape.heads = p.shape.kv_heads = 2;
  const auto naive = make_schedule(p);
  const auto at = [&](std::int64_t k) { return build_pipes_model(*naive, 0, *naive, k).sides[1]; };
  const std::int64_t end = naive->step_count();
  CHECK(at(1).sram_of.starts_with("head 0, one of 2, "));
  CHECK(at(end - 1).sram_of.starts_with("head 1, one of 2, "));
  CHECK(at(1).counted.find(", all 2 heads") != std::string::npos);
  CHECK(at(1).matrix.caption == "All 16 × 16 scores of one head:");
  const auto brief = [](const PipeSide& side, TensorId id) {
    for (const PipeArea& each : side.areas)
      if (each.tensor == id) return each.brief;
    return std::string();
  };
  CHECK(brief(at(0), TensorId::S) == "later");
  CHECK(brief(at(end), TensorId::S) == "whole");
  bool half = false;
  for (std::int64_t k = 0; k <= end; ++k) half = half || brief(at(k), TensorId::S) == "50 %";
  CHECK(half);
  p.shape.batch = 3;
  const auto batches = make_schedule(p);
  const PipeSide last = build_pipes_model(*batches, 0, *batches, batches->step_count() - 1).sides[1];
  CHECK(last.sram_of.starts_with("batch 2, head 1, one of 2, "));
  CHECK(last.counted.find(", all 3 × 2 heads") != std::string::npos);
}

TEST_CASE("at FA-2's end, by byte, naive is still under way, and the card's ratio stands beside it") {
  const auto naive = schedule_of(ScheduleKind::Standard), flash = schedule_of(ScheduleKind::FlashV2);
  const std::int64_t end = flash->step_count();
  const PipesModel m = build_pipes_model(*naive, cursor_in_step(*flash, end, *naive, Pace::Byte), *flash, end);
  CHECK(m.sides[1].heading == "FA-2 · finished");
  CHECK(m.sides[1].of == "in all, read and written · tiles 4×4");
  CHECK(m.sides[1].share == "finished");
  CHECK(m.sides[0].share == "28 %");
  CHECK(m.sides[0].cursor < m.sides[0].steps);
  CHECK(m.sides[0].bytes <= m.sides[1].bytes);
  CHECK(m.lighter == 1);
  CHECK(m.ratio == "3.6×");
  CHECK(m.ratio_detail == "1.81 KiB, not 6.50 KiB");
  CHECK(m.ratio_reason ==
        "4.00 KiB of the difference are S and P, written and read back: 4 crossings of 1.00 KiB. The other 768 B are K "
        "and V, loaded 4 times, "
        "not 2.5 times. FA-2 moves 64 B more of L.");
  const std::int64_t told = 4096 + 768 - 64;  // nothing is left unexplained
  CHECK(m.sides[0].of_bytes - m.sides[1].of_bytes == told);
  CHECK(m.sides[1].sram_text ==
        "10 tile visits. 6 tiles that the mask empties were skipped. At most 352 B in the walk's SRAM: Q, K, V, S, O, "
        "m and ℓ.");
  CHECK(m.sides[0].of.starts_with("of 6.50 KiB"));
  CHECK(m.sides[0].counted.starts_with("The kernel asks global memory for 6.50 KiB, read and written, tiles "));
  CHECK(m.sides[0].of.find(", S ") != std::string::npos);  // what its total depends on
  // The card's figure and that of DRAM stand in one sentence, so that neither contradicts the other.
  CHECK(m.sides[1].counted ==
        "The kernel asks global memory for 1.81 KiB, read and written, tiles 4×4. By the model 1.06 KiB of them reach "
        "DRAM; L2, the "
        "cache of all SMs, answers the rest.");
  CHECK(m.sides[1].matrix.caption == "All 16 × 16 scores:");
}

TEST_CASE("beside the bytes in the walk's SRAM stand the tensors that they are of, and no others") {
  for (const ScheduleKind kind : all_schedules()) {
    const auto schedule = schedule_of(kind);
    const PipesModel m = build_pipes_model(*schedule, 0, *schedule, schedule->step_count());
    const std::string& said = m.sides[1].sram_text;
    INFO(title_of(kind) << ": " << said);
    std::int64_t bytes = 0;
    for (const Resident& each : peak_residents(schedule->problem())) {
      bytes += each.bytes;
      const std::size_t list = said.find("SRAM: ");
      REQUIRE(list != std::string::npos);
      std::string name = " " + tensor_title(each.tensor);
      CHECK((said.find(name + ",", list) != std::string::npos || said.find(name + ".", list) != std::string::npos ||
             said.find(name + " and", list) != std::string::npos) == (each.bytes > 0));
    }
    CHECK(said.find("At most " + format_bytes(bytes) + " in the walk's SRAM: ") != std::string::npos);
  }
  const auto fa3 = schedule_of(ScheduleKind::FlashV3);  // S, O, m and l are in registers
  const PipesModel m = build_pipes_model(*fa3, 0, *fa3, 0);
  CHECK(m.sides[1].sram_text == "At most 320 B in the walk's SRAM: Q, K and V.");
}

TEST_CASE("under way the words list what is in SRAM now, as a class sees it, and the most of any phase") {
  const auto naive = schedule_of(ScheduleKind::Standard), flash = schedule_of(ScheduleKind::FlashV2);
  const auto said_after = [](const Schedule& schedule, Phase phase) {
    std::int64_t k = 0;
    while (schedule.step(k).phase != phase) ++k;
    const PipesModel m = build_pipes_model(schedule, 0, schedule, k + 1);
    std::int64_t bytes = 0;
    for (const MemoryResident& tile : m.sides[1].on_chip) bytes += tile.bytes;
    CHECK(m.sides[1].sram_text.find(format_bytes(bytes)) != std::string::npos);
    return m.sides[1].sram_text;
  };
  CHECK(said_after(*naive, Phase::Scores).ends_with(" At most 192 B in the walk's SRAM: Q, K and S."));
  CHECK(said_after(*naive, Phase::Accumulate)
            .ends_with(" 192 B in the walk's SRAM now: V, P and O; at most 192 B in any phase."));
  CHECK(said_after(*flash, Phase::Accumulate)
            .ends_with(" 352 B in the walk's SRAM now: Q, K, V, P, O, m and ℓ; at most 352 B in any phase."));
}

TEST_CASE("the picture of the matrix says in each pass what its cells are") {
  const auto naive = schedule_of(ScheduleKind::Standard), flash = schedule_of(ScheduleKind::FlashV2);
  const auto words = [](const Schedule& schedule, int section) {
    const PipeMatrix m =
        build_pipes_model(schedule, 0, schedule, first_step_in_section(schedule, section) + 1).sides[1].matrix;
    return m.done_words + ", " + m.to_do_words;
  };
  CHECK(words(*naive, 0) == "S is in HBM, to come");
  CHECK(words(*naive, 1) == "P is in HBM, S alone is in HBM");
  CHECK(words(*naive, 2) == "P is read back, not yet");
  const std::int64_t end = naive->step_count();
  CHECK(build_pipes_model(*naive, end, *naive, end).sides[1].matrix.done_words == "P is read back");
  CHECK(words(*flash, 0) == "used, not stored, to come");
}

TEST_CASE("a side that is not finished is never 100 % done") {
  const auto naive = schedule_of(ScheduleKind::Standard);
  const std::int64_t end = naive->step_count();
  CHECK(build_pipes_model(*naive, 0, *naive, 0).sides[1].share == "0 %");
  for (std::int64_t k = 0; k < end; ++k)
    REQUIRE_FALSE(build_pipes_model(*naive, 0, *naive, k).sides[1].share == "100 %");
}

TEST_CASE("a side that has moved few of its bytes is less than 1 % done, and not 0 %") {
  Problem p = schedule_of(ScheduleKind::FlashV2)->problem();
  p.shape.n_q = p.shape.n_kv = 1024;
  const auto flash = make_schedule(p);
  CHECK(build_pipes_model(*flash, 0, *flash, 1).sides[1].share == "< 1 %");
  CHECK(build_pipes_model(*flash, 0, *flash, 0).sides[1].share == "0 %");
}

TEST_CASE("after a mask that masks nothing, SRAM names the step before it") {
  Problem p = schedule_of(ScheduleKind::Standard)->problem();
  p.shape.mask.kind = MaskKind::None;
  const auto naive = make_schedule(p);
  int masks = 0;
  for (std::int64_t k = 1; k <= naive->step_count(); ++k) {
    masks += naive->step(k - 1).phase == Phase::Mask;
    const PipeSide side = build_pipes_model(*naive, 0, *naive, k).sides[1];
    CHECK(side.sram_title.find(": mask") == std::string::npos);
    CHECK(side.sram_text.find("nothing changes") == std::string::npos);
  }
  CHECK(masks > 0);
}

TEST_CASE("the picture of the matrix has as many done cells as visits are over") {
  const auto flash = schedule_of(ScheduleKind::FlashV2);
  for (std::int64_t k = 0; k <= flash->step_count(); ++k) {
    const PipeMatrix matrix = model_of(*flash, k).sides[1].matrix;
    std::int64_t done = 0, skipped = 0, over = 0;
    for (const PipeCell cell : matrix.cells) done += cell == PipeCell::Done, skipped += cell == PipeCell::Skipped;
    for (std::int64_t q = 0; q < 4; ++q)
      for (std::int64_t kv = 0; kv < 4; ++kv) {
        const std::int64_t end = flash->end_step_of_visit(0, {.q_tile = q, .kv_tile = kv});
        over += end >= 0 && end <= k;
      }
    REQUIRE(done == over);
    REQUIRE(skipped == 6);
  }
}

TEST_CASE("the cursor at so many bytes is the last one that moved no more") {
  const auto flash = schedule_of(ScheduleKind::FlashV2);
  for (std::int64_t k = 0; k <= flash->step_count(); ++k) {
    const std::int64_t bytes = counted_bytes(*flash, k), at = last_cursor_within(*flash, bytes, Pace::Byte);
    CHECK(at >= k);
    CHECK(counted_bytes(*flash, at) == bytes);
  }
  CHECK(last_cursor_within(*flash, 1 << 30, Pace::Byte) == flash->step_count());
}

TEST_CASE("by time both calls begin at once: the longer one is where the shorter one's time has come to") {
  const auto naive = schedule_of(ScheduleKind::Standard), tiled = schedule_of(ScheduleKind::FlashV2);
  const CallTimes times{.ms = {4, 1}, .recorded = true, .card = "H200"};
  CHECK(pinned_cursor_by_time(*tiled, 0, *naive, times) == last_cursor_within(*naive, 0, Pace::Byte));
  const std::int64_t at_end = pinned_cursor_by_time(*tiled, tiled->step_count(), *naive, times);
  // A quarter of naive's time is a quarter of its bytes.
  const std::int64_t all = counted_bytes(*naive, naive->step_count());
  CHECK(at_end == last_cursor_within(*naive, all / 4, Pace::Byte));
  const CallTimes turned{.ms = {1, 4}, .recorded = true, .card = "H200"};
  const std::int64_t past = cursor_at_time(*naive, 0.5);
  CHECK(pinned_cursor_by_time(*naive, past, *tiled, turned) == tiled->step_count());
  std::int64_t before = 0;
  for (std::int64_t cursor = 0; cursor <= naive->step_count(); ++cursor) {
    const std::int64_t at = pinned_cursor_by_time(*naive, cursor, *tiled, turned);
    REQUIRE(at >= before);
    before = at;
  }
}

TEST_CASE("by time the axis is in milliseconds, and the words say whether they are recorded") {
  const auto naive = schedule_of(ScheduleKind::Standard), tiled = schedule_of(ScheduleKind::FlashV2);
  CallTimes times{.ms = {0.535, 0.117}, .recorded = true, .card = "H200"};
  const std::int64_t end = tiled->step_count();
  const PipesModel m = build_pipes_model(*naive, pinned_cursor_by_time(*tiled, end, *naive, times), *tiled, end, times);
  CHECK(m.by_time);
  CHECK(m.sides[0].of_axis == 0.535);
  CHECK(m.sides[1].at == 0.117);
  CHECK(m.sides[0].at <= 0.117);
  CHECK(m.sides[0].at > 0.08);
  CHECK(m.sides[0].passes.front().begin == 0);
  CHECK(m.sides[0].passes.back().begin < 0.535);
  CHECK(m.time_text.find("recorded on an H200") != std::string::npos);
  times.recorded = false;
  CHECK(build_pipes_model(*naive, 0, *tiled, 0, times).time_text.find("modelled for an H200") != std::string::npos);
  const PipesModel by_byte = model_of(*tiled, end);
  CHECK(by_byte.time_text.empty());
  CHECK(by_byte.sides[1].of_axis == double(by_byte.sides[1].of_bytes));
}

TEST_CASE("by time each launch of a call's naive has the model's time of its operation, spread over its bytes") {
  Problem p = walked_by(method_of(Contender::Naive), {.n = 4096, .d = 64, .heads = 32, .batch = 4}, device_of("h200"));
  p.numerics.narrow_scores = true;
  const auto naive = make_schedule(p);
  const Prediction predicted = predict(method_of(Contender::Naive), *call_of(p), device_of("h200"));
  double all = 0, until = 0;
  for (const Operation& each : predicted.operations) all += each.seconds;
  for (int section = 0; section < naive->section_count(); ++section) {
    const std::int64_t first = first_step_in_section(*naive, section);
    CHECK(share_of_time(*naive, first) == Approx(until / all).margin(1e-9));
    const double middle = (until + predicted.operations[std::size_t(section)].seconds / 2) / all;
    const std::int64_t at = cursor_at_time(*naive, middle);  // and back
    CHECK(naive->step(at).section == section);
    CHECK(share_of_time(*naive, at) == Approx(middle).margin(1e-4));
    until += predicted.operations[std::size_t(section)].seconds;
  }
  CHECK(share_of_time(*naive, naive->step_count()) == 1);
}
