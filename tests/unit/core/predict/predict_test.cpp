// The model of time: properties that do not depend on its constants.
#include "core/predict/predict.h"

#include <cmath>

#include "core/chip/visit_pace.h"
#include "core/predict/published.h"
#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

Prediction at(const char* method, const AttentionCall& call, const DeviceModel& device) {
  return predict(*method_named(method), call, device);
}

const DeviceModel& card(const char* name) { return device_of(name); }

const char* const kModelled[] = {
    "eager", "naive", "flash_v1", "flash_v2", "flash_v3", "flash_v2_backward", "flash_v3_backward"};

}  // namespace

TEST_CASE("the pencil method with the H200's five numbers gives the results of lesson 14", "[unit]") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 32, .batch = 2};
  const double heads = 64, n2 = 8192.0 * 8192, sms = 132, clock = 1.755e9, flops = 811e12, bytes = 4.275e12;
  CHECK(*at("naive", call, card("h200")).pencil_ms == Approx(8 * n2 * heads / bytes * 1e3));
  CHECK(*at("flash_v2", call, card("h200")).pencil_ms ==
        Approx((4 * n2 * 64 * heads / (0.62 * flops) + n2 * heads / (16 * sms * clock)) * 1e3));
  CHECK(*at("flash_v3", call, card("h200")).pencil_ms ==
        Approx(std::max(4 * n2 * 64 * heads / flops, n2 * heads * (1.0 / 16 + 5.0 / 128) / (sms * clock)) * 1e3));
  AttentionCall causal = call;
  causal.causal = true;
  CHECK(*at("flash_v2", causal, card("h200")).pencil_ms == Approx(*at("flash_v2", call, card("h200")).pencil_ms / 2));
  CHECK(*at("naive", causal, card("h200")).pencil_ms == Approx(*at("naive", call, card("h200")).pencil_ms));
}

TEST_CASE("no method takes less time on paper than its products need, on cards with few FLOPs a byte too", "[unit]") {
  for (const char* device : {"h20", "a100", "h200"})
    for (const std::int64_t d : {64, 128, 256}) {
      INFO(device << ", d " << d);
      const AttentionCall call{.n = 8192, .d = d, .heads = 32};
      const double products = call.flops() / ceilings_of(card(device), d).flop_per_s * 1e3;
      for (const char* method : {"naive", "flash_v2"})
        CHECK(*at(method, call, card(device)).pencil_ms >= products * 0.999999);
    }
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
          CHECK(*plain.predicted_ms > before);
          before = *plain.predicted_ms;
        }
      }
}

TEST_CASE("little work is marked: launching it may take the processor longer than the card works", "[unit]") {
  const Prediction few = at("eager", {.n = 256, .d = 64, .heads = 1}, card("h200"));
  const Prediction fewer = at("eager", {.n = 128, .d = 64, .heads = 1}, card("h200"));
  CHECK(few.by_processor);
  CHECK(few.processor_ms == fewer.processor_ms);
  CHECK(few.processor_ms == Approx(4e3 * few.method->launch_s));
  CHECK(*few.predicted_ms > *fewer.predicted_ms);
  CHECK(*few.predicted_ms < few.processor_ms);
  const Prediction many = at("eager", {.n = 4096, .d = 64, .heads = 32}, card("h200"));
  CHECK_FALSE(many.by_processor);
}

TEST_CASE("data that stays in L2 between two operations does not reach DRAM", "[unit]") {
  for (const char* method : {"eager", "naive"}) {
    const Prediction small = at(method, {.n = 1024, .d = 64, .heads = 1}, card("h200"));
    CHECK(small.dram_bytes < 0.2 * small.hbm_bytes);
    const Prediction large = at(method, {.n = 8192, .d = 64, .heads = 16}, card("h200"));
    CHECK(large.dram_bytes == Approx(large.hbm_bytes).epsilon(0.01));
  }
}

