// The panels of the page of comparison, and where they lie in it.
#include <algorithm>
#include <cmath>

#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_schedules_panel(const UiFrame&, Panel&);  // in ui/panels
void draw_lanes_panel(const UiFrame&, Panel&);
void draw_compare_steps_panel(const UiFrame&, Panel&);
void draw_pinned_waves_panel(const UiFrame&, Panel&);
void draw_waves_now_panel(const UiFrame&, Panel&);
void draw_chip_kinds_panel(const UiFrame&, Panel&);
void draw_chip_words_panel(const UiFrame&, Panel&);
void draw_pinned_filled_panel(const UiFrame&, Panel&);
void draw_filled_now_panel(const UiFrame&, Panel&);
void draw_pinned_launches(const UiFrame&, Panel&);
void draw_launches_now(const UiFrame&, Panel&);
void draw_split_k_panel(const UiFrame&, Panel&);
void draw_split_q_panel(const UiFrame&, Panel&);
void draw_compare_result_panel(const UiFrame&, Panel&);
void draw_compare_panel(const UiFrame&, Panel&);
void draw_pipes_panel(const UiFrame&, Panel&);

namespace {

constexpr float kHeadHigh = 38, kResultHigh = 84, kFilledHigh = 272;  // of a stacked page, before scaling
constexpr float kWholeCallsHigh = 137;  // two bars, their buttons and their axis; likewise

bool shows_pipes(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->filling == Filling::Pipes;
}
bool shows_waves(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && !page->filled.sides.empty() && !page->chip;
}
bool shows_schedules(const Views& views) { return !shows_pipes(views); }
bool shows_lanes(const Views& views) { return !shows_pipes(views) && !shows_waves(views); }
// A lesson that outlines the lanes speaks of nothing else on this page.
bool lanes_alone(const Views& views) {
  return views.lesson_panel &&
         std::count(views.lesson_panel->outline.begin(), views.lesson_panel->outline.end(), "lanes") > 0;
}
bool shows_recorded(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->chip && shows_lanes(views) && !lanes_alone(views);
}
// Beside recorded lanes, and of backward passes, no step moves anything on this page.
bool shows_steps(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return shows_lanes(views) && !(page && (page->chip || page->launches));
}
// Beside the pictures of warps the bars of the whole calls are all that is drawn of them.
bool shows_bars(const Views& views) { return shows_steps(views) && views.page<ComparePage>()->warps; }
bool shows_lanes_in_step(const Views& views) { return shows_steps(views) && !shows_bars(views); }
bool shows_tall_lanes(const Views& views) {
  return shows_lanes(views) && !shows_steps(views) && !shows_recorded(views);
}
bool shows_table(const Views& views) { return shows_lanes(views) && !lanes_alone(views) && !shows_recorded(views); }
bool shows_warps(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->warps && !lanes_alone(views) && !shows_recorded(views);
}
bool shows_result(const Views& views) { return shows_table(views) || shows_waves(views); }
bool shows_launches(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && page->launches && shows_table(views);
}
bool shows_sms(const Views& views) {
  const ComparePage* const page = views.page<ComparePage>();
  return page && !page->warps && !page->launches && shows_table(views);
}

void set_lanes_room(const draw::Rect& panel, const Theme& theme, ViewRoom& room) {
  room.lanes_width = std::max(1.0f, lanes_area(panel, theme).width() / theme.s);
}
void set_squares_room(const draw::Rect& panel, const Theme& theme, ViewRoom& room) {
  const draw::Rect squares = squares_area(panel, theme);
  room.waves_width = std::max(1.0f, squares.width() / theme.s);
  room.waves_height = std::max(1.0f, squares.height() / theme.s);
}

draw::Rect left_below_headline_of_room(const draw::Rect& room) { return left_of_room(below_headline_of_room(room)); }
draw::Rect right_below_headline_of_room(const draw::Rect& room) { return right_of_room(below_headline_of_room(room)); }

}  // namespace

