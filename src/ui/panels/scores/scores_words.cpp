// The words above and below the matrix of scores.
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "pages/walk/walk_page.h"
#include "ui/controls.h"
#include "ui/mistake_marks.h"
#include "ui/panels/motion/moving.h"
#include "ui/panels/scores/scores_parts.h"
#include "view/words/mask_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::array kLegend = {"done", "now", "masked", "skipped", "to do"};
constexpr const char* kGone = "gone";  // done, where no memory stores it
// With a deliberate mistake, where it shows: what a visit left in the row, and the row's weights.
constexpr const char *kWrongRow = "wrong row", *kWrongWeight = "wrong P";

std::vector<const char*> legend_of(const UiFrame& f) {
  std::vector<const char*> out(kLegend.begin(), kLegend.end());
  const std::optional<FaultModel>& fault = f.views.page<WalkPage>()->fault;
  if (!fault) return out;
  for (const bool weights : {false, true})
    if (std::any_of(fault->wrong.begin(), fault->wrong.end(),
                    [&](const WrongRun& run) { return run.weights == weights && marks_in_matrix(f, run); }))
      out.push_back(weights ? kWrongWeight : kWrongRow);
  return out;
}

void draw_legend_mark(const UiFrame& f, const Panel& p, std::size_t which, std::string_view name, const draw::Rect& r,
                      bool gone) {
  const float s = p.s;
  if (name == kWrongRow) return draw::box(p.list, {r.x0, r.y0, r.x0 + 5 * s, r.y1}, ink_of_mistake(f, p.colours), 0);
  if (name == kWrongWeight) {
    draw::box(p.list, r, with_alpha(ink_of_mistake(f, p.colours), 0.30f), 1.5f * s);
    return draw::box(p.list, r, 0, 1.5f * s, ink_of_mistake(f, p.colours), 1.8f * s);
  }
  switch (which) {
    case 0:
      if (gone) return draw::dashed(p.list, r, p.colours.muted, {.length = 2 * s, .thickness = s});
      return draw::box(p.list, r, mix(viridis(0.55f), p.colours.panel, 0.35f), 1.5f * s);
    case 1: return draw::box(p.list, r, 0, 1.5f * s, p.colours.now_line, 1.8f * s);
    case 2:
      draw::box(p.list, r, p.colours.masked, 1.5f * s, p.colours.cell_line);
      return draw::box(p.list, r.inset(r.width() * 0.36f), p.colours.faint, 0);
    case 3: draw::hatch(p.list, r, p.colours.faint, 4 * s, 1.2f * s); [[fallthrough]];
    default: return draw::box(p.list, r, 0, 1.5f * s, p.colours.faint);
  }
}

// In little space the last signs are drawn without their words, which their tooltips show.
void draw_legend(const UiFrame& f, Panel& p, bool gone, float x, float y, float gap) {
  const float s = p.s, size = 10 * s, right = p.x + p.width;
  const std::vector<const char*> names = legend_of(f);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const char* const name = i == 0 && gone ? kGone : names[i];
    const float word = draw::text_width(p.fonts.tiny, name) + 5 * s, top = y + (p.fonts.tiny.size - size) / 2;
    const float after = float(names.size() - 1 - i) * (gap + size);
    const float w = x + word + size + after <= right + 1 ? word : 0;
    if (w > 0) draw::text(p.list, p.fonts.tiny, x, y, p.colours.muted, name);
    draw_legend_mark(f, p, i, name, {x + w, top, x + w + size, top + size}, gone);
    const draw::Rect all{x, y, x + w + size, y + p.fonts.tiny.size};
    f.ui.rects.put(std::string("legend ") + names[i], all);
    note_label(f, -1, std::int64_t(i), "legend", all);
    explain(f, name, all, name);
    x = all.x1 + gap;
  }
}

