#include "session/session.h"
#include "core/schedules/validate.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewalk {

Result<std::unique_ptr<Session>> Session::open(const Document& document, SessionSetup setup) {
  std::unique_ptr<Session> session(new Session(std::move(setup)));
  if (Issues issues = session->adopt(document, false); !issues.empty()) return issues;
  session->open_page();
  return session;
}

std::int64_t Session::batch_in_view() const { return shown_.started ? shown_.step.batch : 0; }
std::int64_t Session::head_in_view() const { return shown_.started ? shown_.step.head : 0; }

Issues Session::adopt(Document document, bool keep_view) {
  Issues issues = validate(document.problem);
  if (!issues.empty()) return issues;
  FileInputs files;
  if (document.paths.any()) {
    if (!setup_.load_inputs)
      return {{"paths", "", "input files cannot be read here", "Open the session from the command line"}};
    Result<FileInputs> loaded = setup_.load_inputs(document);
    if (!loaded) return loaded.issues();
    files = *loaded;
  }
  if (issues = check_finite(files, document.edits); !issues.empty()) return issues;

  document.view.speed = std::clamp(document.view.speed, kMinSpeed, kMaxSpeed);
  document.view.text_scale = std::clamp(document.view.text_scale, 0.8, 3.0);
  document.view.batch = std::clamp<std::int64_t>(document.view.batch, 0, document.problem.shape.batch - 1);
  document.view.head = std::clamp<std::int64_t>(document.view.head, 0, document.problem.shape.heads - 1);
  const std::int64_t cursor = document.cursor;
  document_ = std::move(document);
  files_ = std::move(files);
  std::shared_ptr<const Schedule> schedule = make_schedule(document_.problem);
  replay_ = std::make_unique<Replay>(schedule, Inputs(document_.problem, files_, document_.edits), setup_.crew);
  shown_ = State{};
  busy_ = false;
  playback_ = {};
  if (!keep_view) grid_view_ = {}, lanes_view_ = {};
  if (selection_ && (selection_->row >= problem().shape.n_q || selection_->col >= problem().shape.n_kv)) selection_.reset();
  draft_ = draft_of(document_.problem);
  draft_issues_.clear();
  check_ = {};
  ++problem_revision_;
  ++baseline_revision_;
  accuracy_.reset();
  baseline_accuracy_.reset();
  ++revision_;
  seek(cursor);
  return {};
}

// About 2^24 multiply-adds for each hand.
std::int64_t Session::visits_at_once() const {
  const Problem& p = problem();
  const double each = double(std::min(p.tiling.br, p.shape.n_q)) * double(std::min(p.tiling.bc, p.shape.n_kv)) * double(p.shape.d) * 2;
  return std::max<std::int64_t>(1, std::int64_t(double(1 << 24) * (setup_.crew ? setup_.crew->hands() : 1) / each));
}

void Session::seek(std::int64_t cursor) {
  document_.cursor = std::clamp<std::int64_t>(cursor, 0, schedule().step_count());
  replay_->begin(document_.cursor);
  busy_ = true;
  work(visits_at_once());
}

void Session::work(std::int64_t visits) {
  if (!busy_) return;
  if (replay_->work(visits)) {
    busy_ = false;
    shown_ = replay_->state();
  } else if (const State* early = replay_->early_state(); early && shown_.cursor != early->cursor) {
    shown_ = *early;
  } else {
    return;
  }
  follow_cursor();
}

// When zoomed in, the tile at hand is kept in view.
void Session::follow_cursor() {
  if (grid_view_.zoom <= 1 || !shown_.started || shown_.step.kv_tile < 0) return;
  const Problem& p = problem();
  const double row = (double(shown_.step.row_begin) + double(shown_.step.rows()) / 2) / double(p.shape.n_q);
  const double col = (double(shown_.step.col_begin) + double(shown_.step.cols()) / 2) / double(p.shape.n_kv);
  const double reach = 0.5 / grid_view_.zoom;
  if (std::fabs(row - grid_view_.row) > reach || std::fabs(col - grid_view_.col) > reach) {
    grid_view_.row = row;
    grid_view_.col = col;
  }
}

void Session::say(std::string text, bool error) { message_ = Message{std::move(text), error, ++message_serial_}; }

void Session::open_dialog(Dialog dialog) {
  dialog_ = dialog;
  if (dialog != Dialog::None) playback_ = {};
  if (dialog == Dialog::Problem) {
    draft_ = draft_of(problem());
    draft_issues_.clear();
  }
}

void Session::zoom_by(double factor) {
  if (page() == Page::Compare) return show_lanes(lanes_view_.zoom * factor, lanes_view_.centre);
  const double most = double(std::max(problem().shape.n_q, problem().shape.n_kv));
  grid_view_.zoom = std::clamp(grid_view_.zoom * factor, 1.0, most);
  if (grid_view_.zoom == 1.0) grid_view_ = {};
}

