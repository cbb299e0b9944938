// The dialogs without a file of their own: go to, the call, commands, traffic in full. One at a time, closed by Esc or
// a click beside it.
#include <algorithm>
#include <optional>
#include <sstream>

#include "base/parse.h"
#include "dispatch/typed_call.h"
#include "session/command/command_text.h"
#include "ui/panels/call_field.h"
#include "ui/panels/panels.h"
#include "ui/panels/search_field.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

struct PaletteSearch : SearchField {};

void go_to(const UiFrame& f) {
  Sheet sheet(f, "Go to", 460, 230);
  words(f, "A step (28), or a Q tile and a KV tile (2, 1): the end of that visit.", f.theme.colours.muted);
  if (sheet.appeared()) {
    f.ui.go_to.clear();
    focus_text("##where");
  }
  ImGui::SetNextItemWidth(-1);
  const bool entered = input_text("##where", f.ui.go_to, ImGuiInputTextFlags_EnterReturnsTrue);
  std::string text = f.ui.go_to;
  std::replace(text.begin(), text.end(), ',', ' ');
  std::istringstream stream(text);
  std::int64_t first = 0, second = 0;
  const bool one = bool(stream >> first), two = one && !(stream >> std::ws).eof() && bool(stream >> second);
  const bool whole = one && (stream >> std::ws).eof();  // nothing is left over
  if (!f.ui.go_to.empty() && !whole)
    words(f, "That is no place. Type a step such as 28, or two tiles such as 2, 1.", f.theme.colours.bad);
  ImGui::Dummy(ImVec2(1, 2 * f.theme.s));
  if (sheet_button(f, "Go", true, whole) || (entered && whole)) {
    f.push(Action::CloseDialog);
    f.push(two ? Command(GoToTile{first, second}) : GoToStep{first});
  }
}

// The window's call, field by field. Focus starts at the length.
void call(const UiFrame& f) {
  Sheet sheet(f, "The call", 460, 480);
  const float s = f.theme.s, high = 26 * s, names = 110 * s;
  words(f, "One for the whole window: Race, Roofline and Which are of it.", f.theme.colours.muted);
  for (const CallFieldModel& field : f.views.header.call.fields) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    word(f, f.theme.fonts.body, at.x, at.y + (high - f.theme.fonts.body.size) / 2, f.theme.colours.text, field.label);
    const std::string id = "call field " + field.name;
    draw_call_field(f, field, {at.x + names, at.y, right, at.y + high}, id,
                    sheet.appeared() && field.name == f.views.header.call.n.name);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy(ImVec2(1, high));
    if (!field.issue.empty()) words(f, field.issue, f.theme.colours.bad);
  }
  words(f, "In one line: " + text_of(command_row(Action::ShowPalette).key) + ", then h100 4x32/8 8192 d128 causal",
        f.theme.colours.muted);
  ImGui::Dummy(ImVec2(1, 2 * s));
  if (sheet_button(f, "How fast is it?", true)) {
    f.push(Action::CloseDialog);
    f.push(Action::ShowRoofline);
  }
  ImGui::SameLine(0, 8 * s);
  if (sheet_button(f, "Open as a walk", false, !f.views.header.call.walked)) {
    f.push(Action::CloseDialog);
    f.push(Action::WalkCall);
  }
}

// A call in one line sets its fields and shows which attention runs; other words are commands with arguments.
Result<std::vector<Command>> typed_commands(std::string_view line) {
  const std::optional<CallWords> call = typed_call(line);
  if (!call) return commands_from(line);
  std::vector<Command> out;
  for (const auto& [field, text] : *call) out.push_back(EditCall{field, text});
  out.push_back(ShowPage{Page::Which});
  return out;
}

