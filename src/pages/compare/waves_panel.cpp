// The SMs filled by the baseline and by the current schedule: one square for each SM, beside the lanes, or large and
// wave by wave instead of these.
#include <algorithm>
#include <optional>
#include <vector>

#include "pages/compare/blocks/draw_axis_ticks.h"
#include "pages/compare/blocks/draw_filled_sms.h"
#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/controls.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct SmsUi {
  bool all = false;  // all that is known of both sides; else one sentence each
};

// At the right of the squares' key.
void draw_more(const UiFrame& f, const Panel& p, float y) {
  SmsUi& ui = f.ui.of<SmsUi>();
  const float s = p.s, right = p.x + p.width;
  const char* const label = ui.all ? "less" : "more";
  if (tag(f, {.id = "all words",
              .rect = {right - draw::text_width(p.fonts.tiny, label) - 14 * s, y - 2 * s, right,
                       y + p.fonts.tiny.size + 4 * s},
              .label = label,
              .tip = ui.all ? "One sentence a side"
                            : "How the number of thread blocks and waves comes about, and "
                              "the time",
              .font = p.fonts.tiny,
              .ink = p.colours.text,
              .fill = p.colours.button,
              .hovered = p.colours.button_hover,
              .rounding = 5 * s}))
    ui.all = !ui.all;
}

constexpr float kLeastFlat = 0.8f;  // height of a square over its width, below which words make space for it

ImU32 colour_of_work(const Panel& p, bool busy) {
  return busy ? mix(p.colours.to_do, p.colours.done, 0.35f) : p.colours.raised;
}

// What a square is, and its three states, in one line. draws: false to measure. Returns its height.
float draw_key(Panel& p, bool draws) {
  const float s = p.s, side = 10 * s;
  float x = p.x + draw::text_width(p.fonts.tiny, "a square is an SM:") + 8 * s;
  if (draws) draw::text(p.list, p.fonts.tiny, p.x, p.y, p.colours.muted, "a square is an SM:");
  const auto entry = [&](const char* words, ImU32 fill, ImU32 frame) {
    const float wide = side + 5 * s + draw::text_width(p.fonts.tiny, words);
    if (draws && x + wide <= p.x + p.width) {
      const float middle = p.y + p.fonts.tiny.size / 2;
      draw::box(p.list, {x, middle - side / 2, x + side, middle + side / 2}, fill, 2 * s, frame);
      draw::text(p.list, p.fonts.tiny, x + side + 5 * s, p.y, p.colours.muted, words);
    }
    x += wide + 10 * s;
  };
  entry("done", p.colours.done, 0);
  entry("to do", colour_of_work(p, true), 0);
  entry("waits", colour_of_work(p, false), p.colours.cell_line);
  return draw::leading(p.fonts.tiny) + 6 * s;
}

// The number that leads, with its words beside it, or below it where they do not fit. draws: false to measure.
float draw_waves_figure(const UiFrame& f, Panel& p, const WavesModel& m, bool draws) {
  const Font &large = p.fonts.title, &small = p.fonts.tiny;
  const float after = draw::text_width(large, m.figure) + 8 * p.s, line = draw::leading(large);
  const bool beside = after + draw::text_width(small, m.figure_words) <= p.width;
  if (draws) {
    draw::text(p.list, large, p.x, p.y, p.colours.text, m.figure);
    f.ui.rects.put("waves of " + m.title, {p.x, p.y, p.x + after, p.y + large.size});
    if (beside)
      draw::text(p.list, small, p.x + after, p.y + (large.size - small.size) * 0.8f, p.colours.muted, m.figure_words);
  }
  if (beside) return line;
  return line + draw::paragraph(draws ? p.list : nullptr, small, small, p.x, p.y + line, p.width, p.colours.muted,
                                m.figure_words);
}