void Session::edit_value(const Command& c) {
  const TensorId tensor = c.field == "Q"    ? TensorId::Q
                          : c.field == "K"  ? TensorId::K
                          : c.field == "dO" ? TensorId::dO
                                            : TensorId::V;
  const bool by_query = tensor == TensorId::Q || tensor == TensorId::dO;
  const std::int64_t rows = by_query ? problem().shape.n_q : problem().shape.n_kv;
  if (c.a < 0 || c.a >= rows || c.b < 0 || c.b >= problem().shape.d) return;
  float value = 0;
  const auto [end, error] = std::from_chars(c.text.data(), c.text.data() + c.text.size(), value);
  if (error != std::errc() || end != c.text.data() + c.text.size() || !std::isfinite(value))
    return say(c.field + "[" + std::to_string(c.a) + "][" + std::to_string(c.b) + "] = " + c.text +
                   ": is not a finite number. Type a number such as 0.5",
               true);
  InputEdit edit;
  edit.tensor = tensor;
  edit.batch = batch_in_view();
  edit.head = by_query ? head_in_view() : problem().shape.kv_head_of(head_in_view());
  edit.row = c.a;
  edit.col = c.b;
  edit.value = value;
  Document next = document_;
  std::erase_if(next.edits, [&](const InputEdit& e) {
    return e.tensor == edit.tensor && e.batch == edit.batch && e.head == edit.head && e.row == edit.row &&
           e.col == edit.col;
  });
  next.edits.push_back(edit);
  if (const Issues issues = adopt(std::move(next), true); !issues.empty()) say(text_of(issues), true);
}

void Session::dispatch(const Command& c) {
  if (c.id == CommandId::Work) {
    const bool was_busy = busy_;
    work(std::max<std::int64_t>(1, c.a));
    if (was_busy) ++revision_;
    return;
  }
  if (c.id == CommandId::Tick) return tick(c.x);
  if (c.id == CommandId::None) return;
  ++revision_;
  if (c.id != CommandId::ReportAccuracy && c.id != CommandId::ReportCheck && c.id != CommandId::ReportDevices &&
      c.id != CommandId::ReportRace)
    message_.reset();
  if (!dispatch_walk(c) && !dispatch_view(c) && !dispatch_compare(c) && !dispatch_race(c)) dispatch_document(c);
}

bool Session::dispatch_view(const Command& c) {
  switch (c.id) {
    case CommandId::SelectCell:
      if (c.a >= 0 && c.a < problem().shape.n_q && c.b >= 0 && c.b < problem().shape.n_kv) selection_ = Selection{c.a, c.b};
      return true;
    case CommandId::SelectNothing: selection_.reset(); return true;
    case CommandId::ToggleTheme: document_.view.dark = !document_.view.dark; return true;
    case CommandId::TextBigger: document_.view.text_scale = std::min(3.0, document_.view.text_scale + 0.1); return true;
    case CommandId::TextSmaller:
      document_.view.text_scale = std::max(0.8, document_.view.text_scale - 0.1);
      return true;
    case CommandId::TextNormal: document_.view.text_scale = 1; return true;
    case CommandId::SetTextScale: document_.view.text_scale = std::clamp(c.x, 0.8, 3.0); return true;
    case CommandId::ZoomIn: zoom_by(1.5); return true;
    case CommandId::ZoomOut: zoom_by(1 / 1.5); return true;
    case CommandId::ZoomFit:
      if (page() == Page::Compare)
        lanes_view_ = {};
      else
        grid_view_ = {};
      return true;
    case CommandId::ZoomToTile:
      grid_view_.zoom = std::max(1.0, double(std::min(problem().q_tiles(), problem().kv_tiles())) / 1.6);
      grid_view_.row = grid_view_.col = 2;  // out of view, so that the cursor's tile is brought to the centre
      follow_cursor();
      if (grid_view_.row > 1) grid_view_.row = grid_view_.col = 0.5 / grid_view_.zoom;
      return true;
    case CommandId::SetGridView: {
      const double most = double(std::max(problem().shape.n_q, problem().shape.n_kv));
      grid_view_.zoom = std::clamp(std::isfinite(c.x) ? c.x : 1.0, 1.0, most);
      grid_view_.row = std::clamp(std::isfinite(c.y) ? c.y : 0.5, 0.0, 1.0);
      grid_view_.col = std::clamp(std::isfinite(c.z) ? c.z : 0.5, 0.0, 1.0);
      if (grid_view_.zoom == 1.0) grid_view_ = {};
      return true;
    }
    case CommandId::OpenDialog:
      open_dialog(Dialog(std::clamp<std::int64_t>(c.a, 0, int(Dialog::Traffic))));
      return true;
    case CommandId::EditProblem: open_dialog(Dialog::Problem); return true;
    case CommandId::ShowPresets: open_dialog(Dialog::Presets); return true;
    case CommandId::OpenFileDialog: open_dialog(Dialog::OpenFile); return true;
    case CommandId::SaveFileDialog: open_dialog(Dialog::SaveFile); return true;
    case CommandId::GoToDialog: open_dialog(Dialog::GoTo); return true;
    case CommandId::ShowKeys: open_dialog(dialog_ == Dialog::Keys ? Dialog::None : Dialog::Keys); return true;
    case CommandId::ShowPalette: open_dialog(Dialog::Palette); return true;
    case CommandId::ShowTraffic: open_dialog(Dialog::Traffic); return true;
    case CommandId::CloseDialog: open_dialog(Dialog::None); return true;
    case CommandId::FullScreen: full_screen_ = !full_screen_; return true;
    case CommandId::Quit: quit_ = true; return true;
    default: return false;
  }
}

