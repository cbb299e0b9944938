#include "view/words/verdict.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <span>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "measured/win_pair.h"
#include "view/words/naive_win.h"
#include "view/words/predict_words.h"

namespace tilewalk {
namespace {

struct Side {
  const Problem& p;
  const ComparedRun& run;
  const RunTime& time;
  double ms = 0;         // of the whole call, as compared
  std::string timed_as;  // "Naive (S in bf16)": beside that time

  Side(const Comparison& c, int side, const CallTimes* times)
      : p(side == 0 ? c.left : c.right),
        run(side == 0 ? c.left_run : c.right_run),
        time(run.time),
        ms(times ? times->ms[side] : run.ms()) {
    timed_as = run_title(p);
    if (times && !times->variants[side].empty())
      timed_as = std::string(title_of(p.schedule)) + " (" + times->variants[side] + ")";
    if (times) timed_as += times->by(side);
  }
  std::string title() const { return run_title(p); }
  bool scores_in_hbm() const { return row_of(p).memory.scores_in_hbm; }
  // Its products reach only a share of the tensor cores' rate there.
  bool by_slow_products() const {
    return row_of(p).chip.products_by == ProductBy::MmaSync && device_of(p.machine).mma_sync_share < 1;
  }
};

// "mma.sync, which reaches 0.62 of wgmma's rate"
std::string mma_sync_words(const Side& side) {
  return "mma.sync, which reaches " + format_fixed(device_of(side.p.machine).mma_sync_share, 2) + " of wgmma's rate";
}

std::string times_text(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, ratio < 10 ? "%.1f×" : "%.0f×", ratio);
  return text;
}

// "takes 41 % less modelled time than FA-2": the table's figure in words.
std::string time_words(const Side& left, const Side& right, const std::string& kind) {
  const std::string change = change_text(left.ms, right.ms);
  if (change == "same") return "takes the same " + kind + " time as " + left.timed_as;
  if (change.starts_with("−"))
    return "takes " + change.substr(std::string("−").size()) + " less " + kind + " time than " + left.timed_as;
  if (change.starts_with("+")) return "takes " + change.substr(1) + " more " + kind + " time than " + left.timed_as;
  return "takes " + change + " the " + kind + " time of " + left.timed_as;
}

std::string bytes_words(const Side& left, const Side& right) {
  const double ratio = double(right.run.hbm_bytes) / double(std::max<std::int64_t>(1, left.run.hbm_bytes));
  const std::string than = " than " + left.title();
  if (right.run.hbm_bytes == left.run.hbm_bytes) return "asks global memory for as many bytes as " + left.title();
  if (std::fabs(ratio - 1) < 0.05)
    return std::string("asks global memory for slightly ") + (ratio < 1 ? "less" : "more") + than;
  return "asks global memory for " + (ratio < 1 ? times_text(1 / ratio) + " less" : times_text(ratio) + " more") + than;
}

std::string tiles_words(const Problem& p) { return std::to_string(p.tiling.br) + "×" + std::to_string(p.tiling.bc); }

// Why the right side is slower; empty where no counted or modelled figure explains it.
std::string why_slower(const Side& left, const Side& right) {
  const int before = left.time.waves.sms_in_first_wave, now = right.time.waves.sms_in_first_wave;
  if (now < before)
    return "it keeps only " + std::to_string(now) + " of " + std::to_string(right.time.waves.sms) + " SMs busy";
  if (right.scores_in_hbm() && !left.scores_in_hbm()) return "S and P go to HBM and back";
  const bool asks_more = double(right.run.hbm_bytes) > double(left.run.hbm_bytes) * 1.05;
  if (asks_more && right.run.rescales_in_hbm > 0) return "O goes to HBM and back at every visit";
  // What L2 answers costs little.
  if (asks_more && double(right.run.dram_bytes) > double(left.run.dram_bytes) * 1.05)
    return "K and V are read again for each of " + format_count(right.p.q_tiles()) + " Q tiles";
  if (right.by_slow_products() && !left.by_slow_products()) return "its products run by " + mma_sync_words(right);
  const int more = right.time.launches - left.time.launches;
  if (more > 0 && right.ms - left.ms < 2e3 * more * kNextLaunch) return "it launches once more";
  const int beside = right.time.waves.occupancy.blocks_per_sm, were = left.time.waves.occupancy.blocks_per_sm;
  if (beside < were)
    return "an SM holds " + std::to_string(beside) + " of its thread blocks at once, by " +
           right.time.waves.occupancy.limit + ", and " + std::to_string(were) + " of " + left.title() + "'s";
  return "";
}

std::string why_faster(const Side& left, const Side& right) {
  const int before = left.time.waves.sms_in_first_wave, now = right.time.waves.sms_in_first_wave;
  if (now > before)
    return "it keeps " + std::to_string(now) + " SMs busy where " + left.title() + " keeps " + std::to_string(before);
  if (right.run.hbm_bytes > left.run.hbm_bytes && right.run.dram_bytes < right.run.hbm_bytes / 2)
    return "what it reads again, L2 answers";
  if (left.scores_in_hbm() && !right.scores_in_hbm()) return "S and P never leave the chip";
  if (left.by_slow_products() && !right.by_slow_products())
    return left.title() + "'s products run by " + mma_sync_words(left);
  if (right.time.launches < left.time.launches)
    return "it needs " + format_count(right.time.launches) + " launch" + (right.time.launches == 1 ? "" : "es") +
           ", not " + format_count(left.time.launches);
  if (has_lanes(left.p.schedule) && has_lanes(right.p.schedule)) return "its lanes wait less for each other";
  return "";
}

// "No kernel with FA-4's schedule runs on the H200, so its time is modelled. ": where the schedule's published kernel
// does not run on that card, and none of Tilewalk does.
std::string no_kernel_words(const Problem& p) {
  const auto why_not = row_of(p).released.why_not;
  if (!why_not || !why_not(p)) return "";
  const AttentionMethod* const method = fast_method_of(p.schedule);
  const std::optional<AttentionCall> call = call_of(p);
  const DeviceModel& device = device_of(p.machine);
  if (method && (!call || why_not_there(*method, *call, device).empty())) return "";
  return std::string("No kernel with ") + title_of(p.schedule) + "'s schedule runs on the " + device.title +
         ", so its time is modelled. ";
}

void add_verdict(const Comparison& c, const CallTimes* times, ComparisonWords& words) {
  const Side left(c, 0, times), right(c, 1, times);
  words.detail = right.title() + " " + bytes_words(left, right);
  if (left.p.tiling.br != right.p.tiling.br || left.p.tiling.bc != right.p.tiling.bc)
    words.detail += ", in tiles of " + tiles_words(right.p) + " against " + tiles_words(left.p);
  if (left.scores_in_hbm() && right.run.ledger_bytes > left.run.ledger_bytes * 1.05)
    words.detail += "; by the papers' ledgers, where naive attention reads K and V once, it would lose, with " +
                    times_text(right.run.ledger_bytes / left.run.ledger_bytes) +
                    " more bytes: K and V are read again for each of " + format_count(right.p.q_tiles()) + " Q tiles";
  words.detail += ".";
  const std::string time = time_words(left, right, times ? times->kind() : "modelled");
  const double slower = right.ms / left.ms;
  if (const std::string no_time = why_no_time(c); !no_time.empty()) {
    words.headline =
        std::string(title_of((left.scores_in_hbm() ? left : right).p.schedule)) + " cannot run here. " + no_time + ".";
  } else if (c.too_small()) {
    words.headline = "Too small to tell which is faster: the processor's launches, " +
                     std::to_string(std::lround(kOwnLaunch * 1e6)) + " µs each, may take longer than the GPU.";
  } else if (slower > 1.05) {
    const std::string why = why_slower(left, right);
    words.headline = "Here " + right.timed_as + " loses: it " + time + (why.empty() ? "" : ", because " + why) + ".";
  } else {
    const std::string why = slower < 0.95 ? why_faster(left, right) : "";
    if (slower < 0.95) words.figure = times_text(1 / slower);
    words.headline = right.timed_as + " " + time + (why.empty() ? "" : ": " + why) + ".";
  }
  if (!c.too_small() && (!times || !times->recorded)) {
    const bool same = left.p.schedule == right.p.schedule;
    const std::string none = no_kernel_words(right.p) + (same ? "" : no_kernel_words(left.p));
    if (!none.empty()) words.figure.clear(), words.headline = none + words.headline;
  }
  words.verdict = words.headline + " " + words.detail;
}

// The call's speed-ups over naive, as other pages have them: "The fastest here, FA-3 by Tilewalk: 4.7×. PyTorch's
// default, cuDNN: 3.9×."; without that of the very pair that is compared. Beside another baseline the words name
// theirs: "Against naive, the fastest here, FA-3 by Tilewalk: 4.7×; PyTorch's default, cuDNN: 3.8×."
std::string call_win_words(const Comparison& c, const CallTimes& times, const RaceTimes* races,
                           std::optional<Contender> torch_default) {
  const std::optional<AttentionCall> call = call_of(c.left);
  if (!call) return "";
  const bool raced = races && races->device == c.left.machine.device;
  const std::vector<PredictionRow> rows = prediction_rows(*call, device_of(c.left.machine), raced ? races : nullptr);
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair) return "";
  const NaiveWin win = *call_win(rows, torch_default, raced ? races : nullptr);
  const bool naive = row_of(c.left).memory.scores_in_hbm, naive_now = row_of(c.right).memory.scores_in_hbm;
  const std::optional<Contender> other = naive != naive_now ? timed_kernel(naive ? c.right : c.left) : std::nullopt;
  const bool same_pair = other == pair->fast->predicted.method->who;
  const std::string runs = torch_default && torch_default != other ? win.named_other_figure() : "";
  const std::string kind = pair->recorded == times.recorded ? "" : std::string(", ") + win.kind;
  std::string fastest = same_pair ? "" : win.named_figure() + kind;
  // The modelled side may be faster than the fastest kernel.
  const Problem& tiled = naive ? c.right : c.left;
  const bool unlike = naive != naive_now && !other && no_kernel_words(tiled).empty() && !fastest.empty();
  const std::string none =
      unlike ? std::string("No kernel here has ") + title_of(tiled.schedule) + "'s schedule. " : "";
  if (naive) return trimmed(none + sentence_of(fastest) + " " + sentence_of(runs));
  if (!runs.empty()) add_to_list(fastest, runs, "; ");
  return fastest.empty() ? "" : none + "Against naive, " + fastest + ".";
}

