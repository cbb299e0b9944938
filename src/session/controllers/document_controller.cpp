#include "session/controllers/document_controller.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/nearest.h"
#include "base/parse.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "core/schedules/registry.h"
#include "session/document/compared_problems.h"
#include "session/document/settings.h"

namespace tilewalk {
namespace {

bool lies_inside(const InputEdit& edit, const Shape& shape) {
  const bool query = is_by_query(edit.tensor);
  return edit.batch < shape.batch && edit.head < (query ? shape.heads : shape.kv_heads) &&
         edit.row < (query ? shape.n_q : shape.n_kv) && edit.col < shape.d;
}

}  // namespace

void DocumentController::reset_draft() {
  draft_ = draft_of(problem());
  draft_issues_.clear();
  too_large_by_ = 0;
}

void DocumentController::adopt_or_say(Document next) {
  if (const Issues issues = owner_.adopt(std::move(next), true); !issues.empty())
    messages_.refuse(issues, About::Problem);
}

void DocumentController::clear_values() {
  Document next = document_;
  next.edits.clear();
  adopt_or_say(std::move(next));
}

void DocumentController::copy_command_line() {
  view_.copy(command_line_for(document_, "replay"));
  messages_.say("Copied: " + view_.clipboard());
}

void DocumentController::carry_out(const SetSchedule& c) {
  Document next = document_;
  next.problem.schedule = c.schedule;
  choose_default_splits(next.problem);
  next.problem.numerics.narrow_scores = next.problem.numerics.narrow_scores && may_have_narrow_scores(next.problem);
  if (!fault_applies(next.problem.fault, next.problem.schedule)) next.problem.fault = Fault::None;
  next.cursor = 0;
  if (next.problem.schedule == problem().schedule) return;
  // With the tiles of that schedule's own kernel, as everywhere else.
  if (const std::optional<Problem> tiled = under_own_tiles(problem(), c.schedule)) {
    Document own = next;
    own.problem.tiling.br = tiled->tiling.br, own.problem.tiling.bc = tiled->tiling.bc;
    own.problem.numerics.narrow_scores = tiled->numerics.narrow_scores;
    if (owner_.adopt(std::move(own), true).empty()) return;
  }
  adopt_or_say(std::move(next));
}

void DocumentController::carry_out(const SetFault& c) {
  Document next = document_;
  next.problem.fault = c.fault;
  if (next.problem == problem()) return view_.open(Dialog::None);
  if (const Issues issues = owner_.adopt(std::move(next), true); !issues.empty())
    return messages_.refuse(issues, About::Problem);
  view_.open(Dialog::None);
}

void DocumentController::carry_out(const EditField& c) {
  if (c.field == kBothLengths)
    draft_["n-q"] = draft_["n-kv"] = c.text;
  else if (draft_.contains(c.field))
    draft_[c.field] = c.text;
  // The editor does not show it under another schedule, where it is an error.
  const std::optional<ScheduleKind> kind = schedule_from(draft_["schedule"]);
  if (kind && !schedule_row(*kind).settings.narrow_scores) draft_["narrow-scores"] = "off";
  const Result<Problem> problem = problem_of(draft_);
  draft_issues_ = problem ? Issues{} : problem.issues();
}

void DocumentController::carry_out(const ApplyEdit&) {
  const Result<Problem> problem = problem_of(draft_);
  if (!problem) {
    draft_issues_ = problem.issues();
    return;
  }
  Document next = document_;
  next.problem = *problem;
  if (const Changes changes = changes_between(this->problem(), *problem); changes.values || changes.steps)
    next.cursor = 0;
  const auto lost = std::erase_if(next.edits, [&](const InputEdit& e) { return !lies_inside(e, problem->shape); });
  const Draft typed = draft_;
  if (Issues issues = owner_.adopt(std::move(next), false); !issues.empty()) {
    draft_ = typed;
    draft_issues_ = std::move(issues);
    return;
  }
  view_.open(Dialog::None);
  if (lost > 0) messages_.say("Edited values outside the new shape were dropped: " + std::to_string(lost));
}

void DocumentController::carry_out(const EditValue& c) {
  const bool query = is_by_query(c.tensor);
  const std::int64_t rows = query ? problem().shape.n_q : problem().shape.n_kv;
  const std::string place =
      std::string(name_of(c.tensor)) + "[" + std::to_string(c.row) + "][" + std::to_string(c.col) + "]";
  if (c.row < 0 || c.row >= rows || c.col < 0 || c.col >= problem().shape.d)
    return messages_.refuse(place + " lies outside the tensor", About::Problem);
  const std::optional<float> value = parse_real<float>(c.text);
  if (!value || !std::isfinite(*value))
    return messages_.refuse(place + " = " + c.text + ": is not a finite number. Type a number such as 0.5",
                            About::Problem);
  InputEdit edit;
  edit.tensor = c.tensor;
  edit.batch = walk_.batch_in_view();
  edit.head = query ? walk_.head_in_view() : problem().shape.kv_head_of(walk_.head_in_view());
  edit.row = c.row;
  edit.col = c.col;
  edit.value = *value;
  Document next = document_;
  std::erase_if(next.edits, [&](const InputEdit& e) {
    return e.tensor == edit.tensor && e.batch == edit.batch && e.head == edit.head && e.row == edit.row &&
           e.col == edit.col;
  });
  next.edits.push_back(edit);
  adopt_or_say(std::move(next));
}

void DocumentController::carry_out(const LoadPreset& c) {
  const auto preset = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& p) { return p.name == c.name; });
  if (preset == presets_.end()) {
    std::vector<std::string> names;
    for (const Preset& p : presets_) names.push_back(p.name);
    const std::string other = nearest(c.name, names);
    return messages_.refuse(c.name + " is not a preset" + (other.empty() ? "" : ". The nearest is " + other),
                            About::Problem);
  }
  Document next = preset->document;
  put_settings(settings_of(document_.view), next.view);
  next.view.page = document_.view.page;
  next.view.filling = document_.view.filling;
  next.pinned = document_.pinned;
  if (const Issues issues = owner_.open_anew({std::move(next), preset->schedule}); !issues.empty())
    return messages_.refuse(issues, About::Problem);
  view_.open(Dialog::None);
}

