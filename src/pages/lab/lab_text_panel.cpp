// The task, the learner's text and the buttons that run it.
#include <algorithm>

#include "pages/lab/lab_model.h"
#include "ui/code_editor.h"
#include "ui/panels/learn/rich_text.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kButton = 30;

struct LabWordsUi {
  std::string open;  // the title of the task whose words are all shown
};
const std::string kTyping = "Esc leaves the text · Ctrl+Enter runs";
constexpr std::string_view kRunWords = "Run · Ctrl+Enter";

// A dash a task: solved, begun or to do. A click opens it.
void draw_tasks(const UiFrame& f, Panel& p, const LabPage& page, float left, float y) {
  const Palette& c = p.colours;
  const float s = p.s, right = p.x + p.width, gap = 3 * s;
  const float wide = std::clamp((right - left) / float(page.tasks.size()) - gap, 4 * s, 14 * s);
  float x = right - float(page.tasks.size()) * (wide + gap) + gap;
  for (const LabTaskEntry& task : page.tasks) {
    const ImU32 fill = task.open ? c.accent : task.solved ? c.good : task.begun ? c.warn : c.to_do;
    const bool hollow = task.solved && task.shown && !task.open;  // not by the learner alone
    draw::box(p.list, {x, y + 5 * s, x + wide, y + 9 * s}, hollow ? 0 : fill, 2 * s, hollow ? fill : 0, s);
    const std::string state = task.solved  ? task.shown ? "solved, with holes shown" : "solved"
                              : task.begun ? "begun"
                                           : "";
    const std::string tip = std::to_string(task.number) + ". " + task.title + ", " + std::to_string(task.minutes) +
                            " min" + (state.empty() ? "" : " · " + state);
    const Hit h =
        hit(f, "task " + std::to_string(task.number), {x - gap / 2, y - 3 * s, x + wide + gap / 2, y + 17 * s});
    if (h.hovered) tooltip(f, tip);
    if (h.clicked && !task.open) f.push(ChooseTask{task.number});
    x += wide + gap;
  }
}

// The tasks before and after it, at the right of the title: small, since this one comes first.
float draw_neighbours(const UiFrame& f, Panel& p, const LabPage& page, float y) {
  const float s = p.s, high = 20 * s;
  const auto open = std::find_if(page.tasks.begin(), page.tasks.end(), [](const auto& each) { return each.open; });
  float x = p.x + p.width - 2 * high - 4 * s;
  const float left = x;
  for (const int by : {-1, 1}) {
    const auto at = open - page.tasks.begin() + by;
    const bool there = at >= 0 && at < std::ssize(page.tasks);
    const std::string tip =
        there ? std::to_string(page.tasks[std::size_t(at)].number) + ". " + page.tasks[std::size_t(at)].title : "";
    const draw::Rect r{x, y + 3 * s, x + high, y + 3 * s + high};
    const Hit h = there ? hit(f, by < 0 ? "task before" : "task after", r) : Hit{};
    if (h.hovered) tooltip(f, tip);
    draw::sign(p.list, by < 0 ? draw::Sign::StepBack : draw::Sign::StepForward, r,
               !there      ? p.colours.to_do
               : h.hovered ? p.colours.text
                           : p.colours.muted,
               0.7f * s);
    if (h.clicked) f.push(ChooseTask{page.tasks[std::size_t(at)].number});
    x += high + 4 * s;
  }
  return left;
}

std::int64_t folded_paragraphs(const LabPage& page) {
  return std::count(page.explains.begin(), page.explains.end(), true);
}
bool can_fold(const LabPage& page) { return folded_paragraphs(page) > 1; }
bool folds(const UiFrame& f, const LabPage& page) { return can_fold(page) && f.ui.of<LabWordsUi>().open != page.title; }