// Shown where no command of the list matches: the commands with arguments, and the error in the typed one.
void draw_forms(const UiFrame& f, const Result<std::vector<Command>>& typed) {
  if (typed_call(f.ui.of<PaletteSearch>().words))
    return words(f, "Enter makes this the window's call, and shows which attention runs.", f.theme.colours.text);
  if (typed) return words(f, "Enter carries it out.", f.theme.colours.text);
  std::string_view rest = f.ui.of<PaletteSearch>().words;
  const std::string first(take_until(rest, ' '));
  bool any = false, whole = false;
  for (const CommandForm& form : command_forms()) {
    if (form.text.rfind(first, 0) != 0) continue;
    any = true;
    whole |= form.text.substr(0, form.text.find(' ')) == first;
    words(f, form.text + "   " + form.help, f.theme.colours.muted);
  }
  if (!any) words(f, "No command has these words.", f.theme.colours.muted);
  if (whole && !rest.empty()) words(f, text_of(typed.issues()), f.theme.colours.bad);
}

const char* title_of(Found::Part part) {
  switch (part) {
    case Found::Part::OfPage: return "On this page";
    case Found::Part::Pages: return "Pages";
    case Found::Part::Others: break;
  }
  return "All others";
}

void palette(const UiFrame& f) {
  Sheet sheet(f, "All commands", 600, 520);
  const float s = f.theme.s;
  SearchField& field = f.ui.of<PaletteSearch>();
  const Searched searched = search_field(f, field, sheet.appeared());
  const auto found = search_commands(field.words, f.session.page());
  move_choice(field, searched, found.size());
  const auto choose = [&](const Found& row) {
    f.push(Action::CloseDialog);
    f.push(row.command);
  };
  ImGui::BeginChild("found", ImVec2(0, sheet.room_below()), false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < found.size(); ++i) {
    ImGui::PushID(found[i].name.c_str());
    const float width = ImGui::GetContentRegionAvail().x;
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (field.words.empty() && (i == 0 || found[i].part != found[i - 1].part)) {
      caption(f, "part", at.x + 10 * s, at.y + 8 * s, title_of(found[i].part), width);
      at.y += 28 * s;
    }
    const draw::Rect r{at.x, at.y, at.x + width, at.y + 30 * s};
    const Hit h = hit(f, found[i].name, r);
    const bool chosen = int(i) == field.choice;
    if (h.hovered || chosen) draw::box(list, r, chosen ? f.theme.colours.tab : f.theme.colours.button, 5 * s);
    draw::text(list, f.theme.fonts.body, r.x0 + 10 * s, r.y0 + 7 * s, f.theme.colours.text, found[i].title);
    draw::text_right(list, f.theme.fonts.body, r.x1 - 10 * s, r.y0 + 7 * s, f.theme.colours.muted,
                     text_of(found[i].key));
    if (h.clicked) choose(found[i]);
    if (h.hovered) tooltip(f, found[i].help);
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1));
    ImGui::PopID();
  }
  const auto typed = typed_commands(found.empty() ? field.words : "");
  if (found.empty()) draw_forms(f, typed);
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  if (searched.entered && !found.empty()) choose(found[std::size_t(field.choice)]);
  if (searched.entered && found.empty() && typed) {
    f.push(Action::CloseDialog);
    for (const Command& command : *typed) f.push(command);
  }
}

void hardware_table(const UiFrame& f, const HardwareModel& m) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 at = ImGui::GetCursorScreenPos();
  caption(f, "caption hardware", at.x, at.y + 8 * s, "Model and hardware, whole run");
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(1, 24 * s));
  words(f, m.source, c.text);
  at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = (width - 190 * s) / 3;
  const char* heads[] = {"modelled", "measured", "apart"};
  for (int i = 0; i < 3; ++i)
    word_right(f, f.theme.fonts.tiny, at.x + 190 * s + column * float(i + 1), at.y, c.muted, heads[i]);
  float y = at.y + 20 * s;
  for (const HardwareLine& line : m.lines) {
    list->AddLine(ImVec2(at.x, y - 3 * s), ImVec2(at.x + width, y - 3 * s), c.row_line, draw::hairline());
    word(f, f.theme.fonts.body, at.x, y, c.text, line.what + (line.estimate ? " *" : ""));
    const std::string* values[] = {&line.modelled, &line.measured, &line.apart};
    for (int i = 0; i < 3; ++i)
      draw::text_right(list, f.theme.fonts.mono, at.x + 190 * s + column * float(i + 1), y,
                       line.apart == "equal" && i == 2 ? c.good : c.text, *values[i]);
    y += 22 * s;
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, y + 4 * s));
  words(f, m.sentence, c.text);
  for (const std::string& reason : m.reasons) words(f, reason, c.muted);
}