bool Session::dispatch_document(const Command& c) {
  const auto adopt_or_say = [this](Document next, bool keep_view) {
    if (const Issues issues = adopt(std::move(next), keep_view); !issues.empty()) {
      say(text_of(issues), true);
      return false;
    }
    return true;
  };
  switch (c.id) {
    case CommandId::SetSchedule: {
      Document next = document_;
      next.problem.schedule = ScheduleKind(c.a);
      choose_default_splits(next.problem);
      if (!fault_applies(next.problem.fault, next.problem.schedule)) next.problem.fault = Fault::None;
      next.cursor = 0;
      if (next.problem.schedule != problem().schedule) adopt_or_say(std::move(next), true);
      return true;
    }
    case CommandId::EditField: {
      draft_[c.field] = c.text;
      const Result<Problem> problem = problem_of(draft_);
      draft_issues_ = problem ? Issues{} : problem.issues();
      return true;
    }
    case CommandId::ResetEdit:
      draft_ = draft_of(problem());
      draft_issues_.clear();
      return true;
    case CommandId::ApplyEdit: {
      const Result<Problem> problem = problem_of(draft_);
      if (!problem) {
        draft_issues_ = problem.issues();
        return true;
      }
      Document next = document_;
      next.problem = *problem;
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
        return true;
      }
      dialog_ = Dialog::None;
      if (lost > 0) say("Edited values outside the new shape were dropped: " + std::to_string(lost));
      return true;
    }
    case CommandId::EditValue: edit_value(c); return true;
    case CommandId::ClearValues: {
      Document next = document_;
      next.edits.clear();
      adopt_or_say(std::move(next), true);
      return true;
    }
    case CommandId::LoadPreset:
      if (c.a < 0 || c.a >= std::int64_t(setup_.presets.size()))
        return true;
      else {
        Document next = setup_.presets[std::size_t(c.a)].document;
        next.view.dark = document_.view.dark;
        next.view.text_scale = document_.view.text_scale;
        next.view.page = page();
        next.view.filling = filling();
        next.pinned = document_.pinned;
        if (adopt_or_say(std::move(next), false)) dialog_ = Dialog::None;
      }
      return true;
    case CommandId::OpenFile: {
      const Result<Document> loaded = load_document(c.text);
      if (!loaded)
        say(text_of(loaded.issues()), true);
      else if (adopt_or_say(*loaded, false)) {
        path_ = c.text;
        dialog_ = Dialog::None;
        say("Opened " + c.text);
        open_page();
      }
      return true;
    }
    case CommandId::SaveFile: {
      const Result<Done> saved = save_document(document_, c.text);
      if (!saved)
        say(text_of(saved.issues()), true);
      else {
        path_ = c.text;
        dialog_ = Dialog::None;
        say("Saved " + c.text);
      }
      return true;
    }
    case CommandId::CopyCommandLine:
      clipboard_ = command_line_for(document_, "replay");
      ++clipboard_serial_;
      say("Copied: " + clipboard_);
      return true;
    case CommandId::CheckLive:
      if (!setup_.gpu_present)
        say(setup_.gpu_reason.empty() ? "There is no GPU to check on." : setup_.gpu_reason, true);
      else
        ++live_check_serial_;
      return true;
    case CommandId::ReportCheck:
      if (c.report && std::uint64_t(c.a) == problem_revision_) check_ = *c.report;
      return true;
    case CommandId::ReportAccuracy:
      if (!c.accuracy) return true;
      if (c.b == 0 && std::uint64_t(c.a) == problem_revision_) accuracy_ = *c.accuracy;
      if (c.b == 1 && std::uint64_t(c.a) == baseline_revision_) baseline_accuracy_ = *c.accuracy;
      return true;
    case CommandId::ReportDevices:
      setup_.gpu_present = c.a != 0;
      setup_.gpu_reason = c.text;
      return true;
    default: return false;
  }
}

}  // namespace tilewalk
