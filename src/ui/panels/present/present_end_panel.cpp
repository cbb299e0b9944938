// The end of a walk for a room: the bytes that moved as two bars of one scale, by how much they are fewer, what became
// of S, and what was checked. Above all that a result that is wrong.
#include <algorithm>

#include "base/words.h"
#include "ui/matrix/ghost_scores.h"
#include "ui/panels/present/present_parts.h"

namespace tilewalk {
namespace {

void draw_bar(const PresentPen& p, const TrafficBar& bar, const draw::Rect& r) {
  float x = r.x0;
  for (const TrafficPart& part : bar.parts) {
    const draw::Rect box{x, r.y0, x + r.width() * float(part.share), r.y1};
    const ImU32 fill = hue(p.c, part.tensor);
    draw::box(p.list, box, fill, 0);
    const std::string name = name_of(part.tensor);
    if (draw::text_width(p.fonts.strong, name) + 3 * p.s < box.width())
      draw::text_in(p.list, p.fonts.strong, box, ink_on(fill), name);
    x = box.x1;
  }
}

// Returns its height.
float draw_wrong_result(const PresentPen& p, const draw::Rect& all, float y) {
  const Fonts& fonts = p.fonts;
  const float pad = 8 * p.s, cross = fonts.large.size, x = all.x0 + pad + cross + pad, wide = all.x1 - pad - x;
  const bool large = draw::text_width(fonts.large, p.m.end->check) <= wide;
  const Font& font = large ? fonts.large : fonts.strong;
  const float title = draw::paragraph(nullptr, font, fonts.tiny, 0, 0, wide, 0, p.m.end->check);
  std::string number = p.m.end->result ? p.m.end->result->worst : "";
  add_to_list(number, p.m.end->mistake, number.empty() ? "" : " ");
  const float high = title + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, wide, 0, number);
  const draw::Rect box{all.x0, y, all.x1, y + high + 2 * pad};
  draw::box(p.list, box, p.c.bad_fill, 6 * p.s, p.c.bad, 2.5f * p.s);
  draw::sign(p.list, draw::Sign::Cross, {box.x0 + pad, box.y0, box.x0 + pad + cross, box.y1}, p.c.bad, 1.6f * p.s);
  draw::paragraph(p.list, font, fonts.tiny, x, y + pad, wide, p.c.text, p.m.end->check);
  draw::paragraph(p.list, fonts.body, fonts.tiny, x, y + pad + title, wide, p.c.text, number);
  p.f.ui.rects.put("end wrong number", {x, y + pad + title, x + wide, y + pad + high});
  p.f.ui.rects.put("end wrong", box);
  return box.height();
}

// The row of O that is most wrong: what was computed, below it what is right, and what makes it right.
void draw_wrong_row(const PresentPen& p, const WrongRow& o, const draw::Rect& r) {
  const Fonts& fonts = p.fonts;
  const Font& font = fonts.large;
  const float s = p.s, name = std::max(draw::text_width(font, "computed"), draw::text_width(font, "right")) + 16 * s;
  float least = 0;
  for (const WrongRow::Pair& pair : o.pairs)
    least = std::max({least, draw::text_width(font, pair.is), draw::text_width(font, pair.should)});
  least += 14 * s;
  const auto all = std::int64_t(o.pairs.size());
  const std::int64_t shown = std::clamp<std::int64_t>(std::int64_t((r.width() - name) / least), 1, all),
                     first = std::clamp<std::int64_t>(o.col - shown / 2, 0, all - shown);
  const float title = draw::leading(fonts.strong) + 2 * s, high = 1.45f * font.size,
              remedy = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, r.width(), 0, p.m.end->remedy),
              wide = std::min((r.width() - name) / float(shown), 1.6f * least);
  float y = r.y0;
  if (title + 2 * high + 12 * s + remedy <= r.height()) {
    std::string words = "Row " + std::to_string(o.row) + " of O";
    if (shown < all) words += ", columns " + std::to_string(first) + " to " + std::to_string(first + shown - 1);
    draw::text(p.list, fonts.strong, r.x0, y, p.c.muted, words);
    y += title;
  }
  for (const bool right : {false, true}) {
    if (y + high > r.y1) return;
    draw::text(p.list, font, r.x0, y + (high - font.size) / 2, p.c.text, right ? "right" : "computed");
    for (std::int64_t j = 0; j < shown; ++j) {
      const WrongRow::Pair& pair = o.pairs[std::size_t(first + j)];
      const draw::Rect cell{r.x0 + name + wide * float(j), y, r.x0 + name + wide * float(j + 1) - 3 * s,
                            y + high - 3 * s};
      const bool bad = pair.differs && !right;
      draw::box(p.list, cell, bad ? p.c.bad_fill : p.c.callout, 3 * s, bad ? p.c.bad : p.c.cell_line,
                bad ? 2.5f * s : draw::hairline());
      draw::text_in(p.list, font, cell, p.c.text, right ? pair.should : pair.is);
    }
    p.f.ui.rects.put(right ? "end right row" : "end wrong row", {r.x0, y, r.x0 + name + wide * float(shown), y + high});
    y += high;
  }
  if (y + 10 * s + remedy > r.y1) return;
  draw::paragraph(p.list, fonts.body, fonts.tiny, r.x0, y + 10 * s, r.width(), p.c.text, p.m.end->remedy);
  p.f.ui.rects.put("end remedy", {r.x0, y + 10 * s, r.x1, y + 10 * s + remedy});
}

