#include "view/predict/predict_words.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/units.h"

namespace tilewalk {
namespace {

std::string three_digits(double value) {
  if (value <= 0) return "0";
  const int before = int(std::floor(std::log10(value))) + 1;
  return fmt::format("{:.{}f}", value, std::max(0, 3 - std::max(1, before)));
}

}  // namespace

std::string call_title(const AttentionCall& call) {
  std::string text = fmt::format("N {} · d {} · {}", format_count(call.n), call.d, counted(call.heads, "head"));
  if (call.kv_heads > 0 && call.kv_heads != call.heads)
    text += fmt::format(" on {}", counted(call.kv_heads, "KV head"));
  if (call.batch > 1) text += fmt::format(" · batch {}", format_count(call.batch));
  return text + (call.causal ? " · causal · " : " · no mask · ") + name_of(call.dtype);
}

std::string ms_text(double ms) {
  if (ms < 0.1) return three_digits(ms * 1e3) + " µs";
  return ms < 1000 ? three_digits(ms) + " ms" : three_digits(ms / 1e3) + " s";
}

std::string error_text(double share) {
  const long percent = std::lround(share * 100);
  return percent == 0 ? "0 %" : fmt::format("{}{} %", percent < 0 ? "−" : "+", std::labs(percent));
}

std::string times_text_of(double times) { return fmt::format("{:.{}f}×", times, times < 10 ? 1 : 0); }

std::string big_bytes(double bytes) {
  static const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) bytes /= 1000, ++unit;
  return three_digits(bytes) + " " + units[unit];
}

std::vector<OperationLine> lines_of(const Prediction& p) {
  std::vector<OperationLine> out;
  for (const Operation& op : p.operations) out.push_back({op.line, big_bytes(op.bytes), ms_text(op.seconds * 1e3)});
  return out;
}

std::string trips_sentence(const Prediction& eager, const std::vector<HeldRow>& rows) {
  std::string text = fmt::format("Each line is a trip to HBM and back: {} in all", big_bytes(eager.hbm_bytes));
  const HeldRow* const two = row_of(rows, "flash_v2");
  return text + (two && two->predicted.there
                     ? fmt::format(". FA-2 asks for {}: its scores stay on chip.", big_bytes(two->predicted.hbm_bytes))
                     : ".");
}

namespace {
// Its products' instruction is the one that all cards since Ampere have, and not Hopper's own.
bool by_mma_sync(const AttentionMethod& method) {
  return method.tile && method.schedule && schedule_row(*method.schedule).chip.products_by == ProductBy::MmaSync;
}
}  // namespace

std::string roof_sentence(const HeldRow& row, const DeviceModel& device) {
  const Prediction& p = row.predicted;
  const std::string who = p.method->id == std::string("naive") ? "naive" : p.method->title;
  if (p.by_processor)
    return fmt::format(
        "What holds {} is no roof: its launch, some {} of the processor's time, may take longer than that.", who,
        ms_text(p.method->launch_s * 1e3));
  const Ceilings roof = ceilings_of(device);
  std::string why;
  switch (p.binds()) {
    case Roof::Bytes:
      why = fmt::format("the bytes: {} through DRAM at {:.2f} TB/s take {}", big_bytes(p.dram_bytes),
                        roof.bytes_per_s / 1e12, ms_text(p.floor_bytes_ms));
      break;
    case Roof::Products:
      why = fmt::format("the products: {:.3g} TFLOP at {:.0f} TFLOP/s take {}", p.flops / 1e12, roof.flop_per_s / 1e12,
                        ms_text(p.floor_flops_ms));
      if (by_mma_sync(*p.method) && roof.mma_sync_flop_per_s < roof.flop_per_s)
        why += fmt::format("; its instruction, mma.sync, reaches {:.0f} and needs {}", roof.mma_sync_flop_per_s / 1e12,
                           ms_text(p.flops / roof.mma_sync_flop_per_s * 1e3));
      break;
    case Roof::Exponentials:
      why = fmt::format("the exponentials: one a score, {} a cycle and SM, take {}", device.exp_per_cycle,
                        ms_text(p.floor_exp_ms));
      break;
  }
  std::string text = fmt::format("What holds {} is {}", who, why);
  const double over = *p.predicted_ms / p.roofline_ms();
  if (by_mma_sync(*p.method) && p.binds() == Roof::Products)
    text += fmt::format(". All in all {}.", ms_text(*p.predicted_ms));
  else
    text += over > 1.05 ? fmt::format("; all in all {}, {:.1f} times that.", ms_text(*p.predicted_ms), over) : ".";
  return text;
}

std::string win_sentence(const std::vector<HeldRow>& rows) {
  const HeldRow *const naive = row_of(rows, "naive"), *best = nullptr;
  for (const HeldRow& row : rows) {
    if (!row.predicted.predicted_ms || row.predicted.method->backward || !row.predicted.method->tile) continue;
    if (!best || *row.predicted.predicted_ms < *best->predicted.predicted_ms) best = &row;
  }
  if (!naive || !naive->predicted.predicted_ms || !best) return {};
  const double slow = *naive->predicted.predicted_ms, fast = *best->predicted.predicted_ms;
  if (fast >= slow)
    return fmt::format("By the model {} takes {}, naive {}: nothing is won here.", best->predicted.method->title,
                       ms_text(fast), ms_text(slow));
  return fmt::format("By the model {} takes {} where naive takes {}: {:.1f} times as fast.",
                     best->predicted.method->title, ms_text(fast), ms_text(slow), slow / fast);
}

std::string launches_sentence(const std::vector<HeldRow>& rows) {
  std::vector<std::string> few;
  for (const HeldRow& row : rows)
    if (row.predicted.by_processor) few.push_back(row.predicted.method->title);
  if (few.empty()) return {};
  return fmt::format("{}: so little work that the processor's launches may set the time. Each machine has another.",
                     fmt::join(few, ", "));
}

}  // namespace tilewalk
