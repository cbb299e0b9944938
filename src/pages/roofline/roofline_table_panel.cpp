// The source of each number of the roofline: every method with its floors and times, the reasons, and eager line by
// line.
#include <algorithm>

#include "pages/roofline/roofline_page.h"
#include "ui/panels/columns.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct ReasonUi {
  std::string chosen;  // a row's title, by a click
};

// The row whose reason is shown: the one that is pointed at, else the chosen one, else the last, which is the fastest.
const RooflineRow* row_with_reason(const RooflinePage& m, const std::string& pointed, const std::string& chosen) {
  const RooflineRow* out = nullptr;
  for (const RooflineRow& row : m.rows)
    if (!row.reason.empty() && (!out || (out->title != pointed && (row.title == pointed || out->title != chosen))))
      out = &row;
  return out;
}

// Returns the title of the row that is pointed at.
std::string draw_methods(const UiFrame& f, Panel& p, const RooflinePage& m) {
  ReasonUi& ui = f.ui.of<ReasonUi>();
  std::string pointed;
  const float s = p.s, whole = p.width;
  float names = 0, walk = 0;
  bool walks = false;
  const char* label = "";
  std::vector<const std::vector<std::string>*> cells;
  for (const RooflineRow& row : m.rows) {
    names = std::max(names, draw::text_width(p.fonts.body, row.title) + 6 * s);
    walks = walks || row.walk;
    cells.push_back(&row.cells);
  }
  const auto columns_beside = [&](const char* words) {
    label = words, walk = walks ? draw::text_width(p.fonts.body, label) + 26 * s : 0;
    p.width = whole - walk;
    const Columns out(p, names, m.heads, cells);
    p.width = whole;
    return out;
  };
  Columns columns = columns_beside("Walk it");
  if (!columns.beside()) columns = columns_beside("→");
  if (!columns.beside())
    columns = Columns(p, whole, m.heads, cells);  // the buttons are beside the names, above the figures
  columns.draw_heads(f, p, m.heads);
  for (const RooflineRow& row : m.rows) {
    const float top = p.y, line = 25 * s, middle = top + line / 2;
    const float high = columns.beside() ? line : std::max(line, columns.row_height()) + 8 * s;
    p.list->AddLine({p.x, top}, {p.x + p.width, top}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.body, p.x, middle - p.fonts.body.size / 2, p.colours.text, row.title);
    explain(f, "of " + row.title, {p.x, top, p.x + names, top + line}, row.title);
    const Hit on_row = hit(f, "reason of " + row.title, {p.x + names, top, p.x + p.width - walk, top + high});
    if (on_row.hovered) pointed = row.title;
    if (on_row.clicked && !row.reason.empty()) ui.chosen = row.title;
    if (const RooflineRow* shown = row_with_reason(m, pointed, ui.chosen); shown == &row)
      draw::box(p.list, {p.x - 6 * s, top + 2 * s, p.x - 3 * s, top + high - 2 * s}, p.colours.accent, 0);
    p.y = top + (columns.beside() ? 2.5f : 5.0f) * s;
    columns.draw_figures(p, p.fonts.mono_small, p.colours.text, row.cells);
    if (row.walk && button(f, {.id = "walk " + row.walk->method,
                               .rect = {p.x + p.width - walk + 10 * s, top + 2 * s, p.x + p.width, top + line - 2 * s},
                               .label = label,
                               .tip = row.walk_tip}))
      f.push(*row.walk);
    p.y = top + high;
  }
  p.y += 8 * s;
  return pointed;
}

// Words of that height are whole in the panel's first view, or whole below it.
void keep_whole(const UiFrame& f, Panel& p, float high) {
  const float end = p.rect.y1 - ImGui::GetScrollY();  // of the first view
  if (!f.layout.scale.stacked && p.y < end && p.y + high > end) p.y = end;
}

