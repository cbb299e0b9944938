// The SMs filled by the baseline and by the current schedule: one square for each SM.
#include <algorithm>
#include <vector>

#include "pages/compare/compare_layout.h"
#include "pages/compare/compare_page.h"
#include "pages/compare/compare_parts.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct SmsUi {
  bool all = false;  // all that is known of both sides; else one sentence each
};

void draw_more(const UiFrame& f, Panel& p) {
  SmsUi& ui = f.ui.of<SmsUi>();
  const float s = p.s, high = fold_height(p);
  const char* const label = ui.all ? "less" : "more";
  const float wide = button_width(p.theme, label);
  if (button(f, {.id = "all words",
                 .rect = {p.x, p.y + 4 * s, p.x + wide, p.y + 4 * s + high},
                 .label = label,
                 .tip = ui.all ? "One sentence a side"
                               : "How the number of thread blocks and waves comes about, and "
                                 "the time"}))
    ui.all = !ui.all;
  p.y += 4 * s + high;
}

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
  return draw::leading(p.fonts.tiny) + 2 * s;
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
  p.caption_at(p.x, p.y, model->title, p.width - taken);
  const bool all = f.ui.of<SmsUi>().all;
  const bool leads = !all && !model->figure.empty();
  std::vector<const std::string*> texts = {&model->plain};
  if (leads) texts = {&model->waits, &model->at_cursor};
  if (all) texts = {&model->sentence, &model->limit, &model->time, &model->other_time};
  const Font& font = all ? p.fonts.tiny : p.fonts.body;
  float words = fold_height(p) + 4 * s + draw_key(p, false) + (leads ? draw_waves_figure(f, p, *model, false) : 0);
  for (const std::string* text : texts)
    if (!text->empty()) words += draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, p.width, 0, *text);
  const draw::Rect area = squares_area(p.rect, f.theme);
  const float top = p.y + 24 * s, room = std::max(48 * s, p.rect.y1 - 26 * s - words - top);
  const float pitch_x = std::min(area.width(), p.width) / float(std::max(1, model->columns)),
              pitch_y = std::min(room / float(std::max(1, model->rows)), pitch_x);
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
  if (h.hovered && under) tooltip(f, under->tip);
  p.y = below + 4 * s;
  p.y += draw_key(p, true);
  if (leads) p.y += draw_waves_figure(f, p, *model, true);
  for (const std::string* text : texts) {
    const float from = p.y;
    const ImU32 ink = text == texts.front() ? p.colours.text : p.colours.muted;
    if (text->empty()) continue;
    p.y += draw::paragraph(p.list, font, p.fonts.tiny, p.x, p.y, p.width, ink, *text);
    explain(f, *text, {p.x, from, p.x + p.width, p.y}, *text);
  }
  draw_more(f, p);
}

}  // namespace

void draw_pinned_waves_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->left, f.views.page<ComparePage>()->left_note, false);
}

void draw_waves_now_panel(const UiFrame& f, Panel& p) {
  draw_side(f, p, f.views.page<ComparePage>()->right, f.views.page<ComparePage>()->right_note, true);
}

}  // namespace tilewalk
