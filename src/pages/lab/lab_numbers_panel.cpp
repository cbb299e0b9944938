// What the learner's kernel keeps after a tile visit beside what it should, and the variables of one thread.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/problem/format_value.h"
#include "pages/lab/lab_model.h"
#include "pages/lab/verdict/lab_findings.h"

namespace tilewalk {
namespace {

void draw_table(const UiFrame& f, Panel& p, const LabNumbersModel& m) {
  const Palette& c = p.colours;
  const float s = p.s, line = p.fonts.mono.size + 6 * s;
  const float first = draw::text_width(p.fonts.tiny, "right") + 4 * s;
  const auto widest = [&](const Font& font, std::size_t at) {
    float wide = draw::text_width(p.fonts.tiny, m.columns[at].title);
    for (const LabRowModel& row : m.rows)
      for (const std::string& cell : {row.cells[at - 1], row.right[at - 1]})
        wide = std::max(wide, draw::text_width(font, cell));
    return wide + 7 * s;
  };
  const auto total = [&](const Font& font, bool all) {
    float wide = first;
    for (std::size_t at = 1; at < m.columns.size(); ++at)
      if (all || !m.columns[at].spare) wide += widest(font, at);
    return wide;
  };
  const bool all = total(p.fonts.mono_small, true) <= p.width;
  const bool small = total(p.fonts.mono, all) > p.width;
  const Font& font = small ? p.fonts.mono_small : p.fonts.mono;
  const Font& strong = small ? p.fonts.mono_small : p.fonts.mono_strong;
  std::vector<std::size_t> shown;
  for (std::size_t at = 1; at < m.columns.size(); ++at)
    if (all || !m.columns[at].spare) shown.push_back(at);
  const float spare = std::max(0.0f, p.width - total(font, all)) / float(shown.size());
  std::vector<float> right_of(m.columns.size(), p.x + first - 4 * s);
  float x = right_of[0];
  for (const std::size_t at : shown) right_of[at] = x += widest(font, at) + spare;
  draw::text_right(p.list, p.fonts.tiny, right_of[0], p.y, c.muted, m.columns[0].title);
  for (const std::size_t at : shown) {
    const std::string& title = m.columns[at].title;
    draw::text_right(p.list, p.fonts.tiny, right_of[at], p.y, c.muted, title);
    explain(f, "lab head " + title, {right_of[at] - widest(font, at), p.y, right_of[at], p.y + 16 * s}, title);
  }
  p.y += 18 * p.e;
  for (const LabRowModel& row : m.rows) {
    draw::text_right(p.list, font, right_of[0], p.y, c.muted, row.row);
    bool any = false;
    for (const std::size_t at : shown) {
      const bool wrong = row.wrong[at - 1];
      const ImU32 ink = wrong ? c.bad : m.columns[at].spare ? c.muted : c.text;
      draw::text_right(p.list, wrong ? strong : font, right_of[at], p.y, ink, row.cells[at - 1]);
      any |= wrong;
    }
    p.y += line;
    if (!any) continue;
    draw::text_right(p.list, p.fonts.tiny, right_of[0], p.y, c.good, "right");
    for (const std::size_t at : shown)
      draw::text_right(p.list, font, right_of[at], p.y, c.good, row.right[at - 1].empty() ? "·" : row.right[at - 1]);
    p.y += line;
  }
}

void draw_block(const UiFrame& f, Panel& p, const char* id, const std::vector<float>& values,
                const std::vector<bool>& wrong, std::int64_t cols, const draw::Rect& r, const Font* digits,
                float most) {
  const std::int64_t rows = std::int64_t(values.size()) / cols;
  const float wide = r.width() / float(cols), high = r.height() / float(rows);
  f.ui.rects.put(id, r);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) {
      const auto at = std::size_t(i * cols + j);
      const draw::Rect cell{r.x0 + float(j) * wide, r.y0 + float(i) * high, r.x0 + float(j + 1) * wide - 2,
                            r.y0 + float(i + 1) * high - 2};
      const ImU32 fill = std::isfinite(values[at]) ? diverging(p.colours, values[at] / most) : p.colours.bad_fill;
      draw::box(p.list, cell, fill, 2 * p.s);
      if (digits) draw::text_in(p.list, *digits, cell, ink_on(fill), compact_number(values[at]));
      if (at < wrong.size() && wrong[at]) draw::box(p.list, cell, 0, 2 * p.s, p.colours.bad, 2 * p.s);
    }
}

void draw_o_tiles(const UiFrame& f, Panel& p, const LabNumbersModel& m) {
  if (m.o.empty() || m.o_cols == 0) return;
  const float s = p.s;
  const bool pair = !m.o_right.empty();
  p.y += 6 * s;
  p.caption(m.o_title);
  const float row = std::min(24 * s, 150 * s / float(std::max<std::int64_t>(1, m.o_rows)));
  const auto digits_in = [&](float width) {
    return draw::font_that_fits({&p.fonts.mono, &p.fonts.mono_small}, "−0.00", width / float(m.o_cols) - 5, row - 3);
  };
  float wide = pair ? (p.width - 12 * s) / 2 : p.width;
  const bool stacked = pair && !digits_in(wide) && digits_in(p.width);  // one below the other, with numbers
  if (stacked) wide = p.width;
  const Font* const digits = digits_in(wide);
  float most = 1e-6f;
  for (const std::vector<float>* values : {&m.o, &m.o_right})
    for (const float each : *values)
      if (std::isfinite(each)) most = std::max(most, std::fabs(each));
  const float high = row * float(m.o_rows);
  const auto block = [&](const char* id, const char* words, ImU32 ink, const std::vector<float>& values,
                         const std::vector<bool>& wrong, float x, float y) {
    if (pair) draw::text(p.list, p.fonts.tiny, x, y, ink, words);
    if (pair) y += p.fonts.tiny.size + 3 * s;
    draw_block(f, p, id, values, wrong, m.o_cols, {x, y, x + wide, y + high}, digits, most);
    return y + high + 4 * s;
  };
  const float top = p.y;
  p.y = block("lab o", "yours", p.colours.muted, m.o, m.o_wrong, p.x, top);
  if (pair)
    p.y = block("lab o right", "right", p.colours.good, m.o_right, {}, stacked ? p.x : p.x + wide + 12 * s,
                stacked ? p.y : top);
}

void draw_thread(const UiFrame& f, Panel& p, const LabThreadModel& m) {
  const float s = p.s, high = 22 * s, right = p.x + p.width;
  p.y += 8 * s;
  const float top = p.y;
  p.caption_at(p.x, p.y, m.title, p.width - 2 * high - 8 * s);
  for (const int by : {-1, 1}) {
    const float x = by < 0 ? right - 2 * high - 4 * s : right - high;
    const bool there = m.thread + by >= 0 && m.thread + by < m.threads;
    if (button(f, {.id = by < 0 ? "thread before" : "thread after",
                   .rect = {x, top - 3 * s, x + high, top - 3 * s + high},
                   .label = "",
                   .tip = "Thread " + std::to_string(m.thread + by),
                   .sign = by < 0 ? draw::Sign::StepBack : draw::Sign::StepForward,
                   .enabled = there}))
      f.push(SetLabThread{m.thread + by});
  }
  p.y += high + 2 * s;
  const float column = (p.width - 12 * s) / 2, line = p.fonts.mono_small.size + 4 * s;
  for (std::size_t i = 0; i < m.variables.size(); ++i) {
    const float x = p.x + float(i % 2) * (column + 12 * s);
    const LabVariable& each = m.variables[i];
    draw::text_right(p.list, p.fonts.mono_small, x + column, p.y, p.colours.text, each.value);
    draw::text(
        p.list, p.fonts.mono_small, x, p.y, p.colours.muted,
        draw::elided(p.fonts.mono_small, each.name, column - draw::text_width(p.fonts.mono_small, each.value) - 6 * s));
    if (i % 2 == 1 || i + 1 == m.variables.size()) p.y += line;
  }
}

constexpr float kLeastBeside = 480;  // width with the steps beside each other, before scaling

// A sign for each step: the text with the changed line, the run, the result with its first wrong number.
void draw_step_sign(const Panel& p, std::size_t step, const draw::Rect& r) {
  const float s = p.s;
  const Palette& c = p.colours;
  draw::box(p.list, r, c.background, 6 * s, c.border);
  const draw::Rect in = r.inset(9 * s);
  if (step == 1) return draw::sign(p.list, draw::Sign::Play, in, c.accent, 1.4f * s);
  const int rows = 4, cols = step == 0 ? 1 : 4;
  const float high = in.height() / float(rows), wide = in.width() / float(cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) {
      const bool marked = i == 2 && j == cols / 2;
      const float part = step == 0 ? std::array{0.7f, 1.0f, 0.8f, 0.5f}[std::size_t(i)] : 1;
      draw::box(p.list,
                {in.x0 + float(j) * wide, in.y0 + float(i) * high, in.x0 + float(j + 1) * wide * part - 2 * s,
                 in.y0 + float(i + 1) * high - 2 * s},
                step == 0 ? (marked ? c.accent : c.button_hover) : (marked ? c.bad : mix(c.good, c.panel, 0.45f)), s);
    }
}

// What the learner changes, and what it leads to: beside each other or one below the other, with arrows between them.
void draw_steps(const UiFrame& f, Panel& p, const std::vector<LabStep>& steps) {
  const bool beside = p.width >= kLeastBeside * p.s;
  const float s = p.s, side = (beside ? 40 : 52) * s, between = 30 * s;
  // Beside each other they have as many lines of words, about, as one another.
  float all = 0;
  for (const LabStep& step : steps) all += draw::text_width(p.fonts.body, step.words);
  const float shared = p.width - (between + side + 12 * s) * float(steps.size()) + between;
  p.y += (beside ? 0 : 10) * s;
  float x = p.x, lowest = p.y;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float left = x + side + 12 * s,
                width = beside ? shared * draw::text_width(p.fonts.body, steps[i].words) / std::max(1.0f, all)
                               : x + p.width - left,
                column = left + width - x;
    const draw::Rect sign{x, p.y, x + side, p.y + side};
    draw_step_sign(p, i, sign);
    draw::text(p.list, p.fonts.strong, left, p.y, p.colours.text, std::to_string(i + 1) + ". " + steps[i].title);
    const float words = p.y + draw::leading(p.fonts.strong);
    const float end = words + draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, left, words, width, p.colours.muted,
                                              steps[i].words);
    lowest = std::max({lowest, end, sign.y1});
    f.ui.rects.put("step " + steps[i].title, {x, p.y, x + column, std::max(end, sign.y1)});
    const bool last = i + 1 == steps.size();
    if (beside) {
      x += column + between;
      const float tip = x - 6 * s, middle = sign.middle().y;
      if (last) continue;
      p.list->AddLine({x - between + 4 * s, middle}, {tip - 6 * s, middle}, p.colours.muted, 1.5f * s);
      p.list->AddTriangleFilled({tip, middle}, {tip - 8 * s, middle - 5 * s}, {tip - 8 * s, middle + 5 * s},
                                p.colours.muted);
      continue;
    }
    const float middle = sign.middle().x, from = sign.y1 + 5 * s;
    p.y = std::max(end, sign.y1) + between;
    if (last) break;
    p.list->AddLine({middle, from}, {middle, p.y - 10 * s}, p.colours.muted, 1.5f * s);
    p.list->AddTriangleFilled({middle, p.y - 4 * s}, {middle - 5 * s, p.y - 12 * s}, {middle + 5 * s, p.y - 12 * s},
                              p.colours.muted);
  }
  p.y = lowest;
}

