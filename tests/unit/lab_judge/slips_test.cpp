#include "lab/judge/slips.h"

#include <set>

#include "base/random.h"
#include "tests/support/catch.h"
#include "tests/unit/lab_judge/tiled_kernel.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

JudgeReport check_named(const Problem& p, const TiledKernel& kernel, const std::string& name) {
  const JudgeReport report = judged(p, kernel);
  CAPTURE(kernel.mistake);
  INFO(sentence_of(p, report));
  CHECK(!report.passed);
  REQUIRE(report.first_wrong);
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == name);
  return report;
}

}  // namespace

TEST_CASE("each mistake is found and named", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8);
  for (const char* name : {"no-rescale-l",
                           "no-rescale-o",
                           "no-rescale",
                           "inverse-rescale-o",
                           "inverse-rescale-l",
                           "inverse-rescale",
                           "rescale-after-add",
                           "rescale-l-after-add",
                           "rescale-o-after-add",
                           "overwrites-l",
                           "overwrites-o",
                           "overwrites",
                           "old-l-twice",
                           "old-o-twice",
                           "m-l-exchanged",
                           "divided-each-visit",
                           "m-not-updated",
                           "old-max",
                           "no-max",
                           "no-scale",
                           "scale-twice",
                           "exp2-for-exp",
                           "exp2-for-exp-in-alpha",
                           "log2e-too-much",
                           "tile-not-added",
                           "tile-added-twice",
                           "first-tile-again",
                           "first-v-again",
                           "previous-k",
                           "previous-v",
                           "fp16-o",
                           "bf16-o",
                           "tf32-products",
                           "tf32-scores",
                           "tf32-pv",
                           "bf16-p"})
    check_named(p, {.mistake = name}, name);
}

TEST_CASE("a tile that is visited again is named", "[unit]") {
  const Problem p = lab_problem(8, 24, 16, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  // Of 24 keys the last tile is read twice: the state of a kernel for 32 keys whose last tile repeats the third.
  Problem longer = p;
  longer.shape.n_kv = 32;
  ExposingInputs repeated = in;
  for (std::vector<float>* x : {&repeated.k, &repeated.v}) {
    x->resize(24 * 16);
    x->insert(x->end(), x->begin() + 16 * 16, x->begin() + 24 * 16);
  }
  TiledKernel::Result run = TiledKernel{}.run(longer, repeated);
  REQUIRE(run.visits.size() == 4);
  run.visits[3].kv_tile = 2, run.visits[3].first_key = 16;
  const JudgeReport report = judged(p, in, run);
  CHECK(report.visits_wrong == 1);
  REQUIRE(report.first_wrong);
  CHECK(report.first_wrong->visit == 3);
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->name == "tile-added-again");
}

TEST_CASE("mistakes of units are named in base 2 too", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8);
  for (const char* name : {"exp-for-exp2", "log2e-missing", "scale-log2-missing", "no-rescale-l", "no-rescale-o",
                           "exp-for-exp2-in-alpha", "m-l-exchanged", "scale-twice", "no-scale", "bf16-o"})
    check_named(p, {.mistake = name, .base = Base::Two}, name);
}

TEST_CASE("parts that FA-1 adds without their weights are named", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8);
  check_named(p, {.mistake = "added-unweighted", .kv_outside = true}, "added-unweighted");
}

TEST_CASE("mistakes of the mask are named", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8, MaskKind::Causal);
  for (const char* name : {"mask-one-more", "mask-one-less", "mask-other-corner", "no-mask"})
    check_named(p, {.mistake = name}, name);
  for (const char* name : {"nan-mask", "finite-mask"}) check_named(p, {.mistake = name, .reverse = true}, name);
}

TEST_CASE("mistakes at ragged edges are named", "[unit]") {
  Problem p = lab_problem(21, 37, 16, 8, 8);
  check_named(p, {.mistake = "ragged-zeros"}, "ragged-zeros");
  p.shape.batch = 2;
  check_named(p, {.mistake = "ragged-memory"}, "ragged-memory");
}

TEST_CASE("a wrong KV head is named", "[unit]") {
  Problem p = lab_problem(21, 37, 16, 8, 8);
  p.shape.heads = 4, p.shape.kv_heads = 2;
  const JudgeReport report = check_named(p, {.mistake = "other-kv-head"}, "other-kv-head");
  CHECK(report.first_wrong->head == 1);
}

TEST_CASE("mistakes of the last division and of L are named", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8);
  for (const char* name :
       {"no-final-division", "divided-twice", "lse-is-m", "lse-log2-of-l", "lse-base-2", "bf16-output"}) {
    const JudgeReport report = check_named(p, {.mistake = name}, name);
    CHECK(report.first_wrong->at_end);
    CHECK(report.visits_wrong == 0);
  }
}

TEST_CASE("the sentence says since which visit", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8);
  const JudgeReport report = judged(p, {.mistake = "no-rescale-o"});
  REQUIRE(report.diagnosis);
  CHECK(report.diagnosis->sentence == "o was not multiplied by α since visit 2.");
}

