// The tags above the comparison: options of the lanes, what is compared, how the two are in step, and lanes or pipes.
#include <algorithm>

#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/drop_down.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kTagRow = 32;  // design pixels from one row of tags to the next

// The right end of the next tag of that width; in a row below where this one has no space for it.
float room_for(Panel& p, float right, float wide) {
  if (right - wide >= p.x || right >= p.x + p.width) return right;
  p.y += kTagRow * p.s;
  return p.x + p.width;
}

std::string pinned_label(const ComparePage& page) {
  return "Pinned: " + (page.chip_pinned ? "the chip" : page.baseline);
}

}  // namespace

// Draws tags from right to left; returns the right end of the next one.
float draw_lane_options(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s, high = 26 * s;
  const auto option = [&](const std::string& id, const std::string& label, const std::string& tip) {
    const Font& font =
        label == "+" || label == "−" ? p.fonts.body : p.fonts.mono_small;  // the monospaced minus is short
    const float w = draw::text_width(font, label) + 20 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + high};
    right = r.x0 - 8 * s;
    return tag(f, {.id = id,
                   .rect = r,
                   .label = label,
                   .tip = tip,
                   .font = font,
                   .ink = p.colours.text,
                   .fill = p.colours.panel,
                   .hovered = p.colours.button,
                   .border = p.colours.border,
                   .rounding = 6 * s,
                   .label_at = ImVec2(r.x0 + 10 * s, (r.y0 + r.y1 - font.size) / 2)});
  };
  const auto switched = [&](const LaneSwitch& of) {
    const float w = draw::text_width(p.fonts.mono_small, of.name) + 36 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + high};
    right = r.x0 - 8 * s;
    const bool clicked =
        tag(f, {.id = of.name,
                .rect = r,
                .label = of.name,
                .tip = with_meanings((of.on ? "On: click to take it away. " : "Off: click to put it back. ") + of.saves,
                                     of.name),
                .font = p.fonts.mono_small,
                .ink = of.refused ? p.colours.faint
                       : of.on    ? p.colours.good
                                  : p.colours.text,
                .fill = of.on ? p.colours.good_fill : p.colours.panel,
                .hovered = of.on ? p.colours.good_fill : p.colours.button,
                .border = of.on ? mix(p.colours.good_fill, p.colours.good, 0.5f) : p.colours.border,
                .rounding = 6 * s,
                .label_at = ImVec2(r.x0 + 27 * s, (r.y0 + r.y1 - p.fonts.mono_small.size) / 2),
                .enabled = !of.refused});
    draw::sign(p.list, of.on ? draw::Sign::Check : draw::Sign::Ring, {r.x0 + 6 * s, r.y0, r.x0 + 24 * s, r.y1},
               of.on ? p.colours.good : p.colours.muted, 0.85f * s);
    return clicked;
  };
  if (page.stages) {
    if (option("more stages", "+", "One more tile in the circular buffer"))
      f.push(SetLaneOption{LaneOption::Stages, *page.stages + 1});
    right += 4 * s;
    option("stages", "stages " + std::to_string(*page.stages), "Tiles in the circular buffer, K and V in turn");
    right += 4 * s;
    if (option("fewer stages", "−", "One tile fewer in the circular buffer"))
      f.push(SetLaneOption{LaneOption::Stages, *page.stages - 1});
  }
  for (auto at = page.lanes.switches.rbegin(); at != page.lanes.switches.rend(); ++at)
    if (at->option != LaneOption::Stages && switched(*at)) f.push(SetLaneOption{at->option, at->on ? 0 : 1});
  return right;
}

float draw_baseline_choice(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const float s = p.s;
  const std::string label = pinned_label(page);
  const float w = drop_down_width(f.theme, label);
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  std::vector<DropDownEntry> entries;
  for (const BaselineChoice& choice : page.choices)
    entries.push_back({.id = choice.title,
                       .title = choice.title,
                       .active = choice.active && !page.chip_pinned,
                       .commands = {PinSchedule{choice.kind}}});
  if (page.chip_offered)
    entries.push_back({.id = "chip",
                       .title = "The chip itself, recorded",
                       .active = page.chip_pinned,
                       .commands = {Action::PinChip}});
  entries.push_back({.id = "as it stands", .title = "This, as it stands", .commands = {Action::PinNow}});
  entries.push_back({.id = "exchange", .title = "Exchange the two (M)", .commands = {Action::ExchangeSides}});
  drop_down(f, {.id = "baseline", .rect = r, .label = label, .tip = "What the current schedule is compared with"},
            entries);
  return r.x0 - 8 * s;
}

// The pace of the two sides; a click chooses the next. Returns its left end.
float draw_pace(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  if (page.pace.empty()) return right;
  const float s = p.s, w = draw::text_width(p.fonts.mono_small, page.pace) + 20 * s;
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  const bool clicked = tag(f, {.id = "pace",
                               .rect = r,
                               .label = page.pace,
                               .tip = page.pace_tip,
                               .font = p.fonts.mono_small,
                               .ink = p.colours.text,
                               .fill = p.colours.panel,
                               .hovered = p.colours.button_hover,
                               .border = p.colours.border,
                               .rounding = 6 * s});
  if (clicked) f.push(Action::NextPace);
  return r.x0 - 8 * s;
}

// The walk and the window's call, side by side; the one that is shown is marked.
float draw_compared_choice(const UiFrame& f, Panel& p, float right) {
  const ComparePage& page = *f.views.page<ComparePage>();
  for (auto at = page.compared.rbegin(); at != page.compared.rend(); ++at) {
    const float s = p.s, w = draw::text_width(p.fonts.mono_small, at->title) + 20 * s;
    right = room_for(p, right, w);
    const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
    if (tag(f, {.id = at->of == Compared::Walk ? "this walk" : "the call",
                .rect = r,
                .label = at->title,
                .tip = at->tip,
                .font = p.fonts.mono_small,
                .ink = at->enabled ? p.colours.text : p.colours.faint,
                .fill = at->active ? p.colours.tab : p.colours.panel,
                .hovered = at->active ? p.colours.tab : p.colours.button_hover,
                .border = at->active ? p.colours.accent : p.colours.border,
                .rounding = 6 * s,
                .enabled = at->enabled && !at->active}))
      f.push(ChooseCompared{at->of});
    right = r.x0 - 8 * s;
  }
  return right;
}

float draw_pipes_switch(const UiFrame& f, Panel& p, float right) {
  const bool on = f.views.page<ComparePage>()->filling == Filling::Pipes;
  const char* const label = on ? "lanes" : "pipes";
  const float s = p.s, w = draw::text_width(p.fonts.mono_small, label) + 20 * s;
  right = room_for(p, right, w);
  const draw::Rect r{right - w, p.y, right, p.y + 26 * s};
  if (tag(f, {.id = "pipes",
              .rect = r,
              .label = label,
              .tip = on ? "Lanes, SMs and differences instead (Shift+C)"
                        : "The bytes of both sides on their way between HBM and SRAM (Shift+C)",
              .font = p.fonts.mono_small,
              .ink = p.colours.text,
              .fill = p.colours.panel,
              .hovered = p.colours.button_hover,
              .border = p.colours.border,
              .rounding = 6 * s}))
    f.push(Action::ShowPipes);
  return r.x0 - 8 * s;
}

}  // namespace tilewalk
