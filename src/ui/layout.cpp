#include "ui/layout.h"

#include <algorithm>
#include <cmath>

#include "ui/present_layout.h"
#include "view/learn/lesson_picture_model.h"

namespace tilewalk {
namespace {

// The height of the transport above its timeline: buttons, the words where they are below these, and two lines of
// checks.
float above_timeline(float width, float s, float e) { return 58 * s + (words_below(width, s, e) ? 24 * e : 0); }
float below_timeline(float s, float e) { return 46 * e + 8 * s; }
constexpr float kLeastTimeline = 34, kWithNames = 52;  // with names of groups above the boxes
constexpr float kStripBesideHeader = 830;  // width of the window from which the two have room beside each other
constexpr float kStripShare = 0.29f;
constexpr float kLeastLesson = 270;
constexpr float kLeastHigh = 600;   // of a window with the traffic below the numbers, not under them in one column
constexpr float kLeastBelow = 620;  // of a walk with the traffic below the numbers: else these get the whole height
constexpr float kLeastBroad = 930, kLeastFolded = 700;  // widths without a stack; folded: no memories beside the matrix

// A transport of its buttons, their words and the timeline alone; in the lowest windows without the timeline.
float compact_foot(float width, float height, float s, float e) {
  return above_timeline(width, s, e) + (height < 340 * s ? 0 : (kLeastTimeline + 8) * s);
}
constexpr float kStackedLow = 1100, kLowPage = 640;  // of a window too low for the panels of other pages side by side
constexpr float kTwoColumns = 600;      // width of a stacked walk with the matrix beside the column that scrolls
constexpr float kNumbersHigh = 372;     // of the table, the sentence and O, one below the other
constexpr float kAllNumbersHigh = 420;  // with V above O
constexpr float kMemoryHigh = 330, kTrafficHigh = 270;
constexpr float kLeastRows = 4.2f;                       // of numbers: those of a tile, and the edges of its neighbours
constexpr float kLeastBeside = 196, kLeastMatrix = 196;  // of the panel of scores, which does not scroll by itself

// The walk where space is short: the matrix above its buttons, and the other panels in one column that scrolls.
// keeps_memory: the memories are below the lesson, which speaks of them.
void stack_walk(Layout& out, float width, float right, bool keeps_memory) {
  const PageScale& scale = out.scale;
  const float s = scale.s, gap = scale.gap, bar = kScrollBar * s;
  const float edge = out.page.x0, top = out.page.y0, end = out.page.x1, bottom = out.page.y1;
  const float narrow = end - right - bar - 2 * gap;
  const auto foot_to = [&](float x) { return std::round(compact_foot(x - edge, scale.height, s, scale.e)); };
  const bool beside =
      width >= kTwoColumns * s && bottom - foot_to(narrow) - top - strip_height(scale) - 2 * gap >= kLeastBeside * s;
  const float left_end = beside ? narrow : end, low = bottom - foot_to(left_end);
  out.transport = {edge, low, left_end, bottom};
  out.flow = {beside ? left_end + gap : edge, top, end, beside ? bottom : low - gap};
  float y = top;
  const auto next = [&](draw::Rect& place, float high) {
    place = {out.flow.x0, y, end - bar - gap, y + std::round(high)};
    y = place.y1 + gap;
  };
  if (beside) {
    out.schedules = {edge, top, left_end, top + strip_height(scale)};
    out.scores = {edge, out.schedules.y1 + gap, left_end, low - gap};
  } else {
    next(out.scores, std::max(kLeastMatrix * s, out.flow.height()));
  }
  next(out.side, std::max(kNumbersHigh * s, beside ? out.flow.height() : 0));
  if (!keeps_memory) next(out.memory, kMemoryHigh * s);
  next(out.traffic, kTrafficHigh * s);
  if (!beside) next(out.schedules, strip_height(scale));
  out.split_left = out.split_bottom = {};
  out.split_right = beside ? draw::Rect{left_end, top, left_end + gap, bottom} : draw::Rect{};
}

// The walk in a low window: the memories stay beside the matrix, and the numbers get the whole height at the right. The
// traffic is below them, where that column scrolls.
void stack_numbers(Layout& out) {
  const PageScale& scale = out.scale;
  const float s = scale.s, gap = scale.gap, bottom = out.page.y1, edge = out.page.x0;
  out.transport = {edge, bottom - std::round(compact_foot(out.scores.x1 - edge, scale.height, s, scale.e)),
                   out.scores.x1, bottom};
  out.memory.y1 = out.scores.y1 = out.transport.y0 - gap;
  out.flow = {out.side.x0, out.page.y0, out.page.x1, bottom};
  const float end = out.flow.x1 - kScrollBar * s - gap;
  out.side = {out.flow.x0, out.flow.y0, end,
              out.flow.y0 + std::max(out.flow.height(), std::round(kAllNumbersHigh * s))};
  out.traffic = {out.flow.x0, out.side.y1 + gap, end, out.side.y1 + gap + std::round(kTrafficHigh * s)};
  out.split_left.y1 = out.scores.y1;
  out.split_bottom = {};
}

constexpr float kLeastUnderLesson = 640;  // of a window, before scaling: lower, the question needs the memories' space

float foot_height(float width, float window, float s, float e) {
  return above_timeline(width, s, e) + (window < 600 * s ? kLeastTimeline : kWithNames) * s + below_timeline(s, e);
}

}  // namespace

// Above 1600×900 letters grow more slowly than the window, and the score matrix gets the rest of the space.
float automatic_scale(int width, int height) {
  const float fits = std::min(float(width) / 1600.0f, float(height) / 900.0f);
  if (fits <= 1) return std::max(kLeastScale, fits);
  constexpr float kFullHd = 1.2f, kAtFullHd = 1.15f, kUltraHd = 2.4f, kAtUltraHd = 2.05f;
  if (fits <= kFullHd) return 1 + (fits - 1) * (kAtFullHd - 1) / (kFullHd - 1);
  return kAtFullHd + (fits - kFullHd) * (kAtUltraHd - kAtFullHd) / (kUltraHd - kFullHd);
}

LessonPanelRoom lesson_panel_room(const Session& session) {
  const LessonController& controller = session.lesson();
  using Place = LessonPicturePlace;
  Place picture = Place::None;
  if (shows_lesson_picture(session)) picture = lesson_picture_covers_page(session) ? Place::Page : Place::Matrix;
  const bool strip = session.page() == Page::Walk && picture != Place::Page && !session.shows_last_card() &&
                     !session.shows_endless_zoom();
  const bool warps =
      session.page() == Page::Compare && session.compare().filling() == Filling::Warps && !session.compare().chip();
  const bool lab_run = session.lab().result() != nullptr;
  if (!controller.lesson())
    return {.strip = strip, .presented = session.presents_page(), .warps = warps, .lab_run = lab_run};
  const std::vector<std::string>& outline = controller.scene().outline;
  const auto spoken_of = [&](const char* name) { return std::count(outline.begin(), outline.end(), name) > 0; };
  const bool sram = spoken_of("sram");
  return {.open = true,
          .memory = sram || spoken_of("hbm") || spoken_of("moves"),
          .sram = sram,
          .strip = strip,
          .presented = session.presents_page(),
          .lanes = spoken_of("lanes"),
          .warps = warps && !spoken_of("lanes"),
          .lab_run = lab_run,
          .picture = picture};
}

Layout compute_layout(float full_width, float height, float ui, float text, const Splits& splits,
                      const LessonPanelRoom& lesson_panel) {
  // The lesson panel takes its share first; everything else uses the rest of the window.
  const float s = ui * text, e = letters_of(s);
  float lesson_panel_width = 0;
  if (lesson_panel.open) {
    // Wide enough for letters of reading size; with larger text the matrix beside it needs the rest.
    lesson_panel_width = std::min(std::max(380 * ui, 340 * ui * (1 + (text - 1) * 0.8f)), full_width * 0.34f);
    if (full_width < kLeastBroad * s)  // its buttons need this width
      lesson_panel_width = std::max(lesson_panel_width, std::min(kLeastLesson * s, full_width * 0.48f));
    lesson_panel_width = std::round(lesson_panel_width);
  }
  const float shift = lesson_panel.open ? lesson_panel_width + std::round(8 * ui) : 0, width = full_width - shift,
              gap = std::round(8 * ui), margin = gap;
  // The memories leave their column to the scores and the numbers beside them.
  const bool folded = lesson_panel.open && (full_width < 1500 || width < 900 * s);
  const float grow = 1 + (text - 1) * 0.6f;
  // In little space the panels beside the walk's numbers shrink, and scroll.
  const bool scarce = width < 1200 * s || height < kLeastHigh * s;
  const float head = std::round(std::min(48 * s, height * 0.16f));
  // Beside a lesson the memories are narrower, so that the matrix keeps its space between them. Letters have a minimum
  // size, so the numbers do not shrink with a small window, and larger letters need the wide column.
  const float memories = (lesson_panel.open ? 240 : 290) * ui, narrow = 372 * ui, wide = 404 * ui,
              numbers_wide = lesson_panel.open ? narrow
                             : text > 1        ? wide
                                               : std::min(wide, std::max(narrow, 343.4f));
  const float left = folded
                         ? -gap
                         : std::round(std::clamp(share(memories, grow, width * (scarce ? 0.205f : 0.30f)) * splits.left,
                                                 width * 0.08f, width * 0.42f));
  // Seven columns of numbers need this width, with or without a lesson.
  const float numbers = folded ? std::min(282 * e + 24 * s, width * 0.52f) : 0;
  const float right = std::round(std::max(
      numbers,
      std::clamp(share(numbers_wide, grow, width * (scarce ? (folded ? 0.44f : 0.375f) : 0.36f)) * splits.right,
                 width * 0.10f, width * 0.45f)));
  const float transport = width - 2 * margin - right - gap;
  const float foot_needed = foot_height(transport, height, s, e),
              foot_wished = scarce ? foot_needed : std::max(foot_needed, share(186 * ui, grow, height * 0.40f));
  const float foot = std::round(std::clamp(foot_wished * splits.bottom, height * 0.08f, height * 0.60f));

  Layout out;
  const float edge = margin + shift, end = full_width - margin;
  out.presented = lesson_panel.presented;
  out.lanes_alone = lesson_panel.lanes, out.warps = lesson_panel.warps, out.lab_run = lesson_panel.lab_run;
  out.whole = {0, 0, full_width, height};
  out.header = {margin, margin, end, margin + head};
  const float top = out.header.y1 + gap, bottom = height - margin, middle = bottom - foot - gap;
  out.page = {edge, top, end, bottom};
  out.memory = {edge, top, edge + left, middle};
  out.side = {end - right, top, end, middle};
  out.scale = {.ui = ui,
               .s = s,
               .e = e,
               .gap = gap,
               .width = width,
               .height = height,
               .grow = grow,
               .scarce = scarce,
               .stacked = width < kLeastBroad * s || (width < kStackedLow * s && height < kLowPage * s)};
  out.schedules = {out.memory.x1 + gap, top, out.side.x0 - gap, top + strip_height(out.scale)};
  out.scores = {out.schedules.x0, out.schedules.y1 + gap, out.schedules.x1, middle};
  const bool stacks = width < (folded ? kLeastFolded : kLeastBroad) * s;
  const bool low = scarce && !stacks && lesson_panel.strip && !lesson_panel.open && height < kLeastBelow * s;
  if (scarce && !stacks && !low && lesson_panel.strip &&
      full_width >= kStripBesideHeader * s) {  // the header shares its row, so that the matrix keeps its space
    out.header.x1 = std::round(end - full_width * kStripShare);
    out.schedules = {out.header.x1 + gap, out.header.y0, end, out.header.y1};
    out.scores.y0 = top;
  }
  out.transport = {edge, middle + gap, out.scores.x1, bottom};
  out.traffic = {out.side.x0, middle + gap, end, bottom};
  if (lesson_panel.open) out.lesson_panel = {margin, top, margin + lesson_panel_width, bottom};
  if (folded) {  // below the lesson panel, if the lesson needs it
    // In little space a picture leaves them out, so that the question is in view: it shows what the screen speaks of.
    const bool memory = lesson_panel.memory && !(scarce && lesson_panel.picture == LessonPicturePlace::Page) &&
                        (stacks || height >= kLeastUnderLesson * s);
    const float under = memory ? std::round((bottom - top) * (lesson_panel.sram ? 0.37f : 0.30f)) : 0;
    out.memory = {margin, bottom - under, margin + lesson_panel_width, bottom};
    if (memory && height >= kLeastUnderLesson * s) out.lesson_panel.y1 = out.memory.y0 - gap;
  }
  if (!folded) out.split_left = {out.memory.x1, top, out.scores.x0, middle};
  out.split_right = {out.scores.x1, top, out.side.x0, bottom};
  out.split_bottom = {edge, middle, end, middle + gap};
  if (stacks) stack_walk(out, width, right, lesson_panel.memory && folded && height >= kLeastUnderLesson * s);
  if (low) stack_numbers(out);
  if (!lesson_panel.strip && !lesson_panel.open && !is_compact(out)) out.transport.x1 = end, out.traffic = {};
  if (lesson_panel.picture != LessonPicturePlace::None)
    out.lesson_picture = lesson_panel.picture == LessonPicturePlace::Page ? out.page : out.scores;
  return out;
}

Layout post_layout(float width, float height, float ui, float text) {
  Layout out;
  const float s = ui * text, gap = std::round(8 * ui), upper = std::round(std::min(384 * s, height * 0.47f));
  out.scale = {.ui = ui, .s = s, .e = letters_of(s), .gap = gap, .width = width, .height = height};
  out.whole = {0, 0, width, height};
  out.page = {gap, gap, width - gap, height - gap};
  out.memory = {gap, gap, gap + std::round(std::min(290 * s, width * 0.38f)), gap + upper};
  out.side = {out.memory.x1 + gap, gap, width - gap, gap + upper};
  out.scores = {gap, out.memory.y1 + gap, width - gap, height - gap};
  return out;
}

float strip_height(const PageScale& scale) { return std::round(std::min(38 * scale.s, scale.height * 0.08f)); }

float figure_width(const Theme& theme) { return draw::text_width(theme.fonts.mono_small, "−0.00"); }

float legend_width(const Theme& theme) {
  return draw::text_width(theme.fonts.tiny, "to do skipped masked now done") + 5 * 26 * theme.s;
}

bool legend_below(const draw::Rect& panel, const Theme& theme) {
  return panel.width() - 28 * theme.s < legend_width(theme) + 190 * theme.e;
}

bool has_legend(const draw::Rect& panel, const Theme& theme) {
  if (!legend_below(panel, theme)) return true;
  const float above = 62 * theme.s + 20 * theme.e,
              below = 34 * theme.s + (foot_folded(panel, theme) ? 24 * theme.e : 0);
  return panel.height() - above - below >= kLeastRows * (theme.fonts.mono_small.em + 6 * theme.s);
}

bool foot_folded(const draw::Rect& panel, const Theme& theme) {
  return panel.width() - 28 * theme.s < 170 * theme.s + 396 * theme.e;
}

draw::Rect scores_area(const draw::Rect& panel, const Theme& theme) {
  const float s = theme.s, e = theme.e,
              head = 40 * s + (legend_below(panel, theme) && has_legend(panel, theme) ? 20 * e : 0),
              foot = 34 * s + (foot_folded(panel, theme) ? 24 * e : 0);
  return {panel.x0 + 14 * s + 31 * s, panel.y0 + head + 22 * s, panel.x1 - 14 * s, panel.y1 - foot};
}

bool words_below(float width, float s, float e) { return width - 28 * s < 254 * s + 650 * e; }

draw::Rect timeline_area(const Layout& layout, const Theme& theme) {
  const draw::Rect& panel = layout.transport;
  const float s = theme.s, e = theme.e, top = above_timeline(panel.width(), s, e);
  const float high = std::clamp(panel.height() - top - below_timeline(s, e), kLeastTimeline * s, 72 * s);
  return {panel.x0 + 14 * s, panel.y0 + top, panel.x1 - 14 * s, panel.y0 + top + high};
}

bool has_timeline(const Layout& layout, const Theme& theme) {
  const draw::Rect& panel = layout.transport;
  return panel.height() >= above_timeline(panel.width(), theme.s, theme.e) + kLeastTimeline * theme.s;
}

ViewRoom walk_room_of(const Layout& layout, const Theme& theme, bool holds_matrix) {
  ViewRoom room;
  room.holds_matrix = holds_matrix;
  const draw::Rect grid = scores_area(layout.scores, theme);
  room.scores_width = std::max(0.0f, grid.width());
  room.scores_height = std::max(0.0f, grid.height());
  room.cell_min_px = 6.0 * std::max(1.0f, theme.s);
  room.tile_gap_px = 5.0 * theme.s;
  const float figure = figure_width(theme), em = theme.fonts.mono_small.em;
  room.operand_width = figure + std::max(3.0f, 9 * theme.s - 6);
  room.operand_height = std::max(16.0f * theme.s, em + 4);
  // A cell with a number, its edges, and its share of the gap between tiles.
  room.number_width = figure + 3.3f * std::max(1.0f, theme.s);
  constexpr float kGutter = 0.35f;  // ems: a minus sign is apart from the number before it
  room.number_width_wished = figure + kGutter * em + 1.3f * std::max(1.0f, theme.s);
  room.number_height = em + 2 + 3.3f * std::max(1.0f, theme.s);
  room.digit_width = draw::text_width(theme.fonts.tiny, "0");
  room.label_height = theme.fonts.tiny.em + 2 * theme.s;
  room.timeline_width = std::max(1.0f, timeline_area(layout, theme).width());
  const float s = theme.s;
  const float tile_width = std::min(37 * s, draw::text_width(theme.fonts.caption, "Q0") + 10 * s);
  room.memory_tiles = int(std::max(3.0f, (layout.memory.width() - 28 * s - 20 * s - 42 * theme.e) / tile_width));
  const float side = layout.side.width() - 28 * s;
  room.o_number_cols = int(std::max(1.0f, side / (figure + 3)));
  room.o_cols = int(std::clamp(side / 3, 8.0f, 128.0f));
  room.o_rows = 32;
  room.present = present_room(compute_present_layout(layout.whole.width(), layout.whole.height()));
  return room;
}

}  // namespace tilewalk