// With several heads: the one in view, and the buttons to its neighbours. Returns its left end.
float draw_head_choice(const UiFrame& f, Panel& p, const HeadChoice& heads) {
  const float s = p.s, w = draw::text_width(p.fonts.tiny, heads.name) + 44 * s, right = p.x + p.width;
  const draw::Rect r{right - w, p.y - 3 * s, right, p.y + p.fonts.tiny.size + 3 * s};
  draw::box(p.list, r, p.colours.button, 4 * s);
  draw::text_in(p.list, p.fonts.tiny, r, p.colours.text, heads.name);
  const Hit before = hit(f, "head before", {r.x0, r.y0, r.x0 + 20 * s, r.y1});
  const Hit after = hit(f, "head after", {r.x1 - 20 * s, r.y0, r.x1, r.y1});
  const auto ink = [&](bool there) { return there ? p.colours.text : p.colours.faint; };
  draw::text_in(p.list, p.fonts.tiny, {r.x0, r.y0, r.x0 + 20 * s, r.y1}, ink(heads.before.has_value()), "←");
  draw::text_in(p.list, p.fonts.tiny, {r.x1 - 20 * s, r.y0, r.x1, r.y1}, ink(heads.after.has_value()), "→");
  if (before.clicked && heads.before) f.push(*heads.before);
  if (after.clicked && heads.after) f.push(*heads.after);
  if (before.hovered || after.hovered) tooltip(f, "To the first step of the head beside this one");
  return r.x0;
}

// S | P: the quantity of the current tile's cells. Returns its left end.
float draw_cell_choice(const UiFrame& f, Panel& p, const ScoresModel& g, float right, float top, float high) {
  if (g.choices.size() < 2) return right;
  const std::optional<Quantity>& asked = f.session.walk().cells();
  for (std::size_t i = g.choices.size(); i-- > 0;) {
    const Quantity quantity = g.choices[i];
    const char* label = ledger_row(quantity).letter;
    const float w = draw::text_width(p.fonts.tiny, label) + 16 * p.s;
    const bool shown = g.shown == quantity;
    if (tag(f, {.id = std::string("cells ") + label,
                .rect = {right - w, top, right, top + high},
                .label = label,
                .tip = shown && asked ? "Back to what the phase makes (N)" : "The current tile shows it (N)",
                .font = p.fonts.tiny,
                .ink = shown ? ink_on(p.colours.accent) : p.colours.text,
                .fill = shown ? p.colours.accent : p.colours.button,
                .hovered = shown ? p.colours.accent : p.colours.button_hover,
                .rounding = 4 * p.s}))
      f.push(shown && asked ? ShowCells{} : ShowCells{quantity});
    right -= w + 3 * p.s;
  }
  return right - 6 * p.s;
}

float draw_zoom(const UiFrame& f, Panel& p, float right, float top, float high) {
  const auto small_button = [&](const char* label, Action id, const char* help) {
    const float w = draw::text_width(p.fonts.tiny, label) + 16 * p.s;
    if (tag(f, {.id = label,
                .rect = {right - w, top, right, top + high},
                .label = label,
                .tip = help,
                .font = p.fonts.tiny,
                .ink = p.colours.text,
                .fill = p.colours.button,
                .hovered = p.colours.button_hover,
                .rounding = 4 * p.s}))
      f.push(id);
    right -= w + 6 * p.s;
  };
  small_button("whole", Action::ZoomFit, "The whole matrix (0)");
  small_button("tile", Action::ZoomToTile, "Zoom to the current tile (X)");
  small_button("+", Action::ZoomIn, "Zoom in (Z, or the wheel)");
  small_button("−", Action::ZoomOut, "Zoom out (Shift+Z, or the wheel)");
  return right - 8 * p.s;
}

// What the cells of the current tile show. While the rows of a tile turn from one quantity into another, the rows above
// show the new one, and those below the old one.
struct CellWords {
  std::string formula, range;
};

CellWords cell_words(const UiFrame& f, const ScoresModel& g) {
  CellWords out{g.formula, g.scale_text};
  const std::optional<Moving> m = moving(f);
  const MovingValues* const made = m ? m->motion.of(g.shown) : nullptr;
  if (!made || made->span.has_landed(m->t)) return out;
  const ScoresModel& before = before_step(f).scores;
  if (before.shown == g.shown || before.scale_text.empty()) return out;
  const std::string now = ledger_row(g.shown).letter, old = ledger_row(before.shown).letter;
  const bool by_row = made->rows * made->cols <= kInTurn;
  out.formula = by_row ? now + ", " + old + " in cells to come" : now + " so far, then " + old;
  if (g.other_scale_text.empty()) out.range += ", " + before.scale_text;
  return out;
}

