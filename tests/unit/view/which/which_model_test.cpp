// The page of which attention runs as plain values: cards, fields at fault, and what is said.
#include "view/which/which_model.h"

#include "measured/recorded_race.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

WhichModel model_of(const CallWords& words) {
  static const std::vector<RuleTable> tables = *load_rule_tables(TILEWALK_SOURCE_DIR);
  const Result<Call> call = call_from(words);
  REQUIRE(call.ok());
  const Result<const RuleTable*> table = table_for(tables, call->torch);
  REQUIRE(table.ok());
  return build_which_model(*call, **table);
}

const WhichField& field_of(const WhichModel& m, const std::string& name) {
  for (const WhichField& field : m.fields)
    if (field.name == name) return field;
  FAIL("no field " << name);
  return m.fields.front();
}

}  // namespace

TEST_CASE("cards stand in PyTorch's order and say how each backend ended") {
  const WhichModel m = model_of({{"attn-mask", "float-grad"}, {"training", "on"}});
  REQUIRE(m.cards.size() == 4);
  CHECK(m.cards[0].title == "cuDNN");
  CHECK(m.cards[0].verdict == WhichVerdict::Refused);
  CHECK(m.cards[1].verdict == WhichVerdict::Refused);
  CHECK(m.cards[2].verdict == WhichVerdict::Runs);
  CHECK(m.cards[3].verdict == WhichVerdict::NotReached);
  CHECK(m.headline == "EFFICIENT_ATTENTION");
  CHECK(m.cards[0].hint == "Let through by: attn_mask.requires_grad_(False)");
  CHECK(field_of(m, "attn-mask").at_fault);
  CHECK_FALSE(field_of(m, "dtype").at_fault);
  CHECK(field_of(m, "mask-dims").matters);
  CHECK(field_of(m, "kv-heads").by_itself);
  CHECK(field_of(m, "kv-heads").text == "12");
}

TEST_CASE("a card in brief says what was asked, once, and how much was not") {
  const WhichModel m = model_of({{"attn-mask", "bool"}});
  const WhichCard& flash = m.cards[1];
  REQUIRE(flash.brief.size() == 3);
  CHECK(flash.brief[0].says == "not switched off, on the GPU, four dimensions");
  CHECK(flash.brief[1].mark == WhichMark::Refused);
  CHECK(flash.brief[2].says == "9 more checks, not reached");
  for (const WhichCard& card : m.cards) {
    std::size_t unreached = 0;
    for (const WhichCheck& check : card.checks) unreached += check.mark == WhichMark::NotReached;
    CHECK((card.brief.back().mark == WhichMark::NotReached) == (unreached > 0));
  }
}

TEST_CASE("where nothing runs PyTorch's own words stand there") {
  const WhichModel m = model_of({{"dtype", "fp64"}, {"attn-mask", "bool"}, {"is-causal", "on"}});
  CHECK_FALSE(m.runs);
  CHECK(m.headline == "Nothing runs");
  CHECK(m.so.find("Explicit attn_mask should not be set when is_causal=True") != std::string::npos);
  CHECK_FALSE(m.walk);
  CHECK(m.cards[3].verdict == WhichVerdict::Raises);
  CHECK(field_of(m, "is-causal").at_fault == false);  // no check refused it: what was chosen raised
}

TEST_CASE("the fastest has no advice, and the walk has the call's sizes") {
  const WhichModel m = model_of({});
  CHECK(m.advice.empty());
  CHECK_FALSE(m.no_advice.empty());
  REQUIRE(m.walk);
  CHECK(m.walk->schedule == ScheduleKind::FlashV3);
  CHECK(m.walk->shape.n_q == 1024);
  CHECK(m.generation == "FA-3");
  CHECK(model_of({{"via", "hf:flash_attention_2"}}).cards.size() == 1);
  CHECK(model_of({{"on", "cpu"}}).cards.size() == 2);
}

TEST_CASE("an order that does not count, or does not hold at first, is said") {
  CHECK(model_of({{"enabled", "math,flash"}}).notes.size() == 1);
  CHECK(model_of({{"enabled", "math,flash"}, {"set-priority", "on"}}).notes.front().find("first call") !=
        std::string::npos);
  CHECK(model_of({{"enabled", "math"}}).notes.empty());
  CHECK(model_of({{"enabled", "math"}, {"set-priority", "on"}, {"device", "a100"}}).notes.empty());
  CHECK(model_of({{"enabled", "math"}, {"set-priority", "on"}, {"on", "cpu"}}).notes.front() ==
        "On a CPU set_priority changes nothing.");
}

TEST_CASE("what PyTorch's backends took on an H200 is told for calls of that kind alone") {
  const Result<Race> race = load_shipped_race(TILEWALK_SOURCE_DIR);
  REQUIRE(race.ok());
  const auto told = [&](const CallWords& words) { return recorded_times(*call_from(words), &*race); };
  const std::string plain = told({{"n-q", "10000"}});
  CHECK(plain.find("at N 8,192, d 64, no mask") != std::string::npos);
  for (const char* backend : {"cuDNN ", "FLASH ", "EFFICIENT "}) CHECK(plain.find(backend) != std::string::npos);
  CHECK(told({{"n-q", "100"}}).find("N 1,024") != std::string::npos);  // the shortest there is
  CHECK(told({{"d", "80"}, {"is-causal", "on"}}).find("d 128, causal") != std::string::npos);
  CHECK(told({{"device", "a100"}}).empty());
  CHECK(told({{"dtype", "fp32"}}).empty());
  CHECK(told({{"on", "cpu"}}).empty());
  CHECK(recorded_times(Call{}, nullptr).empty());
}

TEST_CASE("what it costs is asked of the model where that knows the card") {
  CHECK(model_of({{"n-q", "4096"}, {"is-causal", "on"}, {"kv-heads", "4"}, {"enable-gqa", "on"}}).cost_line ==
        "tilewalk predict --device h200 --n 4096 --d 64 --heads 12 --batch 1 --mask causal --dtype bf16 --kv-heads 4");
  CHECK(model_of({{"on", "cpu"}}).cost_line.empty());
  CHECK(model_of({{"device", "sm_86"}}).cost_line.empty());
  CHECK(model_of({{"n-q", "1"}, {"n-kv", "64"}}).cost_line.empty());
}

TEST_CASE("what it costs opens the roofline at this very call") {
  const WhichModel m = model_of({{"device", "a100"},
                                 {"n-q", "3000"},
                                 {"d", "80"},
                                 {"batch", "3"},
                                 {"is-causal", "on"},
                                 {"dtype", "fp16"},
                                 {"kv-heads", "4"},
                                 {"enable-gqa", "on"},
                                 {"training", "on"}});
  REQUIRE(m.cost);
  CHECK(*m.cost == ChooseRoofline{.device = "a100",
                                  .n = 3000,
                                  .d = 80,
                                  .heads = 12,
                                  .kv_heads = 4,
                                  .batch = 3,
                                  .causal = true,
                                  .dtype = DType::Fp16});
  CHECK(m.cost_note == "Not in that cost: the backward pass.");
  CHECK_FALSE(model_of({{"on", "cpu"}}).cost);
  CHECK_FALSE(model_of({{"d-v", "32"}}).cost);
  CHECK_FALSE(model_of({{"n-q", "16000000"}, {"batch", "64"}}).cost);
}
