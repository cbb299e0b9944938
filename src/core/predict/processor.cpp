#include "core/predict/processor.h"

#include "base/shown.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr double kTripsOfScores = 4, kScoreBytes = 4;
constexpr std::int64_t kMostHeadSize = 256;

double scores_of_a_head(const AttentionCall& call) { return double(call.n) * double(call.keys()) * kScoreBytes; }

std::string why_not_on_a_processor(const AttentionCall& call) {
  if (call.dtype == DType::Fp16) return "The kernels for a CPU support fp32 and bf16, not fp16";
  if (call.d > kMostHeadSize) return "The kernels for a CPU support head sizes up to 256";
  return {};
}

Prediction floors_of(const AttentionMethod& method, const AttentionCall& call, const Processor& on) {
  Prediction out;
  out.method = &method;
  out.call = call;
  out.flops = call.flops();
  out.note = why_not_on_a_processor(call);
  out.there = out.note.empty();
  if (!out.there) return out;
  const double tensors = call.in_and_out() * call.element_bytes();
  const double trips = method.extra_bytes ? kTripsOfScores * kScoreBytes * call.scores() : 0;
  const bool cached = on.cache_bytes > 0 && scores_of_a_head(call) <= double(on.cache_bytes);
  out.extra_bytes = method.extra_bytes ? method.extra_bytes(call) : 0;
  out.hbm_bytes = tensors + trips;
  out.dram_bytes = tensors + (cached ? 0 : trips);
  out.floor_bytes_ms = out.dram_bytes / on.bytes_per_s() * 1e3;
  out.floor_flops_ms = out.products_ms = out.flops / on.flop_per_s(call.dtype) * 1e3;
  return out;
}

std::string instead_of(const AttentionMethod& method) {
  if (!method.modelled()) return "Recorded on a GPU alone";
  if (method.backward) return "A kernel for GPUs; there is no backward pass for a CPU here";
  if (method.tiled())
    return std::string("A kernel for GPUs; on a CPU ") + word_of(Contender::CpuTiled) + " replaces it";
  return std::string("Its operations were measured on a GPU alone; on a CPU ") + word_of(Contender::CpuNaive) +
         " replaces it";
}

}  // namespace

double Processor::flop_per_s(DType dtype) const {
  return 1e12 * (dtype == DType::Bf16 && bf16_tflops > 0 ? bf16_tflops : fp32_tflops);
}

std::string Processor::title() const {
  return name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

Issues why_no_processor(const Processor& p) {
  constexpr double kMost = 1e7;
  constexpr int kMostThreads = 4096;
  constexpr std::size_t kLongestName = 200;
  Issues issues;
  const auto rate = [&](const char* field, double value, bool may_be_zero) {
    if (!(value >= 0) || !(value <= kMost) || (!may_be_zero && value == 0))
      issues.push_back({field, format_number(value), "must be a number above 0, at most 10,000,000", "Measure again"});
  };
  if (p.name.empty() || p.name.size() > kLongestName || !is_showable(p.name))
    issues.push_back({"name", "", "must be 1 to 200 printable characters", "Measure again"});
  if (p.threads < 1 || p.threads > kMostThreads)
    issues.push_back({"threads", std::to_string(p.threads), "must be from 1 to 4,096", "Measure again"});
  rate("read_gb_per_s", p.read_gb_per_s, false);
  rate("fp32_tflops", p.fp32_tflops, false);
  rate("bf16_tflops", p.bf16_tflops, true);
  if (p.cache_bytes < 0)
    issues.push_back({"cache_bytes", std::to_string(p.cache_bytes), "must be 0 or more", "Measure again"});
  return issues;
}

const std::vector<AttentionMethod>& processor_methods() {
  static const std::vector<AttentionMethod> rows = {{.who = Contender::CpuNaive, .extra_bytes = scores_of_a_head},
                                                    {.who = Contender::CpuTiled}};
  return rows;
}

std::vector<Prediction> predict_on(const Processor& processor, const AttentionCall& call) {
  std::vector<Prediction> out;
  for (const AttentionMethod& method : processor_methods()) out.push_back(floors_of(method, call, processor));
  for (const AttentionMethod& method : attention_methods()) {
    Prediction absent;
    absent.method = &method;
    absent.call = call;
    absent.flops = call.flops() * (method.backward ? 2.5 : 1);
    absent.there = false;
    absent.note = instead_of(method);
    out.push_back(std::move(absent));
  }
  return out;
}

}  // namespace tilewalk