constexpr float kLeastBar = 12;  // of a scale, in design pixels

// A bar of colours with the range of its quantity. Returns its right end; draws nothing where it does not fit.
float draw_scale(Panel& p, const std::string& words, float left, float middle, float right,
                 const std::function<ImU32(float)>& colour) {
  const float s = p.s, words_wide = draw::text_width(p.fonts.mono_small, words),
              wide = std::clamp(right - left - words_wide - 10 * s, 0.0f, 120 * s);
  if (wide < kLeastBar * s) return left;
  for (int i = 0; i < 24; ++i)
    draw::box(p.list,
              {left + wide * float(i) / 24, middle - 4 * s, left + wide * float(i + 1) / 24 + 0.5f, middle + 4 * s},
              colour((float(i) + 0.5f) / 24), 0);
  const float x = left + wide + 10 * s;
  draw::text(p.list, p.fonts.mono_small, x, middle - p.fonts.mono_small.size / 2, p.colours.muted, words);
  return x + words_wide;
}

// The left end of what is right of the scales in the foot.
float end_of_scales(const Panel& p, const ScoresModel& g, bool folded) {
  const float s = p.s;
  const auto buttons = [&](std::initializer_list<const char*> labels, float gap) {
    float wide = 0;
    for (const char* label : labels) wide += draw::text_width(p.fonts.tiny, label) + 16 * s + gap;
    return wide;
  };
  float right = p.x + p.width - (folded ? 0 : buttons({"whole", "tile", "+", "−"}, 6 * s) + 8 * s);
  if (g.choices.size() > 1) right -= 6 * s;
  for (std::size_t i = 0; g.choices.size() > 1 && i < g.choices.size(); ++i)
    right -= buttons({ledger_row(g.choices[i]).letter}, 3 * s);
  const float formula = draw::line_width(p.fonts.tiny, p.fonts.tiny, g.formula);
  return !g.formula.empty() && right - formula >= p.x ? right - formula - 14 * s : right;
}

// The colours of the current tile, and those of the others where they show another quantity: side by side, or one above
// the other in little space.
// Returns their right end.
float draw_scales(const UiFrame& f, Panel& p, const ScoresModel& g, const std::string& range, float middle,
                  float right) {
  const float s = p.s, line = p.fonts.mono_small.size;
  const auto now = [&](float at) { return g.signed_map ? diverging(p.colours, 2 * at - 1) : viridis(at); };
  const auto others = [&](float at) { return quiet_score(p.colours, viridis(at)); };
  const auto put = [&](const char* name, float x0, float x1, float y) {
    if (x1 > x0) f.ui.rects.put(name, {x0, y - line / 2, x1, y + line / 2});
    return x1;
  };
  const auto fits = [&](const std::string& words) {
    return draw::text_width(p.fonts.mono_small, words) + (10 + kLeastBar) * s <= right - p.x;
  };
  if (g.other_scale_text.empty())
    return put("scale", p.x, draw_scale(p, fits(range) ? range : g.scale_text, p.x, middle, right, now), middle);
  const float words = draw::text_width(p.fonts.mono_small, g.scale_text + g.other_scale_text);
  if (right - p.x >= words + 2 * (10 + 48) * s + 20 * s) {
    const float bar = std::min(120 * s, (right - p.x - words - 40 * s) / 2),
                end = p.x + bar + 10 * s + draw::text_width(p.fonts.mono_small, g.scale_text);
    put("scale", p.x, draw_scale(p, g.scale_text, p.x, middle, end, now), middle);
    const float x = end + 20 * s;
    return put("scale of others", x,
               draw_scale(p, g.other_scale_text, x, middle,
                          x + bar + 10 * s + draw::text_width(p.fonts.mono_small, g.other_scale_text), others),
               middle);
  }
  middle -= 3 * s;  // away from the panel's edge
  put("scale", p.x, draw_scale(p, g.scale_text, p.x, middle - line / 2, right, now), middle - line / 2);
  put("scale of others", p.x, draw_scale(p, g.other_scale_text, p.x, middle + line / 2, right, others),
      middle + line / 2);
  return right;
}

