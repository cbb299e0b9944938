#include "pages/roofline/roof_words.h"

#include <fmt/format.h>

#include <numeric>

#include "base/units.h"
#include "base/words.h"
#include "core/fields/validate.h"
#include "core/predict/dram_bytes.h"
#include "core/predict/operation_rates.h"
#include "core/schedules/registry.h"
#include "view/walk/traffic_model.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kFewWaves = 8;     // with more waves the last one hardly counts
constexpr double kNearlyFull = 0.85;      // of a last wave
constexpr double kWorthPadding = 1.05;    // factor of speed
constexpr std::int64_t kWidestLoad = 16;  // bytes for one thread

std::string products_words(const Prediction& p, const Ceilings& roof) {
  const std::string tflop = format_digits(p.flops / 1e12, 3);
  if (by_mma_sync(*p.method) && roof.mma_sync_flop_per_s < roof.flop_per_s)
    return fmt::format("the products: {} TFLOP by mma.sync, its instruction, at {:.0f} TFLOP/s take {}", tflop,
                       roof.mma_sync_flop_per_s / 1e12, ms_text(p.products_ms));
  const double rate = p.call.dtype == DType::Fp32 ? roof.fp32_flop_per_s : roof.flop_per_s;
  return fmt::format("the products: {} TFLOP at {:.0f} TFLOP/s take {}", tflop, rate / 1e12, ms_text(p.products_ms));
}

std::string limit_of(const Prediction& p, const DeviceModel& device) {
  const Ceilings roof = ceilings_of(device, p.call.d);
  switch (p.binds()) {
    case Roof::Bytes:
      return fmt::format("the bytes: {} through DRAM at {:.2f} TB/s take {}", big_bytes(p.dram_bytes),
                         roof.bytes_per_s / 1e12, ms_text(p.floor_bytes_ms));
    case Roof::Products: return products_words(p, roof);
    case Roof::Exponentials: break;
  }
  return fmt::format("the exponentials: one a score, {} a cycle and SM, take {}", device.exp_per_cycle,
                     ms_text(p.floor_exp_ms));
}

double bound_ms(const Prediction& p) {
  return p.binds() == Roof::Bytes ? p.floor_bytes_ms : p.binds() == Roof::Products ? p.products_ms : p.floor_exp_ms;
}

// "naive 24.9 ms in place of 52.3"; empty where padding saves nothing.
std::string padded_words(const PredictionRow& row, const DeviceModel& device) {
  const std::optional<Prediction> longer = padded(row.predicted, device);
  if (!longer || *row.predicted.predicted_ms < kWorthPadding * *longer->predicted_ms) return {};
  return fmt::format("{} {} in place of {}", row.predicted.method->title, ms_text(*longer->predicted_ms),
                     ms_text(*row.predicted.predicted_ms));
}

}  // namespace

std::string filling_sentence(const CardFilling& f) {
  std::string text;
  if (f.busy_sms < f.sms)
    text = fmt::format("Its {} {} {} of {} SMs idle.", counted(f.blocks, "thread block"),
                       f.blocks == 1 ? "leaves" : "leave", f.sms - f.busy_sms, f.sms);
  else if (f.waves > 1 && f.waves <= kFewWaves && f.last_wave < kNearlyFull)
    text = fmt::format("Its {} run in {} waves, the last {:.0f} % full.", counted(f.blocks, "thread block"), f.waves,
                       f.last_wave * 100);
  if (f.lone_warps) {
    if (!text.empty()) text += " ";
    text += "Each scheduler has one warp, which waits for its own results.";
  }
  return text;
}

