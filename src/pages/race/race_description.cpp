// What a race is: where, when and on what it ran, its ceilings, and what it left out.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"
#include "pages/race/race_parts.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"

namespace tilewalk {

Differences differences(const Call& call, const RaceRow& row, RaceSource source) {
  Differences out;
  const auto add = [&](const std::string& what, const std::string& raced, const std::string& called) {
    if (raced == called) return;
    add_to_list(out.words, what + raced + ", not " + called, "; ");
    add_to_list(out.raced, what + raced);
  };
  if (source == RaceSource::Recorded)
    add("GPU ", device_title(kRecordedOn), call.on_gpu ? device_title(call.device) : "a CPU");
  add("N ", format_count(row.n), format_count(call.n_q));
  add("d ", std::to_string(row.d), std::to_string(call.d));
  add("", counted(row.heads, "head") + " × batch " + format_count(row.batch),
      counted(call.heads, "head") + " × batch " + format_count(call.batch));
  add("mask ", row.causal ? "causal" : "none", call.is_causal ? "causal" : "none");
  add("", row.dtype, name_of(call.type));
  return out;
}

std::string no_memory_words(const RaceRow& row, const RaceRow* beside) {
  std::string why = row.note();
  const std::string again = "out of memory";
  if (why.starts_with(again)) why.erase(0, again.size());
  while (why.starts_with(':') || why.starts_with(' ')) why.erase(0, 1);
  const bool other = beside && (row.batch != beside->batch || row.heads != beside->heads);
  const std::string sizes =
      other ? fmt::format(", {} × batch {}", counted(row.heads, "head"), format_count(row.batch)) : "";
  return n_text(row.n) + sizes + ": out of memory" + (why.empty() ? "" : ", " + why);
}

void add_description(const Race& race, RaceModel& model) {
  const std::string day = race.date().substr(0, 10);
  model.badge = model.recorded ? "RECORDED" : "MEASURED HERE";
  model.heading = race.machine() + (day.empty() ? "" : ", " + day);
  if (const std::string torch = race.word("torch"); !torch.empty()) model.heading += ", beside PyTorch " + torch;
  if (race.stopped) model.heading += "; stopped before the end";
  const std::string dtype = race.rows.empty() ? "" : race.rows.front().dtype;
  std::string products;
  for (const double rate : race.product_rates()) add_to_list(products, rate_text(rate), ", above d 128 ");
  const auto copy = race.copy_gb_per_s();
  if (!products.empty()) model.ceilings = dtype + " products " + products;
  if (copy) add_to_list(model.ceilings, fmt::format("copy {:.{}f} GB/s", *copy, *copy < 100 ? 1 : 0), ", ");
  if (!model.ceilings.empty()) model.ceilings = fmt::format("Ceilings {}: {}", race.name_of_ceilings(), model.ceilings);
  if (const std::string left_out = race.word("left out"); !left_out.empty())
    model.notes.push_back("Left out: " + left_out);
  const auto lost = std::count_if(race.rows.begin(), race.rows.end(),
                                  [](const RaceRow& r) { return r.outcome() == RaceOutcome::NotQuiet; });
  if (lost > 0)
    model.notes.push_back(
        fmt::format("{} of {} {} not reported: this machine was not quiet. Close what else runs, and "
                    "race again",
                    lost, counted(std::int64_t(race.rows.size()), "row"), lost == 1 ? "is" : "are"));
}

}  // namespace tilewalk
