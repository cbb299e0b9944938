#include "view/walk/verify_model.h"

#include <fmt/format.h>

#include "base/units.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string short_gpu(const std::string& gpu) {
  const std::string maker = "NVIDIA ";
  return gpu.starts_with(maker) ? gpu.substr(maker.size()) : gpu;
}

std::string text_of_value(const std::optional<float>& value) { return value ? fmt::format("{:.9g}", *value) : ""; }

}  // namespace

VerifyModel build_verify_model(const CheckReport& check) {
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
      model.detail = check.reason.empty() ? "These values were not held against a GPU." : check.reason;
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
      model.short_text = live ? "state equals the GPU's, bit for bit" : "state equals the recorded GPU's, bit for bit";
      model.detail = compared + " None differs in any bit.";
      break;
    case Verdict::WithinRule:
      model.kind = BadgeKind::WithinRule;
      model.good = true;
      model.text = fmt::format("within the rule against {} · {} ULP", gpu, check.max_ulp.value_or(0));
      model.short_text = "state is within the rule";
      model.brief = "within the rule";
      model.word = "within";
      model.detail = compared + " The error is at most twice that of naive attention in the same precision.";
      break;
    case Verdict::Diverged:
    case Verdict::NotFinite: {
      const bool finite = check.verdict == Verdict::Diverged;
      model.kind = finite ? BadgeKind::Diverged : BadgeKind::NotFinite;
      model.text = model.brief = model.word = finite ? "diverged" : "not finite";
      if (check.first) {
        model.step = check.first->step;
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
      model.short_text = model.text;
      model.detail += compared;
      if (!check.reason.empty()) model.detail += " " + check.reason;
      break;
    }
  }
  return model;
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