float draw_prose(const UiFrame& f, Panel& p, const LabPage& page, float x, float y, float width, bool draws) {
  float at = y;
  if (!page.text.goal.empty())
    at += draw::paragraph(draws ? p.list : nullptr, p.fonts.strong, p.fonts.tiny, x, at, width, p.colours.text,
                          page.text.goal) +
          7 * p.s;
  for (std::size_t i = 0; i < page.hints.size(); ++i)
    at += draw::paragraph(draws ? p.list : nullptr, p.fonts.body, p.fonts.tiny, x, at, width, p.colours.accent,
                          "Hint " + std::to_string(i + 1) + ": " + page.hints[i]) +
          7 * p.s;
  for (std::size_t i = 0; i < page.prose.size(); ++i) {
    if (folds(f, page) && page.explains[i]) continue;
    const Paragraph& each = page.prose[i];
    const float indent = each.item ? 14 * p.s : 0;
    if (draws && each.item) draw::text(p.list, p.fonts.body, x, at, p.colours.muted, "•");
    at += rich_paragraph(draws ? p.list : nullptr, f.theme, x + indent, at, width - indent, p.colours.text, each.runs,
                         Letters::Body) +
          (each.item ? 3 : 7) * p.s;
  }
  return at - y;
}

std::string_view fold_label(const UiFrame& f, const LabPage& page) {
  return folds(f, page) ? "What the words mean" : "Hide the explanation";
}

ImVec2 fold_size(const UiFrame& f, const Panel& p, const LabPage& page) {
  return {draw::text_width(p.fonts.body, fold_label(f, page)) + 20 * p.s, p.fonts.body.size + 8 * p.s};
}

// Shows the other paragraphs, or hides them.
void draw_fold(const UiFrame& f, const Panel& p, const LabPage& page, float x, float y) {
  const ImVec2 size = fold_size(f, p, page);
  const draw::Rect r{x, y, x + size.x, y + size.y};
  if (tag(f, {.id = "explain task",
              .rect = r,
              .label = fold_label(f, page),
              .tip = "What the words of this task and of its kernel mean",
              .font = p.fonts.body,
              .ink = p.colours.text,
              .fill = p.colours.button,
              .hovered = p.colours.button_hover,
              .rounding = 5 * p.s}))
    f.ui.of<LabWordsUi>().open = folds(f, page) ? page.title : "";
}

// The title, and right of it the fold and the neighbours. Where the line is too short the fold is below the words:
// true.
bool draw_title(const UiFrame& f, Panel& p, const LabPage& page) {
  const float s = p.s, high = 26 * s;
  float right = draw_neighbours(f, p, page, p.y) - 8 * s;
  const ImVec2 fold = fold_size(f, p, page);
  const bool beside = p.x + draw::text_width(p.fonts.title, page.title) + 16 * s + fold.x <= right;
  if (can_fold(page) && beside) {
    draw_fold(f, p, page, right - fold.x, p.y + std::max(0.0f, (high - fold.y) / 2));
    right -= fold.x + 8 * s;
  }
  p.y += std::max(high, draw::paragraph(p.list, p.fonts.title, p.fonts.tiny, p.x, p.y, right - p.x, p.colours.text,
                                        page.title)) +
         4 * s;
  return can_fold(page) && !beside;
}

// The hints, then the task's words. They scroll where they take more than a third of the panel, and more than the lines
// of the text leave above `bottom`.
void draw_words(const UiFrame& f, Panel& p, const LabPage& page, float bottom, bool fold_below) {
  const float whole = draw_prose(f, p, page, p.x, p.y, p.width, false);
  const auto lines = float(1 + std::count(page.text.text.begin(), page.text.text.end(), '\n'));
  const float text = (lines + 3) * p.fonts.mono_small.size + 30 * p.s + (fold_below ? p.fonts.body.size + 14 * p.s : 0);
  const float most = std::max({p.rect.height() * 0.3f, 4 * draw::leading(p.fonts.body), bottom - p.y - text});
  if (whole <= most) {
    p.y += draw_prose(f, p, page, p.x, p.y, p.width, true) + 2 * p.s;
    return;
  }
  ImGui::SetCursorScreenPos(ImVec2(p.x, p.y));
  begin_child_of_navigation("lab words", ImVec2(p.width, most));
  ImDrawList* const outer = std::exchange(p.list, ImGui::GetWindowDrawList());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float high = draw_prose(f, p, page, at.x, at.y, p.width - ImGui::GetStyle().ScrollbarSize - 6 * p.s, true);
  ImGui::Dummy(ImVec2(1, high));
  p.list = outer;
  ImGui::EndChild();
  p.y += most + 6 * p.s;
}