TEST_CASE("the modelled time is never below the roofline of the counted bytes", "[unit]") {
  for (const char* method : kModelled)
    for (const std::int64_t n : {256, 2048, 16384}) {
      const Prediction p = at(method, {.n = n, .d = 128, .heads = 16, .causal = true}, card("h200"));
      INFO(method << " n " << n);
      REQUIRE(p.there);
      CHECK(*p.predicted_ms >= p.floor_bytes_ms);
      CHECK(p.dram_bytes <= p.hbm_bytes);
      CHECK(p.intensity() == Approx(p.flops / p.dram_bytes));
    }
}

TEST_CASE("no card is predicted below its own roofs, one head or many, in any type", "[unit]") {
  for (const DeviceModel& device : device_models())
    for (const char* method : kModelled)
      for (const DType dtype : {DType::Bf16, DType::Fp16, DType::Fp32})
        for (const auto& [n, d, heads] : {std::tuple{16384, 72, 1}, std::tuple{4096, 64, 32}, std::tuple{8191, 128, 4}})
          for (const bool causal : {false, true}) {
            const Prediction p = at(method, {.n = n, .d = d, .heads = heads, .causal = causal, .dtype = dtype}, device);
            if (!p.there) continue;
            INFO(device.name << ", " << method << ", n " << n << ", " << name_of(dtype) << (causal ? ", causal" : ""));
            CHECK(*p.predicted_ms >= p.roofline_ms());
          }
}

