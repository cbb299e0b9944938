// The screen for a room: one tile, one table, one sentence in large type, and a strip with the class's place in the
// walk.
#include "ui/panels/present/present_panel.h"

#include <algorithm>
#include <cmath>

#include "ui/mistake_marks.h"
#include "ui/panels/hand/hand_fields.h"
#include "ui/panels/present/present_parts.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

constexpr float kForWrong = 0.12f;  // of the screen's width: from the tile to the table

ImU32 fill_of(const PresentPen& p, const PresentTile& tile, const PresentCell& cell) {
  if (cell.asked) return p.c.accent;
  if (cell.text.empty() || cell.left_out) return p.c.panel;
  const ImU32 full = tile.two_signs ? diverging(p.c, cell.at) : viridis(cell.at);
  return p.c.dark ? full : mix(full, p.c.panel, 0.7f);  // pale, so that black figures are legible on weak projectors
}

std::string longest_of(const std::vector<std::string>& heads) {
  std::string longest;
  for (const std::string& head : heads)
    if (head.size() > longest.size()) longest = head;
  return longest;
}

// The models of the state before the step, of the same rows and columns and of the same kind; null: there are none.
const PresentTile* tile_before(const PresentPen& p) {
  if (!p.moving) return nullptr;
  const PresentTile &was = p.m.moving->tile, &is = p.m.tile;
  const bool same_kind = ledger_row(was.quantity).shape == ledger_row(is.quantity).shape;
  return same_kind && was.rows == is.rows && was.columns == is.columns && was.cells.size() == is.cells.size() ? &was
                                                                                                              : nullptr;
}

bool waits(const PresentPen& p, const PresentTile& t, std::size_t r, std::size_t c) {
  return p.moving && !p.moving->motion.has_landed(t.quantity, t.row_begin + std::int64_t(r),
                                                  t.col_begin + std::int64_t(c), p.moving->t);
}

// The places of the tile's cells, and of its row and column numbers, which stand for rows of Q and K.
void note_places(const PresentPen& p, const PresentTile& t, std::size_t r, std::size_t c, const draw::Rect& cell,
                 const draw::Rect& row_number, const draw::Rect& column_number) {
  if (!p.moving) return;
  auto& at = p.moving->places.at;
  const std::int64_t row = t.row_begin + std::int64_t(r), col = t.col_begin + std::int64_t(c);
  const std::optional<PresentMeeting>& meeting = p.m.meeting;  // has the numbers of its row and column
  const bool scores = ledger_row(t.quantity).shape == QuantityShape::Cell;
  at[{scores ? PlaceKind::Score : PlaceKind::Output, int(t.quantity), row, col}] = cell;
  if (!scores) return;
  constexpr std::int64_t kNoColumn = -1;
  if (!meeting || row != meeting->row)
    at[{PlaceKind::Operand, int(left_operand_of(t.quantity)), row, kNoColumn}] = row_number;
  if (!meeting || col != meeting->col)
    at[{PlaceKind::Operand, int(upper_operand_of(t.quantity)), col, kNoColumn}] = column_number;
}

// The cells of the visit before, whose S and P no memory keeps.
void draw_dissolving(const PresentPen& p, std::size_t r, std::size_t c, const draw::Rect& box) {
  if (!p.moving || !p.moving->motion.dissolving) return;
  const PresentTile& was = p.m.moving->tile;
  if (r >= was.rows.size() || c >= was.columns.size() || ledger_row(was.quantity).shape != QuantityShape::Cell) return;
  const PresentCell& cell = was.at(r, c);
  const float gone =
      float(p.moving->motion.dissolving->of(was.row_begin + std::int64_t(r), was.col_begin + std::int64_t(c))
                .share(p.moving->t));
  if (gone < 1 && !cell.text.empty() && !cell.left_out) draw::specks(p.list, box, fill_of(p, was, cell), gone);
}

draw::Rect centred_text(const Font& font, const draw::Rect& r, const std::string& text) {
  const ImVec2 at = r.middle();
  const float wide = draw::text_width(font, text) / 2, high = font.size / 2;
  return {at.x - wide, at.y - high, at.x + wide, at.y + high};
}

