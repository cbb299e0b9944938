// Export: format, file name, progress. Arrows choose the format while the name is typed. Enter exports, but never
// replaces a file that the dialog asks about: only the button does.
#include "ui/panels/export_panel.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {

std::string name_of_export(ExportKind kind, bool square) {
  const ExportRow& row = export_row(kind);
  return square && needs_a_picture(kind) ? std::string("post") + row.ending : row.name;
}

namespace {

void choose(const UiFrame& f, ExportKind kind) {
  ExportUi& chosen = f.ui.of<ExportUi>();
  chosen.kind = kind;
  chosen.path = name_of_export(kind, chosen.square);
  chosen.chosen = true;
}

// As large as the window, or square.
void draw_size(const UiFrame& f) {
  ExportUi& chosen = f.ui.of<ExportUi>();
  if (!needs_a_picture(chosen.kind)) return;
  const float s = f.theme.s, high = 26 * s;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float x = at.x;
  const std::string side = std::to_string(kSquareSide), square = side + " × " + side + ", large type, for a post";
  for (const bool is_square : {false, true}) {
    const std::string label = is_square ? square : "As the window";
    const draw::Rect r{x, at.y, x + button_width(f.theme, label, 22), at.y + high};
    if (tab(f, {.id = is_square ? "square" : "as the window",
                .rect = r,
                .label = label,
                .active = chosen.square == is_square})) {
      chosen.square = is_square;
      choose(f, chosen.kind);
    }
    x = r.x1 + 6 * s;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(1, high + 6 * s));
}

// They scroll where they need more height than that; a format chosen by an arrow is scrolled to.
void draw_kinds(const UiFrame& f, float most_height, bool appeared) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  float all = 4 * s;
  const auto height_of = [&](const ExportRow& row, float inner) {
    return 34 * s + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, inner, 0, row.about);
  };
  const float bar = ImGui::GetStyle().ScrollbarSize;
  for (const ExportRow& row : kExports) all += height_of(row, ImGui::GetContentRegionAvail().x - 24 * s - bar) + 2 * s;
  ImGui::BeginChild("formats", ImVec2(0, std::min(all, most_height)), false);
  if (appeared) ImGui::SetScrollY(0);
  const bool by_arrow = !appeared && f.ui.of<ExportUi>().chosen;
  for (const ExportRow& row : kExports) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, inner = width - 24 * s, high = height_of(row, inner);
    const draw::Rect r{at.x, at.y, at.x + width, at.y + high};
    const bool chosen = f.ui.of<ExportUi>().kind == row.kind;
    const Hit h = hit(f, std::string("export ") + row.word, r);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (h.hovered || chosen) draw::box(list, r, chosen ? c.tab : c.button, 6 * s);
    if (chosen) draw::box(list, {r.x0, r.y0 + 6 * s, r.x0 + 3 * s, r.y1 - 6 * s}, c.accent, 1.5f * s);
    draw::text(list, fonts.strong, r.x0 + 12 * s, r.y0 + 7 * s, c.text, row.title);
    draw::paragraph(list, fonts.body, fonts.tiny, r.x0 + 12 * s, r.y0 + 27 * s, inner, c.muted, row.about);
    if (h.clicked) choose(f, row.kind);
    if (chosen && by_arrow && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5f);
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 2 * s));
  }
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
}

void draw_progress(const UiFrame& f, const Exports& exports) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  words(f, (exports.stopping ? "Stopping: " : "Writing: ") + exports.path, c.text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, high = 10 * s;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw::box(list, {at.x, at.y, at.x + width, at.y + high}, c.track, 5 * s);
  const float done = width * std::clamp(float(exports.fraction), 0.0f, 1.0f);
  if (done >= high) draw::box(list, {at.x, at.y, at.x + done, at.y + high}, c.accent, 5 * s);
  ImGui::Dummy(ImVec2(width, high + 6 * s));
  if (sheet_button(f, "Cancel", false, !exports.stopping)) f.push(Action::StopExport);
}

}  // namespace

void draw_export_dialog(const UiFrame& f) {
  const Exports& exports = f.session.exporting();
  Sheet sheet(f, "Export", 560, exports.running ? 180 : 610);
  if (exports.running) return draw_progress(f, exports);
  if (sheet.appeared() && f.session.page() == Page::Lab) choose(f, ExportKind::Kernel);
  float& foot = f.ui.of<ExportUi>().foot;
  draw_kinds(f, sheet.room_below() - (foot > 0 ? foot : 140 * f.theme.s), sheet.appeared());
  const float foot_top = ImGui::GetCursorPosY();
  draw_size(f);
  const std::string field =
      std::string("##name of ") + export_row(f.ui.of<ExportUi>().kind).word;  // keeps its own text
  if (sheet.appeared() || std::exchange(f.ui.of<ExportUi>().chosen, false)) focus_text(field.c_str());
  ImGui::SetNextItemWidth(-1);
  const bool entered = input_text(field.c_str(), f.ui.of<ExportUi>().path,
                                  ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  std::error_code unknown;
  const std::string folder = std::filesystem::absolute(f.ui.of<ExportUi>().path, unknown).parent_path().string();
  words(f, f.host.pick_file ? "It goes out as a download." : "It goes into " + folder, f.theme.colours.muted);
  const int last = int(std::size(kExports)) - 1, at = int(f.ui.of<ExportUi>().kind);
  if (key_pressed(Key::Down) && at < last) choose(f, ExportKind(at + 1));
  if (key_pressed(Key::Up) && at > 0) choose(f, ExportKind(at - 1));
  ImGui::Dummy(ImVec2(1, 2 * f.theme.s));
  const bool replace = !f.ui.of<ExportUi>().path.empty() && exports.asks_to_replace == f.ui.of<ExportUi>().path;
  ExportFile file{f.ui.of<ExportUi>().kind, f.ui.of<ExportUi>().path};
  if (f.ui.of<ExportUi>().square && needs_a_picture(file.kind)) file.square = true;
  if (sheet_button(f, replace ? "Replace" : "Export", true, !f.ui.of<ExportUi>().path.empty()))
    f.push(replace ? ExportFile{file.kind, file.path, true, file.square} : file);
  else if (entered && !f.ui.of<ExportUi>().path.empty())
    f.push(file);
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
  foot = ImGui::GetCursorPosY() - foot_top;
}

}  // namespace tilewalk