// True if it is in sight.
bool draw_callout(const UiFrame& f, Panel& p, const std::string& words) {
  const float s = p.s, inner = p.width - 30 * s;
  const float high = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, inner, 0, words) + 14 * s;
  keep_whole(f, p, high);
  const bool in_sight = p.y + high <= p.rect.y1;
  f.ui.rects.put("reason", {p.x, p.y, p.x + p.width, p.y + high});
  draw::box(p.list, {p.x, p.y, p.x + p.width, p.y + high}, p.colours.callout, 6 * s);
  draw::box(p.list, {p.x, p.y, p.x + 3 * s, p.y + high}, p.colours.accent, 0);
  draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + 16 * s, p.y + 7 * s, inner, p.colours.text, words);
  p.y += high + 8 * s;
  return in_sight;
}

struct EagerUi {
  bool open = false;
};

// In little space a button folds eager's lines. True if they are shown.
bool draw_eager_fold(const UiFrame& f, Panel& p, const RooflinePage& m) {
  EagerUi& ui = f.ui.of<EagerUi>();
  const float s = p.s, needed = float(m.eager.size()) * 20 * s + 110 * s;
  if (!f.layout.scale.stacked && p.y + ImGui::GetScrollY() + needed <= p.rect.y1) return true;
  const char* const label = ui.open ? "Hide eager's lines" : "Eager, line by line";
  const float wide = draw::text_width(p.fonts.body, label) + 24 * s;
  if (button(f, {.id = "eager lines",
                 .rect = {p.x, p.y, p.x + wide, p.y + 26 * s},
                 .label = label,
                 .tip = "Attention as people write it in PyTorch: what each line moves, and how long it takes"}))
    ui.open = !ui.open;
  p.y += 34 * s;
  return ui.open;
}

// Each line of Python is a trip to HBM.
void draw_eager(const UiFrame& f, Panel& p, const RooflinePage& m) {
  const float s = p.s, right = p.x + p.width, bytes = right - 92 * s;
  p.caption("Eager: as people write it in PyTorch");
  word_right(f, p.fonts.tiny, bytes, p.y - 20 * s, p.colours.muted, "bytes");
  word_right(f, p.fonts.tiny, right, p.y - 20 * s, p.colours.muted, "takes");
  for (const OperationLine& line : m.eager) {
    const float middle = p.y + 10 * s, at = middle - p.fonts.mono_small.size / 2;
    p.list->AddLine({p.x, p.y}, {right, p.y}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.mono_small, p.x, at, p.colours.text,
               draw::elided(p.fonts.mono_small, line.line, bytes - 84 * s - p.x));
    draw::text_right(p.list, p.fonts.mono_small, bytes, at, p.colours.text, line.bytes);
    draw::text_right(p.list, p.fonts.mono_small, right, at, p.colours.text, line.ms);
    p.y += 20 * s;
  }
  p.y += 4 * s;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.trips) + 8 * s;
}

}  // namespace

void draw_roofline_table_panel(const UiFrame& f, Panel& p) {
  const RooflinePage& m = *f.views.page<RooflinePage>();
  const float s = p.s;
  p.caption("Where each number comes from");
  std::string words = m.sentence, pointed;
  if (!m.rows.empty()) {
    pointed = draw_methods(f, p, m);
    if (const RooflineRow* shown = row_with_reason(m, pointed, f.ui.of<ReasonUi>().chosen))
      words += " " + shown->reason;
  }
  if (!words.empty() && !draw_callout(f, p, words) && !pointed.empty()) tooltip(f, words);
  for (const std::string& note : m.notes)
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.warn, note) + 4 * s;
  for (const std::string& each : m.absent)
    p.y += draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, each) + 2 * s;
  if (!m.absent.empty()) p.y += 6 * s;
  if (!m.eager.empty() && draw_eager_fold(f, p, m)) draw_eager(f, p, m);
  const auto source = [&](ImDrawList* list) {
    return draw::paragraph(list, p.fonts.tiny, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.source);
  };
  const float high = source(nullptr);
  keep_whole(f, p, high);
  f.ui.rects.put("source", {p.x, p.y, p.x + p.width, p.y + high});
  p.y += source(p.list);
}

}  // namespace tilewalk