void draw_tile(const PresentPen& p) {
  const PresentTile& t = p.m.tile;
  const PresentTile* const was = tile_before(p);
  const draw::Rect& r = p.at.tile;
  const MovingValues* const lands = p.moving ? p.moving->motion.of(t.quantity) : nullptr;
  const bool two = lands && was && !p.m.moving->tile_title.empty() && !lands->span.has_landed(p.moving->t);
  draw_present_title(p, r, two ? p.m.moving->tile_title : t.title);
  const float count = float(std::max<std::size_t>(1, t.columns.size()));
  const float row_head = std::max(p.at.row_head, draw::text_width(p.fonts.mono, longest_of(t.rows)) + 8 * p.s);
  const float top = r.y0 + p.at.title, row = row_height(p, t.rows.size()), left = r.x0 + row_head,
              wide = std::min((r.x1 - left) / count, 2.4f * p.at.cell);
  const auto text_y = [&](float y, const Font& font) { return y + (row - font.size) / 2; };
  // One size for all cells: the largest in which all fit.
  std::string longest = "−0.00";
  for (const PresentCell& cell : t.cells)
    if (draw::text_width(p.fonts.mono, cell.text) > draw::text_width(p.fonts.mono, longest)) longest = cell.text;
  const float head_wide = draw::text_width(p.fonts.mono, t.rows.empty() ? "" : t.rows.back());
  const bool large = draw::font_that_fits({&p.fonts.mono_large}, longest, wide - 6 * p.s, row - 4 * p.s) != nullptr;
  const Font& digits = large ? p.fonts.mono_large : p.fonts.mono;
  const Font* const narrow =
      draw::font_that_fits({&p.fonts.mono, &p.fonts.mono_small}, longest_of(t.columns), wide - 4 * p.s, 1e9f);
  const Font &columns = narrow ? *narrow : p.fonts.tiny, &rows = p.fonts.mono;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    draw::text_in(p.list, columns, {left + wide * float(c), top, left + wide * float(c + 1), top + row}, p.c.muted,
                  t.columns[c]);
  float y = top + row;
  for (std::size_t i = 0; i < t.rows.size(); ++i, y += row) {
    draw::text_right(p.list, rows, left - 6 * p.s, text_y(y, rows), p.c.muted, t.rows[i]);
    p.f.ui.rects.put("row number " + std::to_string(i),
                     {left - 6 * p.s - draw::text_width(rows, t.rows[i]), y, left - 6 * p.s, y + row});
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const bool old = waits(p, t, i, c);
      static const PresentCell kEmpty;
      const PresentCell& cell = !old ? t.at(i, c) : was ? was->at(i, c) : kEmpty;
      const draw::Rect box{std::round(left + wide * float(c)) + 1, y + 1, std::round(left + wide * float(c + 1)) - 1,
                           y + row - 1};
      note_places(p, t, i, c, box, {left - 6 * p.s - head_wide, y + 1, left - 2 * p.s, y + row - 1},
                  {box.x0, top + 1, box.x1, top + row - 1});
      const ImU32 fill = fill_of(p, old && was ? *was : t, cell);
      const HandPlace place{t.quantity, t.row_begin + std::int64_t(i), t.col_begin + std::int64_t(c)};
      if (draw_hand_field(p.f, place, box, digits)) continue;
      draw::box(p.list, box, fill, 2 * p.s, fill == p.c.panel || !p.c.dark ? p.c.cell_line : 0);
      const Font* const number_font = cell.asked && !large ? &p.fonts.mono_strong : &digits;
      draw::text_in(p.list, *number_font, box, ink_on(fill), cell.text);
      if (cell.wrong) draw_present_wrong(p, box, centred_text(*number_font, box, cell.text), *number_font, cell.text);
      draw_dissolving(p, i, c, box);
    }
    if (int(i) == t.spoken)
      draw::box(p.list, {left - 1, y - 1, left + wide * float(t.columns.size()) + 1, y + row + 1}, 0, 3 * p.s,
                p.c.now_line, 2 * p.s);
  }
  if (!t.part.empty())
    draw::text(p.list, p.fonts.body, r.x0, y + 3 * p.s, p.c.muted, draw::elided(p.fonts.body, t.part, r.width()));
  p.f.ui.rects.put("tile", {left, top + row, left + wide * float(t.columns.size()), y});
}

// Sums and products of rounded numbers are rounded too.
std::string as_rounded(std::string sums) {
  constexpr std::string_view kEquals = " = ";
  bool computed = false;
  for (const char* const sign : {" + ", "·", "×", "^", " / "}) computed |= sums.find(sign) != std::string::npos;
  if (const std::size_t at = sums.rfind(kEquals); computed && at != std::string::npos)
    sums.replace(at, kEquals.size(), " ≈ ");
  return sums;
}

