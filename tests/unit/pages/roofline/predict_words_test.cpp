#include "view/words/predict_words.h"

#include "core/schedules/registry.h"
#include "pages/roofline/roof_words.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

std::string basis(const char* method, const AttentionCall& call, const char* device) {
  return basis_text(predict(*method_named(method), call, device_of(device)), device_of(device));
}

}  // namespace

TEST_CASE("rows for a GPU that nothing ran on here say so", "[unit]") {
  const AttentionCall call{.n = 4096, .d = 64, .heads = 16};
  for (const char* method :
       {"eager", "naive", "flash_v1", "flash_v2", "flash_v3", "flash_v2_backward", "flash_v3_backward"}) {
    INFO(method);
    CHECK(basis(method, call, "h200").empty());
    CHECK(basis(method, call, "h100").empty());
    if (predict(*method_named(method), call, device_of("a100")).there)
      CHECK(basis(method, call, "a100").find("sm_80") != std::string::npos);
  }
  CHECK(basis("flash_v2", call, "rtx4090").find("never run on GeForce RTX 4090 (sm_89)") != std::string::npos);
}

TEST_CASE("where launches may set the time, the row says so", "[unit]") {
  CHECK(basis("eager", {.n = 256, .d = 64, .heads = 1}, "h200").find("processor") != std::string::npos);
  CHECK(basis("eager", {.n = 4096, .d = 64, .heads = 32}, "h200").empty());
}

TEST_CASE("where there are no figures, the row says why", "[unit]") {
  CHECK(basis("flash_v3", {.n = 4096, .d = 64, .heads = 16}, "a100").find("wgmma") != std::string::npos);
}

TEST_CASE("where launches may set the time, the card's prediction has no error beside the processor's time", "[unit]") {
  const AttentionCall tiny{.n = 1024, .d = 64, .heads = 2, .batch = 1},
      large{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const auto row_of = [](const AttentionCall& call) {
    return PredictionRow{.predicted = predict(method_of(Contender::Naive), call, device_of("h200")), .recorded_ms = 30};
  };
  CHECK(error_cell(row_of(tiny)) == "–");
  CHECK(error_cell(row_of(large)) != "–");
  CHECK(launches_sentence({row_of(tiny)}).find("it has no error here") != std::string::npos);
}

TEST_CASE("a launch limits a kernel only where it takes longer than the card does", "[unit]") {
  const auto sentence = [](const AttentionCall& call) {
    return roof_sentence({.predicted = predict(method_of(Contender::FlashV2), call, device_of("h200"))},
                         device_of("h200"));
  };
  CHECK(sentence({.n = 1024, .d = 64, .heads = 2, .batch = 1}).starts_with("No roof limits FA-2: launching it takes"));
  const AttentionCall decode{.n = 1, .d = 128, .heads = 32, .kv_heads = 4, .batch = 8, .n_kv = 8192};
  CHECK(sentence(decode).starts_with("The limit of FA-2 is the bytes"));
}