// O as colours, its tiles a line apart, with its name above it. Returns its left end.
float draw_result(const PresentPen& p, const PresentResult& o, const draw::Rect& room) {
  const float name = p.fonts.strong.size * 1.1f, top = room.y0 + name;
  const float high = (room.y1 - top) / float(o.rows), wide = std::min(2.2f * high, room.width() / float(o.cols));
  const draw::Rect r{room.x1 - wide * float(o.cols), top, room.x1, room.y1};
  for (std::int64_t i = 0; i < o.rows; ++i)
    for (std::int64_t j = 0; j < o.cols; ++j) {
      const float gap = (i + 1) % o.tile_rows == 0 && i + 1 < o.rows ? 2 * p.s : 0;
      const draw::Rect cell{r.x0 + wide * float(j), top + high * float(i), r.x0 + wide * float(j + 1),
                            top + high * float(i + 1) - gap};
      draw::box(p.list, cell, diverging(p.c, o.shades[std::size_t(i * o.cols + j)]), 0);
    }
  draw::box(p.list, r, 0, 0, p.c.cell_line);
  for (std::size_t first = 0; first < o.wrong.size(); ++first) {  // rows that follow one another are framed together
    std::size_t end = first;
    while (end < o.wrong.size() && o.wrong[end]) ++end;
    if (end == first) continue;
    const draw::Rect rows{r.x0 - 3 * p.s, top + high * float(first), r.x1 + 3 * p.s, top + high * float(end)};
    draw::box(p.list, rows, 0, 0, p.c.bad, 2.5f * p.s);
    p.f.ui.rects.put("end wrong rows from " + std::to_string(first), rows);
    first = end;
  }
  draw::text_in(p.list, p.fonts.strong, {r.x0, room.y0, r.x1, room.y0 + p.fonts.strong.size}, p.c.text, "O");
  p.f.ui.rects.put("end result", {r.x0, room.y0, r.x1, r.y1});
  return r.x0;
}