void traffic(const UiFrame& f) {
  Sheet sheet(f, "HBM traffic in full", 760, f.views.hardware ? 720 : 460);
  const float s = f.theme.s;
  const TrafficModel& m = f.views.traffic;
  words(f,
        "Bytes that the kernel asks of global memory, counted step by step, caches left out: where L2 answers, a "
        "profiler's DRAM figure is lower.",
        f.theme.colours.muted);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, column = (width - 60 * s) / 4;
  const char* heads[] = {"read so far", "written so far", "read, whole run", "written, whole run"};
  for (int c = 0; c < 4; ++c)
    draw::text_right(list, f.theme.fonts.tiny, at.x + 60 * s + column * float(c + 1), at.y, f.theme.colours.muted,
                     heads[c]);
  float y = at.y + 22 * s;
  for (const TrafficModel::Line& line : m.lines) {
    const bool all = line.tensor == "all";
    list->AddLine(ImVec2(at.x, y - 3 * s), ImVec2(at.x + width, y - 3 * s), f.theme.colours.row_line, draw::hairline());
    word(f, f.theme.fonts.strong, at.x, y, f.theme.colours.text, line.tensor);
    const std::string* values[] = {&line.read_so_far, &line.write_so_far, &line.read_total, &line.write_total};
    for (int c = 0; c < 4; ++c)
      draw::text_right(list, all ? f.theme.fonts.mono_strong : f.theme.fonts.mono,
                       at.x + 60 * s + column * float(c + 1), y, f.theme.colours.text, *values[c]);
    y += 24 * s;
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, y + 8 * s));
  words(f, m.visits, f.theme.colours.text);
  words(f, "So far: " + m.flops, f.theme.colours.text);
  words(f, m.textbook, f.theme.colours.muted);
  if (f.views.hardware)
    hardware_table(f, *f.views.hardware);
  else
    words(f, "No counters of a GPU are beside this: this problem was not measured.", f.theme.colours.muted);
}

}  // namespace

void draw_dialogs(const UiFrame& f) {
  switch (f.session.view().dialog()) {
    case Dialog::None: break;
    case Dialog::Problem: {
      Sheet sheet(f, "Problem", 1000, 800);
      draw_problem_dialog(f, sheet.room_below());
      break;
    }
    case Dialog::Call: call(f); break;
    case Dialog::Presets: {
      Sheet sheet(f, "Presets", 820, 760);
      draw_presets_dialog(f, sheet.room_below());
      break;
    }
    case Dialog::OpenFile: draw_file_dialog(f, false); break;
    case Dialog::SaveFile: draw_file_dialog(f, true); break;
    case Dialog::GoTo: go_to(f); break;
    case Dialog::Keys: draw_keys_dialog(f); break;
    case Dialog::Palette: palette(f); break;
    case Dialog::Traffic: traffic(f); break;
    case Dialog::Faults: draw_faults_dialog(f); break;
    case Dialog::Lessons: draw_lessons_dialog(f); break;
    case Dialog::Review: draw_review_dialog(f); break;
    case Dialog::Questions: draw_questions_dialog(f); break;
    case Dialog::Glossary: draw_glossary_dialog(f); break;
    case Dialog::Export: draw_export_dialog(f); break;
  }
}

}  // namespace tilewalk
