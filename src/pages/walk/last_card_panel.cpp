// The last card: the result at the left; at the right what moved, what was checked, what became of S, and what to do
// next. In little space words give way first, then the card scrolls.
#include <algorithm>
#include <cmath>

#include "pages/walk/card_parts.h"
#include "pages/walk/walk_page.h"
#include "ui/input/imgui_keys.h"
#include "ui/matrix/ghost_scores.h"
#include "ui/panels/check_signs.h"
#include "ui/panels/export_panel.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct CardFold {  // how much is drawn
  bool picture = true, scores_words = true, way_words = true, check_words = true;
  bool bars = true;           // of bytes and time; a picture for a post always has them
  bool large_figures = true;  // else in the size of the title
  bool tight = false;         // less space round the words
  bool large_bars = false;    // with names and amounts in the size of the title
};
constexpr CardFold kFolds[] = {
    {.large_bars = true},
    {},
    {.picture = false},
    {.picture = false, .way_words = false},
    {.picture = false, .scores_words = false, .way_words = false},
    {.picture = false, .scores_words = false, .way_words = false, .check_words = false},
    {.picture = false, .scores_words = false, .way_words = false, .check_words = false, .tight = true},
    {.picture = false,
     .scores_words = false,
     .way_words = false,
     .check_words = false,
     .large_figures = false,
     .tight = true},
    {.picture = false, .scores_words = false, .way_words = false, .check_words = false, .bars = false},
    {.picture = false, .scores_words = false, .way_words = false, .check_words = false, .bars = false, .tight = true},
    {.picture = false,
     .scores_words = false,
     .way_words = false,
     .check_words = false,
     .bars = false,
     .large_figures = false,
     .tight = true}};
constexpr float kGaps = 6;  // between the parts

// Draws the parts of the right side from the top down. Without a list it only measures.
class CardPen {
 public:
  // spare: space between two parts beyond the least.
  CardPen(const UiFrame& frame, Panel& panel, const CardFold& fold, bool draws, float left, float top, float wide,
          float spare = 0)
      : f(frame),
        p(panel),
        m(*frame.views.page<WalkPage>()->last_card),
        fold_(fold),
        draws_(draws),
        x(left),
        y(top),
        width(wide),
        s(panel.s),
        pad_((fold.tight ? 5 : 10) * panel.s),
        gap_((fold.tight ? 5 : 10) * panel.s + spare) {}

  void all() {
    heading();
    if (is_bad()) {  // a wrong result is the first thing to know
      check();
      y += gap_;
      wrong_row();
    }
    if (!is_bad()) {  // fewer bytes are no merit of a wrong result
      headline();
      if (is_post() || fold_.bars) bars();
      y += gap_;
      check();
      y += gap_;
    }
    if (is_post()) return void(y -= gap_);  // the scores are beside the result, and nobody can click a picture
    scores();
    y += gap_;
    ways();
    y += gap_;
    save();
  }
  float end() const { return y; }

 private:
  bool is_bad() const { return m.check.wrong; }
  bool is_post() const { return is_post_layout(f.layout); }
  ImDrawList* list() const { return draws_ ? p.list : nullptr; }
  float right() const { return x + width; }
  void words(const Font& font, float at_x, float at_y, ImU32 ink, std::string_view text) const {
    if (draws_) draw::text(p.list, font, at_x, at_y, ink, text);
  }
  float lines(const Font& font, float at_x, float at_y, float room, ImU32 ink, std::string_view text) const {
    return text.empty() ? 0 : draw::paragraph(list(), font, p.fonts.tiny, at_x, at_y, room, ink, text);
  }

  void heading() {
    if (draws_) {
      const float room = width - 30 * s;
      const std::string* shown = &m.heading;
      for (const std::string& shorter : m.shorter_headings)
        if (draw::caption_width(p.theme, *shown) > room) shown = &shorter;
      f.ui.rects.put("heading", {x, y, x + draw::caption_width(p.theme, *shown), y + p.fonts.caption.size});
      p.caption_at(x, y, *shown, room);
      if (is_post()) return void(y += 24 * s);
      const draw::Rect close{right() - 22 * s, y - 4 * s, right(), y + 18 * s};
      if (button(f, {.id = "close", .rect = close, .label = "", .tip = "Close (Esc)", .sign = draw::Sign::Cross}))
        f.push(Action::CloseLastCard);
    }
    y += 24 * s;
  }

