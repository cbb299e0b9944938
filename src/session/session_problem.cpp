// The part of a Session that puts a problem on screen: what is opened comes whole, and of an edit only what it changed
// is made again.
#include <algorithm>

#include "core/schedules/fields/fields.h"
#include "core/schedules/validate.h"
#include "session/session.h"

namespace tilewalk {
namespace {

// Whether tensors read for the one are those of the other.
bool same_tensors(const Problem& a, const Problem& b) {
  Shape shape = a.shape;
  shape.mask = b.shape.mask;
  return shape == b.shape && a.numerics.dtype == b.numerics.dtype;
}

std::string list_of(const std::vector<std::string>& paths) {
  std::string out;
  for (const std::string& path : paths) out += (out.empty() ? "" : ", ") + path;
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
  session->show(std::move(opening), false);
  session->open_page();
  return session;
}

Issues Session::open_anew(WalkedDocument walked) {
  Result<Opening> opening = open_document(std::move(walked), setup_.load_inputs);
  if (!opening) return opening.issues();
  show(std::move(*opening), false);
  return {};
}

void Session::show(Opening opening, bool keep_view) {
  document_ = std::move(opening.document);
  read_ = std::move(opening.read);
  schedule_ = std::move(opening.schedule);
  ViewSettings& view = document_.view;
  view.speed = std::clamp(view.speed, kMinSpeed, kMaxSpeed);
  view.text_scale = std::clamp(view.text_scale, 0.8, 3.0);
  view.batch = std::clamp<std::int64_t>(view.batch, 0, problem().shape.batch - 1);
  view.head = std::clamp<std::int64_t>(view.head, 0, problem().shape.heads - 1);
  const Inputs inputs(problem(), read_.tensors, document_.edits);
  replay_ = std::make_unique<Replay>(schedule_, inputs, setup_.crew);
  shown_ = State{};
  busy_ = false;
  playback_ = {};
  if (!keep_view) grid_view_ = {}, lanes_view_ = {};
  if (selection_ && (selection_->row >= problem().shape.n_q || selection_->col >= problem().shape.n_kv))
    selection_.reset();
  draft_ = draft_of(problem());
  draft_issues_.clear();
  check_ = {};
  ++problem_revision_;
  accuracy_.reset();
  forget_baseline();
  ++revision_;
  seek(document_.cursor);
}

// The same steps and values: who does what when, or what it costs, is another.
void Session::show_around_the_walk(Document next, std::shared_ptr<const Schedule> schedule) {
  const Problem baseline_before = baseline();
  const std::int64_t cursor = next.cursor;
  next.cursor = this->cursor();
  document_ = std::move(next);
  schedule_ = std::move(schedule);
  draft_ = draft_of(problem());
  draft_issues_.clear();
  if (const Changes changes = changes_between(baseline_before, baseline()); changes.values || changes.steps)
    forget_baseline();
  if (cursor != this->cursor()) seek(cursor);
}

Issues Session::adopt(Document next, bool keep_view) {
  if (Issues issues = validate(next.problem); !issues.empty()) return issues;
  const std::vector<std::string> changed = changed_files(read_);
  const bool read_again = document_.paths.any() && !same_tensors(problem(), next.problem);
  if (read_again && !changed.empty())
    return {{list_of(changed), "", "has changed on disk since it was opened", "Open it again to take it as it is now"}};
  const Changes changes = changes_between(problem(), next.problem);
  const std::shared_ptr<const Schedule> schedule = next.problem == problem() ? schedule_ : make_schedule(next.problem);
  if (changes.values || changes.steps || next.edits != document_.edits) {
    Opening opening{std::move(next), schedule, read_};
    if (read_again) {
      Result<LoadedInputs> read = setup_.load_inputs(opening.document);
      if (!read) return read.issues();
      opening.read = std::move(*read);
    }
    const FileInputs& unseen = read_again ? opening.read.tensors : FileInputs{};
    if (Issues issues = check_finite(unseen, opening.document.edits); !issues.empty()) return issues;
    show(std::move(opening), keep_view);
  } else {
    if (!keep_view) grid_view_ = {}, lanes_view_ = {};
    show_around_the_walk(std::move(next), schedule);
  }
  if (!changed.empty())
    say(list_of(changed) + " has changed on disk since it was opened. What is shown is what was read then; open it " +
        "again to take it as it is now");
  return {};
}

}  // namespace tilewalk
