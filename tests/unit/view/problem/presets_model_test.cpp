#include "view/problem/presets_model.h"

#include <fmt/format.h>

#include "core/chip/real_tiles.h"
#include "measured/recorded_race.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const std::vector<Preset>& shipped() {
  static const std::vector<Preset> all = *load_presets(TILEWALK_SOURCE_DIR);
  return all;
}

const PresetsModel& model() {
  static const Race race = *load_shipped_race(TILEWALK_SOURCE_DIR);
  static const PresetsModel made = build_presets_model(shipped(), &race);
  return made;
}

const PresetRow& row(const std::string& name) {
  for (const PresetRow& each : model().rows)
    if (each.name == name) return each;
  FAIL(name);
  return model().rows.front();
}

}  // namespace

TEST_CASE("layers of real size have the tiles of the released kernel, in 16 bits") {
  for (const char* name : {"gpt2", "llama", "decode-step", "prefill", "fa3"})
    for (const Preset& preset : shipped()) {
      if (preset.name != name) continue;
      const Problem& p = preset.document.problem;
      INFO(name);
      CHECK(p.numerics.element_bytes() == 2);
      CHECK(of_real_size(p));
      const auto tile = real_tile(p);
      REQUIRE(tile);
      CHECK(tile->br == p.tiling.br);
      CHECK(tile->bc == p.tiling.bc);
      CHECK(preset.document.about.size() > 60);
    }
}

TEST_CASE("a preset has the times of the nearest recorded run, and that run's differences") {
  const RecordedTimes& gpt2 = row("gpt2").recorded;
  CHECK(gpt2.times.find("Recorded on an NVIDIA H200, 2026-11-28: naive ") == 0);
  CHECK(gpt2.times.find("FA-3 ") != std::string::npos);
  CHECK(gpt2.differs == "That run: 32 heads × batch 16, not 12 × 8; bf16, not fp16");
  CHECK(row("llama").recorded.differs == "That run: 16 heads × batch 2, not 32 × 1; each head with its own K and V");
  CHECK(row("prefill").recorded.differs.find("That run: N 65,536, not 131,072") == 0);
  CHECK(row("decode-step").recorded.times.empty());  // none was timed
  CHECK(row("picture").recorded.times.empty());
}

TEST_CASE("times equal the recording, digit for digit") {
  const Race race = *load_shipped_race(TILEWALK_SOURCE_DIR);
  for (const RaceRow& each : race.rows)
    if (each.rung == "flash_v2" && each.pass == "forward" && each.n == 8192 && each.d == 128 && each.causal)
      CHECK(row("llama").recorded.times.find(fmt::format("FA-2 {:.2f} ms", each.median_ms())) != std::string::npos);
}

TEST_CASE("a picture shows which tiles are full, partial and skipped") {
  const GridPicture& causal = row("picture").grid;
  REQUIRE(causal.rows == 4);
  REQUIRE(causal.columns == 4);
  CHECK(causal.at(2, 0) == TileClass::Full);
  CHECK(causal.at(2, 2) == TileClass::Partial);
  CHECK(causal.at(0, 3) == TileClass::Skipped);
  const GridPicture& many = row("prefill").grid;
  CHECK(many.rows == 8);
  CHECK(many.at(7, 0) == TileClass::Full);
  CHECK(many.at(0, 7) == TileClass::Skipped);
}

TEST_CASE("words filter the presets to those that contain all of them") {
  CHECK(presets_with(model(), "").size() == model().rows.size());
  const auto found = presets_with(model(), "LLAMA layer");
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "llama");
  CHECK(presets_with(model(), "no such words").empty());
}
