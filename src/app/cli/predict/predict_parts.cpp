#include "app/cli/predict/predict_parts.h"

#include "view/words/paper_reason.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostCalls = 4096;

}  // namespace

Result<std::vector<AttentionCall>> calls_asked(const CommandLine& line, const KnownProcessor* on) {
  Issues issues;
  const auto list = [&](const char* field, std::vector<std::int64_t> otherwise) {
    if (const auto text = line.option(field))
      put(whole_numbers(field, *text, 1, std::int64_t(1) << 24), otherwise, issues);
    return otherwise;
  };
  const std::vector<std::int64_t> n = list("n", {1024, 2048, 4096, 8192, 16384}), d = list("d", {64}),
                                  n_kv = list("n-kv", {0}), heads = list("heads", {32}), batch = list("batch", {1});
  AttentionCall call;
  read_whole(line, "kv-heads", 1, std::int64_t(1) << 24, call.kv_heads, issues);
  const std::string mask = line.option("mask").value_or("none"),
                    dtype = line.option("dtype").value_or(on ? "fp32" : "bf16");
  if (mask != "none" && mask != "causal")
    issues.push_back({"mask", mask, "is not one that can be predicted", "none or causal"});
  call.causal = mask == "causal";
  if (dtype != "bf16" && dtype != "fp16" && dtype != "fp32")
    issues.push_back({"dtype", dtype, "is not a type that can be predicted", "bf16, fp16 or fp32"});
  call.dtype = dtype == "fp32" ? DType::Fp32 : dtype == "fp16" ? DType::Fp16 : DType::Bf16;
  if (!issues.empty()) return issues;
  if (n.size() * n_kv.size() * d.size() * heads.size() * batch.size() > kMostCalls)
    return Issue{"n", line.option("n").value_or("of itself"),
                 "makes more than " + std::to_string(kMostCalls) + " calls with the other lists", "Give fewer at once"};
  std::vector<AttentionCall> out;
  for (const std::int64_t size : d)
    for (const std::int64_t head_count : heads)
      for (const std::int64_t batch_size : batch)
        for (const std::int64_t length : n)
          for (const std::int64_t keys : n_kv) {
            call.n = length, call.n_kv = keys == length ? 0 : keys;
            call.d = size, call.heads = head_count, call.batch = batch_size;
            if (on && !line.option("heads") && !line.option("batch") && !line.option("kv-heads"))
              on->shape_as_raced(call);
            if (Issues why = why_no_call(call); !why.empty()) return why;
            out.push_back(call);
          }
  return out;
}

Json row_json(const std::vector<PredictionRow>& rows, const PredictionRow& row, const std::string& note) {
  const Prediction& p = row.predicted;
  const bool modelled = p.there;
  const auto figure = [&](double value) { return modelled ? Json(value) : Json(nullptr); };
  Json out = {{"contender", p.method->id},      {"n", p.call.n},
              {"n_kv", p.call.keys()},          {"d", p.call.d},
              {"heads", p.call.heads},          {"kv_heads", p.call.kv_heads > 0 ? p.call.kv_heads : p.call.heads},
              {"batch", p.call.batch},          {"causal", p.call.causal},
              {"dtype", name_of(p.call.dtype)}, {"flops", p.flops}};
  out["hbm_bytes"] = figure(p.hbm_bytes);
  out["dram_bytes"] = figure(p.dram_bytes);
  const bool processor = p.floor_exp_ms == 0;  // exponentials are not modelled there, and small memory is unknown
  out["extra_bytes"] = processor && p.extra_bytes == 0 ? Json(nullptr) : figure(p.extra_bytes);
  out["intensity"] = figure(p.intensity());
  out["floor_bytes_ms"] = figure(p.floor_bytes_ms);
  out["floor_flops_ms"] = figure(p.floor_flops_ms);
  out["floor_exp_ms"] = processor ? Json(nullptr) : figure(p.floor_exp_ms);
  out["roofline_ms"] = figure(p.roofline_ms());
  out["binds"] = modelled ? Json(name_of(p.binds())) : Json(nullptr);
  out["paper_ms"] = or_null(p.pencil_ms);
  out["paper_short_ms"] = or_null(p.paper_short_ms);
  const std::string paper = paper_reason(p);
  out["paper_note"] = paper.empty() ? Json(nullptr) : Json(paper);
  out["predicted_ms"] = or_null(p.predicted_ms);
  out["processor_ms"] = p.there ? Json(p.processor_ms) : Json(nullptr);
  out["by_processor"] = p.by_processor;
  out["recorded_ms"] = or_null(row.recorded_ms);
  out["error"] = or_null(row.error());
  out["roofline_share"] = or_null(row.reached());
  out["vs_eager"] = or_null(times_as_fast(rows, row, Contender::Eager));
  const auto over_naive = times_as_fast(rows, row, Contender::Naive);
  out["vs_naive"] = or_null(over_naive ? over_naive : times_as_fast(rows, row, Contender::CpuNaive));
  out["note"] = note.empty() ? Json(nullptr) : Json(note);
  if (!p.operations.empty()) {
    out["operations"] = Json::array();
    for (const Operation& op : p.operations)
      out["operations"].push_back(
          {{"line", op.line}, {"bytes", op.bytes}, {"dram_bytes", op.dram_bytes}, {"ms", op.seconds * 1e3}});
  }
  return out;
}

Json device_json(const DeviceModel& device, const std::string& name) {
  return {{"name", name}, {"title", device.title}, {"sms", device.sms}};
}

Json ceilings_json(const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device);
  return {{"bandwidth_gb_per_s", roof.bytes_per_s / 1e9},
          {"product_tflops", roof.flop_per_s / 1e12},
          {"wide_product_tflops", device.wide_tflops > 0 ? Json(device.wide_tflops) : Json(nullptr)},  // above d = 128
          {"mma_sync_tflops", roof.mma_sync_flop_per_s / 1e12},
          {"exp_per_s", roof.exp_per_s},
          {"source", roof.source}};
}

std::string or_dash(const std::optional<double>& ms) { return ms ? ms_text(*ms) : "–"; }

}  // namespace tilewalk
