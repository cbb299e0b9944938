// Why the pencil method and the model differ, on calls where each reason holds.
#include "view/words/paper_reason.h"

#include "core/problem/device_model.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Prediction predicted(Contender who, const AttentionCall& call) {
  return predict(method_of(who), call, device_of("h200"));
}

bool says(const std::string& text, const char* part) {
  CAPTURE(text, part);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("where paper and model agree nothing is told", "[unit]") {
  const AttentionCall full{.n = 8192, .d = 64, .heads = 32, .batch = 4};
  for (const Contender who : {Contender::Naive, Contender::FlashV2, Contender::FlashV3})
    CHECK(paper_reason(predicted(who, full)).empty());
}

TEST_CASE("one wave under a causal mask is told, with the number of its thread blocks", "[unit]") {
  const AttentionCall wave{.n = 1024, .d = 128, .heads = 32, .batch = 1, .causal = true};
  const std::string why = paper_reason(predicted(Contender::FlashV2, wave));
  CHECK(says(why, "256 thread blocks are one wave"));
  CHECK(paper_reason(predicted(Contender::Eager, wave)).empty());  // eager has no pencil method
}

TEST_CASE("a launch, an idle GPU and rows that are read three times are told", "[unit]") {
  CHECK(says(paper_reason(predicted(Contender::FlashV2, {.n = 512, .d = 64, .heads = 8, .batch = 1})), "launch"));
  const AttentionCall nearly{.n = 2048, .d = 128, .heads = 8, .batch = 1, .causal = true};  // 128 of 132 SMs are busy
  CHECK_FALSE(says(paper_reason(predicted(Contender::FlashV2, nearly)), "SMs busy"));
  const AttentionCall half{.n = 1024, .d = 128, .heads = 16, .batch = 1, .causal = true};
  CHECK(says(paper_reason(predicted(Contender::FlashV2, half)), "128 of 264 places"));
  CHECK(says(paper_reason(predicted(Contender::FlashV3, nearly)), "hardly halved"));
  CHECK(says(paper_reason(predicted(Contender::FlashV3, {.n = 1024, .d = 128, .heads = 12, .batch = 1})), "SMs busy"));
  CHECK(says(paper_reason(predicted(Contender::Naive, {.n = 32768, .d = 64, .heads = 4, .batch = 1})), "three times"));
}

TEST_CASE("each method that differs has its sentence, with both times", "[unit]") {
  const AttentionCall wave{.n = 2048, .d = 128, .heads = 16, .batch = 1, .causal = true};
  std::vector<PredictionRow> rows;
  for (const Contender who : {Contender::Eager, Contender::Naive, Contender::FlashV2})
    rows.push_back({.predicted = predicted(who, wave)});
  const std::vector<std::string> told = paper_sentences(rows, true);
  REQUIRE_FALSE(told.empty());
  CHECK(says(told.back(), " on paper, "));
  CHECK_FALSE(says(told.back(), "paper says"));  // one figure of a method is on paper
  CHECK(says(told.back(), " predicted: "));
  CHECK(says(told.back(), "The rule for short calls (lesson 15) gives"));
}

TEST_CASE("a small call whose work is longer than its launch is not told by its launch", "[unit]") {
  const AttentionCall small{.n = 1024, .d = 64, .heads = 12, .batch = 4, .causal = true};
  const std::string why = paper_reason(predicted(Contender::FlashV3, small));
  CHECK_FALSE(says(why, "launch"));
  CHECK(says(why, "Counted in waves it takes 2, and its line 1.5"));
}

TEST_CASE("long rows are not called short, and a rule that counts whole tiles says so", "[unit]") {
  const std::string wide = paper_reason(predicted(Contender::FlashV2, {.n = 131072, .d = 256, .heads = 4}));
  CHECK(says(wide, "at d = 256, in tiles of 64×64, it does not reach the rates"));
  CHECK_FALSE(says(wide, "short"));
  const AttentionCall divided{.n = 3000, .d = 128, .heads = 8, .kv_heads = 2, .batch = 1, .causal = true};
  const std::string parts = paper_reason(predicted(Contender::FlashV2, divided));
  CHECK(says(parts, "its 448 thread blocks"));
  CHECK(says(parts, "The rule counts 192 whole tiles: in waves they take 1, and their line 0.36"));
}