const char* row_title(const std::string& id) {
  static const std::map<std::string, const char*> titles = {{"kv-read", "K, V read"},
                                                            {"qo", "Q, O read and written"},
                                                            {"stats", "m, ℓ, L moved"},
                                                            {"sp", "S, P moved"},
                                                            {"other", "other tensors"},
                                                            {"all", "all of global memory"},
                                                            {"dram", "all, to and from DRAM"},
                                                            {"ledger", "by the papers' ledgers, no mask"},
                                                            {"rescales", "rescales of O kept in HBM"},
                                                            {"sms", "SMs busy, first wave"},
                                                            {"matmul", "FLOPs in products"},
                                                            {"exp", "exponentials"},
                                                            {"flops", "other FLOPs"},
                                                            {"time", "modelled time"}};
  return titles.at(id);
}

}  // namespace

std::string change_text(double left, double right) {
  if (left == right) return "same";
  if (left <= 0 || right <= 0) return "";
  const double ratio = right / left, part = std::fabs(ratio - 1);
  const char* sign = ratio < 1 ? "−" : "+";
  char text[32];
  if (ratio >= 1.995) return times_text(ratio);
  if (part < 0.0005) return std::string(sign) + "<0.1 %";
  std::snprintf(text, sizeof text, "%s%.*f %%", sign, part < 0.1 ? 1 : 0, part * 100);
  return text;
}