// Both figures on one base, and by how much the first is less. Returns the height.
float draw_moved(const PresentPen& p, const PresentEnd& end, const draw::Rect& all, float y) {
  const Font &figure = p.fonts.figure, &words = p.fonts.large;
  const float x = all.x0, base = y + figure.size * 0.8f, beside = base - words.size * 0.8f;
  draw::text(p.list, figure, x, y, p.c.text, end.moved.moved);
  p.f.ui.rects.put("end figure", {x, y, x + draw::text_width(figure, end.moved.moved), y + figure.size});
  const float moved = draw::text_width(figure, end.moved.moved) + 14 * p.s;
  draw::text(p.list, words, x + moved, beside, p.c.muted, end.moved.against);
  const float word = draw::text_width(words, end.moved.ratio_word),
              ratio = draw::text_width(figure, end.moved.ratio) + (end.moved.ratio.empty() ? 0 : 10 * p.s);
  const ImU32 ink = end.moved.fewer ? p.c.accent : p.c.warn;
  const bool one_line = moved + draw::text_width(words, end.moved.against) + ratio + word + 14 * p.s < all.width();
  const float down = one_line ? 0 : figure.size + 4 * p.s;
  draw::text(p.list, figure, all.x1 - ratio - word, y + down, ink, end.moved.ratio);
  draw::text_right(p.list, words, all.x1, beside + down, ink, end.moved.ratio_word);
  return figure.size + down;
}

// Recorded times, a bar each; above them the words, and by how much the shorter is shorter. Returns the height.
float draw_times(const PresentPen& p, const WalkTimes& times, const draw::Rect& r) {
  const Font &large = p.fonts.large, &small = p.fonts.body;
  const float gap = 0.25f * large.size, high = 1.15f * large.size;
  float y = r.y0, name = 0, amount = 0;
  const std::string ratio = times.ratio + (times.slower ? " slower" : " faster");
  const float room = r.width() - draw::text_width(large, ratio) - 12 * p.s;
  draw::text_right(p.list, large, r.x1, y, times.slower ? p.c.warn : p.c.accent, ratio);
  y += std::max(large.size, draw::paragraph(p.list, small, p.fonts.tiny, r.x0, y, room, p.c.muted,
                                            times.title + ", " + times.date)) +
       gap;
  for (const WalkTime& bar : times.bars) {
    name = std::max(name, draw::text_width(large, bar.label) + 14 * p.s);
    amount = std::max(amount, draw::text_width(large, bar.text) + 14 * p.s);
  }
  for (const WalkTime& bar : times.bars) {
    const float text_y = y + (high - large.size) / 2, wide = r.width() - name - amount;
    draw::text(p.list, large, r.x0, text_y, p.c.text, bar.label);
    draw::box(p.list, {r.x0 + name, y, r.x0 + name + float(bar.share) * wide, y + high},
              &bar == &times.bars.front() ? p.c.accent : p.c.faint, 0);
    draw::text_right(p.list, large, r.x1, text_y, p.c.text, bar.text);
    p.f.ui.rects.put("end time " + bar.label, {r.x0, y, r.x1, y + high});
    y += high + gap;
  }
  return y - r.y0;
}

// The bars, with their names before and their bytes behind them; beside a wrong result they give way to it. Returns
// the height.
float draw_bytes(const PresentPen& p, const PresentEnd& end, const draw::Rect& r, float gap) {
  const Font& font = p.fonts.large;
  float name = 0, bytes = 0, y = r.y0;
  for (const TrafficBar& bar : end.moved.bars) {
    name = std::max(name, draw::text_width(font, bar.label) + 14 * p.s);
    bytes = std::max(bytes, draw::text_width(font, bar.text) + 14 * p.s);
  }
  const float all = p.at.sentence.y1 - p.at.hbm.y0;
  const float high = end.wrong ? std::min(p.at.line, all * 0.07f) : std::min(1.9f * p.at.line, all * 0.13f);
  for (const TrafficBar& bar : end.moved.bars) {
    const float text_y = y + (high - font.size) / 2;
    draw::text(p.list, font, r.x0, text_y, p.c.text, bar.label);
    draw_bar(p, bar, {r.x0 + name, y, r.x1 - bytes, y + high});
    draw::text_right(p.list, font, r.x1, text_y, p.c.text, bar.text);
    p.f.ui.rects.put("end bytes", {r.x1 - bytes, text_y, r.x1, text_y + font.size});
    y += high + gap;
  }
  return y - r.y0;
}

}  // namespace