// What the right kernel gains, as a figure and two bars to scale, in the space that is left.
void draw_gain(const UiFrame& f, Panel& p, const LabGain& m) {
  const float s = p.s, high = 22 * s, left = draw::text_width(p.fonts.figure, m.figure) + 12 * s;
  p.y += 14 * s;
  const float top = p.y;
  p.caption("What it gains");
  draw::text(p.list, p.fonts.figure, p.x, p.y, p.colours.good, m.figure);
  const float words =
      draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, p.x + left, p.y, p.width - left, p.colours.text, m.words);
  p.y += std::max(draw::leading(p.fonts.figure), words) + 8 * s;
  for (const TrafficBar& bar : m.bars) {
    draw::text(p.list, p.fonts.body, p.x, p.y, p.colours.muted, bar.label);
    draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y, p.colours.text, bar.text);
    p.y += draw::leading(p.fonts.body);
    draw_traffic_parts(p, bar, {p.x, p.y, p.x + p.width, p.y + high});
    float share = 0;
    for (const TrafficPart& part : bar.parts) share += float(part.share);
    f.ui.rects.put("gain " + bar.label, {p.x, p.y, p.x + share * p.width, p.y + high});
    p.y += high + 8 * s;
  }
  f.ui.rects.put("gain", {p.x, top, p.x + p.width, p.y});
}

}  // namespace

