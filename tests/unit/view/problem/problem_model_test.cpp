#include "view/problem/problem_model.h"

#include <algorithm>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"

using namespace tilewalk;
using tilewalk::test::picture;

TEST_CASE("an issue is under its field, and nothing can be applied") {
  const Problem p = picture();
  Draft draft = draft_of(p);
  draft["d"] = "0";
  const auto result = problem_of(draft);
  REQUIRE_FALSE(result.ok());
  const ProblemModel m = build_problem_model(draft, result.issues(), *make_schedule(p), Inputs(p), {});
  CHECK_FALSE(m.can_apply);
  int fields = 0;
  for (const FieldsOfGroup& group : m.groups)
    for (const ProblemField& field : group.fields) {
      CHECK(field.issues.empty() == (std::string(field.field->name) != "d"));
      CHECK(field.changed == (std::string(field.field->name) == "d"));
      CHECK(field.field->group == group.group);
      ++fields;
    }
  CHECK(fields > 10);
  CHECK(m.other_issues.empty());
}

TEST_CASE("every issue is shown somewhere, also one without a field") {
  const Problem p = picture();
  const Issues issues = {{"n-q x n-kv x heads x batch", "", "too much", ""}, {"elsewhere", "", "is wrong", ""}};
  const ProblemModel m = build_problem_model(draft_of(p), issues, *make_schedule(p), Inputs(p), {});
  CHECK(m.other_issues == std::vector<std::string>{"elsewhere: is wrong"});
}

TEST_CASE("a valid draft says what applying it would give") {
  const Problem p = picture();
  const ProblemModel m = build_problem_model(draft_of(p), {}, *make_schedule(p), Inputs(p), {});
  CHECK(m.can_apply);
  CHECK(m.summary == "Tile visits 10 · steps 92 · HBM 1.81 KiB");
  CHECK(m.fit == "352 B of 1.00 KiB on chip");
  CHECK(m.fits);
  CHECK_FALSE(m.changed);
  Draft draft = draft_of(p);
  draft["mask"] = "none";
  const ProblemModel whole = build_problem_model(draft, {}, *make_schedule(p), Inputs(p), {});
  CHECK(whole.changed);
  CHECK(whole.summary == "Tile visits 10 → 16 · steps 92 → 140 · HBM 1.81 KiB → 2.56 KiB");
}

TEST_CASE("the values of a tiny problem can be edited; for a larger one a message says why not") {
  Problem p = picture();
  const std::vector<InputEdit> edits = {{TensorId::K, 0, 0, 2, 1, 9.0f}};
  const ProblemModel m = build_problem_model(draft_of(p), {}, *make_schedule(p), Inputs(p, {}, edits), {});
  REQUIRE(m.values.size() == 3);
  CHECK(m.values[1].values[2 * 4 + 1] == 9.0f);
  CHECK(m.values[1].edited[2 * 4 + 1]);
  p.shape.n_q = 1000;
  const ProblemModel large = build_problem_model(draft_of(p), {}, *make_schedule(p), Inputs(p), {});
  CHECK(large.values.empty());
  CHECK_FALSE(large.values_note.empty());
}

TEST_CASE("a backward pass has dO among the values that can be edited") {
  Problem p = picture(ScheduleKind::Backward);
  p.machine.sram_bytes = 1 << 16;
  const std::vector<InputEdit> edits = {{TensorId::dO, 0, 0, 2, 1, 9.0f}};
  const ProblemModel m = build_problem_model(draft_of(p), {}, *make_schedule(p), Inputs(p, {}, edits), {});
  REQUIRE(m.values.size() == 4);
  CHECK(m.values[3].tensor == "dO");
  CHECK(m.values[3].values[2 * 4 + 1] == 9.0f);
  CHECK(m.values[3].edited[2 * 4 + 1]);
  CHECK(m.tiles.empty());  // released backward kernels are not listed
}