  // The two figures on one line, or below each other.
  void headline() {
    const Font &large = fold_.large_figures ? p.fonts.figure : p.fonts.title,
               &beside = fold_.large_figures ? p.fonts.title : p.fonts.strong;
    const float gap = 14 * s, moved = draw::text_width(large, m.moved),
                against = m.against.empty() ? 0 : gap + draw::text_width(beside, m.against);
    const float ratio = draw::text_width(large, m.ratio), word = draw::text_width(beside, m.ratio_word);
    const float all_of_ratio = ratio + (m.ratio_word.empty() ? 0 : word + (m.ratio.empty() ? 0 : 8 * s));
    const bool one_line = moved + against + all_of_ratio + 2 * gap <= width;
    const float base = y + large.size * 0.80f;  // where letters stand
    const auto on_base = [&](const Font& font, float at) { return at - font.size * 0.80f; };
    words(large, x, on_base(large, base), p.colours.text, m.moved);
    words(beside, x + moved + gap, on_base(beside, base), p.colours.muted, m.against);
    f.ui.rects.put("moved", {x, y, x + moved + against, y + large.size});
    y += large.size + 4 * s + (gap_ - 10 * s > 0 ? (gap_ - 10 * s) / 2 : 0);
    if (m.ratio.empty() && m.ratio_word.empty()) return;
    const float at = one_line ? right() - all_of_ratio : x, second = one_line ? base : base + large.size + 2 * s;
    const ImU32 ink = !m.fewer ? p.colours.warn : m.times.slower ? p.colours.muted : p.colours.accent;
    words(large, at, on_base(large, second), ink, m.ratio);
    words(beside, at + all_of_ratio - word, on_base(beside, second), ink, m.ratio_word);
    f.ui.rects.put("ratio", {at, on_base(large, second), at + all_of_ratio, on_base(large, second) + large.size});
    if (!one_line) y += large.size + 2 * s;
  }

  // Bytes and time, each of this walk and of the other way.
  void bars() {
    const Font &own_name = fold_.large_bars ? p.fonts.title : p.fonts.strong,
               &name_font = fold_.large_bars ? p.fonts.title : p.fonts.body,
               &amount = fold_.large_bars ? p.fonts.title : p.fonts.mono_small;
    float label = 0, figure = 0;
    const auto reserve = [&](const std::string& name, const std::string& text) {
      label = std::max(label, draw::text_width(own_name, name) + 12 * s);
      figure = std::max(figure, draw::text_width(amount, text) + 10 * s);
    };
    for (const TrafficBar& bar : m.bars) reserve(bar.label, bar.text);
    for (const WalkTime& bar : m.times.bars) reserve(bar.label, bar.text);
    const float high = fold_.large_bars ? 30 * s : std::max(19 * s, p.fonts.caption.em + 5 * s);
    const auto row = [&](const std::string& name, const std::string& text, bool own, const auto& fill) {
      const float middle = y + high / 2;
      const Font& font = own ? own_name : name_font;
      words(font, x, middle - font.size / 2, p.colours.text, name);
      const draw::Rect track{x + label, y, right() - figure, y + high};
      if (draws_) {
        draw::box(p.list, track, p.colours.track, 2 * s, p.colours.border);
        fill(track);
        draw::text_right(p.list, amount, right(), middle - amount.size / 2, own ? p.colours.text : p.colours.muted,
                         text);
      }
      y += high + (fold_.tight ? 4 : 6) * s;
      return track;
    };
    for (const TrafficBar& bar : m.bars) {
      const draw::Rect track = row(bar.label, bar.text, &bar == &m.bars.front(),
                                   [&](const draw::Rect& r) { draw_traffic_parts(p, bar, r); });
      if (draws_) f.ui.rects.put("bar " + bar.label, track);
    }
    if (!m.call_times.empty())
      return void(y += draw_times_of_call(f, p, m.call_times, {x, y, right(), y}, draws_, !is_post()));
    if (m.times.title.empty()) return;
    y += lines(p.fonts.tiny, x, y, width, p.colours.muted, m.times.title) + 2 * s;
    for (const WalkTime& bar : m.times.bars) {
      const bool own = &bar == &m.times.bars.front();
      const draw::Rect track = row(bar.label, bar.text, own, [&](const draw::Rect& r) {
        draw::box(p.list, {r.x0, r.y0, r.x0 + float(bar.share) * r.width(), r.y1},
                  own ? p.colours.accent : p.colours.faint, 2 * s);
      });
      if (draws_) f.ui.rects.put("time " + bar.label, track);
    }
  }

