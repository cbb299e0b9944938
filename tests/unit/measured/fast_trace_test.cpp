// The recorded states of the fast kernels, compared visit by visit with a running softmax in float64. No GPU.
#include "measured/fast_trace.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::load_safetensors;
using test::reader_of;

namespace {

FastTrace loaded(const std::string& path) {
  Result<FastTrace> trace = load_fast_trace(path);
  INFO((trace ? std::string() : text_of(trace.issues())));
  REQUIRE(trace.ok());
  return std::move(*trace);
}

// Visits of all heads: a group of rows visits the KV tiles up to the last key that its last row sees.
std::int64_t visits_of(const FastTrace& t) {
  std::int64_t visits = 0;
  for (std::int64_t first = 0; first < t.n_q; first += t.rows) {
    const std::int64_t last = std::min(first + t.rows, t.n_q) - 1;
    const std::int64_t shift = t.mask.kind == MaskKind::CausalBottomRight ? t.n_kv - t.n_q : 0;
    const std::int64_t seen = std::clamp<std::int64_t>(last + 1 + shift, 0, t.n_kv);
    const std::int64_t keys = t.mask.kind == MaskKind::None ? t.n_kv : seen;
    visits += (keys + t.keys - 1) / t.keys;
  }
  return t.heads * visits;
}

std::vector<std::string> shipped_traces() {
  return fast_trace_paths(std::string(TILEWALK_SOURCE_DIR) + "/assets/fast_traces");
}

// Keys are one-hot, so the test sets the scores; V counts columns.
FastTrace by_hand() {
  FastTrace t;
  t.kernel = "flash_v2";
  t.heads = 1, t.n_q = 1, t.n_kv = 4, t.d = 4, t.keys = 2, t.rows = 1;
  t.scale = 1 / 1.44269504;  // scores are log2 units
  t.q = {1, 2, 3, 4};
  t.k = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  t.v = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  // Scores 1 2 | 3 4, the later tile first: m = 4; then 2^-1 + 1, then 2^-3 + 2^-2 more.
  t.m = {4, 4};
  t.l = {1.875f, 1.5f};
  t.o = {0.125f, 0.25f, 0.5f, 1, 0, 0, 0.5f, 1};
  return t;
}

}  // namespace

TEST_CASE("a hand-computed state is within the rule, and each error in it is found at its place") {
  const FastTraceReport good = check_fast_trace(by_hand());
  REQUIRE(good.verdict == Verdict::WithinRule);
  CHECK(good.visits == 2);
  CHECK(good.values == 12);
  CHECK(good.largest_share == Approx(0).margin(1e-6));

  const auto slip = [](auto change, std::int64_t tile, const std::string& quantity) {
    FastTrace t = by_hand();
    change(t);
    const FastTraceReport r = check_fast_trace(t);
    REQUIRE(r.verdict == Verdict::Diverged);
    REQUIRE(r.first);
    CHECK(r.first->kv_tile == tile);
    CHECK(r.first->quantity == quantity);
    CHECK(sentence_of(r).find("KV tile " + std::to_string(tile)) != std::string::npos);
  };
  slip([](FastTrace& t) { t.l[0] *= 1.001f; }, 0, "log-sum-exp");
  slip([](FastTrace& t) { t.l[1] *= 1.001f; }, 1, "log-sum-exp");
  slip([](FastTrace& t) { t.o[3] += 0.05f; }, 0, "O");
  // m lags by 9 log2 units, with consistent l and O: more than a kernel allows.
  slip([](FastTrace& t) { t.m[1] = -5, t.l[1] *= 512, t.o[6] *= 512, t.o[7] *= 512; }, 1, "m");
  slip([](FastTrace& t) { t.m[1] = 5, t.l[1] /= 2, t.o[6] /= 2, t.o[7] /= 2; }, 1, "m");
}