TEST_CASE("tile sizes of released kernels are offered by head size, mask and device, and the chosen one is marked") {
  Problem p = picture();
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = 128;
  p.numerics.dtype = DType::Fp16;
  p.tiling.br = 128, p.tiling.bc = 64;
  p.machine.sram_bytes = 232448;
  const auto of = [](const Problem& problem) {
    return build_problem_model(draft_of(problem), {}, *make_schedule(problem), Inputs(problem), {}).tiles;
  };
  const auto tiles = of(p);
  REQUIRE(tiles.size() == 2);
  CHECK(tiles[0].label == "FA-2's kernel 128×64");
  CHECK(tiles[0].chosen);
  CHECK(tiles[1].label == "FA-3's kernel 128×128");
  CHECK_FALSE(tiles[1].chosen);
  CHECK(tiles[1].tip.find("hopper/tile_size.h") != std::string::npos);
  p.machine.device = "a100";
  p.machine.sram_bytes = 65536;
  CHECK(of(p).size() == 1);
  p.numerics.dtype = DType::Fp32;
  CHECK(of(p)[0].tip.find("released kernels have no fp32") != std::string::npos);
  Draft broken = draft_of(p);
  broken["d"] = "many";
  CHECK(build_problem_model(broken, {}, *make_schedule(p), Inputs(p), {}).tiles.size() == 1);
}

TEST_CASE("tiles that do not fit show by how much, during typing") {
  const Problem p = picture();
  Draft draft = draft_of(p);
  draft["br"] = draft["bc"] = "16";
  const auto result = problem_of(draft);
  REQUIRE_FALSE(result.ok());
  const ProblemModel m = build_problem_model(draft, result.issues(), *make_schedule(p), Inputs(p), {});
  CHECK_FALSE(m.fits);
  CHECK(m.fit.find("needs 2.") == 0);
  CHECK(m.fit.find(" on chip: ") != std::string::npos);
  CHECK(m.fit.ends_with(" too much"));
}

TEST_CASE("only fields that the typed schedule uses are shown, with plain names") {
  const Problem p = picture();
  const auto names = [&](const char* schedule) {
    Draft draft = draft_of(p);
    draft["schedule"] = schedule;
    std::vector<std::string> out;
    for (const FieldsOfGroup& group : build_problem_model(draft, {}, *make_schedule(p), Inputs(p), {}).groups)
      for (const ProblemField& field : group.fields) out.push_back(field.field->name);
    return out;
  };
  const auto has = [](const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  for (const char* own : {"stages", "ping-pong", "overlap", "specialised"}) {
    CHECK_FALSE(has(names("flash_v2"), own));
    CHECK(has(names("flash_v3"), own));
  }
  CHECK(has(names("split_kv"), "splits"));
  CHECK_FALSE(has(names("flash_v3"), "splits"));
  CHECK(has(names("flash_v4"), "threshold"));
  for (const Field& field : fields()) {
    INFO(field.name);
    CHECK(has(names("flash_v2"), field.name) == field.matters(ScheduleKind::FlashV2));
  }
  const ProblemModel m = build_problem_model(draft_of(p), {}, *make_schedule(p), Inputs(p), {});
  const ProblemField& schedule = m.groups.front().fields.front();
  REQUIRE(schedule.choices.size() == all_schedules().size());
  for (std::size_t i = 0; i < all_schedules().size(); ++i)
    CHECK(schedule.choices[i].label == title_of(all_schedules()[i]));
}

TEST_CASE("masks are pictures, and a window has two numbers of its own") {
  const Problem p = picture();
  Draft draft = draft_of(p);
  MaskEditor mask = mask_editor(draft);
  REQUIRE(mask.choices.size() == 5);
  CHECK_FALSE(mask.windowed);
  CHECK(mask.choices[1].chosen);
  CHECK(mask.choices[1].picture.at(0, 0) == TileClass::Full);
  CHECK(mask.choices[1].picture.at(0, 1) == TileClass::Skipped);
  CHECK(mask.choices[2].picture.at(0, 2) == TileClass::Full);  // bottom right: the last query sees the last key
  for (const MaskChoice& choice : mask.choices) CHECK(mask_from(choice.text));
  draft["mask"] = "window:3:x";
  mask = mask_editor(draft);
  CHECK(mask.windowed);
  CHECK(mask.left == "3");
  CHECK(mask.right == "x");
  CHECK(mask.with("3", "1") == "window:3:1");
  CHECK(mask.choices[3].chosen);
  CHECK(mask.choices[3].text == "window:3:x");
  CHECK(mask.choices[4].text == "window-bottom-right:3:x");
}
