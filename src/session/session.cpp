#include "session/session.h"

#include <algorithm>
#include <cmath>

#include "base/parse.h"
#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"
#include "core/schedules/validate.h"

namespace tilewalk {

std::int64_t Session::batch_in_view() const { return shown_.started ? shown_.step.batch : 0; }
std::int64_t Session::head_in_view() const { return shown_.started ? shown_.step.head : 0; }

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

void Session::carry_out(const EditValue& c) {
  const bool by_query = c.tensor == TensorId::Q || c.tensor == TensorId::dO;
  const std::int64_t rows = by_query ? problem().shape.n_q : problem().shape.n_kv;
  if (c.row < 0 || c.row >= rows || c.col < 0 || c.col >= problem().shape.d) return;
  const std::optional<float> value = parse_real<float>(c.text);
  if (!value || !std::isfinite(*value))
    return say(std::string(name_of(c.tensor)) + "[" + std::to_string(c.row) + "][" + std::to_string(c.col) +
                   "] = " + c.text +
                   ": is not a finite number. Type a number such as 0.5",
               true);
  InputEdit edit;
  edit.tensor = c.tensor;
  edit.batch = batch_in_view();
  edit.head = by_query ? head_in_view() : problem().shape.kv_head_of(head_in_view());
  edit.row = c.row;
  edit.col = c.col;
  edit.value = *value;
  Document next = document_;
  std::erase_if(next.edits, [&](const InputEdit& e) {
    return e.tensor == edit.tensor && e.batch == edit.batch && e.head == edit.head && e.row == edit.row &&
           e.col == edit.col;
  });
  next.edits.push_back(edit);
  if (const Issues issues = adopt(std::move(next), true); !issues.empty()) say(text_of(issues), true);
}

void Session::dispatch(const Command& command) {
  if (const Tick* tick = std::get_if<Tick>(&command)) return carry_out(*tick);
  if (const Work* work = std::get_if<Work>(&command)) return carry_out(*work);
  ++revision_;
  const bool report = std::holds_alternative<ReportAccuracy>(command) || std::holds_alternative<ReportCheck>(command) ||
                      std::holds_alternative<ReportDevices>(command) || std::holds_alternative<ReportRace>(command);
  if (!report) message_.reset();
  std::visit([this](const auto& c) { carry_out(c); }, command);
}

void Session::carry_out(Action action) {
  (void)(walk(action) || view(action) || compare(action) || race(action) || document(action));
}

void Session::carry_out(const Work& c) {
  const bool was_busy = busy_;
  work(std::max<std::int64_t>(1, c.visits));
  if (was_busy) ++revision_;
}

void Session::carry_out(const SelectCell& c) {
  if (c.row >= 0 && c.row < problem().shape.n_q && c.col >= 0 && c.col < problem().shape.n_kv)
    selection_ = Selection{c.row, c.col};
}

void Session::carry_out(const SetTextScale& c) {
  document_.view.text_scale = std::isfinite(c.scale) ? std::clamp(c.scale, 0.8, 3.0) : 1;
}

void Session::carry_out(const SetGridView& c) {
  const double most = double(std::max(problem().shape.n_q, problem().shape.n_kv));
  grid_view_.zoom = std::clamp(std::isfinite(c.zoom) ? c.zoom : 1.0, 1.0, most);
  grid_view_.row = std::clamp(std::isfinite(c.row) ? c.row : 0.5, 0.0, 1.0);
  grid_view_.col = std::clamp(std::isfinite(c.col) ? c.col : 0.5, 0.0, 1.0);
  if (grid_view_.zoom == 1.0) grid_view_ = {};
}

void Session::carry_out(const OpenDialog& c) { open_dialog(c.dialog); }

bool Session::view(Action action) {
  switch (action) {
    case Action::SelectNothing: selection_.reset(); return true;
    case Action::ToggleTheme: document_.view.dark = !document_.view.dark; return true;
    case Action::TextBigger: document_.view.text_scale = std::min(3.0, document_.view.text_scale + 0.1); return true;
    case Action::TextSmaller: document_.view.text_scale = std::max(0.8, document_.view.text_scale - 0.1); return true;
    case Action::TextNormal: document_.view.text_scale = 1; return true;
    case Action::ZoomIn: zoom_by(1.5); return true;
    case Action::ZoomOut: zoom_by(1 / 1.5); return true;
    case Action::ZoomFit:
      if (page() == Page::Compare)
        lanes_view_ = {};
      else
        grid_view_ = {};
      return true;
    case Action::ZoomToTile:
      grid_view_.zoom = std::max(1.0, double(std::min(problem().q_tiles(), problem().kv_tiles())) / 1.6);
      grid_view_.row = grid_view_.col = 2;  // out of view, so that the cursor's tile is brought to the centre
      follow_cursor();
      if (grid_view_.row > 1) grid_view_.row = grid_view_.col = 0.5 / grid_view_.zoom;
      return true;
    case Action::EditProblem: open_dialog(Dialog::Problem); return true;
    case Action::ShowPresets: open_dialog(Dialog::Presets); return true;
    case Action::OpenFileDialog: open_dialog(Dialog::OpenFile); return true;
    case Action::SaveFileDialog: open_dialog(Dialog::SaveFile); return true;
    case Action::GoToDialog: open_dialog(Dialog::GoTo); return true;
    case Action::ShowKeys: open_dialog(dialog_ == Dialog::Keys ? Dialog::None : Dialog::Keys); return true;
    case Action::ShowPalette: open_dialog(Dialog::Palette); return true;
    case Action::ShowTraffic: open_dialog(Dialog::Traffic); return true;
    case Action::CloseDialog: open_dialog(Dialog::None); return true;
    case Action::FullScreen: full_screen_ = !full_screen_; return true;
    case Action::Quit: quit_ = true; return true;
    default: return false;
  }
}

}  // namespace tilewalk