std::string roof_sentence(const PredictionRow& row, const DeviceModel& device) {
  const Prediction& p = row.predicted;
  const std::string who = p.method->title;
  if (p.by_processor && p.processor_ms > *p.predicted_ms)
    return fmt::format("No roof limits {}: launching it takes about {} of the processor's time, the card {}.", who,
                       ms_text(p.processor_ms), ms_text(*p.predicted_ms));
  std::string text = fmt::format("The limit of {} is {}", who, limit_of(p, device));
  const double over = *p.predicted_ms / bound_ms(p);
  const bool in_turn = by_mma_sync(*p.method) && p.binds() == Roof::Products;
  if (in_turn)
    text += fmt::format(". Its exponentials come after them: {}. The whole takes {}.", ms_text(p.floor_exp_ms),
                        ms_text(*p.predicted_ms));
  else
    text += over > 1.05 ? fmt::format("; the whole takes {}, {:.1f}×.", ms_text(*p.predicted_ms), over) : ".";
  if (p.filling)
    if (const std::string filling = filling_sentence(*p.filling); !filling.empty()) text += " " + filling;
  return text;
}

std::string padding_sentence(const std::vector<PredictionRow>& rows, const DeviceModel& device) {
  std::string won;
  std::int64_t to = 0, begin = 0, n = 0;
  for (const Contender who : {Contender::Naive, Contender::Eager}) {
    const PredictionRow* const row = find_row(rows, who);
    if (!row || !row->predicted.predicted_ms) continue;
    const std::string words = padded_words(*row, device);
    if (words.empty()) continue;
    n = row->predicted.call.n;
    begin = std::gcd(n * std::int64_t(row->predicted.call.element_bytes()), kWidestLoad);
    to = padded(row->predicted, device)->call.n;
    add_to_list(won, words);
  }
  if (won.empty()) return {};
  return fmt::format(
      "Rows of {} numbers begin at every {} bytes: the library multiplies them by kernels that cannot load {} bytes at "
      "once. Padded to {} numbers, modelled: {}.",
      format_count(n), begin, kWidestLoad, format_count(to), won);
}

std::string naive_basis_sentence(const Prediction& naive, const DeviceModel& device) {
  std::string out = fmt::format(" Naive here is the one that races: S in {}, {} through DRAM.",
                                name_of(naive.call.dtype), big_bytes(naive.dram_bytes));
  const Problem walk = walked_by(*naive.method, naive.call, device);
  if (!validate(walk).empty()) return out;
  const std::int64_t asked = whole_run_cost(walk).hbm_total().bytes();
  const std::string here = big_bytes(double(asked)), ledger = format_bytes(asked);
  out += fmt::format(" The naive walk has {} and asks for {}", basis_of_naive(walk), here);
  if (ledger != here) out += fmt::format(": {} in its own ledger", ledger);
  if (naive.call.causal)
    out += fmt::format("; {} reach DRAM, since its softmax reads masked scores too",
                       big_bytes(double(modelled_dram_bytes(*make_schedule(walk)))));
  return out + ".";
}

std::string naive_jump_sentence(std::int64_t n) {
  if (n <= kLongestInNaiveRegisters) return {};
  return fmt::format(
      "Above N = {} a row no longer fits in the registers of naive's softmax, which then reads it three times: there "
      "the speed-up jumps.",
      format_count(kLongestInNaiveRegisters));
}

std::string curve_end_sentence(std::int64_t longest, const AttentionCall& next, const AttentionCall& shown,
                               const DeviceModel& device) {
  const AttentionMethod& naive = method_of(Contender::Naive);
  if (predict(naive, next, device).there) return {};
  const std::string end = fmt::format("The curves end at N = {}", format_count(longest));
  if (!predict(naive, shown, device).there) return end + ", the longest at which naive has a time.";
  return end + fmt::format(": at {} naive's scores do not fit.", format_count(next.n));
}

std::string eager_jump_sentence(std::int64_t n) {
  if (n <= kLongestOfSlowEager) return {};
  return fmt::format(
      "Above N = {} PyTorch's softmax is another kernel, and a faster one: eager takes less just above it than just "
      "below.",
      format_count(kLongestOfSlowEager));
}

}  // namespace tilewalk