// Small scores and a lone tolerance at the end let these pass elsewhere: α is near 1.
TEST_CASE("no rescaling is found at tiles of 16, 32 and 64 even where scores are small", "[unit]") {
  for (const std::int64_t tile : {16, 32, 64})
    for (const char* name : {"no-rescale-l", "no-rescale-o", "no-rescale"}) {
      const Problem p = lab_problem(2 * tile, 3 * tile, 32, tile, tile);
      ExposingInputs in = exposing_inputs(p, tile);
      const auto normal = [](std::uint64_t stream, std::size_t i) {
        return float(0.1 * normal_quantile(uniform_from_bits(random_bits(1, stream, i))));
      };
      for (std::size_t i = 0; i < in.q.size(); ++i) in.q[i] = normal(1, i);
      for (std::size_t i = 0; i < in.k.size(); ++i) in.k[i] = normal(2, i);
      const JudgeReport report = judged(p, in, TiledKernel{.mistake = name}.run(p, in));
      CAPTURE(tile, name);
      INFO(sentence_of(p, report));
      CHECK(!report.passed);
      REQUIRE(report.diagnosis);
      CHECK(report.diagnosis->name == name);
    }
}

TEST_CASE("each slip has a name and a place for the visit in its sentence", "[unit]") {
  for (const Slip& slip : all_slips()) {
    CAPTURE(slip.name);
    CHECK(std::string(slip.sentence).find("{}") != std::string::npos);
    CHECK(std::string(slip.name).find(' ') == std::string::npos);
  }
}

// One mistake must not look like two.
TEST_CASE("a single mistake has no second one beside it", "[unit]") {
  const Problem p = lab_problem(24, 40, 16, 8, 8), causal = lab_problem(24, 40, 16, 8, 8, MaskKind::Causal);
  for (const char* name : {"no-rescale-l",
                           "no-rescale-o",
                           "no-rescale",
                           "inverse-rescale-o",
                           "rescale-after-add",
                           "overwrites-l",
                           "overwrites-o",
                           "old-l-twice",
                           "old-o-twice",
                           "exp2-for-exp-in-alpha",
                           "divided-each-visit",
                           "m-not-updated",
                           "old-max",
                           "no-scale",
                           "scale-twice",
                           "exp2-for-exp",
                           "tile-not-added",
                           "tile-added-twice",
                           "first-v-again",
                           "previous-k",
                           "bf16-o",
                           "tf32-products"}) {
    const JudgeReport report = check_named(p, {.mistake = name}, name);
    CHECK_FALSE(report.second);
  }
  for (const char* name : {"mask-one-more", "mask-one-less", "no-mask"}) {
    const JudgeReport report = check_named(causal, {.mistake = name}, name);
    CHECK_FALSE(report.second);
  }
}

TEST_CASE("of two mistakes at once both are named", "[unit]") {
  struct Pair {
    const char *first, *second;
    MaskKind mask;
    bool at_end;
  };
  for (const Pair& pair : {Pair{"inverse-rescale-l", "no-rescale-o", MaskKind::None, false},  // in one visit
                           Pair{"no-scale", "no-rescale-o", MaskKind::None, false},           // the second shows later
                           Pair{"mask-one-more", "no-rescale-l", MaskKind::Causal, false},    // beside the first
                           Pair{"no-rescale-o", "no-final-division", MaskKind::None, true}}) {  // at the end
    const Problem p = lab_problem(24, 40, 16, 8, 8, pair.mask);
    const JudgeReport report = judged(p, TiledKernel{.mistake = pair.first, .also = pair.second});
    CAPTURE(pair.first, pair.second);
    INFO(sentence_of(p, report));
    CHECK(!report.passed);
    REQUIRE(report.diagnosis);
    REQUIRE(report.second);
    CHECK(std::set<std::string>{report.diagnosis->name, report.second->name} ==
          std::set<std::string>{pair.first, pair.second});
    CHECK(report.second->sentence.starts_with("A second mistake"));
    CHECK((report.second->sentence.find("at the end") != std::string::npos) == pair.at_end);
    CHECK(sentence_of(p, report).find(report.second->sentence) != std::string::npos);
  }
}

TEST_CASE("a second mistake without a name is said to remain", "[unit]") {
  const Problem p = lab_problem(8, 40, 16, 8, 8);
  const ExposingInputs in = exposing_inputs(p, 8);
  TiledKernel::Result run = TiledKernel{.mistake = "no-rescale-o"}.run(p, in);
  REQUIRE(run.visits.size() == 5);
  for (float& each : run.visits[3].o) each += 1;
  const JudgeReport report = judged(p, in, run);
  REQUIRE(report.second);
  INFO(report.second->sentence);
  CHECK(report.diagnosis->name == "no-rescale-o");
  CHECK(report.second->name.empty());
  CHECK(report.second->sentence.find("visit 4") != std::string::npos);
}