void draw_side(const UiFrame& f, Panel& p, const std::optional<WavesModel>& model, const std::string& note, bool last) {
  const float s = p.s, taken = last ? draw_filling_choice(f, p) : 0;
  if (!model) {
    p.caption("Multiprocessors");  // in capitals SMs would have another meaning
    p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.muted, note);
    return;
  }
  whole_caption(p, model->title, p.width - taken);
  const bool all = f.ui.of<SmsUi>().all;
  const bool leads = !all && !model->figure.empty();
  std::vector<const std::string*> texts = {&model->plain};
  if (leads) texts = {&model->waits, &model->at_cursor};
  if (all) texts = {&model->sentence, &model->limit, &model->time, &model->other_time};
  const Font& font = all ? p.fonts.tiny : p.fonts.body;
  float words = draw_key(p, false) + (leads ? draw_waves_figure(f, p, *model, false) : 0);
  for (const std::string* text : texts)
    if (!text->empty()) words += draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, p.width, 0, *text);
  const draw::Rect area = squares_area(p.rect, f.theme);
  const float top = p.y + 24 * s;
  const float pitch_x = std::min(area.width(), p.width) / float(std::max(1, model->columns));
  const auto room = [&] { return std::max(48 * s, p.rect.y1 - 18 * s - words - top); };
  // In a low panel the words leave their space to the squares; the squares' tooltip has them.
  std::string left_out;
  while (leads && !texts.empty() && room() < kLeastFlat * pitch_x * float(model->rows)) {
    if (!texts.back()->empty()) {
      words -= draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, p.width, 0, *texts.back());
      left_out = "\n" + *texts.back() + left_out;
    }
    texts.pop_back();
  }
  const float pitch_y = std::min(room() / float(std::max(1, model->rows)), pitch_x);
  const float gap = std::min(4 * s, std::min(pitch_x, pitch_y) * 0.2f);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const SmSquare* under = nullptr;
  for (const SmSquare& sm : model->squares) {
    const float x = p.x + float(sm.x) * pitch_x, y = top + float(sm.y) * pitch_y;
    const draw::Rect r{x, y, x + pitch_x - gap, y + pitch_y - gap};
    const float share = float(std::clamp(sm.share, 0.0, 1.0));
    const ImU32 fill = sm.busy ? p.colours.done : p.colours.to_do;
    // The fraction of busy time fills the square from below; an idle SM is an empty frame.
    draw::box(p.list, r, colour_of_work(p, sm.busy), 2.5f * s, sm.busy ? 0 : p.colours.cell_line);
    if (share > 0) draw::box(p.list, {r.x0, r.y1 - r.height() * share, r.x1, r.y1}, fill, 2.5f * s);
    if (r.holds(mouse)) under = &sm;
  }
  const float below = top + float(model->rows) * pitch_y;
  const Hit h = hit(f, "squares", {p.x, top, p.x + p.width, below});
  f.ui.rects.put("squares of " + model->title, {p.x, top, p.x + p.width, below});
  if (h.hovered && under) tooltip(f, under->tip + left_out);
  p.y = below + 4 * s;
  draw_more(f, p, p.y);
  p.y += draw_key(p, true);
  if (leads) p.y += draw_waves_figure(f, p, *model, true);
  for (const std::string* text : texts) {
    const float from = p.y;
    const ImU32 ink = text == texts.front() ? p.colours.text : p.colours.muted;
    if (text->empty()) continue;
    p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, ink, *text);
    explain(f, *text, {p.x, from, p.x + p.width, p.y}, *text);
  }
}

}  // namespace

void draw_pinned_waves_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->left, f.views.page<ComparePage>()->left_note, false);
}

void draw_waves_now_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->right, f.views.page<ComparePage>()->right_note, true);
}

