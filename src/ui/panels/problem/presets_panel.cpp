// The list of presets: typed words filter it, arrows or the mouse choose, Enter or a click opens.
#include <algorithm>

#include "ui/panels/panels.h"
#include "ui/panels/search_field.h"

namespace tilewalk {
namespace {

struct PresetSearch : SearchField {};

struct RowText {
  std::string_view text;
  const Font& font;
  ImU32 colour;
};

float draw_texts(const UiFrame& f, ImDrawList* list, const std::vector<RowText>& texts, float x, float y, float width) {
  const float top = y;
  for (const RowText& t : texts)
    if (!t.text.empty())
      y += draw::paragraph(list, t.font, f.theme.fonts.tiny, x, y, width, t.colour, t.text) + 2 * f.theme.s;
  return y - top;
}

void draw_row(const UiFrame& f, const PresetRow& row, bool chosen, bool scroll_here) {
  const float s = f.theme.s, picture = 58 * s, width = ImGui::GetContentRegionAvail().x;
  const Palette& c = f.theme.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float x = at.x + picture + 26 * s, room = width - picture - 38 * s;
  const std::vector<RowText> texts = {{row.title, f.theme.fonts.strong, c.text},
                                      {row.problem, f.theme.fonts.body, c.muted},
                                      {row.about, f.theme.fonts.body, c.text},
                                      {row.recorded.times, f.theme.fonts.body, c.warn},
                                      {row.recorded.differs, f.theme.fonts.body, c.muted}};
  const float high = std::max(picture, draw_texts(f, nullptr, texts, x, 0, room)) + 16 * s;
  const draw::Rect r{at.x, at.y, at.x + width, at.y + high};
  const Hit h = hit(f, row.name, r);
  if (scroll_here) ImGui::SetScrollHereY();
  if (h.hovered || chosen) draw::box(list, r, chosen ? c.tab : c.button, 6 * s, chosen ? c.accent : 0);
  draw_grid_picture(list, f.theme, row.grid,
                    {r.x0 + 12 * s, r.y0 + 8 * s, r.x0 + 12 * s + picture, r.y0 + 8 * s + picture});
  draw_texts(f, list, texts, x, r.y0 + 8 * s, room);
  if (h.clicked) f.push(LoadPreset{row.name});
  ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 2 * s));
}

}  // namespace

void draw_presets_dialog(const UiFrame& f, float room) {
  if (!f.views.presets) return;
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  SearchField& field = f.ui.of<PresetSearch>();
  const Searched searched = search_field(f, field, f.session.view().dialog() != f.ui.dialog_before,
                                         "Type words to find one; arrows choose, Enter opens");
  const std::vector<PresetRow> found = presets_with(*f.views.presets, field.words);
  const bool moved = move_choice(field, searched, found.size());
  const float taken = ImGui::GetItemRectSize().y + ImGui::GetStyle().ItemSpacing.y;  // height of the field above
  ImGui::BeginChild("found", ImVec2(0, room - taken), false);
  std::string_view group;
  for (std::size_t i = 0; i < found.size(); ++i) {
    ImGui::PushID(found[i].name.c_str());
    if (found[i].group != group) {
      group = found[i].group;
      const ImVec2 at = ImGui::GetCursorScreenPos();
      caption(f, "group " + found[i].group, at.x, at.y + 8 * s, group);
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + 30 * s));
    }
    const bool chosen = int(i) == field.choice;
    draw_row(f, found[i], chosen, chosen && moved);
    ImGui::PopID();
  }
  if (found.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw::text(
        ImGui::GetWindowDrawList(), f.theme.fonts.body, at.x, at.y, c.muted,
        f.views.presets->rows.empty() ? "No presets were found beside the program." : "No preset has these words.");
  }
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
  if (searched.entered && !found.empty()) f.push(LoadPreset{found[std::size_t(field.choice)].name});
}

}  // namespace tilewalk
