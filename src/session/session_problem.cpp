// The part of a Session that puts a problem on screen. An opened document replaces everything; an edit rebuilds only
// what it changed.
#include <algorithm>

#include "base/words.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "session/session.h"

namespace tilewalk {
namespace {

// True if tensors that were read for one problem are valid for the other.
bool same_tensors(const Problem& a, const Problem& b) {
  Shape shape = a.shape;
  shape.mask = b.shape.mask;
  return shape == b.shape && a.numerics.dtype == b.numerics.dtype;
}

std::string list_of(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) add_to_list(out, path);
  return out;
}

}  // namespace

Result<std::unique_ptr<Session>> Session::open(const Document& document, SessionSetup setup) {
  Result<Opening> opening = open_document({document, nullptr}, setup.load_inputs);
  if (!opening) return opening.issues();
  return of(std::move(*opening), std::move(setup));
}

std::unique_ptr<Session> Session::of(Opening opening, SessionSetup setup) {
  std::unique_ptr<Session> session(new Session(std::move(setup)));
  session->editing_.came_from(opening.session);
  session->show(std::move(opening), false);
  session->read_recordings();
  if (!session->lesson_.progress().empty()) session->lesson_.read();  // to say where to go on
  return session;
}

Issues Session::open_anew(WalkedDocument walked) {
  Result<Opening> opening = open_document(std::move(walked), load_inputs_);
  if (!opening) return opening.issues();
  show(std::move(*opening), false);
  return {};
}

void Session::show(Opening opening, bool keep_view) {
  document_ = std::move(opening.document);
  read_ = std::move(opening.read);
  ViewSettings& view = document_.view;
  view.speed = std::clamp(view.speed, kMinSpeed, kMaxSpeed);
  view.text_scale = std::clamp(view.text_scale, kLeastTextScale, kMostTextScale);
  view.batch = std::clamp<std::int64_t>(view.batch, 0, problem().shape.batch - 1);
  view.head = std::clamp<std::int64_t>(view.head, 0, problem().shape.heads - 1);
  messages_.done(About::Problem);
  checks_.open();
  compare_.forget_baseline();
  if (!keep_view) compare_.show_all();
  editing_.reset_draft();
  walk_.open(std::move(opening.schedule), Inputs(problem(), read_.tensors, document_.edits), workers_, keep_view);
  ++revision_;
}

// For an edit that keeps steps and values and changes only the lanes or the costs.
void Session::show_around_the_walk(Document next, std::shared_ptr<const Schedule> schedule) {
  const Problem baseline_before = baseline();
  const std::int64_t cursor = next.cursor;
  next.cursor = this->cursor();
  document_ = std::move(next);
  messages_.done(About::Problem);
  editing_.reset_draft();
  if (const Changes changes = changes_between(baseline_before, baseline()); changes.values || changes.steps)
    compare_.forget_baseline();
  walk_.rescheduled(std::move(schedule), cursor);
}

Issues Session::adopt(Document next, bool keep_view) {
  if (Issues issues = validate(next.problem); !issues.empty()) return issues;
  const std::vector<std::string> changed = changed_files(read_);
  const bool read_again = document_.paths.any() && !same_tensors(problem(), next.problem);
  if (read_again && !changed.empty())
    return {
        {list_of(changed), "", "has changed on disk since it was opened", "Open it again to read its new contents"}};
  const Changes changes = changes_between(problem(), next.problem);
  const std::shared_ptr<const Schedule> schedule =
      next.problem == problem() ? walk_.shared_schedule() : make_schedule(next.problem);
  if (changes.values || changes.steps || next.edits != document_.edits) {
    Opening opening{std::move(next), schedule, read_};
    if (read_again) {
      Result<LoadedInputs> read = load_inputs_(opening.document);
      if (!read) return read.issues();
      opening.read = std::move(*read);
    }
    const DType dtype = opening.document.problem.numerics.dtype;
    const FileInputs unseen = read_again || dtype != problem().numerics.dtype ? opening.read.tensors : FileInputs{};
    if (Issues issues = check_input_values(unseen, opening.document.edits, dtype); !issues.empty()) return issues;
    show(std::move(opening), keep_view);
  } else {
    if (!keep_view) walk_.show_all(), compare_.show_all();
    show_around_the_walk(std::move(next), schedule);
  }
  if (!changed.empty())
    messages_.say(list_of(changed) +
                  " has changed on disk since it was opened. What is shown is what was read then; open it again to " +
                  "take it as it is now");
  return {};
}

}  // namespace tilewalk