  void check() {
    const bool at_risk = m.check.kind == BadgeKind::AtRisk;
    const ImU32 ink = m.check.good ? p.colours.good
                      : is_bad()   ? p.colours.bad
                      : at_risk    ? p.colours.warn
                                   : p.colours.text;
    const ImU32 fill = m.check.good ? p.colours.good_fill
                       : is_bad()   ? p.colours.bad_fill
                       : at_risk    ? p.colours.warn_fill
                                    : p.colours.quiet_fill;
    const float pad = pad_, round = 15 * s, left = x + pad + 2 * round + 12 * s, room = right() - pad - left;
    const float top = y;
    const std::string accuracy = is_post() ? m.check.accuracy : "";  // in the window the foot of the timeline has it
    const float high = std::max(2 * round + 4 * s, text_of_check(room, accuracy) + 2 * pad);
    if (draws_) {
      draw::box(p.list, {x, top, right(), top + high}, fill, 7 * s, mix(fill, ink, 0.5f));
      const ImVec2 middle(x + pad + round, top + high / 2);
      p.list->AddCircleFilled(middle, round, mix(fill, ink, 0.22f), 32);
      const draw::Sign of_check = m.check.good ? draw::Sign::Check
                                  : is_bad()   ? draw::Sign::Cross
                                               : sign_of(m.check.kind);
      draw::sign(p.list, of_check, {middle.x - 9 * s, middle.y - 9 * s, middle.x + 9 * s, middle.y + 9 * s}, ink,
                 1.1f * s);
    }
    y = top + (high - text_of_check(room, accuracy)) / 2;
    y += lines(p.fonts.title, left, y, room, ink, m.check.title);
    if (fold_.check_words) y += lines(p.fonts.body, left, y, room, p.colours.text, m.check.text);
    if (draws_ && !accuracy.empty()) {
      const AccuracyMark mark = m.check.accuracy_mark;
      draw::sign(p.list, sign_of(mark), {left, y, left + 12 * s, y + draw::leading(p.fonts.tiny)},
                 ink_of(mark, p.colours), 0.75f * s);
    }
    lines(p.fonts.tiny, left + 18 * s, y, room - 18 * s, p.colours.muted, accuracy);
    y = top + high;
    f.ui.rects.put("check", {x, top, right(), y});
  }
  float text_of_check(float room, const std::string& accuracy) const {
    return lines_height(p.fonts.title, room, m.check.title) +
           (fold_.check_words ? lines_height(p.fonts.body, room, m.check.text) : 0) +
           lines_height(p.fonts.tiny, room - 18 * s, accuracy);
  }
  float lines_height(const Font& font, float room, std::string_view text) const {
    return text.empty() ? 0 : draw::paragraph(nullptr, font, p.fonts.tiny, 0, 0, room, 0, text);
  }

  void wrong_row() {
    if (!m.wrong_row) return;
    y += draw_wrong_row(f, p, *m.wrong_row, m.wrong_row_title, {x, y, x + width, y}, draws_,
                        {.large = fold_.picture, .tight = fold_.tight});
    y += gap_;
  }

  void scores() {
    const float pad = pad_, side = fold_.picture ? 84 * s : 0, left = x + pad + (fold_.picture ? side + 14 * s : 0);
    const std::string_view out = "How large can it be?";
    const float zoom = button_width(p.theme, out), room = right() - pad - left - zoom - 12 * s, top = y;
    const float text = lines_height(p.fonts.strong, room, m.scores.title) + 2 * s +
                       (fold_.scores_words ? lines_height(p.fonts.body, room, m.scores.text) : 0);
    const float high = std::max(side, text) + 2 * pad;
    if (draws_) {
      draw::box(p.list, {x, top, right(), top + high}, p.colours.raised, 7 * s, p.colours.border);
      if (fold_.picture)
        draw_ghost_scores(p.list, p.colours, f.session.schedule(),
                          {x + pad, top + (high - side) / 2, x + pad + side, top + (high + side) / 2}, s);
    }
    y += (high - text) / 2;
    y += lines(p.fonts.strong, left, y, room, p.colours.text, m.scores.title) + 2 * s;
    if (fold_.scores_words) lines(p.fonts.body, left, y, room, p.colours.muted, m.scores.text);
    y = top + high;
    const float middle = top + high / 2, half = std::min(high_of_button(), high - 4 * s) / 2;
    const std::string tip = "Zoom out from this tile to a matrix of 131,072 × 131,072 (" +
                            text_of(command_row(Action::EndlessZoom).key) + ")";
    if (draws_ && button(f, {.id = "zoom",
                             .rect = {right() - pad - zoom, middle - half, right() - pad, middle + half},
                             .label = out,
                             .tip = tip}))
      f.push(Action::EndlessZoom);
    f.ui.rects.put("never existed", {x, top, right(), y});
    if (draws_ && !fold_.scores_words && pointed_at(f, "scores words", {x, top, right(), y})) tooltip(f, m.scores.text);
  }

