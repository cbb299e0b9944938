// Export: format, file name, progress. Arrows choose the format while the name is typed. Enter exports, but never
// replaces a file that the dialog asks about: only the button does.
#include "ui/panels/export_panel.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

void choose(const UiFrame& f, ExportKind kind) {
  f.ui.of<ExportUi>().kind = kind;
  f.ui.of<ExportUi>().path = export_row(kind).name;
  f.ui.of<ExportUi>().chosen = true;
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
  Sheet sheet(f, "Export", 560, exports.running ? 180 : 540);
  if (exports.running) return draw_progress(f, exports);
  float& foot = f.ui.of<ExportUi>().foot;
  draw_kinds(f, sheet.room_below() - (foot > 0 ? foot : 110 * f.theme.s), sheet.appeared());
  const float foot_top = ImGui::GetCursorPosY();
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
  const ExportFile wish{f.ui.of<ExportUi>().kind, f.ui.of<ExportUi>().path};
  if (sheet_button(f, replace ? "Replace" : "Export", true, !f.ui.of<ExportUi>().path.empty()))
    f.push(replace ? ExportFile{wish.kind, wish.path, true} : wish);
  else if (entered && !f.ui.of<ExportUi>().path.empty())
    f.push(wish);
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
  foot = ImGui::GetCursorPosY() - foot_top;
}

}  // namespace tilewalk
