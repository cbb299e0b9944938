// All keys, in groups, and a field that filters them: by key, title or help. Esc empties the field; in an empty field
// it closes the dialog, as ? does.
#include <algorithm>
#include <vector>

#include "base/words.h"
#include "session/command/command_table.h"
#include "ui/panels/panels.h"
#include "ui/panels/search_field.h"
#include "ui/panels/sheet.h"

namespace tilewalk {
namespace {

struct KeysSearch : SearchField {};

struct KeyLine {
  std::string chord, title;
  std::string_view help;
};
struct KeyGroup {
  std::string title;
  std::vector<KeyLine> lines;
};

// Groups in the order of the table; that of the page on screen comes first, and presenting last.
std::vector<KeyGroup> key_groups(Page page) {
  std::vector<KeyGroup> out;
  for (const CommandRow& row : command_table()) {
    if (row.key.key == Key::None) continue;
    auto at = std::find_if(out.begin(), out.end(), [&](const KeyGroup& group) { return group.title == row.group; });
    if (at == out.end()) at = out.insert(out.end(), {std::string(row.group), {}});
    std::string chord = text_of(row.key);
    if (row.other.key != Key::None) chord += "  " + text_of(row.other);
    at->lines.push_back({std::move(chord), row.title, row.help});
  }
  const char* const own = page == Page::Walk ? "Walk" : page == Page::Compare ? "Compare" : "Window";
  std::stable_partition(out.begin(), out.end(), [&](const KeyGroup& group) { return group.title == own; });
  KeyGroup presenting{"While presenting", {}};
  for (const PresentingKey& key : presenting_keys()) presenting.lines.push_back({text_of({key.key}), key.help, ""});
  out.push_back(std::move(presenting));
  return out;
}

bool matches(const KeyLine& line, const std::string& wanted) {
  return wanted.empty() ||
         lower_case(line.chord + " " + line.title + " " + std::string(line.help)).find(wanted) != std::string::npos;
}

std::vector<KeyGroup> filtered(std::vector<KeyGroup> groups, const std::string& words) {
  const std::string wanted = lower_case(words);
  for (KeyGroup& group : groups)
    std::erase_if(group.lines, [&](const KeyLine& line) { return !matches(line, wanted); });
  std::erase_if(groups, [](const KeyGroup& group) { return group.lines.empty(); });
  return groups;
}

struct KeyColumns {
  std::vector<float> ends;  // from the top, the next free height of each
  float wide = 0, gap = 0, caps = 0;
};

// Left of the title: the keys' caps, or one that is wider.
float title_left(const UiFrame& f, const KeyLine& line, float caps) {
  const float s = f.theme.s;
  return std::max(caps, draw::text_width(f.theme.fonts.mono_small, line.chord) + 20 * s);
}

float one_line(const UiFrame& f) { return f.theme.fonts.body.size + 6 * f.theme.s; }

float line_height(const UiFrame& f, const KeyLine& line, const KeyColumns& columns) {
  const Fonts& fonts = f.theme.fonts;
  const float room = columns.wide - title_left(f, line, columns.caps);
  return draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, room, 0, line.title) + one_line(f) -
         draw::leading(fonts.body);
}

void draw_key_line(const UiFrame& f, const KeyLine& line, const draw::Rect& r, float caps) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float s = f.theme.s, one = one_line(f);
  const Fonts& fonts = f.theme.fonts;
  const draw::Rect cap{r.x0, r.y0 + s, r.x0 + draw::text_width(fonts.mono_small, line.chord) + 12 * s, r.y0 + one - s};
  draw::box(list, cap, f.theme.colours.raised, 4 * s, f.theme.colours.border);
  draw::text_in(list, fonts.mono_small, cap, f.theme.colours.text, line.chord);
  const float x = r.x0 + title_left(f, line, caps);
  draw::paragraph(list, fonts.body, fonts.tiny, x, r.y0 + (one - fonts.body.size) / 2, r.x1 - x, f.theme.colours.text,
                  line.title);
  f.ui.rects.put("key " + line.title, r);
  if (pointed_at(f, "key " + line.chord + line.title, r) && !line.help.empty()) tooltip(f, line.help);
}

// Draws the groups, each in the shortest column. Returns the height.
float draw_groups(const UiFrame& f, const std::vector<KeyGroup>& groups, KeyColumns columns, const ImVec2& at) {
  const float head = 26 * f.theme.s;
  for (const KeyGroup& group : groups) {
    float& y = *std::min_element(columns.ends.begin(), columns.ends.end());
    const float x = at.x + float(&y - columns.ends.data()) * (columns.wide + columns.gap);
    caption(f, "group " + group.title, x, at.y + y + 8 * f.theme.s, group.title, columns.wide);
    y += head;
    for (const KeyLine& each : group.lines) {
      const float high = line_height(f, each, columns);
      draw_key_line(f, each, {x, at.y + y, x + columns.wide, at.y + y + high}, columns.caps);
      y += high;
    }
  }
  return *std::max_element(columns.ends.begin(), columns.ends.end());
}

}  // namespace

// Up to three columns; fewer where letters are large.
void draw_keys_dialog(const UiFrame& f) {
  Sheet sheet(f, "All keys", 1320, 860);
  const float s = f.theme.s, gap = 24 * s;
  KeysSearch& field = f.ui.of<KeysSearch>();
  if (f.ui.escaped_field && !field.words.empty()) {
    field.words.clear();
    f.ui.escaped_field = false;
    focus_text("##words");
  }
  search_field(f, field, sheet.appeared(), "Type to find a key: by its letter, or by what it does");
  if (field.words == text_of(command_row(Action::ShowKeys).key)) f.push(Action::CloseDialog);
  const std::vector<KeyGroup> groups = filtered(key_groups(f.session.page()), field.words);
  ImGui::BeginChild("found", ImVec2(0, sheet.room_below()), false);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const auto count = std::size_t(std::clamp(width / (400 * s), 1.0f, 3.0f));
  const float high = draw_groups(
      f, groups, {std::vector<float>(count), (width - gap * float(count - 1)) / float(count), gap, 96 * s}, at);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy(ImVec2(width, high + 8 * s));
  if (groups.empty())
    words(f, "No key has these words. " + text_of(command_row(Action::ShowPalette).key) + " searches all commands.",
          f.theme.colours.muted);
  words(f,
        "Score matrix: wheel zooms, drag pans, click selects. Tab begins keyboard navigation, Esc leaves it. Words of "
        "titles and tables explain themselves under the pointer; " +
            text_of(command_row(Action::ShowGlossary).key) + " lists them.",
        f.theme.colours.muted);
  ImGui::EndChild();
}

}  // namespace tilewalk