std::vector<PanelRow> compare_panels() {
  return {{.id = "compared",
           .place = placed<compare_layout, &CompareLayout::head>,
           .draw = draw_schedules_panel,
           .scroll = Scroll::Never,
           .shown = shows_schedules,
           .stacked = kHeadHigh},
          {.id = "compare-result",
           .place = placed<compare_layout, &CompareLayout::result>,
           .draw = draw_compare_result_panel,
           .shown = shows_result,
           .stacked = kResultHigh,
           .for_room = headline_of_room},
          {.id = "lanes",
           .place = placed<compare_layout, &CompareLayout::lanes>,
           .draw = draw_lanes_panel,
           .scroll = Scroll::ByBar,
           .shown = shows_lanes_in_step,
           .set_room = set_lanes_room,
           .stacked = 314,
           .for_room = whole_room},
          {.id = "bars",
           .place = placed<compare_layout, &CompareLayout::lanes>,
           .draw = draw_lanes_panel,
           .shown = shows_bars,
           .set_room = set_lanes_room,
           .stacked = kWholeCallsHigh,
           .covers = true},
          {.id = "lanes-tall",
           .place = placed<compare_layout, &CompareLayout::lanes_tall>,
           .draw = draw_lanes_panel,
           .scroll = Scroll::ByBar,
           .shown = shows_tall_lanes,
           .stacked = 470,
           .covers = true,
           .for_room = below_headline_of_room},
          {.id = "lanes-recorded",
           .place = placed<compare_layout, &CompareLayout::recorded>,
           .draw = draw_lanes_panel,
           .scroll = Scroll::ByBar,
           .shown = shows_recorded,
           .stacked = 540,
           .covers = true,
           .for_room = whole_room},
          {.id = "chip-kinds",
           .place = placed<compare_layout, &CompareLayout::chip_kinds>,
           .draw = draw_chip_kinds_panel,
           .shown = shows_recorded,
           .stacked = 260,
           .covers = true},
          {.id = "chip-words",
           .place = placed<compare_layout, &CompareLayout::chip_words>,
           .draw = draw_chip_words_panel,
           .shown = shows_recorded,
           .stacked = 260,
           .covers = true},
          {.id = "steps",
           .place = placed<compare_layout, &CompareLayout::steps>,
           .draw = draw_compare_steps_panel,
           .scroll = Scroll::Never,
           .shown = shows_steps},
          {.id = "sms-pinned",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_pinned_waves_panel,
           .shown = shows_sms,
           .set_room = set_squares_room,
           .stacked = 300},
          {.id = "sms-now",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_waves_now_panel,
           .shown = shows_sms,
           .stacked = 300},
          {.id = "launches-pinned",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_pinned_launches,
           .shown = shows_launches,
           .stacked = 330},
          {.id = "launches-now",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_launches_now,
           .shown = shows_launches,
           .stacked = 330},
          {.id = "split-k",
           .place = placed<compare_layout, &CompareLayout::waves_left>,
           .draw = draw_split_k_panel,
           .shown = shows_warps,
           .stacked = 300,
           .beside = true,
           .for_room = left_of_room},
          {.id = "split-q",
           .place = placed<compare_layout, &CompareLayout::waves_right>,
           .draw = draw_split_q_panel,
           .shown = shows_warps,
           .stacked = 300,
           .beside = true,
           .for_room = right_of_room},
          {.id = "compare",
           .place = placed<compare_layout, &CompareLayout::table>,
           .draw = draw_compare_panel,
           .shown = shows_table,
           .stacked = 440},
          {.id = "steps-of-waves",
           .place = placed<compare_layout, &CompareLayout::steps_of_waves>,
           .draw = draw_compare_steps_panel,
           .scroll = Scroll::Never,
           .shown = shows_waves,
           .covers = true},
          {.id = "waves-pinned",
           .place = placed<compare_layout, &CompareLayout::filled_left>,
           .draw = draw_pinned_filled_panel,
           .shown = shows_waves,
           .stacked = kFilledHigh,
           .beside = true,
           .covers = true,
           .for_room = left_below_headline_of_room},
          {.id = "waves-now",
           .place = placed<compare_layout, &CompareLayout::filled_right>,
           .draw = draw_filled_now_panel,
           .shown = shows_waves,
           .stacked = kFilledHigh,
           .beside = true,
           .covers = true,
           .for_room = right_below_headline_of_room},
          {.id = "pipes",
           .place = placed<&Layout::page>,
           .draw = draw_pipes_panel,
           .scroll = Scroll::Never,
           .shown = shows_pipes,
           .stacked = 480,
           .covers = true,
           .for_room = whole_room}};
}

namespace {

constexpr float kLeastLanes = 326, kLeastFoot = 110, kKindsHigh = 262;  // heights, before scaling

}  // namespace