void draw_file_line(const UiFrame& f, Panel& p, const LabTextModel& m) {
  const bool typing = f.ui.of<EditorUi>().caret >= 0;
  const std::string& says = typing ? kTyping : m.says;
  const bool marked = !typing && m.says_good, good = m.says_good.value_or(false);
  const float s = p.s, high = 20 * s, middle = p.y + high / 2;
  float x = p.x;
  const float width = says.empty() ? 0 : draw::text_width(p.fonts.tiny, says) + 20 * s;
  const std::string file = draw::elided(p.fonts.mono_small, m.file, p.width - width - 80 * s);
  draw::text(p.list, p.fonts.mono_small, x, middle - p.fonts.mono_small.size / 2, p.colours.text, file);
  x += draw::text_width(p.fonts.mono_small, file) + 10 * s;
  draw::text(p.list, p.fonts.tiny, x, middle - p.fonts.tiny.size / 2, p.colours.muted, m.state);
  if (!says.empty()) {
    const ImU32 ink = !marked ? p.colours.muted : good ? p.colours.good : p.colours.bad;
    const float left = p.x + p.width - width;
    if (marked)
      draw::sign(p.list, good ? draw::Sign::Check : draw::Sign::Cross, {left, p.y, left + 16 * s, p.y + high}, ink, s);
    draw::text(p.list, p.fonts.tiny, left + 20 * s, middle - p.fonts.tiny.size / 2, ink, says);
    explain(f, "lab says", {left, p.y, p.x + p.width, p.y + high}, says);
  }
  p.y += high + 2 * s;
}

std::vector<EditorLine> editor_lines(const Palette& c, const LabTextModel& m) {
  std::vector<EditorLine> out;
  for (const LabLineMark& mark : m.marks)
    out.push_back({.line = mark.line,
                   .fill = mark.warning ? 0 : with_alpha(c.bad, 0.22f),
                   .sign = mark.warning ? draw::Sign::Dot : draw::Sign::Cross,
                   .ink = mark.warning ? c.warn : c.bad,
                   .tip = mark.words});
  for (const lab::HoleLines& hole : m.holes)
    for (int line = hole.first; line <= std::max(hole.first, hole.last); ++line)
      out.push_back({.line = line,
                     .fill = with_alpha(c.accent, 0.14f),
                     .bar = c.accent,
                     .tip = "A hole of the task: the text to fill in"});
  if (m.line_now > 0)
    out.push_back({.line = m.line_now,
                   .fill = with_alpha(c.accent, 0.3f),
                   .sign = draw::Sign::Play,
                   .ink = c.now_line,
                   .tip = "The chosen thread is before this line"});
  return out;
}

struct ButtonRow {
  const UiFrame& f;
  Panel& p;
  float x, y;
  bool put(const char* id, std::string_view label, std::string_view tip, bool strong = false, bool enabled = true) {
    const float wide = button_width(p.theme, label, 22);
    if (x + wide > p.x + p.width + 1 && x > p.x) x = p.x, y += (kButton + 6) * p.s;
    const draw::Rect r{x, y, x + wide, y + kButton * p.s};
    x = r.x1 + 6 * p.s;
    return button(f, {.id = id, .rect = r, .label = label, .tip = tip, .strong = strong, .enabled = enabled});
  }
};

struct LabButtons {
  std::string hint;
  std::string_view reset, file;
};