// Why a row may not see some cells, between the scales and the formula, where it fits.
void draw_mask_rule(const UiFrame& f, Panel& p, float left, float right, float middle) {
  const Problem& problem = f.session.problem();
  const Font& font = p.fonts.tiny;
  const std::string rule = mask_rule(problem);
  if (rule.empty()) return;
  for (const std::string& words : {mask_title(problem) + ": " + rule, rule, std::string(short_mask_rule(problem))}) {
    const float wide = draw::text_width(font, words), gap = 14 * p.s;
    if (left + gap + wide + gap > right) continue;
    const float x = left + (right - left - wide) / 2;
    const draw::Rect r{x, middle - font.size / 2, x + wide, middle + font.size / 2};
    draw::text(p.list, font, r.x0, r.y0, p.colours.muted, words);
    explain(f, "mask rule", r, "mask masked skipped");
    return f.ui.rects.put("mask rule", r);
  }
}

}  // namespace

bool names_other_range(const UiFrame& f, const Panel& p, const ScoresModel& g) {
  const float right = end_of_scales(p, g, foot_folded(p.rect, f.theme));
  return right - p.x - draw::text_width(p.fonts.mono_small, g.other_scale_text) - 10 * p.s >= 12 * p.s;
}

void draw_scores_head(const UiFrame& f, Panel& p, const ScoresModel& g) {
  const float s = p.s;
  float right = p.x + p.width;
  if (f.views.page<WalkPage>()->heads) right = draw_head_choice(f, p, *f.views.page<WalkPage>()->heads) - 12 * s;
  const float gap = 12 * s, line = p.fonts.tiny.size + 4 * s;
  float legend = -gap;
  for (const char* name : legend_of(f)) legend += draw::text_width(p.fonts.tiny, name) + 15 * s + gap;
  const bool below = legend_below(p.rect, f.theme);
  if (has_legend(p.rect, f.theme))
    draw_legend(f, p, g.gone, below ? p.x : right - legend, below ? p.y + line : p.y, gap);
  if (!below) right -= legend + 16 * s;
  std::size_t title = 0;
  while (title + 1 < g.titles.size() && draw::caption_width(f.theme, g.titles[title]) > right - p.x) ++title;
  const float wide = draw::caption(p.list, f.theme, p.x, p.y, g.titles[title], right - p.x);
  explain(f, "scores title", {p.x, p.y, p.x + wide, p.y + line}, g.titles.front());
  f.ui.rects.put("title", {p.x, p.y, p.x + wide, p.y + line});
  note_label(f, -1, -1, "title", {p.x, p.y, p.x + wide, p.y + line});
}

void draw_scores_foot(const UiFrame& f, Panel& p, const ScoresModel& g) {
  const float s = p.s, high = std::max(18 * s, p.fonts.tiny.size + 2);
  const float low = p.rect.y1 - 9 * s - high, above = low - 24 * p.e;
  const bool folded = foot_folded(p.rect, f.theme);
  const bool film = !shows_controls(f);
  float right = film ? p.x + p.width : draw_zoom(f, p, p.x + p.width, low, high);
  const float top = folded ? above : low;
  if (folded) right = p.x + p.width;
  if (!film) right = draw_cell_choice(f, p, g, right, top, high);
  const CellWords words = cell_words(f, g);
  const float formula = draw::line_width(p.fonts.tiny, p.fonts.tiny, words.formula), middle = top + high / 2;
  if (!words.formula.empty() && right - formula >= p.x) {
    const draw::Rect r{right - formula, top, right, top + high};
    draw::paragraph(p.list, p.fonts.tiny, p.fonts.tiny, r.x0, middle - p.fonts.tiny.size / 2, 2 * p.width,
                    p.colours.text, words.formula);
    f.ui.rects.put("formula", r);
    f.ui.rects.put("formula " + words.formula, r);
    explain(f, "what cells show", r, g.formula);
    right = r.x0 - 14 * s;
  }
  draw_mask_rule(f, p, draw_scales(f, p, g, words.range, middle, right), right, middle);
}

}  // namespace tilewalk
