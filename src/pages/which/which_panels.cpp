// The panels of the page of which attention runs, and where they lie.
#include <algorithm>
#include <cmath>

#include "pages/which/which_page.h"
#include "ui/panels/panel_table.h"

namespace tilewalk {

// Each is defined in the file of its name.
void draw_which_call_panel(const UiFrame&, Panel&);
void draw_which_answer_panel(const UiFrame&, Panel&);
void draw_which_cards_panel(const UiFrame&, Panel&);
void draw_which_so_panel(const UiFrame&, Panel&);
void draw_which_names_panel(const UiFrame&, Panel&);
void draw_which_profile_panel(const UiFrame&, Panel&);
void draw_which_name_panel(const UiFrame&, Panel&);

namespace {

struct WhichLayout {
  draw::Rect call, answer, cards, so, names;
  draw::Rect profile, profile_name;  // instead of all but the call while a profile is open
};

// At the left the fields of the call, and names of kernels below them. Right of them the answer is at the top; the
// checks of the backends and their times are below it. Advice is beside the answer where there is space, else last;
// where there is none, the answer says so.
WhichLayout which_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float width = scale.width, gap = scale.gap;
  const float call =
      std::round(std::clamp(share(340 * scale.ui, scale.grow, width * 0.34f), width * 0.16f, width * 0.42f));
  const bool beside = width >= 1300 * scale.s && scale.height >= 700 * scale.s;
  const float tests = edge + call + gap, rest = end - tests, side = std::round(tests + rest * 0.63f);
  const float wanted =
      beside ? std::max(208 * scale.ui, 0.26f * (bottom - top)) : (scale.grow > 1.2f ? 196 : 168) * scale.ui;
  const float answer = std::round(share(wanted, scale.grow, scale.height * 0.32f)), below = top + answer + gap;
  constexpr float kNamesHigh = 200;
  const float high = bottom - below, chart = 424 * scale.e;  // chart: the times of all backends, with their axis
  const float cut = beside ? bottom : std::round(below + std::clamp(chart, high * 0.56f, high * 0.79f)),
              names = std::round(bottom - std::max((bottom - top) * 0.3f, kNamesHigh * scale.ui));
  WhichLayout out;
  out.call = {edge, top, edge + call, names - gap};
  out.names = {edge, names, edge + call, bottom};
  out.answer = {tests, top, beside ? side : end, top + answer};
  out.cards = {tests, below, end, cut};
  out.so = beside ? draw::Rect{side + gap, top, end, top + answer} : draw::Rect{tests, cut + gap, end, bottom};
  out.profile = {tests, top, end, bottom};
  out.profile_name = out.names;
  return out;
}

bool has_profile(const Views& views) {
  const WhichPage* const page = views.page<WhichPage>();
  return page && !page->names.file.empty();
}
bool is_of_call(const Views& views) { return !has_profile(views); }
bool has_fields(const Views& views) {
  const WhichPage* const page = views.page<WhichPage>();
  return page && page->model;
}
bool has_call(const Views& views) { return has_fields(views) && is_of_call(views); }
bool has_advice(const Views& views) { return has_call(views) && !advice_is_in_answer(*views.page<WhichPage>()); }

}  // namespace

std::vector<PanelRow> which_panels() {
  return {{.id = "which-call",
           .place = placed<which_layout, &WhichLayout::call>,
           .draw = draw_which_call_panel,
           .shown = has_fields,
           .stacked = 560,
           .fits = true},
          {.id = "which-answer",
           .place = placed<which_layout, &WhichLayout::answer>,
           .draw = draw_which_answer_panel,
           .shown = has_call,
           .stacked = 200,
           .leads = true,
           .for_room = headline_of_room},
          {.id = "which-cards",
           .place = placed<which_layout, &WhichLayout::cards>,
           .draw = draw_which_cards_panel,
           .shown = is_of_call,
           .stacked = 470,
           .fits = true,
           .for_room = below_headline_of_room},
          {.id = "which-so",
           .place = placed<which_layout, &WhichLayout::so>,
           .draw = draw_which_so_panel,
           .shown = has_advice,
           .stacked = 200,
           .fits = true,
           .lends = true},
          {.id = "which-names",
           .place = placed<which_layout, &WhichLayout::names>,
           .draw = draw_which_names_panel,
           .shown = is_of_call,
           .stacked = 330,
           .fits = true},
          {.id = "which-profile",
           .place = placed<which_layout, &WhichLayout::profile>,
           .draw = draw_which_profile_panel,
           .shown = has_profile,
           .stacked = 520,
           .fits = true,
           .leads = true,
           .covers = true,
           .for_room = whole_room},
          {.id = "which-name",
           .place = placed<which_layout, &WhichLayout::profile_name>,
           .draw = draw_which_name_panel,
           .shown = has_profile,
           .stacked = 330,
           .fits = true,
           .covers = true}};
}

}  // namespace tilewalk
