// Floors on a processor: bytes and products by hand, the limiting one, and contenders that are not available.
#include "core/predict/processor.h"

#include <cmath>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const Processor kEight{.name = "Some CPU",
                       .threads = 8,
                       .read_gb_per_s = 100,
                       .fp32_tflops = 1,
                       .bf16_tflops = 2,
                       .cache_bytes = std::int64_t(64) << 20};

Prediction of(const std::string& id, const AttentionCall& call, const Processor& on = kEight) {
  for (const Prediction& each : predict_on(on, call))
    if (each.method->id == id) return each;
  FAIL("no row of " << id);
  return {};
}

}  // namespace

TEST_CASE("floors on a processor are bytes over its reading and FLOPs over its multiply-adds", "[unit]") {
  const AttentionCall call{.n = 8192, .d = 64, .heads = 2, .dtype = DType::Fp32};
  const Prediction tiled = of("cpu_tiled", call), naive = of("cpu_naive", call);
  const double tensors = 4.0 * 8192 * 64 * 2 * 4, trips = 4.0 * 8192 * 8192 * 2 * 4;
  CHECK(tiled.dram_bytes == tensors);
  CHECK(tiled.hbm_bytes == tensors);
  CHECK(naive.dram_bytes == tensors + trips);  // a head's scores are 256 MiB, more than the cache
  CHECK(naive.extra_bytes == 8192.0 * 8192 * 4);
  CHECK(tiled.floor_bytes_ms == Approx(tensors / 1e8));
  CHECK(naive.floor_bytes_ms == Approx((tensors + trips) / 1e8));
  CHECK(tiled.floor_flops_ms == Approx(call.flops() / 1e9));
  CHECK(naive.floor_flops_ms == tiled.floor_flops_ms);
  CHECK(tiled.binds() == Roof::Products);
  CHECK(naive.binds() == Roof::Products);
  Processor slow = kEight;
  slow.read_gb_per_s = 10;
  CHECK(of("cpu_naive", call, slow).binds() == Roof::Bytes);
  CHECK(of("cpu_naive", call, slow).roofline_ms() == of("cpu_naive", call, slow).floor_bytes_ms);
  CHECK_FALSE(tiled.predicted_ms);
  CHECK_FALSE(tiled.pencil_ms);
  CHECK(tiled.floor_exp_ms == 0);
}

TEST_CASE("scores that fit in the last-level cache cause no memory traffic", "[unit]") {
  // a head's scores are 64 MiB, which just fit
  const AttentionCall fits{.n = 4096, .d = 64, .heads = 8, .dtype = DType::Fp32};
  CHECK(of("cpu_naive", fits).dram_bytes == of("cpu_tiled", fits).dram_bytes);
  CHECK(of("cpu_naive", fits).hbm_bytes > 100 * of("cpu_tiled", fits).hbm_bytes / 4);
  AttentionCall larger = fits;
  larger.n = 4097;
  CHECK(of("cpu_naive", larger).dram_bytes == of("cpu_naive", larger).hbm_bytes);
  Processor unknown = kEight;
  unknown.cache_bytes = 0;
  CHECK(of("cpu_naive", fits, unknown).dram_bytes == of("cpu_naive", fits, unknown).hbm_bytes);
}

TEST_CASE("bf16 halves the bytes of the tensors, scores stay fp32, and the rate is that of its unit", "[unit]") {
  AttentionCall call{.n = 8192, .d = 64, .heads = 2, .dtype = DType::Fp32};
  const Prediction wide = of("cpu_tiled", call), wide_naive = of("cpu_naive", call);
  call.dtype = DType::Bf16;
  CHECK(of("cpu_tiled", call).dram_bytes == wide.dram_bytes / 2);
  CHECK(of("cpu_naive", call).dram_bytes == wide_naive.dram_bytes - wide.dram_bytes / 2);
  CHECK(of("cpu_tiled", call).floor_flops_ms == Approx(wide.floor_flops_ms / 2));
  Processor no_dots = kEight;
  no_dots.bf16_tflops = 0;
  CHECK(of("cpu_tiled", call, no_dots).floor_flops_ms == Approx(wide.floor_flops_ms));
}

TEST_CASE("a mask halves the products, and shared K and V are read once", "[unit]") {
  AttentionCall call{.n = 1024, .d = 64, .heads = 8, .kv_heads = 2, .dtype = DType::Fp32};
  CHECK(of("cpu_tiled", call).dram_bytes == 2.0 * 1024 * 64 * 4 * (8 + 2));
  const double whole = of("cpu_tiled", call).floor_flops_ms;
  call.causal = true;
  CHECK(of("cpu_tiled", call).floor_flops_ms == Approx(whole / 2));
}

TEST_CASE("contenders of a GPU are not available on a processor, and say why", "[unit]") {
  const std::vector<Prediction> rows = predict_on(kEight, {.n = 1024, .dtype = DType::Fp32});
  REQUIRE(rows.size() == attention_methods().size() + 2);
  CHECK(rows[0].method->id == std::string("cpu_naive"));
  CHECK(rows[1].method->id == std::string("cpu_tiled"));
  for (std::size_t i = 2; i < rows.size(); ++i) {
    CAPTURE(rows[i].method->id);
    CHECK_FALSE(rows[i].there);
    CHECK(rows[i].note.find("GPU") != std::string::npos);
    CHECK_FALSE(rows[i].predicted_ms);
  }
  CHECK_FALSE(of("cpu_tiled", {.n = 64, .dtype = DType::Fp16}).there);
  CHECK(of("cpu_tiled", {.n = 64, .dtype = DType::Fp16}).note.find("fp16") != std::string::npos);
  CHECK_FALSE(of("cpu_naive", {.n = 64, .d = 257, .dtype = DType::Fp32}).there);
}

TEST_CASE("a processor without a rate, a thread or a name is refused", "[unit]") {
  CHECK(why_no_processor(kEight).empty());
  const auto refused = [](auto change) {
    Processor p = kEight;
    change(p);
    return why_no_processor(p).size() == 1;
  };
  CHECK(refused([](Processor& p) { p.name = ""; }));
  CHECK(refused([](Processor& p) { p.name = "a\x1b[1m"; }));
  CHECK(refused([](Processor& p) { p.threads = 0; }));
  CHECK(refused([](Processor& p) { p.threads = 5000; }));
  CHECK(refused([](Processor& p) { p.read_gb_per_s = 0; }));
  CHECK(refused([](Processor& p) { p.read_gb_per_s = 1e300; }));
  CHECK(refused([](Processor& p) { p.fp32_tflops = std::nan(""); }));
  CHECK(refused([](Processor& p) { p.bf16_tflops = -1; }));
  CHECK(refused([](Processor& p) { p.cache_bytes = -1; }));
  Processor plain = kEight;
  plain.bf16_tflops = 0;
  CHECK(why_no_processor(plain).empty());
  CHECK(kEight.title() == "Some CPU, 8 threads");
}
