// Open and save: a field for the path, and below it the recent files and the contents of the folder. Arrows or the
// mouse choose, Enter or a click opens. While saving, keyboard navigation gets the keys and also reaches "Replace".
#include <algorithm>

#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

struct FileUi {
  int choice = -1;     // the row chosen by arrows
  std::string folder;  // the folder of that list
};

struct FileRow {
  std::string label, path;
  bool folder = false, recent = false;
};

std::vector<FileRow> rows_of(const UiFrame& f, bool save) {
  std::vector<FileRow> rows;
  if (!save)
    for (const std::string& path : f.session.editing().recent()) rows.push_back({path, path, false, true});
  const auto& folder = f.session.editing().folder();
  if (!folder) return rows;
  const std::string inside = folder->path == "/" ? "/" : folder->path + "/";
  if (folder->path != "/") rows.push_back({"..  (the folder above)", inside + "..", true});
  for (const FolderEntry& entry : folder->entries)
    rows.push_back({entry.folder ? entry.name + "/" : entry.name, inside + entry.name, entry.folder});
  return rows;
}

void take(const UiFrame& f, const FileRow& row, bool save) {
  if (row.folder)
    f.push(ShowFolder{row.path});
  else if (save)
    f.ui.path = row.path;
  else
    f.push(OpenFile{row.path});
}

void draw_rows(const UiFrame& f, const std::vector<FileRow>& rows, bool save, bool moved, float room) {
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const auto& folder = f.session.editing().folder();
  const bool recent = !rows.empty() && rows.front().recent;
  const float need = (26 * float(rows.size()) + (recent ? 62 : 32) + (folder && folder->more ? 44 : 0)) * s + 12;
  ImGui::BeginChild("files", ImVec2(0, std::min(need + float(rows.size()) * ImGui::GetStyle().ItemSpacing.y, room)),
                    false);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto caption = [&](const std::string& text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw::text(list, f.theme.fonts.caption, at.x, at.y + 6 * s, c.muted,
               draw::elided(f.theme.fonts.caption, text, ImGui::GetContentRegionAvail().x));
    ImGui::Dummy(ImVec2(1, 24 * s));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].recent && i == 0) caption("Used last");
    if (!rows[i].recent && (i == 0 || rows[i - 1].recent) && folder) caption(folder->path);
    ImGui::PushID(int(i));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const draw::Rect r{at.x, at.y, at.x + width, at.y + 26 * s};
    const Hit h = hit(f, "file " + rows[i].path, r);
    const bool chosen = int(i) == f.ui.of<FileUi>().choice;
    if (h.hovered || chosen) draw::box(list, r, chosen ? c.tab : c.button, 5 * s);
    const Font& font = rows[i].folder ? f.theme.fonts.strong : f.theme.fonts.body;
    draw::text(list, font, r.x0 + 10 * s, r.y0 + 5 * s, c.text, draw::elided(font, rows[i].label, width - 20 * s));
    if (chosen && moved) ImGui::SetScrollHereY();
    if (h.clicked) take(f, rows[i], save);
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1));
    ImGui::PopID();
  }
  if (folder && folder->more) words(f, "There are more; type the name of one that is not listed.", c.muted);
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
}

}  // namespace

void draw_file_dialog(const UiFrame& f, bool save) {
  Sheet sheet(f, save ? "Save the session" : "Open", 640, 600);
  words(f,
        save ? "A TOML file with the problem, the edited values, the cursor and the view."
             : "A session (.toml), a recording, or tensors q, k and v (.safetensors). Or drop one on the window.",
        f.theme.colours.muted);
  FileUi& ui = f.ui.of<FileUi>();
  if (sheet.appeared()) f.ui.path = f.session.editing().path();
  if (sheet.appeared() && save && f.ui.path.empty()) f.ui.path = "session.toml";
  const std::string folder = f.session.editing().folder() ? f.session.editing().folder()->path : "";
  const bool elsewhere = folder != ui.folder;
  if (sheet.appeared() || elsewhere) focus_text("##path");
  const std::string typed = f.ui.path;
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      input_text("##path", f.ui.path, ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const std::vector<FileRow> rows = rows_of(f, save);
  if (sheet.appeared() || typed != f.ui.path || elsewhere) ui.choice = -1;
  ui.folder = folder;
  const int before = ui.choice;
  if (!save) ui.choice += int(key_pressed(Key::Down)) - int(key_pressed(Key::Up));
  ui.choice = std::clamp(ui.choice, -1, int(rows.size()) - 1);
  ImGui::Dummy(ImVec2(1, 2 * f.theme.s));
  // Enter saves, but never replaces a file that the dialog asks about: only the button does.
  const bool replace = save && !f.ui.path.empty() && f.session.editing().asks_to_replace() == f.ui.path;
  if (sheet_button(f, replace ? "Replace" : save ? "Save" : "Open", true, !f.ui.path.empty()))
    f.push(!save ? Command(OpenFile{f.ui.path}) : replace ? SaveFile{f.ui.path, true} : SaveFile{f.ui.path});
  else if (entered && ui.choice >= 0)
    take(f, rows[std::size_t(ui.choice)], save);
  else if (entered && !f.ui.path.empty())
    f.push(save ? Command(SaveFile{f.ui.path}) : OpenFile{f.ui.path});
  if (!save && f.host.pick_file) {
    ImGui::SameLine();
    if (sheet_button(f, "From this device …", false)) f.host.pick_file();
  }
  error_words(f);
  draw_rows(f, rows, save, before != ui.choice, sheet.room_below());
}

}  // namespace tilewalk