  draw::Sign sign_of_way(const CardWay& way) const {
    if (way.id == "back" || way.id == "where") return draw::Sign::StepBack;
    if (way.id == "break") return f.session.problem().fault == Fault::None ? draw::Sign::Cross : draw::Sign::Check;
    return way.id == "lesson" ? draw::Sign::Play : draw::Sign::Dot;
  }

  void way(const CardWay& way, const draw::Rect& r) {
    const bool first = &way == &m.next.front();
    const Hit h = hit(f, way.id, r);
    draw::box(p.list, r,
              h.hovered ? p.colours.button_hover
              : first   ? p.colours.tab
                        : p.colours.button,
              7 * s, first ? p.colours.accent : p.colours.border);
    const float round = std::min(13 * s, r.height() / 2 - 3 * s), left = r.x0 + 2 * round + 20 * s;
    const ImVec2 middle(r.x0 + 10 * s + round, (r.y0 + r.y1) / 2);
    p.list->AddCircleFilled(middle, round, first ? p.colours.accent : p.colours.raised, 32);
    draw::sign(p.list, sign_of_way(way), {middle.x - 7 * s, middle.y - 7 * s, middle.x + 7 * s, middle.y + 7 * s},
               first ? p.colours.accent_text : p.colours.text, 0.85f * s);
    const float line = draw::leading(p.fonts.body), key = draw::text_width(p.fonts.mono_small, way.key);
    const float top = middle.y - (fold_.way_words ? line : line / 2);
    const float room = r.x1 - 10 * s - left;
    const bool keyed = draw::text_width(p.fonts.strong, way.title) + 8 * s + key <= room;
    draw::text(p.list, p.fonts.strong, left, top, p.colours.button_text,
               draw::elided(p.fonts.strong, way.title, keyed ? room - key - 8 * s : room));
    if (keyed)
      draw::text_right(p.list, p.fonts.mono_small, r.x1 - 10 * s, top + (line - p.fonts.mono_small.size) / 2,
                       p.colours.muted, way.key);
    const std::string shown = draw::elided(p.fonts.tiny, way.words, r.x1 - 10 * s - left);
    if (fold_.way_words) draw::text(p.list, p.fonts.tiny, left, top + line, p.colours.muted, shown);
    if (h.hovered && (!fold_.way_words || shown != way.words)) tooltip(f, way.words);
    const bool by_key = first && is_open_to_keys() && enter_pressed();
    if (h.clicked || by_key)
      for (const Command& command : way.commands) f.push(command);
  }

  // The first way is drawn as the one that Enter takes.
  bool is_open_to_keys() const {
    return !f.ui.navigating && !f.views.lesson_panel && f.session.view().dialog() == Dialog::None &&
           !ImGui::GetIO().WantTextInput;
  }

  void ways() {
    if (!fold_.tight) {
      if (draws_) p.caption_at(x, y, "Next", width);
      y += 22 * s;
    }
    const float line = draw::leading(p.fonts.body), gap = 8 * s;
    const float high = (fold_.way_words ? 2 : 1) * line + (fold_.tight ? 8 : 14) * s;
    float widest = 0;
    for (const CardWay& each : m.next) {
      const float key = fold_.tight ? 0 : draw::text_width(p.fonts.mono_small, each.key) + 20 * s;
      widest = std::max({widest, draw::text_width(p.fonts.strong, each.title) + key,
                         fold_.way_words ? draw::text_width(p.fonts.tiny, each.words) : 0.0f});
    }
    widest += 54 * s;
    int columns = std::clamp(int((width + gap) / (widest + gap)), 1, fold_.way_words ? 2 : int(m.next.size()));
    if (columns == 3) columns = 2;  // 3 and 1 look like an accident
    const float wide = (width - gap * float(columns - 1)) / float(columns);
    for (std::size_t i = 0; i < m.next.size(); ++i) {
      const float left = x + float(int(i) % columns) * (wide + gap);
      if (draws_) way(m.next[i], {left, y, left + wide, y + high});
      if (int(i) % columns == columns - 1 || i + 1 == m.next.size()) y += high + gap;
    }
    y -= gap;
  }

