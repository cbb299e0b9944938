// Two backward passes: the bytes by tensor of each as a long bar, and the launches of each.
#include <algorithm>

#include "base/units.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/columns.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

// A bar with its name and bytes above it, and below it the bytes of each tensor that has enough space.
void draw_bar(const UiFrame& f, Panel& p, const std::string& name, const TrafficBar& bar, float high) {
  const float s = p.s;
  draw::text(p.list, p.fonts.strong, p.x, p.y, p.colours.text, name + bar.label);
  draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, bar.text);
  p.y += draw::leading(p.fonts.strong) + 2 * s;
  const draw::Rect track{p.x, p.y, p.x + p.width, p.y + high};
  draw::box(p.list, track, p.colours.track, 3 * s);
  draw_traffic_parts(p, bar, track);
  float x = track.x0;
  for (const TrafficPart& part : bar.parts) {
    const float wide = float(part.share) * track.width();
    const std::string bytes = format_bytes(part.read_bytes + part.write_bytes);
    if (draw::text_width(p.fonts.tiny, bytes) <= wide - 4 * s)
      draw::text_in(p.list, p.fonts.tiny, {x, track.y1, x + wide, track.y1 + p.fonts.tiny.size + 4 * s},
                    p.colours.muted, bytes);
    x += wide;
  }
  f.ui.rects.put("bar " + bar.label, track);
  p.y = track.y1 + p.fonts.tiny.size + 16 * s;
}

void draw_launches(const UiFrame& f, Panel& p, const LaunchesModel& m) {
  const float s = p.s;
  p.caption(m.title);
  const std::vector<std::string> heads = {"thread blocks", "read", "written", "FLOPs"};
  float names = 0;
  std::vector<std::vector<std::string>> figures;
  for (const LaunchLine& line : m.lines) {
    names = std::max(names, draw::text_width(p.fonts.body, line.name) + 8 * s);
    figures.push_back({line.blocks, line.read, line.written, line.flops});
  }
  std::vector<const std::vector<std::string>*> rows;
  for (const auto& row : figures) rows.push_back(&row);
  const Columns columns(p, names, heads, rows);
  columns.draw_heads(f, p, heads);
  const float words = draw::paragraph(nullptr, p.fonts.body, p.fonts.tiny, 0, 0, p.width, 0, m.sentence) + 16 * s;
  const float each = (p.rect.y1 - 14 * s - words - p.y) / float(std::max<std::size_t>(1, m.lines.size()));
  const float bar = std::clamp(each - columns.row_height() - 8 * s, p.fonts.caption.em + 2, 60 * s);
  for (std::size_t i = 0; i < m.lines.size(); ++i) {
    p.list->AddLine({p.x, p.y}, {p.x + p.width, p.y}, p.colours.row_line, draw::hairline());
    draw::text(p.list, p.fonts.body, p.x, p.y + columns.name_middle() - p.fonts.body.size / 2, p.colours.text,
               m.lines[i].name);
    columns.draw_figures(p, p.fonts.mono_small, p.colours.text, figures[i]);
    p.y += columns.row_height();
    const draw::Rect track{p.x, p.y, p.x + p.width, p.y + bar};
    draw::box(p.list, track, p.colours.track, 3 * s);
    draw_traffic_parts(p, m.lines[i].traffic, track);
    p.y = track.y1 + 8 * s;
  }
  p.y += 2 * s;
  const float top = p.y;
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, m.sentence);
  explain(f, m.sentence, {p.x, top, p.x + p.width, p.y}, m.sentence);
}

}  // namespace

void draw_launch_bars(const UiFrame& f, Panel& p) {
  const LaunchesPair& launches = *f.views.page<ComparePage>()->launches;
  const float s = p.s;
  p.y += 8 * s;
  const float foot = p.fonts.caption.em + 12 * s;
  const float each = (p.rect.y1 - 14 * s - foot - p.y) / 2 - draw::leading(p.fonts.strong) - p.fonts.tiny.size - 18 * s;
  const float high = std::clamp(each, 16 * s, 120 * s);
  draw_bar(f, p, "Pinned: ", launches.left.traffic, high);
  draw_bar(f, p, "Now: ", launches.right.traffic, high);
  draw_tensor_legend(f, p, launches.legend, p.x, p.x + p.width, p.y);
}

void draw_pinned_launches(const UiFrame& f, Panel& p) {
  draw_launches(f, p, f.views.page<ComparePage>()->launches->left);
}
void draw_launches_now(const UiFrame& f, Panel& p) {
  draw_launches(f, p, f.views.page<ComparePage>()->launches->right);
}

}  // namespace tilewalk