// The foot has space for most of the table of differences if the lanes keep half of the page.
CompareLayout compare_layout(const Layout& layout) {
  const auto& [edge, top, end, bottom] = layout.page;
  const float ui = layout.scale.ui, gap = layout.scale.gap, across = layout.scale.width - 4 * gap;
  const float stack = std::min((kHeadHigh + kResultHigh) * layout.scale.s, 0.4f * (bottom - top)),
              beside = std::min(kResultHigh * layout.scale.s, 106 * ui);
  const float result = layout.lanes_alone     ? -gap
                       : layout.scale.stacked ? std::round(stack) - strip_height(layout.scale)
                                              : std::round(beside);
  const float tall = bottom - top - strip_height(layout.scale) - result - 2 * gap,
              foot = std::max(tall * 0.40f, std::min(tall * 0.47f, 350 * layout.scale.e));
  // In a low page the foot, which scrolls, leaves its space to the lanes and the walk's buttons.
  const float steps = std::round(std::max(38 * layout.scale.s, 24 * ui)), lanes = kLeastLanes * layout.scale.s;
  if (layout.lanes_alone) {
    CompareLayout out;
    out.head = {edge, top, end, top + strip_height(layout.scale)};
    out.steps = {edge, bottom - steps, end, bottom};
    out.lanes = {edge, out.head.y1 + gap, end, out.steps.y0 - gap};
    out.lanes_tall = out.recorded = {edge, out.lanes.y0, end, bottom};
    return out;
  }
  // Of a stacked page the buttons are at its end, in view while the other panels scroll.
  const bool stacked = layout.scale.stacked;
  const float foot_end = stacked ? bottom - steps - gap : bottom;
  const float wished = layout.warps ? tall : std::clamp(foot, 150 * ui, 465 * ui),
              above = layout.warps ? kWholeCallsHigh * layout.scale.e : lanes;
  const float low = std::round(foot_end - std::max(std::min(kLeastFoot * layout.scale.s, tall * 0.4f),
                                                   std::min(wished, tall - above - steps - 2 * gap)));
  CompareLayout out;
  out.head = {edge, top, end, top + strip_height(layout.scale)};
  out.steps =
      stacked ? draw::Rect{edge, bottom - steps, end, bottom} : draw::Rect{edge, low - gap - steps, end, low - gap};
  out.result = {edge, out.head.y1 + gap, end, out.head.y1 + gap + result};
  out.lanes = {edge, out.result.y1 + gap, end, stacked ? low - gap : out.steps.y0 - gap};
  out.waves_left = {edge, low, edge + std::round(across * 0.29f), foot_end};
  out.waves_right = {out.waves_left.x1 + gap, low, out.waves_left.x1 + gap + std::round(across * 0.29f), foot_end};
  out.table = {out.waves_right.x1 + gap, low, end, foot_end};
  out.lanes_tall = {edge, out.lanes.y0, end, low - gap};
  out.steps_of_waves = stacked ? out.steps : draw::Rect{edge, out.lanes.y0, end, out.lanes.y0 + steps};
  const float filled = stacked ? out.lanes.y0 : out.steps_of_waves.y1 + gap, middle = std::round((edge + end) / 2);
  out.filled_left = {edge, filled, middle - gap / 2, foot_end};
  out.filled_right = {middle + gap / 2, filled, end, foot_end};
  const float kinds = std::round(bottom - std::min((tall + result + gap) * 0.385f, kKindsHigh * layout.scale.e));
  out.recorded = {edge, out.result.y0, end, kinds - gap};
  out.chip_kinds = {edge, kinds, out.waves_right.x1, bottom};
  out.chip_words = {out.table.x0, kinds, end, bottom};
  return out;
}

draw::Rect lanes_area(const draw::Rect& panel, const Theme& theme) {
  const float s = theme.s;
  return {panel.x0 + 14 * s + 112 * s, panel.y0 + 46 * s, panel.x1 - 18 * s, panel.y1 - 42 * s};
}

draw::Rect squares_area(const draw::Rect& panel, const Theme& theme) {
  const float s = theme.s, words = std::min(20 * s + 92 * theme.e, panel.height() * 0.5f);
  return {panel.x0 + 14 * s, panel.y0 + 38 * s, panel.x1 - 14 * s, panel.y1 - words};
}

}  // namespace tilewalk
