// The model of time: what must hold whatever its constants are.
#include "core/predict/predict.h"

#include <cmath>

#include "core/chip/visit_pace.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Prediction at(const char* method, const AttentionCall& call, const DeviceModel& device) {
  return predict(*method_named(method), call, device);
}

const DeviceModel& card(const char* name) { return device_of(name); }

const char* const kModelled[] = {"eager", "naive", "flash_v1", "flash_v2", "flash_v3", "flash_v2_backward"};

}  // namespace

TEST_CASE("on paper the H200's five numbers give what lesson 14 teaches", "[unit]") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const double heads = 64, n2 = 8192.0 * 8192, sms = 132, clock = 1.755e9, flops = 811e12, bytes = 4.275e12;
  CHECK(*at("naive", call, card("h200")).paper_ms == Approx(8 * n2 * heads / bytes * 1e3));
  CHECK(*at("flash_v2", call, card("h200")).paper_ms ==
        Approx((4 * n2 * 64 * heads / (0.62 * flops) + n2 * heads / (16 * sms * clock)) * 1e3));
  CHECK(*at("flash_v3", call, card("h200")).paper_ms ==
        Approx(std::max(4 * n2 * 64 * heads / flops, n2 * heads * (1.0 / 16 + 5.0 / 128) / (sms * clock)) * 1e3));
  AttentionCall causal = call;
  causal.causal = true;
  CHECK(*at("flash_v2", causal, card("h200")).paper_ms == Approx(*at("flash_v2", call, card("h200")).paper_ms / 2));
  CHECK(*at("naive", causal, card("h200")).paper_ms == Approx(*at("naive", call, card("h200")).paper_ms));
}

TEST_CASE("more bandwidth, more products and fewer keys are never slower", "[unit]") {
  for (const char* method : kModelled)
    for (const bool causal : {false, true})
      for (const std::int64_t d : {64, 96, 128}) {
        double before = 0;
        for (const std::int64_t n : {512, 1024, 4096, 8192, 32768}) {
          const AttentionCall call{.n = n, .d = d, .heads = 4, .causal = causal};
          const Prediction plain = at(method, call, card("h200"));
          const Prediction wider = at(method, call, own_card(card("h200"), 9000, std::nullopt));
          const Prediction faster = at(method, call, own_card(card("h200"), std::nullopt, 1800));
          INFO(method << " n " << n << " d " << d);
          REQUIRE(plain.there);
          CHECK(*wider.predicted_ms <= *plain.predicted_ms * 1.000001);
          CHECK(*faster.predicted_ms <= *plain.predicted_ms * 1.000001);
          CHECK((plain.by_processor ? *plain.predicted_ms >= before : *plain.predicted_ms > before));
          before = *plain.predicted_ms;
        }
      }
}

TEST_CASE("little work takes as long as the processor's launches, and says so", "[unit]") {
  const Prediction few = at("eager", {.n = 256, .d = 64, .heads = 1}, card("h200"));
  const Prediction fewer = at("eager", {.n = 128, .d = 64, .heads = 1}, card("h200"));
  CHECK(few.by_processor);
  CHECK(few.note.find("processor") != std::string::npos);
  CHECK(*few.predicted_ms == Approx(*fewer.predicted_ms));
  CHECK(*few.predicted_ms == Approx(4e3 * few.method->launch_s));
  const Prediction many = at("eager", {.n = 4096, .d = 64, .heads = 32}, card("h200"));
  CHECK_FALSE(many.by_processor);
  CHECK(many.note.empty());
}

TEST_CASE("what stays in L2 between two operations does not reach DRAM", "[unit]") {
  for (const char* method : {"eager", "naive"}) {
    const Prediction small = at(method, {.n = 1024, .d = 64, .heads = 1}, card("h200"));
    CHECK(small.dram_bytes < 0.2 * small.hbm_bytes);
    const Prediction large = at(method, {.n = 8192, .d = 64, .heads = 16}, card("h200"));
    CHECK(large.dram_bytes == Approx(large.hbm_bytes).epsilon(0.01));
  }
}

TEST_CASE("what the model says is never below the roofline of the bytes that it counts", "[unit]") {
  for (const char* method : kModelled)
    for (const std::int64_t n : {256, 2048, 16384}) {
      const Prediction p = at(method, {.n = n, .d = 128, .heads = 16, .causal = true}, card("h200"));
      INFO(method << " n " << n);
      REQUIRE(p.there);
      CHECK(*p.predicted_ms >= 0.999 * p.floor_bytes_ms);
      CHECK(p.dram_bytes <= p.hbm_bytes);
      CHECK(p.intensity() == Approx(p.flops / p.dram_bytes));
    }
}

TEST_CASE("a tiled method's bytes are its schedule's closed formula", "[unit]") {
  const AttentionCall call{.n = 2048, .d = 64, .heads = 8, .batch = 2, .causal = true};
  for (const char* id : {"flash_v1", "flash_v2", "flash_v3"}) {
    const AttentionMethod& method = *method_named(id);
    const Prediction p = predict(method, call, card("h200"));
    const Cost whole = schedule_row(*method.schedule).formulas.whole_run(walked_by(method, call, card("h200")));
    const Traffic traffic = whole.hbm_total();
    INFO(id);
    CHECK(p.hbm_bytes == double(traffic.read_bytes + traffic.write_bytes));
  }
}