LabButtons labels_of(const UiFrame& f, const LabPage& page) {
  const int given = int(page.hints.size()), all = given + page.hints_left;
  return {.hint = page.hints_left > 0 ? "Hint " + std::to_string(given + 1) + " of " + std::to_string(all)
                                      : "No more hints",
          .reset = page.can_bring_back ? "Bring back" : "Reset",
          .file = f.session.lab().watched().empty() ? "Watch a file …" : "Stop watching"};
}

float buttons_height(const UiFrame& f, const Panel& p, const LabPage& page) {
  const LabButtons labels = labels_of(f, page);
  float x = 0, lines = 1;
  for (const std::string_view label :
       {kRunWords, std::string_view(labels.hint), std::string_view("Show me"), labels.reset, labels.file}) {
    const float wide = button_width(p.theme, label, 22);
    if (x + wide > p.width + 1 && x > 0) x = 0, ++lines;
    x += wide + 6 * p.s;
  }
  return lines * (kButton + 6) * p.s;
}

void draw_buttons(const UiFrame& f, Panel& p, const LabPage& page) {
  const LabButtons labels = labels_of(f, page);
  ButtonRow row{f, p, p.x, p.y};
  if (page.transport.running) {
    if (row.put("run", "Stop", "Drops the run that is under way", true)) f.push(Action::StopKernel);
  } else if (row.put("run", kRunWords, "Runs the text and checks each tile visit", !page.next)) {
    f.push(Action::RunKernel);
  }
  if (row.put("hint", labels.hint, "Three at most; the last is nearly the answer", false, page.hints_left > 0))
    f.push(Action::LabHint);
  if (row.put("show hole", "Show me", "Fills the next hole. The progress says so")) f.push(Action::ShowHole);
  if (row.put("reset", labels.reset,
              page.can_bring_back ? "Your text again, as it was before the reset"
                                  : "The task's start again. Your text is kept, and can be brought back"))
    f.push(Action::ResetKernel);
  const bool watches = !f.session.lab().watched().empty();
  if (row.put("watch", labels.file,
              watches ? "The text stays as it is"
                      : "A .cu file that you edit elsewhere: it runs here at each save. It can be dropped here too")) {
    if (watches)
      f.push(WatchKernel{""});
    else
      f.push(Action::OpenFileDialog);
  }
  p.y = row.y + kButton * p.s;
}

}  // namespace

void draw_lab_text_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  if (page.tasks.empty()) {
    p.caption("Lab");
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.bad, page.missing);
    return;
  }
  const float head = p.caption_at(p.x, p.y, page.head, p.width * 0.6f);
  draw_tasks(f, p, page, p.x + head + 12 * p.s, p.y);
  p.y += 24 * p.s;
  const bool fold_below = draw_title(f, p, page);
  const bool buttons_first = f.layout.scale.stacked;  // in sight without scrolling
  if (buttons_first) {
    draw_buttons(f, p, page);
    p.y += 10 * p.s;
  }
  const float bottom = p.rect.y1 - (buttons_first ? 24 * p.s : 16 * p.s + buttons_height(f, p, page));
  draw_words(f, p, page, bottom, fold_below);
  if (fold_below) {
    draw_fold(f, p, page, p.x, p.y);
    p.y += fold_size(f, p, page).y + 6 * p.s;
  }
  draw_file_line(f, p, page.text);
  const float least = 8 * p.fonts.mono_small.size;
  const draw::Rect field{p.x, p.y, p.x + p.width, std::max(bottom, p.y + least)};
  const std::optional<std::string> changed = code_editor(f, f.ui.of<EditorUi>(),
                                                         {.id = "lab text",
                                                          .rect = field,
                                                          .text = page.text.text,
                                                          .lines = editor_lines(p.colours, page.text),
                                                          .show_line = page.text.show_line,
                                                          .lines_above = page.text.lines_above});
  halo(f, p.list, "lab-text", field);
  if (changed) f.push(EditKernel{*changed});
  p.y = field.y1 + 8 * p.s;
  if (!buttons_first) draw_buttons(f, p, page);
}

}  // namespace tilewalk
