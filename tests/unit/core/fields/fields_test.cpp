#include "core/fields/fields.h"

#include <set>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

// A problem in which every field differs from Problem{}.
Problem unusual() {
  Problem p;
  p.schedule = ScheduleKind::FlashV4;
  p.shape = {.batch = 2, .heads = 6, .kv_heads = 3, .n_q = 20, .n_kv = 24, .d = 8, .mask = {MaskKind::Window, 3, 1}};
  p.numerics = {.dtype = DType::Bf16,
                .narrow_scores = true,
                .base = Base::Two,
                .scale = 0.123456789,
                .seed = ~std::uint64_t(0),
                .distribution = Distribution::Integers};
  p.tiling = {.br = 5, .bc = 7, .order = KvOrder::Reverse, .splits = 3, .rescale_threshold = 2.5, .stages = 6};
  p.machine = {.device = "a100", .sram_bytes = 1 << 20};
  p.lanes = {.warp_specialised = false, .ping_pong = false, .overlap = false, .exp2_share = 0.1};
  p.fault = Fault::TileMax;
  return p;
}

Changes after(const char* name, const char* text, ScheduleKind kind = ScheduleKind::FlashV2) {
  Problem before, now;
  before.schedule = now.schedule = kind;
  REQUIRE(find_field(name)->set(now, text).ok());
  return changes_between(before, now);
}

}  // namespace

TEST_CASE("every field is formatted and parsed back, and together they are the problem") {
  const Problem wanted = unusual();
  Problem p;
  for (const Field& field : fields()) {
    CAPTURE(field.name);
    CHECK_FALSE(field.same(p, wanted));
    CHECK(field.text(p) != field.text(wanted));
    REQUIRE(field.set(p, " " + field.text(wanted) + " ").ok());
    CHECK(field.same(p, wanted));
  }
  CHECK(p == wanted);
}

TEST_CASE("each name and each key belongs to one field, and both orders have all of them") {
  std::set<std::string> names, keys;
  for (const Field& field : fields()) {
    CHECK(names.insert(field.name).second);
    CHECK((*field.key == '\0' || keys.insert(field.key).second));
    CHECK(find_field(field.name) == &field);
    CHECK(field.choices.size() != 1);
  }
  std::set<std::string> edited;
  for (const Field* field : editor_fields()) edited.insert(field->name);
  CHECK(edited == names);
  CHECK(find_field("nothing") == nullptr);
}

TEST_CASE("a text that cannot be parsed leaves the problem unchanged and names field, value, rule and what to do") {
  for (const Field& field : fields()) {
    if (field.name == std::string("device")) continue;  // any word; validate() knows the table of devices
    CAPTURE(field.name);
    Problem p;
    const Result<Done> read = field.set(p, "many");
    REQUIRE_FALSE(read.ok());
    CHECK(p == Problem{});
    const Issue& issue = read.issues().front();
    CHECK(issue.field == field.name);
    CHECK(issue.value == "many");
    CHECK_FALSE(issue.rule.empty());
    CHECK_FALSE(issue.suggestion.empty());
  }
}

TEST_CASE("the changes of a field are reported, where its schedule uses it") {
  CHECK(after("n-q", "32") == Changes{true, true, true, true});
  CHECK(after("seed", "8") == Changes{.values = true});
  CHECK(after("fault", "tile-max") == Changes{.values = true});
  CHECK(after("device", "a100") == Changes{.bytes = true, .time = true});
  CHECK(after("sram", "4096") == Changes{.steps = true, .bytes = true, .time = true});
  for (const char* lane : {"specialised", "ping-pong", "overlap"}) {
    CHECK(after(lane, "off", ScheduleKind::FlashV3) == Changes{.time = true});
    CHECK(after(lane, "off") == Changes{});
  }
  CHECK(after("exp2-share", "0", ScheduleKind::FlashV4) == Changes{.time = true});
  CHECK(after("narrow-scores", "on", ScheduleKind::Standard) == Changes{.values = true, .bytes = true, .time = true});
  CHECK(after("narrow-scores", "on") == Changes{});
  CHECK(after("stages", "2", ScheduleKind::FlashV3) == Changes{.bytes = true, .time = true});
  CHECK(after("threshold", "0", ScheduleKind::FlashV4).values);
  CHECK(after("threshold", "0") == Changes{});
  CHECK(changes_between(unusual(), unusual()) == Changes{});
}

TEST_CASE("the default scale given explicitly changes nothing") {
  CHECK(after("scale", "0.5") == Changes{});  // 1/sqrt(4)
  CHECK(after("scale", "0.25") == Changes{.values = true});
}

TEST_CASE("a range is a field's own") {
  Problem p;
  p.shape.d = 257;
  CHECK_FALSE(find_field("d")->in_range(p));
  p.shape.d = 256;
  CHECK(find_field("d")->in_range(p));
  p.lanes.exp2_share = 1.5;
  CHECK_FALSE(find_field("exp2-share")->in_range(p));
  CHECK(find_field("mask")->in_range(p));
}