TEST_CASE("naive and eager count a trip for each matrix of scores", "[unit]") {
  const AttentionCall call{.n = 4096, .d = 64, .heads = 16};
  const double matrix = 4096.0 * 4096 * 16 * 2, io = 4 * 4096.0 * 64 * 16 * 2;
  CHECK(at("naive", call, card("h200")).hbm_bytes == 4 * matrix + io);
  CHECK(at("eager", call, card("h200")).hbm_bytes == 6 * matrix + io);
  AttentionCall causal = call;
  causal.causal = true;
  CHECK(at("eager", causal, card("h200")).hbm_bytes == 10 * matrix + matrix / 2 + io);
  CHECK(at("eager", causal, card("h200")).operations.size() == 5);
}

TEST_CASE("a pair that does not exist has a note and no figures", "[unit]") {
  const AttentionCall call{.n = 4096, .d = 64, .heads = 16};
  const auto note = [&](const char* method, const AttentionCall& c, const char* device) {
    const Prediction p = at(method, c, card(device));
    CHECK_FALSE(p.there);
    CHECK_FALSE(p.predicted_ms.has_value());
    CHECK_FALSE(p.paper_ms.has_value());
    return p.note;
  };
  CHECK(note("flash_v3", call, "a100").find("wgmma") != std::string::npos);
  CHECK(note("flash_v3", call, "b200").find("wgmma") != std::string::npos);
  CHECK(note("naive", call, "t4").find("bf16") != std::string::npos);
  CHECK(note("naive", {.n = 131072, .d = 64, .heads = 32}, "h200").find("do not fit") != std::string::npos);
  AttentionCall half = call;
  half.dtype = DType::Fp16;
  CHECK(note("flash_v2", half, "t4").find("Ampere") != std::string::npos);
  CHECK(at("naive", half, card("t4")).there);
}

TEST_CASE("published maxima of the A100 and the H100 come out within a quarter", "[unit]") {
  // FA2 section 4.1 (230 TFLOP/s on an A100, 335 of FA-2 on an H100), FA3 section 4 (740 on an H100, d 128).
  const auto best = [](const char* method, const char* device, std::int64_t d) {
    double most = 0;
    for (const std::int64_t n : {2048, 4096, 8192, 16384})
      for (const bool causal : {false, true}) {
        const AttentionCall call{.n = n, .d = d, .heads = 2048 / d, .batch = 16384 / n, .causal = causal};
        const Prediction p = at(method, call, card(device));
        most = std::max(most, p.flops / *p.predicted_ms / 1e9);
      }
    return most;
  };
  CHECK(best("flash_v2", "a100", 128) == Approx(230).epsilon(0.25));
  CHECK(best("flash_v2", "h100", 128) == Approx(335).epsilon(0.25));
  CHECK(best("flash_v3", "h100", 128) == Approx(740).epsilon(0.25));
}

TEST_CASE("FA-2 takes its products and then its exponentials, FA-3 the longer of both", "[unit]") {
  Problem p;
  p.schedule = ScheduleKind::FlashV2;
  p.numerics.dtype = DType::Bf16;
  p.shape.n_q = p.shape.n_kv = 8192;
  p.shape.d = 128;
  p.tiling.br = 128, p.tiling.bc = 64;
  p.machine.device = "h200";
  const DeviceModel& h200 = card("h200");
  const VisitPace two(p, h200);
  const double rate = 811e12 / (132 * 1.755e9);
  CHECK(two.products() == Approx(4.0 * 128 * 64 * 128 / (0.62 * rate)));
  CHECK(two.softmax() == Approx(128 * 64 / 16.0));
  CHECK(two.visit(2) == Approx(2 * (two.products() + two.softmax())));
  CHECK(two.visit(1) > two.visit(2) / 2);  // a lone warp waits for itself
  p.schedule = ScheduleKind::FlashV3;
  const VisitPace three(p, h200);
  CHECK(three.products() == Approx(4.0 * 128 * 64 * 128 / rate));
  CHECK(three.softmax() == Approx(128 * 64 * (1 / 16.0 + 5 / 128.0)));
  CHECK(three.visit(1) == Approx(std::max(three.products(), three.softmax())));
}

TEST_CASE("calls out of range are refused by name", "[unit]") {
  const auto field = [](const AttentionCall& call) {
    const Issues issues = why_no_call(call);
    return issues.empty() ? std::string() : issues.front().field;
  };
  CHECK(field({.n = 0}) == "n");
  CHECK(field({.n = 1024, .d = 0}) == "d");
  CHECK(field({.n = 1024, .heads = 8, .kv_heads = 3}) == "kv-heads");
  CHECK(field({.n = 1 << 24, .d = 65536, .heads = 1 << 24, .batch = 1 << 24}) == "n");
  CHECK(field({.n = 1024, .heads = 8, .kv_heads = 2}).empty());
}