// All SMs of one side, as large as fit, below them how many work over time, wave by wave. Both sides have one
// clock and one axis.
namespace {

constexpr float kLeastSquares = 40;  // their height, before scaling

void go_to_moment(const UiFrame& f, const FilledPair& pair, std::size_t side, double share) {
  const ComparePage& page = *f.views.page<ComparePage>();
  const FilledSms& now = pair.sides.back();
  const Schedule& steered = page.call ? *page.call : f.session.schedule();
  const double there = now.ms > 0 ? share * pair.sides[side].ms / now.ms : share;
  if (const std::int64_t cursor = cursor_at_moment(now, steered, there); cursor != page.cursor)
    f.push(page.call ? Command{GoToCallStep{cursor}} : Command{GoToStep{cursor}});
}

void draw_filled(const UiFrame& f, Panel& p, std::size_t side, bool last) {
  const FilledPair& pair = f.views.page<ComparePage>()->filled;
  if (side >= pair.sides.size()) return;
  const FilledSms& m = pair.sides[side];
  const float s = p.s, taken = last && shows_controls(f) ? draw_filling_choice(f, p) : 0;
  whole_caption(p, m.title, p.width - taken);
  p.y += 24 * s;
  const Font& large = draw::text_width(p.fonts.figure, m.figure) <= p.width * 0.6f ? p.fonts.figure : p.fonts.title;
  draw::text(p.list, large, p.x, p.y, p.colours.accent, m.figure);
  f.ui.rects.put("figure", {p.x, p.y, p.x + draw::text_width(large, m.figure), p.y + large.size});
  const float beside = p.x + draw::text_width(large, m.figure) + 14 * s;
  const auto describe = [&](ImDrawList* list, float y) {
    return draw::paragraph(list, p.fonts.body, p.fonts.tiny, beside, y, p.x + p.width - beside, p.colours.muted,
                           m.figure_words);
  };
  const float words = describe(nullptr, 0);
  describe(p.list, p.y + std::max(0.0f, (large.size - words) / 2));
  p.y += std::max(draw::leading(large), words) + 4 * s;
  // The lines below the squares have the same places on both sides.
  const float line = draw::leading(p.fonts.strong), small = draw::leading(p.fonts.tiny), strip = 24 * s;
  const float base = p.rect.y1 - 14 * s;
  const float curve = std::clamp((p.rect.y1 - p.y) * 0.12f, 20 * s, 80 * s);
  // A class and a low panel have larger squares instead of a high curve: the squares show which SMs are empty.
  const float axis = axis_high(p) + small + 4 * s, above = strip + line + small + 14 * s;
  const bool has_axis = shows_controls(f) && base - axis - curve - above - p.y >= kLeastSquares * s;
  const float end = base - (has_axis ? axis : 0);
  const float indent = has_axis ? draw::text_width(p.fonts.tiny, pair.axis.unit) + 10 * s : 0;
  const draw::Rect waves{p.x + indent, end - strip - (has_axis ? curve : 0), p.x + p.width, end};
  const float clock = waves.y0 - line - 4 * s, shades = clock - small - 4 * s;
  draw_filled_squares(f, p, m, {p.x, p.y, p.x + p.width, std::max(p.y + kLeastSquares * s, shades - 6 * s)});
  draw_shade_key(f, p, m, shades);
  draw::text(p.list, p.fonts.strong, p.x, clock, p.colours.text, draw::elided(p.fonts.strong, m.clock, p.width));
  f.ui.rects.put("clock", {p.x, clock, p.x + p.width, clock + line});
  if (const std::optional<double> share = draw_waves_over_time(f, p, m, pair.longest_ms, waves))
    go_to_moment(f, pair, side, *share);
  p.y = end;
  if (!has_axis) return;
  draw_axis(f, p, pair.axis, "time", waves.x0, waves.x1);
  p.y = base;
  const std::string whole = pair.axis_words + (m.tail.empty() ? "" : " " + m.tail);
  const bool fits = draw::text_width(p.fonts.tiny, whole) <= p.width;
  const std::string& key = fits ? whole : pair.axis_words;
  draw::text(p.list, p.fonts.tiny, p.x, base - small, p.colours.muted, draw::elided(p.fonts.tiny, key, p.width));
  explain(f, whole, {p.x, base - small, p.x + p.width, base}, whole);
}

}  // namespace

void draw_pinned_filled_panel(const UiFrame& f, Panel& p) { draw_filled(f, p, 0, false); }
void draw_filled_now_panel(const UiFrame& f, Panel& p) { draw_filled(f, p, 1, true); }

}  // namespace tilewalk
