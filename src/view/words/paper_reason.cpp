#include "view/words/paper_reason.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/predict/operation_rates.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

bool differs(const Prediction& p) {
  return p.there && p.pencil_ms && p.predicted_ms && std::abs(*p.pencil_ms / *p.predicted_ms - 1) > kPaperFails;
}

// "its 128 thread blocks are in 128 of 264 places", "its 256 thread blocks are one wave"
std::string filling_words(const Prediction& p, const CardFilling& card) {
  const std::int64_t places = p.waves ? p.waves->places : std::int64_t(card.blocks_per_sm) * card.sms;
  const std::string blocks = fmt::format("its {} thread blocks are ", format_count(card.blocks));
  if (card.waves > 1) return blocks + "two waves";
  if (card.blocks * 4 > places * 3) return blocks + "one wave";
  return blocks + fmt::format("in {} of {} places", format_count(card.blocks), format_count(places));
}

// ". Counted in waves it takes 1.5, and its line 1.1"; where the kernel divides tiles, which the rule does not: ". The
// rule counts 192 whole tiles: in waves they take 1, and their line 0.36"
std::string waves_words(const PaperWaves& of, const CardFilling& card, bool causal) {
  const double line = double(of.blocks) / double(of.places) * (causal ? 0.5 : 1);
  const std::string waves = format_digits(of.waves, 3), of_line = format_digits(line, 2);
  return card.blocks == of.blocks
             ? fmt::format(". Counted in waves it takes {}, and its line {}", waves, of_line)
             : fmt::format(". The rule counts {} whole tiles: in waves they take {}, and their line {}",
                           format_count(of.blocks), waves, of_line);
}

std::string of_tiles(const Prediction& p, const CardFilling& card) {
  constexpr double kFewSms = 0.9;   // as a share: idle SMs above it explain little
  constexpr double kFewWaves = 10;  // with more, rounding up hardly matters
  if (card.busy_sms < kFewSms * card.sms)
    return fmt::format("its {} thread blocks keep only {} of {} SMs busy", format_count(card.blocks), card.busy_sms,
                       card.sms);
  if (card.waves <= 2 && p.call.causal)
    return filling_words(p, card) + (card.waves > 1 ? " without the mask" : "") +
           ". The mask shortens most of them, but the one with the last rows still visits every K tile, so the time is "
           "hardly halved" +
           (p.waves ? waves_words(*p.waves, card, true) : "");
  if (card.waves <= 2)
    return filling_words(p, card) + fmt::format(", and the last one is {:.0f} % full", card.last_wave * 100);
  if (!p.waves || p.waves->waves >= kFewWaves)
    return fmt::format("at d = {}, in tiles of {}×{}, it does not reach the rates that the paper method has", p.call.d,
                       p.tile.rows, p.tile.keys);
  return fmt::format("rows of {} are short: the first loads and the last stores of a thread block are not hidden{}{}",
                     format_count(p.call.keys()), p.call.causal ? ", and tiles on the diagonal are computed whole" : "",
                     waves_words(*p.waves, card, p.call.causal));
}

// ": a row begins at a multiple of 16 bytes, not of 32, so QKᵀ moves 2.05 TB/s, not 3.5 as with N 3,008"
std::string alignment_words(const AttentionCall& call) {
  constexpr std::int64_t kWholeRow = 16;  // numbers of 2 bytes
  const std::int64_t n = call.keys(), whole = (n + kWholeRow - 1) / kWholeRow * kWholeRow;
  const RowsAt at = rows_at(n, call.dtype);
  if (at != RowsAt::Bytes16) return {};
  const double here = scores_rate(n, call.d, at).tb_per_s, there = scores_rate(whole, call.d, RowsAt::Bytes32).tb_per_s;
  if (here >= there) return {};
  return fmt::format(": a row begins at a multiple of 16 bytes, not of 32, so QKᵀ moves {} TB/s, not {} as with N {}",
                     format_digits(here, 3), format_digits(there, 3), format_count(whole));
}

// " The rule for short calls (lesson 15) gives 24.3 µs.": "on paper" is one figure of a method.
std::string short_rule_words(const Prediction& p) {
  constexpr std::int64_t kLongRows = 4096;  // from here on naive is near its line
  if (!p.paper_short_ms || (!p.waves && p.call.keys() >= kLongRows)) return {};
  return fmt::format(" The rule for short calls (lesson {}) gives {}.", kShortRuleLesson, ms_text(*p.paper_short_ms));
}

}  // namespace

std::string paper_reason(const Prediction& p) {
  if (!differs(p)) return {};
  const bool launch = p.filling ? *p.predicted_ms <= kOwnLaunch * 1e3 * (1 + 1e-9) : p.by_processor;
  if (launch) return "its launch takes longer than its work";
  if (p.filling) return of_tiles(p, *p.filling);
  if (p.call.keys() > kLongestInNaiveRegisters)
    return fmt::format("rows of {} do not fit in registers, so its softmax reads them three times",
                       format_count(p.call.keys()));
  if (*p.pencil_ms > *p.predicted_ms) return "the L2 cache serves a part of its bytes";
  return fmt::format("with rows of {} its three kernels do not reach the memory's rate", format_count(p.call.keys())) +
         alignment_words(p.call);
}

std::vector<std::string> paper_sentences(const std::vector<PredictionRow>& rows, bool short_rule) {
  std::vector<std::string> out;
  for (const PredictionRow& row : rows)
    if (const Prediction& p = row.predicted; differs(p))
      out.push_back(fmt::format("{}: {} on paper, {} predicted: {}.{}", p.method->title, ms_text(*p.pencil_ms),
                                ms_text(*p.predicted_ms), paper_reason(p), short_rule ? short_rule_words(p) : ""));
  return out;
}

}  // namespace tilewalk
