#include "pages/compare/whole_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "base/words.h"
#include "core/predict/attention_method.h"
#include "core/schedules/registry.h"
#include "view/pipes/pipes_time.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"
#include "view/words/verdict.h"

namespace tilewalk {
namespace {

std::string other_side(const Problem& now, const Problem& baseline) {
  return now.schedule == baseline.schedule ? std::string("the pinned") : std::string(title_of(baseline.schedule));
}

const char* work_of(SectionName name) {
  switch (name) {
    case SectionName::Scores: return "S = QKᵀ";
    case SectionName::Softmax: return "P = softmax S";
    case SectionName::Output: return "O = P·V";
    default: return name_of(name);
  }
}

// The launches of a call, with their parts of its time (view/pipes/pipes_time).
std::vector<LaneWhole> launches_of(const Schedule& schedule, double ms, double longer) {
  std::vector<LaneWhole> out;
  const int count = schedule.section_count();
  double from = 0;
  for (int section = 0; section < count; ++section) {
    const double to = section + 1 < count ? share_of_time(schedule, first_step_in_section(schedule, section + 1)) : 1;
    out.push_back({.share = (to - from) * ms / longer,
                   .from = from * ms / longer,
                   .name = fmt::format("launch {}", section + 1),
                   .text = fmt::format("{}: {}", work_of(schedule.section_name(section)), ms_text((to - from) * ms)),
                   .tip = schedule.problem().numerics.narrow_scores
                              ? "The time of the call, divided as the model of time divides it"
                              : "The time of the call, divided by the bytes that each launch reads and writes"});
    from = to;
  }
  return out;
}

}  // namespace

std::string share_of_cycles(double part, double whole, const Problem& now, const Problem& baseline, bool a_score) {
  const double share = whole > 0 ? part / whole : 1;
  return fmt::format(
      "{} of {}{} cycles{}", share < 10 ? fmt::format("{:.0f} %", share * 100) : fmt::format("{:.0f} times", share),
      other_side(now, baseline), now.schedule == baseline.schedule ? "" : "'s", a_score ? " a score" : "");
}

bool add_whole_calls(const Comparison& c, const std::optional<CallTimes>& times, const Schedule& pinned,
                     const Schedule& now, LanesModel& lanes) {
  const Schedule* const sides[] = {&pinned, &now};
  const bool plain = !has_lanes(c.left.schedule) || !has_lanes(c.right.schedule), known = times && !c.too_small();
  if (!known && !plain) return false;
  const double modelled[] = {c.left_run.ms(), c.right_run.ms()};
  const double* const ms = known ? times->ms : modelled;
  const double longer = std::max(ms[0], ms[1]);
  if (longer <= 0) return false;
  const std::string kind = known ? times->kind() : "modelled";
  for (int i = 0; i < 2; ++i) {
    LanesPicture& picture = lanes.pictures[std::size_t(i)];
    LaneWhole whole{.share = ms[i] / longer, .text = fmt::format("{} {}", ms_text(ms[i]), kind)};
    whole.name = c.left.schedule != c.right.schedule ? title_of((i == 0 ? c.left : c.right).schedule)
                 : i == 0                            ? "pinned"
                                                     : "now";
    if (known && !times->variants[i].empty()) whole.text += ", " + times->variants[i];
    // PyTorch's kernel of that name has another time.
    if (known && times->recorded && has_lanes((i == 0 ? c.left : c.right).schedule))
      if (const std::optional<Contender> kernel = timed_kernel(i == 0 ? c.left : c.right))
        whole.text += ", " + rung_title(word_of(*kernel));
    if (i == 1 && known)
      whole.text += fmt::format(", {} against {}", change_text(ms[0], ms[1]), other_side(c.right, c.left));
    if (i == 1 && !known) whole.text += ", with launching: too small to tell which is faster";
    whole.tip = fmt::format("The whole call, all heads, on an {}: {}, to scale.",
                            known ? times->card : device_of(c.left.machine).title, kind);
    const bool has = has_lanes((i == 0 ? c.left : c.right).schedule);
    if (!picture.rows.empty()) whole.tip += " Below: one of its thread blocks.";
    picture.whole = std::move(whole);
    if (!has) picture.launches = launches_of(*sides[i], ms[i], longer);
  }
  lanes.whole = time_axis(longer);
  return true;
}

std::vector<std::string> call_titles(const Problem& p) {
  std::string n = "N " + format_count(p.shape.n_q);
  if (p.shape.n_q != p.shape.n_kv) n += " × " + format_count(p.shape.n_kv);
  const std::string d = fmt::format("{} · d {}", n, p.shape.d);
  return {fmt::format("{} · tiles {}×{}", d, p.tiling.br, p.tiling.bc), d, n};
}

std::string steps_text(const Schedule& schedule, std::int64_t cursor, bool of_walk) {
  std::string text =
      fmt::format("{}step {} of {}", of_walk ? "" : fmt::format("N {}: ", format_count(schedule.problem().shape.n_q)),
                  format_count(cursor), format_count(schedule.step_count()));
  if (cursor == 0) return text;
  const Step step = schedule.step(cursor - 1);
  std::string tiles;
  if (step.q_tile >= 0) add_to_list(tiles, fmt::format("Q tile {}", step.q_tile));
  if (step.kv_tile >= 0) add_to_list(tiles, fmt::format("KV tile {}", step.kv_tile));
  return text + fmt::format(" · {}{}{}", tiles, tiles.empty() ? "" : ": ", name_of(step.phase));
}

std::string longest_steps_text(const Schedule& schedule, bool of_walk) {
  const Problem& p = schedule.problem();
  std::size_t phase = 0;
  for (int section = 0; section < schedule.section_count(); ++section)
    for (const auto* phases :
         {&schedule.section(section).prologue, &schedule.section(section).visit, &schedule.section(section).epilogue})
      for (const Phase each : *phases) phase = std::max(phase, std::string_view(name_of(each)).size());
  return fmt::format("{} · Q tile {}, KV tile {}: {}",
                     steps_text(schedule, 0, of_walk) + format_count(schedule.step_count()).substr(1), p.q_tiles() - 1,
                     p.kv_tiles() - 1, std::string(phase, 'n'));
}

LanesPicture without_lanes(const Problem& p, const char* side) {
  LanesPicture out;
  out.title = side + named_settings(p);
  if (!has_lanes(p.schedule)) out.note = "no lanes: whole launches, one after the other, each limited by memory";
  return out;
}

double cycles_a_score(const Problem& p, const Timeline& t) {
  const double scores = double(t.visits) * double(p.tiling.br) * double(p.tiling.bc);
  return scores > 0 ? t.cycles / scores * 1000 : 0;
}

std::string a_score_text(double cycles) {
  return " (" + (cycles < 10 ? format_fixed(cycles, 1) : format_count(std::llround(cycles))) + " a 1,000 scores)";
}

bool same_work(const Problem& a, const Timeline& at, const Problem& b, const Timeline& bt) {
  return at.visits == bt.visits && a.tiling.br == b.tiling.br && a.tiling.bc == b.tiling.bc;
}

}  // namespace tilewalk