void draw_present_end(const PresentPen& p) {
  const PresentEnd& end = *p.m.end;
  const Fonts& fonts = p.fonts;
  const draw::Rect all{p.at.tile.x0, p.at.hbm.y0, p.at.table.x1, p.at.sentence.y1};
  const float gap = all.height() * 0.05f, x = all.x0;
  float y = all.y0 + gap;
  if (end.wrong)  // of which fewer bytes are no merit
    y += draw_wrong_result(p, all, y - gap / 2);
  else
    y += draw_moved(p, end, all, y) + gap;
  const bool shows_row = end.wrong && end.result && end.result->wrong_row;
  if (!shows_row) y += draw_bytes(p, end, {x, y, all.x1, all.y1}, gap / 2);
  y += gap / 2;
  float right = all.x1;
  const float side = all.y1 - y - gap / 2;
  if (!shows_row && !end.scores_existed && side > 3 * p.at.line) {
    const draw::Rect ghost{all.x1 - side, y, all.x1, y + side};
    draw_ghost_scores(p.list, p.c, p.f.session.schedule(), ghost, p.s);
    p.f.ui.rects.put("ghost", ghost);
    right = ghost.x0 - gap;
  }
  if (end.result && side > 3 * p.at.line)
    right = draw_result(p, *end.result, {right - all.width() * 0.2f, y, right - 4 * p.s, y + side}) -
            gap;  // frames stand out
  if (shows_row) {
    draw_wrong_row(p, *end.result->wrong_row, {x, y, right, y + side});
    p.f.ui.rects.put("end", {all.x0, all.y0, all.x1, y + side});
    return;
  }
  const float sign = fonts.large.size;
  const float at = end.good || end.at_risk ? x + sign + 8 * p.s : x;
  const auto height = [&](const Font& font) {
    const float scores = draw::paragraph(nullptr, font, fonts.tiny, 0, 0, right - x, 0, end.scores);
    if (end.wrong) return scores;
    const float risk =
        end.at_risk ? gap / 2 + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, right - x, 0, end.mistake) : 0;
    if (!end.times.bars.empty()) return scores + gap + 5 * fonts.large.size;
    return scores + gap / 2 + draw::paragraph(nullptr, font, fonts.tiny, 0, 0, right - at, 0, end.check) + risk;
  };
  const bool fits = y + height(fonts.large) <= all.y1;
  y += draw::paragraph(p.list, fits ? fonts.large : fonts.strong, fonts.tiny, x, y, right - x, p.c.text, end.scores);
  if (!end.times.bars.empty()) {
    y += gap / 2;
    y += draw_times(p, end.times, {x, y, right, all.y1});
  } else if (!end.wrong) {
    y += gap / 2;
    if (end.good) draw::sign(p.list, draw::Sign::Check, {x, y, x + sign, y + sign}, p.c.good, p.s);
    if (end.at_risk) draw::sign(p.list, draw::Sign::Alert, {x, y, x + sign, y + sign}, p.c.warn, 1.6f * p.s);
    y += draw::paragraph(p.list, fits ? fonts.large : fonts.body, fonts.tiny, at, y, right - at,
                         end.good ? p.c.good : p.c.text, end.check);
  }
  std::vector<std::string> whys = end.why;
  if (end.at_risk) whys.insert(whys.begin(), end.mistake);
  for (const std::string& why : whys) {  // the first that fits
    const float tall = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, right - x, 0, why);
    if (end.wrong || y + gap / 2 + tall > all.y1) continue;
    y += gap / 2;
    draw::paragraph(p.list, fonts.body, fonts.tiny, x, y, right - x, p.c.muted, why);
    p.f.ui.rects.put("end why", {x, y, right, y + tall});
    y += tall;
    break;
  }
  p.f.ui.rects.put("end", {all.x0, all.y0, all.x1, y});
}

}  // namespace tilewalk