void draw_lab_numbers_panel(const UiFrame& f, Panel& p) {
  const LabPage& page = *f.views.page<LabPage>();
  if (page.tasks.empty()) return;
  const LabNumbersModel& m = page.numbers;
  const float top = p.y - 4 * p.s;
  const float where = m.where.empty() ? 0 : draw::text_width(p.fonts.strong, m.where);
  draw::text_right(p.list, p.fonts.strong, p.x + p.width, p.y - 2 * p.s, p.colours.text, m.where);
  p.caption(m.title, where);
  if (!m.rows.empty()) draw_table(f, p, m);
  p.y += 4 * p.s;
  const bool finds = page.matrix.own && !page.transport.findings.empty();  // no tile's numbers are below
  if (!m.sentence.empty())
    p.y += draw::paragraph(p.list, finds ? p.fonts.tiny : p.fonts.body, p.fonts.tiny, p.x, p.y, p.width, p.colours.text,
                           m.sentence);
  if (finds) {
    p.y += 6 * p.s;
    p.caption("What the run found");
    draw_lab_findings(f, p, page.transport.findings);
  }
  if (!m.steps.empty()) draw_steps(f, p, m.steps);
  draw_o_tiles(f, p, m);
  if (!page.gain.bars.empty()) draw_gain(f, p, page.gain);
  if (!page.thread.variables.empty()) draw_thread(f, p, page.thread);  // else no thread is on its way
  halo(f, p.list, "lab-numbers", {p.x - 5 * p.s, top, p.x + p.width + 5 * p.s, p.y});
}

}  // namespace tilewalk