// What the mistake made wrong and what that should be, in the largest letters that fit; how it would be right; which
// mistake did it; and the sentence of the step, where there is room for it.
void draw_wrong_sentence(const PresentPen& p) {
  const draw::Rect& r = p.at.sentence;
  const ImU32 ink = ink_of_mistake(p.f, p.c);
  draw::box(p.list, r, fill_of_mistake(p.f, p.c), 6 * p.s, ink, 2 * p.s);
  const float pad = 10 * p.s, sign = p.fonts.large.size, x = r.x0 + pad + sign + pad, wide = r.x1 - pad - x;
  draw::sign(p.list, sign_of_mistake(p.f), {r.x0 + pad, r.y0, r.x0 + pad + sign, r.y1}, ink, 1.6f * p.s);
  const auto high = [&](const Font& font, const std::string& text) {
    return text.empty() ? 0 : draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, wide, 0, text);
  };
  const std::string right = as_rounded(p.m.arithmetic.on_one_line(1));
  const float most = r.height() - 8 * p.s, below = high(p.fonts.mono, right);
  const Font& font = high(p.fonts.large, p.m.wrong) + below <= most ? p.fonts.large : p.fonts.strong;
  float all = high(font, p.m.wrong);
  const bool has_right = all + below <= most;
  if (has_right) all += below;
  const bool has_why = all + high(p.fonts.body, p.m.wrong_why) <= most;
  if (has_why) all += high(p.fonts.body, p.m.wrong_why);
  const bool has_sentence = all + high(p.fonts.body, p.m.wrong_sentence) <= most;
  if (has_sentence) all += high(p.fonts.body, p.m.wrong_sentence);
  float y = (r.y0 + r.y1 - all) / 2;
  p.f.ui.rects.put("wrong sentence", {x, y, x + wide, y + high(font, p.m.wrong)});
  y += draw::paragraph(p.list, font, p.fonts.tiny, x, y, wide, p.c.text, p.m.wrong);
  if (has_right && below > 0) {
    p.f.ui.rects.put("arithmetic", {x, y, x + wide, y + below});
    y += draw::paragraph(p.list, p.fonts.mono, p.fonts.tiny, x, y, wide, p.c.good, right);
  }
  if (has_why && !p.m.wrong_why.empty()) {
    p.f.ui.rects.put("wrong why", {x, y, x + wide, y + high(p.fonts.body, p.m.wrong_why)});
    y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, y, wide, p.c.text, p.m.wrong_why);
  }
  if (has_sentence) draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, y, wide, p.c.muted, p.m.wrong_sentence);
  p.f.ui.rects.put("sentence", {r.x0, r.y0, r.x1, r.y1});
}

void draw_sentence(const PresentPen& p) {
  const draw::Rect& r = p.at.sentence;
  const bool lesson = !p.m.question_open && !p.m.lesson_ask.empty(),
             asks = p.m.question_open || lesson || p.m.asks_by_hand;
  std::string words = lesson ? p.m.lesson_ask : p.m.sentence;
  const double t = p.moving ? p.moving->t : 1;
  if (!p.m.wrong.empty() && !asks && t >= 1) return draw_wrong_sentence(p);
  draw::box(p.list, r, asks ? p.c.row_mark : p.c.raised, 6 * p.s);
  draw::box(p.list, {r.x0, r.y0, r.x0 + 4 * p.s, r.y1}, p.c.accent, 2 * p.s);
  const float x = r.x0 + 14 * p.s, wide = r.x1 - 10 * p.s - x;
  const auto height_in = [&](const Font& of) {
    return draw::paragraph(nullptr, of, p.fonts.tiny, 0, 0, wide, 0, words);
  };
  const float most = r.height() - 8 * p.s;
  if (lesson && height_in(p.fonts.strong) > most) words.resize(std::min(words.size(), words.rfind('\n')));  // its keys
  const bool film = p.f.session.tour().watches();  // its few words are read at a glance
  const Font& font = film && height_in(p.fonts.large) <= most    ? p.fonts.large
                     : asks && height_in(p.fonts.strong) <= most ? p.fonts.strong
                     : asks                                      ? p.fonts.tiny
                                                                 : p.fonts.body;
  const float high = height_in(font);
  // The arithmetic is below, where all of it has room.
  const auto sums = [&](double at) { return lesson ? std::string() : as_rounded(p.m.arithmetic.on_one_line(at)); };
  float below = sums(1).empty() ? 0 : draw::paragraph(nullptr, p.fonts.mono, p.fonts.tiny, 0, 0, wide, 0, sums(1));
  if (high + below > r.height() - 8 * p.s) below = 0;
  const float y = std::max(r.y0 + 6 * p.s, (r.y0 + r.y1 - high - below) / 2);
  draw::paragraph(p.list, font, p.fonts.tiny, x, y, wide, p.c.text, words,
                  p.moving && !lesson ? waiting_words(p.m.moving->landing, t, p.c.muted) : std::vector<draw::Tint>{});
  if (below > 0) {
    draw::paragraph(p.list, p.fonts.mono, p.fonts.tiny, x, y + high, wide, p.c.changed, sums(t));
    p.f.ui.rects.put("arithmetic", {x, y + high, r.x1 - 10 * p.s, y + high + below});
  }
  p.f.ui.rects.put("sentence", {x, y, r.x1 - 10 * p.s, y + high});
}