std::string run_title(const Problem& p) {
  const std::span<const HbmTensor> tensors = row_of(p).memory.tensors;
  const bool stores_s = std::any_of(tensors.begin(), tensors.end(), [](const HbmTensor& tensor) {
    return tensor.id == TensorId::S && tensor.life != Life::Never;
  });
  const bool wide = stores_s && p.numerics.element_bytes() != p.numerics.score_bytes();
  return std::string(title_of(p.schedule)) + (wide ? " (S in fp32)" : "");
}

ComparisonWords comparison_words(const Comparison& c, const CallTimes* times) {
  ComparisonWords words;
  add_verdict(c, times, words);
  for (const CompareRow& row : c.rows) words.titles.push_back(row_title(row.id));
  return words;
}

ComparisonWords words_with_times(const Comparison& c, const RaceTimes* races, std::optional<Contender> torch_default) {
  const std::optional<CallTimes> times = c.too_small() ? std::nullopt : call_times(c, races);
  ComparisonWords words = comparison_words(c, times ? &*times : nullptr);
  const std::string of_call = times ? call_win_words(c, *times, races, torch_default) : "";
  if (of_call.empty()) return words;
  words.detail += " " + of_call;
  words.verdict += " " + of_call;
  return words;
}

}  // namespace tilewalk
