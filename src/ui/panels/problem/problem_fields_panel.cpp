// The fields of a problem: typed ones as boxes, choices as rows of tags, the mask as pictures.
#include <algorithm>

#include "base/words.h"
#include "ui/panels/problem/tab_stops.h"

namespace tilewalk {
namespace {

struct FieldPen {  // draws down one column
  const UiFrame& f;
  TabStops& stops;
  float x, y, width;
  float s = f.theme.s, label = 118 * s;
  const Palette& c = f.theme.colours;

  float left() const { return x + label; }
  float room() const { return width - label; }
};

// Its tooltip describes the field and the words in it.
void draw_label(FieldPen& p, std::string_view text, std::string_view hint, bool bad, bool changed) {
  const Font& font = changed ? p.f.theme.fonts.strong : p.f.theme.fonts.body;
  const float room = p.label - 6 * p.s;
  draw::text(ImGui::GetWindowDrawList(), font, p.x, p.y + 6 * p.s, bad ? p.c.bad : p.c.text,
             draw::elided(font, text, room));
  const draw::Rect r{p.x, p.y + 2 * p.s, p.x + std::min(room, draw::text_width(font, text)), p.y + 24 * p.s};
  if (!hit(p.f, "label " + std::string(text), r).hovered) return;
  tooltip(p.f, with_meanings(capitalized(std::string(hint)), text));
}

void draw_text_box(FieldPen& p, const char* field, std::string text, bool bad, bool changed, std::string_view hint,
                   const std::function<void(const std::string&)>& typed) {
  ImGui::SetCursorScreenPos(ImVec2(p.left(), p.y));
  ImGui::SetNextItemWidth(p.room());
  ImGui::PushID(field);
  if (bad || changed) ImGui::PushStyleColor(ImGuiCol_Border, bad ? p.c.bad : p.c.accent);
  p.stops.before_text("##field");
  if (input_text("##field", text)) typed(text);
  p.stops.text_done();
  if (ImGui::IsItemDeactivated() && enter_pressed()) p.f.push(ApplyEdit{});
  if (bad || changed) ImGui::PopStyleColor();
  if (ImGui::IsItemHovered() && !bad) tooltip(p.f, hint);  // it would cover the issue
  ImGui::PopID();
  p.y += 33 * p.s;
}

// Arrows and Enter of the focused row of choices; pushes a changed choice.
template <class Choices>
void choose_by_key(const FieldPen& p, const char* field, const Choices& choices, bool at_hand) {
  if (!at_hand || choices.empty()) return;
  if (enter_pressed()) return p.f.push(ApplyEdit{});
  const int by = int(key_pressed(Key::Right) || key_pressed(Key::Space)) - int(key_pressed(Key::Left));
  if (by == 0) return;
  const auto now = std::find_if(choices.begin(), choices.end(), [](const auto& choice) { return choice.chosen; });
  const int count = int(choices.size()), from = now == choices.end() ? 0 : int(now - choices.begin());
  p.f.push(EditField{field, choices[std::size_t((from + by + count) % count)].text});
}

void draw_choices(FieldPen& p, const ProblemField& field) {
  const float high = 24 * p.s, top = p.y;
  const Font& font = p.f.theme.fonts.body;
  float at = p.left();
  for (const FieldChoice& choice : field.choices) {
    const float w = draw::text_width(font, choice.label) + 16 * p.s;
    if (at > p.left() && at + w > p.x + p.width) at = p.left(), p.y += high + 4 * p.s;
    const bool clicked = tag(p.f, {.id = std::string(field.field->name) + " " + choice.text,
                                   .rect = {at, p.y, at + w, p.y + high},
                                   .label = choice.label,
                                   .tip = field.field->hint,
                                   .font = font,
                                   .ink = choice.chosen ? p.c.text : p.c.button_text,
                                   .fill = choice.chosen ? p.c.tab : p.c.button,
                                   .hovered = choice.chosen ? p.c.tab : p.c.button_hover,
                                   .border = choice.chosen ? p.c.accent : p.c.border,
                                   .rounding = 5 * p.s});
    if (clicked) p.f.push(EditField{field.field->name, choice.text});
    at += w + 5 * p.s;
  }
  p.y += high;
  choose_by_key(p, field.field->name, field.choices, p.stops.at({p.left(), top, p.x + p.width, p.y}));
  p.y += 9 * p.s;
}

void draw_mask(FieldPen& p, const MaskEditor& mask, const ProblemField& field) {
  const float count = float(mask.choices.size()), gap = 6 * p.s, w = (p.width - (count - 1) * gap) / count,
              high = 88 * p.s;
  p.y += 28 * p.s;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const draw::Rect all{p.x, p.y, p.x + p.width, p.y + high};
  for (std::size_t i = 0; i < mask.choices.size(); ++i) {
    const MaskChoice& choice = mask.choices[i];
    const draw::Rect r{p.x + float(i) * (w + gap), p.y, p.x + float(i) * (w + gap) + w, p.y + high};
    const Hit h = hit(p.f, "mask " + choice.label, r);
    draw::box(list, r,
              choice.chosen ? p.c.tab
              : h.hovered   ? p.c.button_hover
                            : p.c.button,
              5 * p.s, choice.chosen ? p.c.accent : p.c.border);
    draw_grid_picture(list, p.f.theme, choice.picture,
                      {r.x0 + 6 * p.s, r.y0 + 6 * p.s, r.x1 - 6 * p.s, r.y1 - 40 * p.s});
    const Font& font = p.f.theme.fonts.tiny;
    draw::paragraph(list, font, font, r.x0 + 6 * p.s, r.y1 - 36 * p.s, w - 10 * p.s, p.c.text, choice.label);
    if (h.hovered) tooltip(p.f, choice.label + ". Filled: seen by the query of that row; empty: hidden");
    if (h.clicked) p.f.push(EditField{"mask", choice.text});
  }
  p.y += high;
  choose_by_key(p, "mask", mask.choices, p.stops.at(all));
  p.y += 9 * p.s;
  if (!mask.windowed) return;
  const bool bad = !field.issues.empty();
  const char *left = "how many keys before its own a query sees", *right = "how many keys after its own a query sees";
  draw_label(p, "Keys to the left", left, bad, field.changed);
  draw_text_box(p, "left", mask.left, bad, field.changed, left, [&](const std::string& text) {
    p.f.push(EditField{"mask", mask.with(text, mask.right)});
  });
  draw_label(p, "Keys to the right", right, bad, field.changed);
  draw_text_box(p, "right", mask.right, bad, field.changed, right, [&](const std::string& text) {
    p.f.push(EditField{"mask", mask.with(mask.left, text)});
  });
}

// Common tile sizes, below Bc: a click or Space sets both.
void draw_tile_choices(FieldPen& p, const std::vector<TileChoice>& choices) {
  const float high = 22 * p.s;
  const Font& font = p.f.theme.fonts.tiny;
  float at = p.left();
  for (const TileChoice& choice : choices) {
    const float w = std::min(draw::text_width(font, choice.label) + 14 * p.s, p.room());
    if (at > p.left() && at + w > p.x + p.width) at = p.left(), p.y += high + 4 * p.s;
    const draw::Rect r{at, p.y - 4 * p.s, at + w, p.y - 4 * p.s + high};
    const std::string label = draw::elided(font, choice.label, w - 8 * p.s);
    const bool clicked = tag(p.f, {.id = choice.label,
                                   .rect = r,
                                   .label = label,
                                   .tip = choice.tip,
                                   .font = font,
                                   .ink = p.c.button_text,
                                   .fill = choice.chosen ? p.c.tab : p.c.button,
                                   .hovered = choice.chosen ? p.c.tab : p.c.button_hover,
                                   .border = p.c.border,
                                   .rounding = 5 * p.s});
    const bool by_key = p.stops.at(r) && (enter_pressed() || key_pressed(Key::Space));
    if (clicked || by_key) {
      p.f.push(EditField{"br", choice.br});
      p.f.push(EditField{"bc", choice.bc});
    }
    at += w + 5 * p.s;
  }
  if (!choices.empty()) p.y += high + 9 * p.s;
}

// The switch that couples the key length to the query length.
void draw_link(FieldPen& p) {
  bool& linked = p.f.ui.lengths_linked;
  const std::string_view label = linked ? "linked: the key length follows" : "not linked: lengths differ freely";
  const float w = draw::text_width(p.f.theme.fonts.tiny, label) + 16 * p.s;
  const draw::Rect r{p.left(), p.y - 4 * p.s, p.left() + w, p.y + 18 * p.s};
  const bool clicked = tag(p.f, {.id = "link lengths",
                                 .rect = r,
                                 .label = label,
                                 .tip = "Self-attention has as many keys as queries. A decode step has more keys",
                                 .font = p.f.theme.fonts.tiny,
                                 .ink = p.c.button_text,
                                 .fill = linked ? p.c.tab : p.c.button,
                                 .hovered = p.c.button_hover,
                                 .border = linked ? p.c.accent : p.c.border,
                                 .rounding = 5 * p.s});
  const bool by_key = p.stops.at(r) && (enter_pressed() || key_pressed(Key::Space));
  if (clicked || by_key) linked = !linked;
  p.y += 27 * p.s;
}

void draw_field(FieldPen& p, const ProblemField& field, const ProblemModel& m) {
  const std::string_view name = field.field->name;
  const bool bad = !field.issues.empty();
  draw_label(p, field.field->label, field.field->hint, bad, field.changed);
  if (name == "mask")
    draw_mask(p, m.mask, field);
  else if (!field.choices.empty())
    draw_choices(p, field);
  else
    draw_text_box(p, field.field->name, field.text, bad, field.changed, field.field->hint,
                  [&](const std::string& text) {
                    const bool both = name == "n-q" && p.f.ui.lengths_linked;
                    if (name == "n-kv") p.f.ui.lengths_linked = false;
                    p.f.push(EditField{both ? kBothLengths : field.field->name, text});
                  });
  for (const std::string& issue : field.issues)
    p.y += draw::paragraph(ImGui::GetWindowDrawList(), p.f.theme.fonts.tiny, p.f.theme.fonts.tiny, p.left(),
                           p.y - 4 * p.s, p.room(), p.c.bad, issue);
  if (name == "n-q") draw_link(p);
  if (name == "bc") draw_tile_choices(p, m.tiles);
}

// Divides the groups so that both columns have about the same height.
bool at_the_left(FieldGroup group) {
  return group == FieldGroup::Schedule || group == FieldGroup::Shape || group == FieldGroup::Fault;
}

}  // namespace

float draw_problem_fields(const UiFrame& f, TabStops& stops, const ProblemModel& m, float width) {
  const ImVec2 top = ImGui::GetCursorScreenPos();
  const float s = f.theme.s, gap = 30 * s, column = (width - gap) / 2;
  if (f.session.view().dialog() != f.ui.dialog_before)
    f.ui.lengths_linked = f.session.problem().shape.n_q == f.session.problem().shape.n_kv;
  FieldPen left{f, stops, top.x + 4 * s, top.y, column - 4 * s},
      right{f, stops, top.x + column + gap, top.y, column - 4 * s};
  for (const FieldsOfGroup& group : m.groups) {
    FieldPen& pen = at_the_left(group.group) ? left : right;
    caption(f, "group " + group.title, pen.x, pen.y, group.title);
    pen.y += 22 * s;
    for (const ProblemField& field : group.fields) draw_field(pen, field, m);
    pen.y += 8 * s;
  }
  ImGui::SetCursorScreenPos(ImVec2(top.x, std::max(left.y, right.y)));
  return std::max(left.y, right.y);
}

}  // namespace tilewalk