void draw_walk(const PresentPen& p, const draw::Rect& r) {
  const TimelineModel& t = p.m.timeline;
  if (t.folded) {
    draw::box(p.list, r, p.c.panel, 2 * p.s, p.c.cell_line);
    draw::box(p.list, {r.x0, r.y0, r.x0 + std::max(3 * p.s, r.width() * float(t.done)), r.y1}, p.c.accent, 2 * p.s);
  }
  for (const TimelineBox& box : t.boxes) {
    const draw::Rect b{r.x0 + box.x0 * r.width(), r.y0, r.x0 + box.x1 * r.width(), r.y1};
    const double healed = p.f.session.walk().healing().t();
    const bool wrong = (mark_of(box, healed) == VisitCheck::Differs && box.done) || (box.wrong_now && shows_wrong(p)),
               right = has_just_healed(box, healed);
    const ImU32 of_done = wrong ? ink_of_mistake(p.f, p.c) : right ? p.c.good : p.c.accent;
    const float pale = wrong || right ? 0.25f : 0.55f;
    const ImU32 fill = box.now ? of_done : box.done ? mix(of_done, p.c.panel, pale) : p.c.panel;
    draw::box(p.list, b, box.skipped ? p.c.panel : fill, 2 * p.s, box.now ? p.c.now_line : p.c.cell_line,
              box.now ? 2 * p.s : draw::hairline());
    if (box.skipped) draw::hatch(p.list, b.inset(1), p.c.cell_line, 6 * p.s, p.s);
    if (wrong && b.width() >= 9 * p.s) draw::sign(p.list, sign_of_mistake(p.f), b, p.c.text, 0.75f * p.s);
  }
}

// The class's place in the walk, and after it the deliberate mistake: the longest place that leaves room for it.
void draw_place(const PresentPen& p, const draw::Rect& r) {
  const Font& font = p.fonts.strong;
  const std::string mistake = p.m.mistake.empty() ? "" : " · " + p.m.mistake;
  const float own = draw::text_width(font, mistake), y = (r.y0 + r.y1 - font.size) / 2;
  for (const std::string& place : p.m.place) {
    const float wide = draw::text_width(font, place);
    if (wide + own > r.width() && &place != &p.m.place.back()) continue;
    draw::text(p.list, font, r.x0, y, p.c.text, place);
    if (mistake.empty()) return;
    draw::text(p.list, font, r.x0 + wide, y, ink_of_mistake(p.f, p.c), draw::elided(font, mistake, r.width() - wide));
    p.f.ui.rects.put("mistake", {r.x0 + wide, y, std::min(r.x1, r.x0 + wide + own), y + font.size});
    return;
  }
}

void draw_progress(const PresentPen& p, const draw::Rect& r) {
  draw_walk(p, r);
  p.f.ui.rects.put("walk", r);
}

