// The recorded lanes above the modelled ones, and the page's text about them.
#include "pages/compare/chip_lanes_model.h"

#include "core/walk/schedule.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Problem like_the_recorded() {
  Problem p;
  p.schedule = ScheduleKind::FlashV3;
  p.shape.batch = 8, p.shape.heads = p.shape.kv_heads = 16;
  p.shape.n_q = p.shape.n_kv = 2048;
  p.shape.d = p.tiling.br = p.tiling.bc = 128;
  p.numerics.dtype = DType::Bf16;
  p.machine.device = "h200";
  p.machine.sram_bytes = 232448;
  p.shape.mask.kind = MaskKind::None;
  return p;
}

struct LanesOnScreen {
  ChipLanes chip;
  LanesModel model;
};

LanesOnScreen page_of(const Problem& p) {
  static const Result<ChipTimelines> file =
      load_chip_timelines(std::string(TILEWALK_SOURCE_DIR) + "/" + kChipTimelineFile);
  REQUIRE(file.ok());
  LanesOnScreen page{chip_lanes_for(*file, p), {}};
  TimelineOptions options;
  options.most_visits = 16;
  const Timeline modelled = build_timeline(*make_schedule(p), options);
  std::optional<LanesSource> pinned;
  if (page.chip.run) pinned = LanesSource{&p, &page.chip.timeline};
  page.model = build_lanes_model({&p, &modelled}, pinned, {}, 0, 1200);
  describe_chip(page.chip, p, modelled, page.model);
  return page;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the recorded lanes are above the model's, with card, run and clock") {
  const LanesOnScreen page = page_of(like_the_recorded());
  REQUIRE(page.model.pictures.size() == 2);
  const LanesPicture& chip = page.model.pictures[0];
  CHECK(has(chip.title, "Recorded on an NVIDIA H200: 128×128, d 128, N 2,048, bf16, no mask"));
  CHECK(has(chip.title, "GHz"));
  CHECK(has(page.model.pictures[1].title, "Modelled: warp specialisation, ping-pong, overlap"));
  REQUIRE(chip.rows.size() == page.model.pictures[1].rows.size());
  for (std::size_t i = 0; i < chip.rows.size(); ++i) {
    CHECK(chip.rows[i].name == page.model.pictures[1].rows[i].name);
    CHECK_FALSE(chip.rows[i].boxes.empty());
  }
  for (const LaneRow& row : chip.rows)
    for (const LaneBox& box : row.boxes) CHECK(box.first_step == box.end_step);  // a click leads nowhere
  CHECK(has(page.model.sentence, "The same problem on both sides"));
}

TEST_CASE("where the recorded problem is another one, the page says so") {
  Problem p = like_the_recorded();
  p.shape.n_q = p.shape.n_kv = 1280;
  p.shape.heads = p.shape.kv_heads = 2;
  p.numerics.dtype = DType::Fp16;
  p.machine.device = "h100";
  const std::string text = page_of(p).model.sentence;
  for (const char* part :
       {"Recorded on another problem", "N 2,048, not 1,280", "16 heads, not 8 × 2", "bf16", "an H200"}) {
    INFO(part << " in: " << text);
    CHECK(has(text, part));
  }
}

TEST_CASE("lane options that no build turned off together are reported") {
  Problem p = like_the_recorded();
  p.lanes.warp_specialised = p.lanes.ping_pong = false;
  const LanesOnScreen page = page_of(p);
  CHECK(page.chip.run == nullptr);
  REQUIRE(page.model.pictures.size() == 1);
  CHECK(has(page.model.sentence, "was not recorded with just these switches"));
}
