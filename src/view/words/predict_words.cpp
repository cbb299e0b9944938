#include "view/words/predict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string three_digits(double value) {
  if (value <= 0) return "0";
  const int before = int(std::floor(std::log10(value))) + 1;
  const int after = std::clamp(3 - before, 0, 6);
  // 9.996 rounds to a number with one more digit before the point.
  const bool one_more = std::round(value * std::pow(10, after)) >= std::pow(10, before + after);
  return fmt::format("{:.{}f}", value, std::max(0, one_more ? after - 1 : after));
}

constexpr int kRaced = 90;  // compute capability of the cards that the kernels here ran on

// A sentence if no part of the method ever ran on such a GPU here; empty where it did.
std::string never_ran(const AttentionMethod& c, const DeviceModel& device) {
  if (device.compute_capability == kRaced || !c.modelled()) return {};
  const std::string there = fmt::format("{} (sm_{})", device.title, device.compute_capability);
  if (c.operations)
    return "Predicted alone: its operations were timed one by one on an H200, and never on " + there + ".";
  std::string text = "Predicted alone: its kernel was never run on " + there + ".";
  if (c.who == Contender::FlashV2)
    text += " Where two stages of K and V leave an SM one thread block, one is taken, as released kernels have it.";
  return text;
}

}  // namespace

std::string call_title(const AttentionCall& call) {
  std::string text = call.square() ? fmt::format("N {}", format_count(call.n))
                                   : fmt::format("{} of Q · {}", counted(call.n, "row"), counted(call.keys(), "key"));
  text += fmt::format(" · d {} · {}", call.d, counted(call.heads, "head"));
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

std::string big_bytes(double bytes) { return format_bytes(std::llround(bytes)); }

std::vector<OperationLine> lines_of(const Prediction& p) {
  std::vector<OperationLine> out;
  for (const Operation& op : p.operations) out.push_back({op.line, big_bytes(op.bytes), ms_text(op.seconds * 1e3)});
  return out;
}

std::string trips_sentence(const Prediction& eager, const PredictionRow* two) {
  const std::string asked = big_bytes(eager.hbm_bytes), moved = big_bytes(eager.dram_bytes);
  std::string text = fmt::format("The lines ask for {} in all; {} through DRAM.", asked,
                                 moved == asked ? "all of it goes" : moved + " go");
  if (!two || !two->predicted.there) return text;
  return text + fmt::format(" FA-2 moves {} through DRAM{}.", big_bytes(two->predicted.dram_bytes),
                            two->predicted.dram_bytes < eager.dram_bytes ? ": its scores stay on chip" : "");
}

std::string win_sentence(const std::vector<PredictionRow>& rows) {
  const PredictionRow *const naive = find_row(rows, Contender::Naive), *best = nullptr;
  for (const PredictionRow& row : rows) {
    if (!row.predicted.predicted_ms || row.predicted.method->backward || !row.predicted.method->tiled()) continue;
    if (!best || *row.predicted.predicted_ms < *best->predicted.predicted_ms) best = &row;
  }
  if (!naive || !naive->predicted.predicted_ms || !best) return {};
  const double slow = *naive->predicted.predicted_ms, fast = *best->predicted.predicted_ms;
  if (fast >= slow)
    return fmt::format("Modelled: {} takes {}, naive {}. Tiling is not faster here.", best->predicted.method->title,
                       ms_text(fast), ms_text(slow));
  return fmt::format("Modelled: {} takes {}, naive {}. That is {:.1f} times as fast.", best->predicted.method->title,
                     ms_text(fast), ms_text(slow), slow / fast);
}

std::string launches_sentence(const std::vector<PredictionRow>& rows) {
  std::vector<std::string> few;
  for (const PredictionRow& row : rows)
    if (row.predicted.by_processor) few.push_back(row.predicted.method->title);
  if (few.empty()) return {};
  const bool recorded = std::any_of(rows.begin(), rows.end(),
                                    [](const PredictionRow& row) { return row.by_processor() && row.recorded_ms; });
  return fmt::format("{}: so little work that the processor's launches may set the time. Each machine has another{}.",
                     fmt::join(few, ", "),
                     recorded ? "; what is predicted is the card's, so it has no error here" : "");
}

std::string error_cell(const PredictionRow& row) {
  return row.error() && !row.by_processor() ? error_text(*row.error()) : "–";
}

std::string basis_text(const Prediction& p, const DeviceModel& device) {
  if (!p.there) return p.note;
  std::string text;
  if (p.by_processor) text = "So little work that the processor's launches may set the time, on each machine another.";
  if (!device.measured_here()) add_to_list(text, "Rests on " + basis_of_rates(device) + ".", " ");
  if (const std::string never = never_ran(*p.method, device); !never.empty()) add_to_list(text, never, " ");
  return text;
}

std::vector<std::string> notes_of(const std::vector<PredictionRow>& rows, const DeviceModel& device) {
  std::vector<std::pair<std::string, std::string>> said;  // the text, and the names it applies to
  for (const PredictionRow& row : rows) {
    const Prediction& p = row.predicted;
    if (!p.method->modelled()) continue;
    std::string note = p.there ? never_ran(*p.method, device) : p.note;
    if (note.empty()) continue;
    if (!note.ends_with(".")) note += ".";
    const auto at = std::find_if(said.begin(), said.end(), [&](const auto& each) { return each.first == note; });
    if (at == said.end())
      said.emplace_back(std::move(note), p.method->title);
    else
      at->second += std::string(", ") + p.method->title;
  }
  std::vector<std::string> out;
  for (const auto& [note, who] : said) out.push_back(note.starts_with(who) ? note : who + ": " + note);
  return out;
}

}  // namespace tilewalk