// Returns true if the mouse is over a button.
bool draw_strip(const PresentPen& p) {
  const draw::Rect& r = p.at.strip;
  const float high = p.at.line, y1 = r.y0 + high;
  float right = r.x1;
  bool held = false;
  const auto choice = [&](const char* id, const char* label, draw::Sign sign, bool on, const char* tip, Action action) {
    const float wide = draw::text_width(p.fonts.strong, label) + 34 * p.s;
    const draw::Rect b{right - wide, r.y0, right, y1};
    const Hit h = hit(p.f, id, b);
    draw::box(p.list, b, on || h.hovered ? p.c.row_mark : p.c.panel, 4 * p.s, p.c.cell_line);
    draw::sign(p.list, sign, {b.x0 + 5 * p.s, b.y0, b.x0 + 25 * p.s, b.y1}, p.c.text, p.s);
    draw::text(p.list, p.fonts.strong, b.x0 + 27 * p.s, b.y0 + (high - p.fonts.strong.size) / 2, p.c.text, label);
    if (h.hovered) tooltip(p.f, tip);
    if (h.clicked) p.f.push(action);
    held |= h.held;
    right = b.x0 - 6 * p.s;
  };
  choice("leave", "Esc", draw::Sign::Cross, false, "Back to the walk (Esc)", Action::Present);
  choice("ask", "Ask", p.m.asks_first ? draw::Sign::Check : draw::Sign::Ring, p.m.asks_first,
         "A question before each answer, until the next press (Q)", Action::AskFirst);
  const std::string& heal = p.m.timeline.heal_text;
  if (!heal.empty())
    draw::text(p.list, p.fonts.strong, r.x0, r.y0 + (high - p.fonts.strong.size) / 2, p.c.good,
               draw::elided(p.fonts.strong, heal, right - r.x0));
  else
    draw_place(p, {r.x0, r.y0, right, r.y0 + high});
  draw_progress(p, {r.x0, y1 + 5 * p.s, r.x1, r.y1});
  return held;
}

}  // namespace

void draw_present_panel(const UiFrame& f, float top) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool film = f.session.tour().watches();
  Palette colours = film ? f.theme.colours : present_palette(f.theme.colours.dark);
  if (film) colours.background = colours.panel;  // as on its other pages
  const PresentModel& model = *f.views.present;
  f.ui.rects.within("present");
  ImGui::SetNextWindowPos(ImVec2(0, top));
  ImGui::SetNextWindowSize(ImVec2(io.DisplaySize.x, io.DisplaySize.y - top));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, model.blank ? IM_COL32(0, 0, 0, 255) : colours.background);
  ImGui::Begin("present", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  PresentPen pen{f,       model,     compute_present_layout(io.DisplaySize.x, io.DisplaySize.y, film),
                 colours, moving(f), ImGui::GetWindowDrawList()};
  f.ui.spotlight = false;
  if (!model.blank) {
    const bool end = model.end && !pen.moving;
    if (model.only_memories && !end) pen.at = with_large_memories(pen.at);
    if (!end) draw_present_memories(pen);  // the end is of the whole walk, and not of its last store
    if (end) {
      draw_present_end(pen);
    } else if (model.map && !model.map->facts.empty()) {
      draw_present_start(pen);
    } else if (model.only_memories) {
      draw_sentence(pen);
    } else {
      if (model.column && model.table.has_right_row()) {  // wrong and right numbers need the width
        pen.at.tile.x1 -= kForWrong * io.DisplaySize.x;
        pen.at.table.x0 -= kForWrong * io.DisplaySize.x;
      }
      if (model.map)
        draw_present_map(pen, pen.at.tile);
      else if (!lifts_row(pen))
        draw_tile(pen);
      draw_present_column(pen);
      model.meeting ? draw_present_meeting(pen) : draw_present_table(pen);
      draw_lifted_row_for_room(pen);
      draw_sentence(pen);
    }
    const bool on_button = !film && draw_strip(pen);
    if (film) draw_progress(pen, {pen.at.strip.x0, pen.at.strip.y0 + 5 * pen.s, pen.at.strip.x1, pen.at.strip.y1});
    const draw::Rect screen{0, 0, io.DisplaySize.x, io.DisplaySize.y};
    const bool asked = ((ImGui::IsMouseDown(0) && !on_button) || io.KeyShift) && !text_has_caret();
    f.ui.spotlight = asked && screen.holds(io.MousePos) && f.session.view().dialog() == Dialog::None;
    if (f.ui.spotlight) draw_spotlight(pen);
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  if (!model.blank && !f.ui.spotlight) draw_motion(f, colours);
}

}  // namespace tilewalk