TEST_CASE("m may lag behind the running max by less than 2^8") {
  FastTrace t = by_hand();
  t.m[1] = -3, t.l[1] *= 128, t.o[6] *= 128, t.o[7] *= 128;
  REQUIRE(check_fast_trace(t).verdict == Verdict::WithinRule);
}

TEST_CASE("a visit that was not written, or not finite, fails") {
  FastTrace t = by_hand();
  t.o[1] = std::nanf("");
  const FastTraceReport r = check_fast_trace(t);
  REQUIRE(r.verdict == Verdict::NotFinite);
  CHECK(r.first->kv_tile == 0);
  t = by_hand();
  t.l[1] = 0;
  CHECK(check_fast_trace(t).verdict == Verdict::NotFinite);
}

TEST_CASE("every recorded state of a fast kernel is within the rule at each tile visit") {
  std::set<std::string> kernels;
  std::set<std::int64_t> head_sizes;
  for (const std::string& path : shipped_traces()) {
    INFO(path);
    const FastTrace t = loaded(path);
    kernels.insert(t.kernel);
    CHECK(t.gpu.find("H200") != std::string::npos);
    const FastTraceReport r = check_fast_trace(t);
    INFO(sentence_of(r));
    REQUIRE(r.verdict == Verdict::WithinRule);
    CHECK(r.visits == visits_of(t));
    head_sizes.insert(t.d);
    CHECK(r.largest_share > 0);  // there are roundings: the comparison is not with itself
    CHECK(r.largest_share < 1);
  }
  CHECK(kernels == std::set<std::string>{"flash_v1", "flash_v2", "flash_v3"});
  CHECK(head_sizes == std::set<std::int64_t>{64, 128, 256});
}

TEST_CASE("one damaged value of a recorded state is found at its visit") {
  for (const std::string& path : shipped_traces()) {
    INFO(path);
    const FastTrace good = loaded(path);
    const std::int64_t row = good.n_q - 1, tile = good.mask.kind == MaskKind::None ? 1 : 0;  // the last row sees all
    const std::size_t at = std::size_t(((good.heads - 1) * good.tiles() + tile) * good.n_q + row);
    for (int what = 0; what < 3; ++what) {
      FastTrace t = good;
      if (what == 0) t.m[at] += 0.25f;
      if (what == 1) t.l[at] *= 1.01f;
      if (what == 2) t.o[at * std::size_t(t.d) + 3] += t.l[at] * 0.5f;
      const FastTraceReport r = check_fast_trace(t);
      REQUIRE(r.verdict == Verdict::Diverged);
      CHECK(r.outside == 1);
      CHECK(r.first->head == good.heads - 1);
      CHECK(r.first->kv_tile == tile);
      CHECK(r.first->q_tile == row / good.rows);
      CHECK(r.first->row == row);
    }
  }
}

TEST_CASE("a foreign or disagreeing file is refused with a reason") {
  const Result<SafetensorsFile> file = load_safetensors(shipped_traces().front());
  REQUIRE(file.ok());
  const auto refused = [&](auto change, const std::string& names) {
    SafetensorsFile broken = *file;
    change(broken);
    const Result<FastTrace> trace = fast_trace_from(reader_of(broken, "x.safetensors"), "x.safetensors");
    REQUIRE_FALSE(trace.ok());
    CHECK(text_of(trace.issues()).find(names) != std::string::npos);
  };
  refused([](SafetensorsFile& f) { f.metadata["format"] = "other"; }, "not a trace");
  refused([](SafetensorsFile& f) { f.metadata["keys"] = "0"; }, "keys");
  refused([](SafetensorsFile& f) { f.metadata["keys"] = "64"; }, "shape");
  refused([](SafetensorsFile& f) { f.metadata["mask"] = "window"; }, "mask");
  refused([](SafetensorsFile& f) { f.metadata["scale"] = "nan"; }, "scale");
  refused([](SafetensorsFile& f) { std::erase_if(f.tensors, [](const auto& t) { return t.name == "l"; }); }, "named l");
}
