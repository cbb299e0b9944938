#include "view/walk/verify_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// "4 of 10"; of many visits a share, rounded down.
std::string completed_share(const CompletedVisits& v) {
  if (v.of < 1000) return fmt::format("{} of {}", v.done, v.of);
  const double percent = 100 * double(v.done) / double(v.of);
  return v.done > 0 && percent < 1 ? "<1 %" : fmt::format("{} %", std::int64_t(percent));
}

std::string completed_text(const CompletedVisits& v) {
  if (v.of >= 1000) return completed_share(v) + " of visits";
  return completed_share(v) + (v.of == 1 ? " visit" : " visits");
}

std::string claim_of(bool equal, bool live) {
  return !equal ? "within the rule"
         : live ? "each value equals the GPU's, bit for bit"
                : "each value equals the recorded GPU's, bit for bit";
}

// The same before the last pass has completed a visit: about the tiles of the pass before.
void claim_pass(VerifyModel& model, const CompletedVisits& v, bool equal, bool live) {
  const CompletedVisits tiles{v.in_pass, v.of};
  const std::string share = v.of >= 1000 ? completed_share(tiles) + " of tiles" : completed_share(tiles) + " tiles";
  const std::string pass = fmt::format("pass {}: {}", v.pass, share);
  model.short_text = fmt::format("{} of pass {}: {}", share, v.pass, claim_of(equal, live));
  model.detail += " The badge counts the tiles that the walk has completed in this pass or the one before.";
  model.word = completed_share(tiles);
  model.brief = pass;
  model.text = equal ? pass + " equal · 0 ULP" : pass + " within the rule";
}

// Replaces the claim about the whole run by one about the visits that the walk has completed.
void claim_completed(VerifyModel& model, const CompletedVisits& v, const CheckReport& check, const std::string& gpu) {
  const bool live = check.against == CheckAgainst::LiveGpu, equal = check.verdict == Verdict::Equal;
  if (v.done == 0 && v.in_pass > 0) return claim_pass(model, v, equal, live);
  const std::string visits = completed_text(v);
  model.short_text = fmt::format("{}: {}", visits, v.done == 0 ? "nothing to compare yet" : claim_of(equal, live));
  if (v.done == v.of) return;
  model.detail += " The badge counts the visits that the walk has completed.";
  model.word = completed_share(v);
  model.brief = visits;
  if (v.done == 0) {
    model.kind = BadgeKind::NotChecked;
    model.good = false;
    model.text = visits + (v.of == 1 ? " is checked" : " are checked");
    return;
  }
  if (!equal) {
    model.text = visits + " within the rule";
    return;
  }
  model.brief += " · bits equal";
  model.text = live ? fmt::format("{} checked live on {} · 0 ULP", visits, gpu)
                    : fmt::format("{} equal {}, {} · 0 ULP", visits, gpu, check.provenance.date);
}

// Before the walk has come to the first difference nothing that it computed differs.
void claim_before_difference(VerifyModel& model, const CompletedVisits& v, std::int64_t step, bool wrong_already,
                             bool output_right) {
  model.kind = BadgeKind::NotChecked;
  if (wrong_already) {
    model.kind = output_right ? BadgeKind::AtRisk : BadgeKind::Diverged;
    const char* const word = output_right ? "differs" : "wrong";
    model.text =
        fmt::format("already {}; the check sees it at step {}", output_right ? "different" : "wrong", step + 1);
    model.brief = fmt::format("{}; check at step {}", word, step + 1);
    model.word = word;
    model.in_full = true;
    model.short_text = completed_text(v) + ": " + model.text;
    return;
  }
  model.brief = completed_text(v);
  model.word = completed_share(v);
  model.text = fmt::format("{} are equal, step {} differs", model.brief, step + 1);
  model.short_text = fmt::format("{}: equal so far; the check finds a difference at step {}", model.brief, step + 1);
}

std::string text_of_value(const std::optional<float>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

// The visits of a section that are completed after a step: outside a visit those before it.
std::int64_t completed_in(const Schedule& schedule, std::int64_t index, int section, std::int64_t of) {
  if (schedule.step(index).section > section) return of;
  for (std::int64_t k = index; k >= 0; --k) {
    const Step step = schedule.step(k);
    if (step.section != section) break;
    if (step.in_visit()) return step.visit_index + (step.phase_in_visit + 1 == step.phases_in_visit ? 1 : 0);
  }
  return 0;
}

}  // namespace

std::string short_gpu(const std::string& gpu) {
  const std::string maker = "NVIDIA ";
  return gpu.starts_with(maker) ? gpu.substr(maker.size()) : gpu;
}

CompletedVisits completed_visits(const Schedule& schedule, const State& state) {
  int last = -1;
  for (int s = 0; s < schedule.section_count(); ++s)
    if (!schedule.section(s).visit.empty()) last = s;
  CompletedVisits out{0, schedule.visit_counts().visited()};
  out.cursor = state.started ? state.step.index + 1 : 0;
  if (!state.started) return out;
  const int now = state.step.section;
  if (now >= last) out.done = completed_in(schedule, state.step.index, last, out.of);
  if (out.done > 0 || last < 0) return out;
  for (int s = std::min(now, last - 1); s >= 0 && out.pass == 0; --s)
    if (!schedule.section(s).visit.empty())
      out.pass = s + 1, out.in_pass = completed_in(schedule, state.step.index, s, out.of);
  return out;
}

