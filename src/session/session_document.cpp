// The part of a Session that changes its document: schedules, edits, files, and what is reported about it.
#include <algorithm>

#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"
#include "session/session.h"

namespace tilewalk {

bool Session::adopt_or_say(Document next, bool keep_view) {
  const Issues issues = adopt(std::move(next), keep_view);
  if (!issues.empty()) say(text_of(issues), true);
  return issues.empty();
}

void Session::carry_out(const SetSchedule& c) {
  Document next = document_;
  next.problem.schedule = c.schedule;
  choose_default_splits(next.problem);
  if (!fault_applies(next.problem.fault, next.problem.schedule)) next.problem.fault = Fault::None;
  next.cursor = 0;
  if (next.problem.schedule != problem().schedule) adopt_or_say(std::move(next), true);
}

void Session::carry_out(const EditField& c) {
  if (c.field == kBothLengths)
    draft_["n-q"] = draft_["n-kv"] = c.text;
  else if (draft_.contains(c.field))
    draft_[c.field] = c.text;
  const Result<Problem> problem = problem_of(draft_);
  draft_issues_ = problem ? Issues{} : problem.issues();
}

void Session::carry_out(const ResetEdit&) {
  draft_ = draft_of(problem());
  draft_issues_.clear();
}

void Session::carry_out(const ApplyEdit&) {
  const Result<Problem> problem = problem_of(draft_);
  if (!problem) {
    draft_issues_ = problem.issues();
    return;
  }
  Document next = document_;
  next.problem = *problem;
  if (const Changes changes = changes_between(this->problem(), *problem); changes.values || changes.steps)
    next.cursor = 0;
  const auto lost = std::erase_if(next.edits, [&](const InputEdit& e) {
    const bool query = e.tensor == TensorId::Q || e.tensor == TensorId::dO;
    return e.batch >= problem->shape.batch || e.head >= (query ? problem->shape.heads : problem->shape.kv_heads) ||
           e.row >= (query ? problem->shape.n_q : problem->shape.n_kv) || e.col >= problem->shape.d;
  });
  const Draft typed = draft_;
  if (Issues issues = adopt(std::move(next), false); !issues.empty()) {
    draft_ = typed;
    draft_issues_ = std::move(issues);
    return;
  }
  dialog_ = Dialog::None;
  if (lost > 0) say("Edited values outside the new shape were dropped: " + std::to_string(lost));
}

void Session::carry_out(const LoadPreset& c) {
  const auto preset = std::find_if(setup_.presets.begin(), setup_.presets.end(),
                                   [&](const Preset& p) { return p.name == c.name; });
  if (preset == setup_.presets.end()) return say(c.name + " is not a preset", true);
  Document next = preset->document;
  next.view.dark = document_.view.dark;
  next.view.text_scale = document_.view.text_scale;
  next.view.page = page();
  next.view.filling = filling();
  next.pinned = document_.pinned;
  if (const Issues issues = open_anew({std::move(next), preset->schedule}); !issues.empty())
    return say(text_of(issues), true);
  dialog_ = Dialog::None;
}

void Session::carry_out(const OpenFile& c) {
  const Result<WalkedDocument> loaded = load_document(c.path);
  if (const Issues issues = loaded ? open_anew(*loaded) : loaded.issues(); !issues.empty())
    return say(text_of(issues), true);
  path_ = c.path;
  dialog_ = Dialog::None;
  say("Opened " + c.path);
  open_page();
}

void Session::carry_out(const SaveFile& c) {
  const Result<Done> saved = save_document(document_, c.path);
  if (!saved) return say(text_of(saved.issues()), true);
  path_ = c.path;
  dialog_ = Dialog::None;
  say("Saved " + c.path);
}

void Session::carry_out(const ReportCheck& c) {
  if (c.problem_revision == problem_revision_) check_ = c.report;
}

void Session::carry_out(const ReportAccuracy& c) {
  if (!c.of_baseline && c.revision == problem_revision_) accuracy_ = c.report;
  if (c.of_baseline && c.revision == baseline_revision_) baseline_accuracy_ = c.report;
}

void Session::carry_out(const ReportDevices& c) {
  setup_.gpu_present = c.gpu_present;
  setup_.gpu_reason = c.reason;
}

bool Session::document(Action action) {
  switch (action) {
    case Action::ClearValues: {
      Document next = document_;
      next.edits.clear();
      adopt_or_say(std::move(next), true);
      return true;
    }
    case Action::CopyCommandLine:
      clipboard_ = command_line_for(document_, "replay");
      ++clipboard_serial_;
      say("Copied: " + clipboard_);
      return true;
    case Action::CheckLive:
      if (!setup_.gpu_present)
        say(setup_.gpu_reason.empty() ? "There is no GPU to check on." : setup_.gpu_reason, true);
      else
        ++live_check_serial_;
      return true;
    default: return false;
  }
}

}  // namespace tilewalk