  bool save_button(const char* id, const char* label, const char* tip, float& at) const {
    const draw::Rect r{at, y, at + button_width(p.theme, label, 26), y + high_of_button()};
    at = r.x1 + 8 * s;
    return button(f, {.id = id, .rect = r, .label = label, .tip = tip});
  }
  float high_of_button() const { return std::max(30 * s, p.fonts.strong.em + 12 * s); }

  void save() {
    if (draws_) {
      float at = x;
      if (save_button("save", "Save as picture or film",
                      "1200×1200 in large type, for a post: this card, or the walk to it (Ctrl+E)", at))
        open_export();
      const std::string_view closes = "Esc closes";
      if (at + draw::text_width(p.fonts.tiny, closes) <= right())
        draw::text_right(p.list, p.fonts.tiny, right(), y + (high_of_button() - p.fonts.tiny.size) / 2, p.colours.muted,
                         closes);
    }
    y += high_of_button();
  }

  void open_export() const {
    constexpr ExportKind kKind = ExportKind::Picture;
    f.ui.of<ExportUi>() = {.kind = kKind, .path = name_of_export(kKind, true), .square = true, .chosen = true};
    f.push(Action::ShowExport);
  }

  const UiFrame& f;
  Panel& p;
  const LastCard& m;
  const CardFold& fold_;
  const bool draws_;
  float x, y, width, s;
  const float pad_, gap_;  // within a box, and between parts
};

constexpr float kLeastBeside = 640;  // design pixels: in less width the result is below

}  // namespace

void draw_last_card_panel(const UiFrame& f, Panel& p) {
  const LastCard& m = *f.views.page<WalkPage>()->last_card;
  const float s = p.s, top = p.y, bottom = p.rect.y1 - 12 * s;
  const bool post = is_post_layout(f.layout), beside = !post && p.width >= kLeastBeside * s;
  const float share = m.results.size() > 1 ? 0.46f : 0.38f, gap = 28 * s;
  const float left = beside ? std::round(std::min(p.width * share, 420 * s)) : 0;
  const float x = beside ? p.x + left + gap : p.x, width = p.x + p.width - x;
  const auto height_with = [&](const CardFold& fold) {
    CardPen pen(f, p, fold, false, x, top, width);
    pen.all();
    return pen.end() - top;
  };
  const CardFold* fold = std::find_if(std::begin(kFolds), std::end(kFolds), [&](const CardFold& each) {
    return top + height_with(each) <= bottom - (post ? 300 * s : 0);
  });
  if (fold == std::end(kFolds)) fold = std::end(kFolds) - 1;
  const float spare = beside ? std::clamp((bottom - top - height_with(*fold)) / kGaps, 0.0f, 14 * s) : 0;
  CardPen pen(f, p, *fold, true, x, top, width, spare);
  pen.all();
  if (beside) {
    draw_card_results(f, p, m, {p.x, top, p.x + left, bottom});
    p.list->AddLine(ImVec2(x - gap / 2, top), ImVec2(x - gap / 2, bottom), p.colours.border, draw::hairline());
    if (pen.end() > p.rect.y1 - 4 * s) p.y = pen.end();  // else nothing scrolls
  } else if (post) {
    const float y = pen.end() + 16 * s, half = std::round(p.x + p.width * 0.5f);
    draw_card_results(f, p, m, {p.x, y, half - 8 * s, bottom});
    draw_scores_picture(f, p, m.scores, {half + 8 * s, y, p.x + p.width, bottom});
  } else {
    const float y = pen.end() + 16 * s;
    draw_card_results(f, p, m, {p.x, y, p.x + p.width, y + 300 * s});
    p.y = y + 300 * s;
  }
}

}  // namespace tilewalk