VerifyModel build_verify_model(const CheckReport& check, const std::optional<CompletedVisits>& completed,
                               bool wrong_already, bool output_right) {
  VerifyModel model;
  const std::string gpu = short_gpu(check.provenance.gpu);
  const bool live = check.against == CheckAgainst::LiveGpu;
  const std::string source =
      live ? "the kernel run live on " + gpu : fmt::format("a recording from {}, {}", gpu, check.provenance.date);
  const std::string compared = fmt::format("{}, {} compared with {}.", counted(check.tile_visits, "tile visit"),
                                           counted(check.values, "value"), source);
  switch (check.verdict) {
    case Verdict::NotChecked:
      model.text = model.short_text = model.brief = "not GPU-checked";
      model.word = "unchecked";
      model.detail = check.reason.empty() ? "These values were not compared with a GPU." : check.reason;
      break;
    case Verdict::Running:
      model.kind = BadgeKind::Running;
      model.text = live ? "checking live on " + gpu + " …" : "checking against a recording …";
      model.short_text = "being checked";
      model.brief = model.word = "checking …";
      model.detail = "Nothing is said before every value has been compared.";
      break;
    case Verdict::Equal:
      model.kind = live ? BadgeKind::Live : BadgeKind::Recorded;
      model.good = true;
      model.text = live ? fmt::format("checked live on {} · 0 ULP", gpu)
                        : fmt::format("equals recording from {}, {} · 0 ULP", gpu, check.provenance.date);
      model.brief = live ? "checked live · 0 ULP" : "equals recording · 0 ULP";
      model.word = live ? "live" : "recorded";
      model.short_text =
          live ? "each value equals the GPU's, bit for bit" : "each value equals the recorded GPU's, bit for bit";
      model.detail = compared + " None differs in any bit.";
      if (completed) claim_completed(model, *completed, check, gpu);
      break;
    case Verdict::WithinRule:
      model.kind = BadgeKind::WithinRule;
      model.good = true;
      model.text = fmt::format("within the rule against {} · {} ULP", gpu, check.max_ulp.value_or(0));
      model.short_text = "state is within the rule";
      model.brief = "within the rule";
      model.word = "within";
      model.detail = compared + " The error is at most twice that of naive attention in the same precision.";
      if (completed) claim_completed(model, *completed, check, gpu);
      break;
    case Verdict::Diverged:
    case Verdict::NotFinite: {
      const bool finite = check.verdict == Verdict::Diverged;
      const bool at_risk = finite && output_right;
      model.kind = at_risk ? BadgeKind::AtRisk : finite ? BadgeKind::Diverged : BadgeKind::NotFinite;
      model.text = model.brief = model.word = at_risk ? "differs" : finite ? "diverged" : "not finite";
      if (check.first) {
        if (check.first->step >= 0) model.goes_to = GoToStep{check.first->step + 1};
        model.text += fmt::format(" at step {}", check.first->step + 1);
        if (check.first->row >= 0) model.text += fmt::format(", row {}", check.first->row);
        model.detail = fmt::format("{}: {} in Q tile {}, KV tile {}",
                                   finite ? "First difference" : "First value that is not finite",
                                   name_of(check.first->quantity), check.first->q_tile, check.first->kv_tile);
        if (check.first->row >= 0) model.detail += fmt::format(", row {}", check.first->row);
        if (check.first->col >= 0) model.detail += fmt::format(", column {}", check.first->col);
        if (check.first->expected || check.first->got)
          model.detail += fmt::format(": the replay has {}, the kernel {}", text_of_value(check.first->expected),
                                      text_of_value(check.first->got));
        model.detail += ". ";
      }
      model.brief = model.text;
      if (at_risk) model.text += " · result right";
      model.short_text = model.text;
      if (check.first)
        model.word = fmt::format("{} at {}",
                                 at_risk  ? "differs"
                                 : finite ? "wrong"
                                          : "not finite",
                                 check.first->step + 1);
      if (completed && check.first && completed->cursor <= check.first->step)
        claim_before_difference(model, *completed, check.first->step, wrong_already, at_risk);
      model.detail += compared;
      if (!check.reason.empty()) model.detail += " " + check.reason;
      break;
    }
  }
  return model;
}

std::string check_title(const CheckReport& check, bool output_right, std::int64_t wrong_from) {
  const std::string gpu = short_gpu(check.provenance.gpu);
  switch (check.verdict) {
    case Verdict::Equal:
      return check.against == CheckAgainst::EmulatedKernel
                 ? "Every value equals the kernel's on this CPU, bit for bit"
                 : fmt::format("Every value equals the {}'s, bit for bit", gpu);
    case Verdict::WithinRule: return fmt::format("At most twice naive attention's error, as on the {}", gpu);
    case Verdict::Running: return "The values are being checked";
    case Verdict::NotChecked: return "Not compared with a GPU";
    case Verdict::Diverged:
    case Verdict::NotFinite: break;
  }
  if (output_right && check.first)
    return fmt::format("The result is right, though {} differs from step {} on", name_of(check.first->quantity),
                       format_count(check.first->step + 1));
  const std::string title = check.verdict == Verdict::Diverged ? "Wrong" : "Not finite";
  if (!check.first) return title;
  const std::int64_t found = check.first->step + 1;
  if (wrong_from <= 0 || wrong_from >= found) return title + fmt::format(" from step {} on", format_count(found));
  return title +
         fmt::format(" from step {} on, found by the check at step {}", format_count(wrong_from), format_count(found));
}

VisitCheck check_of_visit(const CheckReport& check, std::int64_t visit_index) {
  if (visit_index < 0) return VisitCheck::Unknown;
  if (check.verdict == Verdict::Equal || check.verdict == Verdict::WithinRule) return VisitCheck::Equal;
  if ((check.verdict == Verdict::Diverged || check.verdict == Verdict::NotFinite) && check.first) {
    if (visit_index < check.first->visit_index) return VisitCheck::Equal;
    if (visit_index == check.first->visit_index) return VisitCheck::Differs;
  }
  return VisitCheck::Unknown;
}

}  // namespace tilewalk