// The requested folder, else the folder of the open file, else the one used last.
void DocumentController::carry_out(const ShowFolder& c) {
  static constexpr const char* kEndings[] = {".toml", ".safetensors", ".json", ".csv", ".gz"};
  std::string path = c.path;
  const std::string& near = !file_.path.empty() ? file_.path : recent_.empty() ? std::string() : recent_.front();
  if (path.empty() && !near.empty()) path = std::filesystem::path(near).parent_path().string();
  Result<FolderListing> listing = list_folder(path, kEndings);
  if (!listing && c.path.empty()) listing = list_folder("", kEndings);
  if (!listing) return messages_.refuse(listing.issues(), About::Problem);
  folder_ = std::move(*listing);
}

void DocumentController::used(const std::string& path) {
  std::error_code error;
  const std::string whole = std::filesystem::absolute(path, error).lexically_normal().string();
  std::erase(recent_, whole);
  recent_.insert(recent_.begin(), whole);
  if (recent_.size() > kMostRecent) recent_.resize(kMostRecent);
}

std::int64_t DocumentController::same_place_in(const Problem& next) const {
  const State& state = walk_.state();
  if (!state.started || state.step.q_tile < 0) return 0;
  const auto schedule = make_schedule(next);
  const std::int64_t q_tile = state.step.row_begin / next.tiling.br,
                     col = state.step.kv_tile < 0 ? 0 : state.step.col_begin;
  for (const std::int64_t kv_tile : {col / next.tiling.bc, std::int64_t(0)}) {
    const std::int64_t end = schedule->end_step_of_visit(
        schedule->visit_section(),
        {.batch = state.step.batch, .head = state.step.head, .q_tile = q_tile, .kv_tile = kv_tile});
    if (end >= 0) return end;
  }
  return 0;
}

void DocumentController::carry_out(const SetTiling& c) {
  Document next = document_;
  Problem& p = next.problem;
  p.tiling.br = std::clamp<std::int64_t>(c.br, 1, p.shape.n_q);
  p.tiling.bc = std::clamp<std::int64_t>(c.bc, 1, p.shape.n_kv);
  if (p.tiling == problem().tiling) {  // back to the current tiling: clears the refusal of an earlier one
    if (too_large_by_ > 0) messages_.clear();
    too_large_by_ = 0;
    return;
  }
  if (const Issues issues = validate(p); !issues.empty()) {
    too_large_by_ = std::max<std::int64_t>(0, peak_bytes(p) - p.machine.sram_bytes);
    if (too_large_by_ == 0) return messages_.refuse(issues, About::Problem);
    return messages_.refuse(std::to_string(p.tiling.br) + " × " + std::to_string(p.tiling.bc) + " tiles need " +
                                format_bytes(peak_bytes(p)) + ". A thread block here has " +
                                format_bytes(p.machine.sram_bytes),
                            About::Problem);
  }
  messages_.clear();
  next.cursor = same_place_in(p);
  adopt_or_say(std::move(next));
}

void DocumentController::carry_out(const OpenFile& c) {
  const FileIdentity identity = identity_of(c.path);
  const Result<WalkedDocument> loaded = document_of_file(c.path);
  if (const Issues issues = loaded ? owner_.open_anew(*loaded) : loaded.issues(); !issues.empty())
    return messages_.refuse(issues, About::Problem);
  file_ = c.path.ends_with(".safetensors") ? ReadFile{} : ReadFile{c.path, identity};  // Save writes it
  used(c.path);
  view_.open(Dialog::None);
  messages_.say("Opened " + c.path + (loaded->found.empty() ? "" : ". " + loaded->found));
}

bool DocumentController::would_replace_another(const std::string& path) const {
  const FileIdentity there = identity_of(path);
  if (there == FileIdentity{}) return false;
  std::error_code absent;
  return there != file_.identity || !std::filesystem::equivalent(path, file_.path, absent);
}

void DocumentController::carry_out(const SaveFile& c) {
  asks_to_replace_.clear();
  if (!c.replace.value_or(false) && would_replace_another(c.path)) {
    asks_to_replace_ = c.path;
    const bool changed = c.path == file_.path;
    return messages_.refuse(c.path +
                                (changed ? ": was changed by another program since it was opened here. "
                                         : ": is there already, and is not the session open here. ") +
                                "Replace it, or choose another name",
                            About::Problem);
  }
  if (const Result<Done> saved = save_document(document_, c.path); !saved)
    return messages_.refuse(saved.issues(), About::Problem);
  file_ = {c.path, identity_of(c.path)};
  used(c.path);
  view_.open(Dialog::None);
  messages_.say("Saved " + c.path);
}

}  // namespace tilewalk
