// Recorded calls of attention on one thread of a processor: cpu_tiled beside ggml and OpenBLAS in one run.
#include <map>

#include "tests/unit/measured/measurement_samples.h"

using namespace tilewalk;

namespace {

constexpr const char* kFile = "cpu_xeon_model207_ggml_2026-11-30.csv";

struct Cell {
  std::string d, n, causal;
  auto operator<=>(const Cell&) const = default;
};

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Processor time and share of the fp32 FMA's peak around each sample, by cell, then by contender and dtype.
struct Samples {
  std::vector<double> cpu_ms, share;
};
std::map<Cell, std::map<std::string, Samples>> samples_of_file() {
  const Result<std::string> text =
      read_text_file(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/" + kFile, kMaxCsvBytes);
  REQUIRE(text);
  for (const char* fact : {"# blas: OpenBLAS", "# ggml: ggml 0.", "commit d99724f2", "# date: "})
    CHECK(text->find(fact) != std::string::npos);
  std::map<Cell, std::map<std::string, Samples>> out;
  CsvLines lines(*text);
  while (lines.next()) {
    const std::vector<std::string> f = csv_fields(lines.line(), 14);
    if (f.size() != 14 || f[0] == "contender") continue;
    CHECK(f[7] == "1");  // thread
    const double peak = std::stod(f[10]), flop = std::stod(f[11]), cpu_ms = std::stod(f[12]);
    Samples& to = out[{f[2], f[5], f[6]}][f[0] + " " + f[1]];
    to.cpu_ms.push_back(cpu_ms);
    to.share.push_back(flop / cpu_ms * 1e3 / peak);
  }
  return out;
}

}  // namespace

TEST_CASE("on one thread tiled attention is faster than ggml's and OpenBLAS's in every recorded cell", "[unit]") {
  const auto cells = samples_of_file();
  CHECK(cells.size() == 8);
  for (const auto& [cell, all] : cells) {
    INFO("d " << cell.d << ", n " << cell.n << ", causal " << cell.causal);
    const auto ms_of = [&](const char* who) { return middle_of(all.at(who).cpu_ms); };
    const double tiled = ms_of("tiled fp32"), widened = ms_of("tiled_widened bf16");
    CHECK(all.at("tiled fp32").cpu_ms.size() >= 6);
    CHECK(all.at("ggml fp32").cpu_ms.size() >= 6);
    CHECK(ms_of("ggml fp32") > 2.3 * tiled);
    CHECK(ms_of("ggml_fp16_keys bf16") > 2.2 * widened);
    CHECK(ms_of("naive fp32") > 1.4 * tiled);
    CHECK(middle_of(all.at("tiled fp32").share) > 0.77);
    CHECK(middle_of(all.at("tiled_widened bf16").share) > 0.7);
    CHECK(middle_of(all.at("tiled_dot bf16").share) > 0.87);  // of VDPBF16PS, half the fp32 FMA's rate
  }
}