TEST_CASE("a card with a typed rate of products is not predicted below it, backward too", "[unit]") {
  const DeviceModel own = own_card(card("h200"), 900, 120);
  for (const char* method : kModelled) {
    const Prediction p = at(method, {.n = 4096, .d = 64, .heads = 32, .dtype = DType::Fp16}, own);
    INFO(method);
    CHECK(*p.predicted_ms >= p.roofline_ms());
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

TEST_CASE("naive and eager count a transfer for each matrix of scores", "[unit]") {
  const AttentionCall call{.n = 4096, .d = 64, .heads = 16};
  const double matrix = 4096.0 * 4096 * 16 * 2, io = 4 * 4096.0 * 64 * 16 * 2;
  CHECK(at("naive", call, card("h200")).hbm_bytes == 4 * matrix + io);
  CHECK(at("eager", call, card("h200")).hbm_bytes == 6 * matrix + io);
  AttentionCall causal = call;
  causal.causal = true;
  CHECK(at("eager", causal, card("h200")).hbm_bytes == 10 * matrix + matrix / 2 + io);
  CHECK(at("eager", causal, card("h200")).operations.size() == 5);
}

TEST_CASE("naive asks for S three times where a row of its softmax is not in registers", "[unit]") {
  const auto matrices = [](std::int64_t n, bool causal) {
    const AttentionCall call{.n = n, .d = 64, .heads = 8, .causal = causal};
    const Prediction p = at("naive", call, card("h200"));
    const double element = call.element_bytes();
    return (p.hbm_bytes - call.in_and_out() * element) / (call.scores() * element);
  };
  CHECK(matrices(16384, false) == Approx(4));
  CHECK(matrices(20000, false) == Approx(6));
  CHECK(matrices(20000, true) == Approx(4.5).epsilon(0.001));  // three reads of the visible half
  CHECK(matrices(4097, false) == Approx(6));                   // rows that do not begin at 16 bytes
}

TEST_CASE("no time of tiles, predicted or on paper, is below that of its products at the roof", "[unit]") {
  for (const char* device : {"h200", "h100", "h20", "a100"})
    for (const std::int64_t d : {64, 128, 160, 192, 256})
      for (const std::int64_t n : {512, 4096, 16384, 20000, 65536})
        for (const bool causal : {false, true})
          for (const AttentionMethod& method : attention_methods()) {
            const Prediction p = predict(method, {.n = n, .d = d, .heads = 8, .causal = causal}, card(device));
            if (!p.predicted_ms) continue;
            CAPTURE(device, d, n, causal, method.id);
            CHECK(*p.predicted_ms >= p.floor_flops_ms);
            if (p.pencil_ms && method.tiled()) CHECK(*p.pencil_ms >= p.floor_flops_ms);
          }
}

TEST_CASE("a method that cannot run on a card has a note and no figures", "[unit]") {
  const AttentionCall call{.n = 4096, .d = 64, .heads = 16};
  const auto note = [&](const char* method, const AttentionCall& c, const char* device) {
    const Prediction p = at(method, c, card(device));
    CHECK_FALSE(p.there);
    CHECK_FALSE(p.predicted_ms.has_value());
    CHECK_FALSE(p.pencil_ms.has_value());
    return p.note;
  };
  CHECK(note("flash_v3", call, "a100").find("wgmma") != std::string::npos);
  CHECK(note("flash_v3", call, "b200").find("wgmma") != std::string::npos);
  CHECK(note("naive", call, "t4").find("bf16") != std::string::npos);
  CHECK(note("naive", {.n = 131072, .d = 64, .heads = 32}, "h200").find("do not fit") != std::string::npos);
  AttentionCall half = call;
  half.dtype = DType::Fp16;
  CHECK(note("flash_v2", half, "t4").find("Ampere") != std::string::npos);
  CHECK(note("naive", half, "t4").find("Ampere") != std::string::npos);  // its softmax needs them too
  CHECK(at("eager", half, card("t4")).there);
}

TEST_CASE("a kernel that cannot run has no time, and its note names the limit", "[unit]") {
  const auto note = [](const char* method, std::int64_t d, const char* device) {
    const Prediction p = at(method, {.n = 4096, .d = d, .heads = 8}, card(device));
    CHECK(p.there == p.predicted_ms.has_value());
    return p.there ? std::string() : p.note;
  };
  CHECK(note("flash_v2_backward", 256, "rtx4090")
            .find("needs 214016 bytes of shared memory, and GeForce RTX 4090 gives one "
                  "101376") != std::string::npos);
  CHECK(note("flash_v2", 256, "rtx4090").empty());  // tiles of 64 rows above d = 128
  for (const char* device : {"rtx3090", "rtx4090", "l4"})
    for (const std::int64_t d : {64, 128, 256})
      CHECK(note("flash_v2_backward", d, device).find("shared memory") != std::string::npos);
  CHECK(note("flash_v2_backward", 256, "a100").find("shared memory") != std::string::npos);
  CHECK(note("flash_v2_backward", 128, "a100").empty());
  CHECK(note("flash_v1", 128, "rtx3090").find("shared memory") != std::string::npos);
  CHECK(note("flash_v2", 256, "a100").empty());
  for (const std::int64_t d : {64, 128, 256})
    for (const char* method : {"flash_v1", "flash_v2", "flash_v3", "flash_v2_backward"})
      CHECK(note(method, d, "h200").empty());
  CHECK(note("flash_v3_backward", 128, "h200").empty());
  CHECK(note("flash_v3_backward", 64, "a100").find("wgmma") != std::string::npos);
}

TEST_CASE("FA-3's backward pass is faster than FA-2's, and both need 2.5 times the FLOPs of a forward pass", "[unit]") {
  for (const std::int64_t d : {64, 80, 128})
    for (const bool causal : {false, true}) {
      const AttentionCall call{.n = 4096, .d = d, .heads = 16, .causal = causal};
      const Prediction v2 = at("flash_v2_backward", call, card("h100")),
                       v3 = at("flash_v3_backward", call, card("h100"));
      CHECK(*v3.predicted_ms < *v2.predicted_ms);
      CHECK(v3.flops == 2.5 * at("flash_v3", call, card("h100")).flops);
      CHECK(v3.flops == v2.flops);
    }
}

TEST_CASE("ceilings tell where their rates come from", "[unit]") {
  const Ceilings typed = ceilings_of(own_card(card("h200"), 2000, std::nullopt));
  CHECK(typed.source.find("bandwidth as typed, and a measured large product") != std::string::npos);
  CHECK(ceilings_of(card("a100")).source.find("a product rate that others measured") != std::string::npos);
}

TEST_CASE("an H200's loss to the power limit is not assumed for unmeasured cards", "[unit]") {
  for (const char* device : {"v100", "rtx3090", "rtx4090", "l4"})
    CHECK(card(device).reached_flop_per_s() == card(device).matrix16_tflops * 1e12);
  CHECK(card("a100").reached_flop_per_s() == 271e12);
  // Published for FA-2: 151 to 173 TFLOP/s at d 64 on an RTX 4090 (ROCm/flash-attention issue 27), 50 to 56 at d 128 on
  // what is likely an RTX 3090 (Dao-AILab/flash-attention issue 416).
  const auto rate = [](const char* device, std::int64_t d) {
    const Prediction p = at("flash_v2", {.n = 8192, .d = d, .heads = 2048 / d, .batch = 2}, card(device));
    return p.flops / *p.predicted_ms / 1e9;
  };
  CHECK(rate("rtx4090", 64) == Approx(162).epsilon(0.15));
  CHECK(rate("rtx3090", 128) == Approx(53).epsilon(0.25));
}

TEST_CASE("odd row alignment slows the products down, and padding restores the speed", "[unit]") {
  const DeviceModel& h200 = card("h200");
  for (const char* method : {"naive", "eager"})
    for (const bool causal : {false, true}) {
      const auto ms = [&](std::int64_t n) {
        return *at(method, {.n = n, .d = 128, .heads = 32, .causal = causal}, h200).predicted_ms;
      };
      INFO(method << (causal ? ", causal" : ""));
      // At every 2 bytes, 4 bytes, 16 bytes. Of eager's lines only the products depend on it.
      CHECK(ms(4097) > (method == std::string("naive") ? 1.2 : 1.05) * ms(4098));
      CHECK(ms(4098) > 1.1 * ms(4104));
      const Prediction odd = at(method, {.n = 4097, .d = 128, .heads = 32, .causal = causal}, h200);
      const auto longer = padded(odd, h200);
      REQUIRE(longer);
      CHECK(longer->call.n == 4104);
      CHECK(*longer->predicted_ms == ms(4104));
      CHECK_FALSE(padded(*longer, h200));
    }
  CHECK_FALSE(padded(at("flash_v2", {.n = 4097, .d = 128, .heads = 32}, h200), h200));
  const auto of_flash = [&](std::int64_t n) {
    return *at("flash_v2", {.n = n, .d = 128, .heads = 32}, h200).predicted_ms;
  };
  CHECK(of_flash(4097) < 1.05 * of_flash(4104));
}

TEST_CASE("the product floor uses the method's own instruction", "[unit]") {
  const AttentionCall call{.n = 16384, .d = 64, .heads = 32};
  const Prediction two = at("flash_v2", call, card("b200"));
  CHECK(two.products_ms == Approx(two.flops / (0.31 * 1745e12) * 1e3));
  CHECK(two.floor_exp_ms > two.floor_flops_ms);  // at the card's best instruction the exponentials would be the limit
  CHECK(two.binds() == Roof::Products);
  CHECK(at("flash_v3", call, card("h200")).products_ms == at("flash_v3", call, card("h200")).floor_flops_ms);
}

TEST_CASE("a prediction says how thread blocks fill the card", "[unit]") {
  const Prediction few = at("flash_v2", {.n = 512, .d = 80, .heads = 20}, card("h200"));
  REQUIRE(few.filling);
  CHECK((few.filling->blocks == 80 && few.filling->busy_sms == 80 && few.filling->sms == 132));
  CHECK(few.filling->lone_warps);
  const Prediction many = at("flash_v2", {.n = 4096, .d = 80, .heads = 64}, card("h200"));
  CHECK((many.filling->busy_sms == 132 && !many.filling->lone_warps));
  CHECK_FALSE(at("naive", {.n = 4096, .d = 80, .heads = 2}, card("h200")).filling);
}

TEST_CASE("a call that does not fit says what is too large: the scores, or Q, K, V and O themselves", "[unit]") {
  CHECK(at("naive", {.n = 131072, .d = 64, .heads = 32}, card("h200")).note.find("Its scores do not fit") == 0);
  const Prediction all = at("flash_v2", {.n = 131072, .d = 64, .heads = 64, .batch = 64}, card("a100"));
  CHECK_FALSE(all.there);
  CHECK(all.note.find("Q, K, V and O do not fit: they take 256 GiB of the 80.0 GiB that A100 80 GB SXM has by "
                      "its data sheet") == 0);
  // What the card reports, 150.1e9 bytes, decides, not the data sheet's 141 GiB, which are 151.4e9.
  CHECK(at("naive", {.n = 16384, .d = 64, .heads = 270}, card("h200")).there);        // 147e9 with S in bf16
  CHECK_FALSE(at("naive", {.n = 16384, .d = 64, .heads = 276}, card("h200")).there);  // 150.5e9
  const std::string note = at("naive", {.n = 16384, .d = 64, .heads = 290}, card("h200")).note;
  CHECK(note.find("147 GiB of the 140 GiB that H200 reports (data sheet: 141 GB)") != std::string::npos);
}

TEST_CASE("fp32 has its own roof, which tensor cores do not raise", "[unit]") {
  const Prediction p = at("eager", {.n = 4096, .d = 64, .heads = 32, .dtype = DType::Fp32}, card("h200"));
  CHECK(p.floor_flops_ms == Approx(p.flops / 67e12 * 1e3));
  CHECK_FALSE(at("naive", {.n = 4096, .d = 64, .heads = 32, .dtype = DType::Fp32}, card("h200")).there);
}

TEST_CASE("where query heads share K and V, eager repeats them first, as its product needs", "[unit]") {
  const Prediction p = at("eager", {.n = 4096, .d = 64, .heads = 32, .kv_heads = 8}, card("h200"));
  REQUIRE(p.operations.size() == 6);
  CHECK(p.operations[0].line == "k = k.repeat_interleave(group, 1)");
  CHECK(p.operations[0].bytes == 4096.0 * 64 * 2 * (32 + 8));
  const Prediction plain = at("eager", {.n = 4096, .d = 64, .heads = 32}, card("h200"));
  CHECK(*p.predicted_ms == Approx(*plain.predicted_ms + 2e3 * (p.operations[0].seconds + kNextLaunch)));
  CHECK(p.extra_bytes == plain.extra_bytes + 2 * 4096.0 * 64 * 32 * 2);
  CHECK(at("naive", {.n = 4096, .d = 64, .heads = 32, .kv_heads = 8}, card("h200")).hbm_bytes <
        at("naive", {.n = 4096, .d = 64, .heads = 32}, card("h200")).hbm_bytes);
}

TEST_CASE("published maxima of the A100 and the H100 are predicted within a quarter", "[unit]") {
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

TEST_CASE("FA-2's time is products plus exponentials, FA-3's the longer of the two", "[unit]") {
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
  CHECK(two.visit(1) > two.visit(2) / 2);  // a single warp waits for itself
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

TEST_CASE("published rates of released kernels are given for calls like theirs, and for no others") {
  const auto rate = [](const char* device, const AttentionCall& call, std::string_view method) {
    for (const PublishedTime& time : published_times(call, *device_named(device)))
      if (method == time.rate->method) return std::optional(time);
    return std::optional<PublishedTime>();
  };
  const AttentionCall on_a100{.n = 16384, .d = 64, .heads = 32, .batch = 1, .dtype = DType::Fp16};
  const auto one = rate("a100", on_a100, "FA-1 as released"), two = rate("a100", on_a100, "FA-2 as released");
  REQUIRE((one && two));
  CHECK(one->rate->least_tflops == 78);
  CHECK(one->rate->most_tflops == 125);
  CHECK(std::abs(on_a100.flops() / (one->most_ms * 1e-3) / 78e12 - 1) < 1e-9);
  CHECK(two->rate->most_tflops / one->rate->most_tflops > 1.5);
  const AttentionCall on_b200{.n = 8192, .d = 128, .heads = 32, .batch = 1};
  const auto four = rate("b200", on_b200, "FA-4 as released");
  REQUIRE(four);
  CHECK(four->rate->most_tflops == 1535);
  CHECK(rate("b200", on_b200, "cuDNN"));
  AttentionCall causal = on_b200, short_rows = on_a100, wide = on_a100;
  causal.causal = true, short_rows.n = 128, wide.dtype = DType::Fp32;
  CHECK_FALSE(rate("b200", causal, "FA-4 as released"));
  CHECK_FALSE(rate("a100", short_rows, "FA-1 as released"));
  CHECK(published_times(wide, *device_named("a100")).empty());
  for (const char* other : {"l4", "a30", "h100", "gb200"})
    CHECK(published_times(on_b200, *device_named(other)).empty());
}
