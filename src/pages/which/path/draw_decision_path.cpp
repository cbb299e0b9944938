#include "pages/which/path/draw_decision_path.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pages/which/path/decision_path.h"
#include "ui/controls.h"

namespace tilewalk {
namespace {

struct PathUi {
  std::set<std::string> open;  // titles of the backends whose conditions are listed
};

struct PathPen {
  const UiFrame& f;
  Panel& p;
  float trunk, left;  // x of the trunk, x of the words
  float right() const { return p.x + p.width; }
};

// The path of the call leads along the trunk to the backend that PyTorch chooses.
bool ends_path(const WhichCard& card) {
  return card.verdict == WhichVerdict::Runs || card.verdict == WhichVerdict::Raises;
}

float node_radius(const Panel& p) { return 0.55f * p.fonts.body.size; }

// The place in PyTorch's order, in a disc that is full where the path ends and an outline elsewhere.
void draw_node(const PathPen& pen, const WhichCard& card, std::size_t number, float y) {
  const Palette& c = pen.p.colours;
  const Font& font = pen.p.fonts.tiny;
  const float r = node_radius(pen.p);
  const bool ends = ends_path(card);
  const ImU32 ink = verdict_ink(c, card.verdict);
  pen.p.list->AddCircleFilled({pen.trunk, y}, r, ends ? ink : c.panel);
  if (!ends) pen.p.list->AddCircle({pen.trunk, y}, r, ink, 0, 1.5f * pen.p.s);
  const std::string text = std::to_string(number + 1);
  draw::text(pen.p.list, font, pen.trunk - draw::text_width(font, text) / 2, y - font.size / 2, ends ? c.panel : ink,
             text);
  pen.f.ui.rects.put("node " + card.title, {pen.trunk - r, y - r, pen.trunk + r, y + r});
}

float radius_of(const PathStop& stop) { return stop.mark == WhichMark::Refused ? 8 : 4.5f; }

void draw_stop(const PathPen& pen, const PathStop& stop, float x, float y, ImU32 ink) {
  const Palette& c = pen.p.colours;
  const float s = pen.p.s, r = radius_of(stop) * s;
  ImDrawList* const list = pen.p.list;
  if (stop.mark == WhichMark::Passed) return list->AddCircleFilled({x, y}, r, ink);
  list->AddCircleFilled({x, y}, r, stop.mark == WhichMark::Refused ? c.warn : c.panel);
  if (stop.mark == WhichMark::NotReached) return list->AddCircle({x, y}, r, c.faint, 0, 1.2f * s);
  for (const float arm : {-0.4f * r, 0.4f * r})
    list->AddLine({x - 0.4f * r, y - arm}, {x + 0.4f * r, y + arm}, c.panel, 2 * s);
}

bool decides(const PathStop& stop) { return stop.mark == WhichMark::Refused; }

const Font& topic_font(const Panel& p, const PathStop& stop) { return decides(stop) ? p.fonts.strong : p.fonts.tiny; }

std::vector<StopPlace> places_of(const PathPen& pen, const WhichCard& card) {
  std::vector<float> widths;
  for (const PathStop& stop : card.stops) widths.push_back(draw::text_width(topic_font(pen.p, stop), stop.topic));
  return place_stops(widths, pen.right() - pen.left, 8 * pen.p.s, 72 * pen.p.s);
}

// The topics below the stops. Returns the number of their rows.
int draw_topics(const PathPen& pen, const WhichCard& card, const std::vector<StopPlace>& places, float top) {
  const Panel& p = pen.p;
  int rows = 1;
  for (std::size_t i = 0; i < card.stops.size(); ++i) {
    const PathStop& stop = card.stops[i];
    rows = std::max(rows, places[i].row + 1);
    const Font& font = topic_font(p, stop);
    const float wide = draw::text_width(font, stop.topic), x = pen.left + places[i].x - wide / 2,
                y = top + float(places[i].row) * draw::leading(p.fonts.tiny);
    draw::text(p.list, font, x, y + (p.fonts.strong.size - font.size) / 2,
               decides(stop)                        ? p.colours.warn
               : stop.mark == WhichMark::NotReached ? p.colours.faint
                                                    : p.colours.muted,
               stop.topic);
    const std::string kind = decides(stop) ? "topic of refusal " : "topic " + std::to_string(i) + " ";
    pen.f.ui.rects.put(kind + card.title, {x, y, x + wide, y + font.size});
  }
  return rows;
}

// The branch: a line from the trunk through the stops, thick where it is the path, hollow after a refusal. Returns its
// y.
float draw_branch(const PathPen& pen, const WhichCard& card) {
  Panel& p = pen.p;
  const float s = p.s, y = p.y + 9 * s;
  const bool ends = ends_path(card);
  const ImU32 ink = ends ? verdict_ink(p.colours, card.verdict) : p.colours.muted;
  const std::vector<StopPlace> places = places_of(pen, card);
  const auto x_of = [&](std::size_t i) { return pen.left + places[i].x; };
  const auto refused = std::find_if(card.stops.begin(), card.stops.end(), decides);
  const bool stopped = refused != card.stops.end();
  const std::size_t last = stopped ? std::size_t(refused - card.stops.begin()) : card.stops.size() - 1;
  const float line_end = x_of(last) + (stopped ? 0 : 20 * s);
  p.list->AddLine({pen.trunk, y}, {line_end, y}, ink, (ends ? 3 : 1.4f) * s);
  if (stopped && last + 1 < card.stops.size())
    p.list->AddLine({x_of(last), y}, {x_of(card.stops.size() - 1), y}, p.colours.border, 1.2f * s);
  if (ends) {  // the arrow
    const float tip = line_end + 9 * s, wing = 6 * s;
    p.list->AddTriangleFilled({line_end, y - wing}, {tip, y}, {line_end, y + wing}, ink);
  }
  for (std::size_t i = 0; i < card.stops.size(); ++i) {
    draw_stop(pen, card.stops[i], x_of(i), y, ink);
    const float half = 12 * s, r = radius_of(card.stops[i]) * s;
    const std::string kind = decides(card.stops[i]) ? "refusal " : "dot ";
    pen.f.ui.rects.put(kind + card.title, {x_of(i) - r, y - r, x_of(i) + r, y + r});
    const std::string id = "stop " + card.title + " " + std::to_string(i);
    if (pointed_at(pen.f, id, {x_of(i) - half, y - 9 * s, x_of(i) + half, y + 9 * s}))
      tooltip(pen.f, with_meanings(card.stops[i].tip, card.stops[i].topic));
  }
  p.y += 20 * s;
  p.y += float(draw_topics(pen, card, places, p.y)) * draw::leading(p.fonts.tiny) + 2 * s;
  return y;
}

void draw_condition(const PathPen& pen, const WhichCheck& check) {
  Panel& p = pen.p;
  const Palette& c = p.colours;
  const float s = p.s, sign = p.fonts.body.size, x = pen.left + sign + 8 * s;
  const bool passed = check.mark == WhichMark::Passed, refused = check.mark == WhichMark::Refused;
  draw::sign(p.list,
             passed    ? draw::Sign::Check
             : refused ? draw::Sign::Cross
                       : draw::Sign::Ring,
             {pen.left, p.y, pen.left + sign, p.y + sign + 2 * s}, refused ? c.warn : c.muted, s);
  p.y += draw::paragraph(p.list, p.fonts.body, p.fonts.tiny, x, p.y, pen.right() - x,
                         refused  ? c.warn
                         : passed ? c.text
                                  : c.muted,
                         check_text(check)) +
         2 * s;
}

// Its name, verdict and reason: on one line where they fit.
void draw_words(const PathPen& pen, const WhichCard& card, bool with_reasons, float end) {
  Panel& p = pen.p;
  const Palette& c = p.colours;
  const float s = p.s;
  const ImU32 ink = verdict_ink(c, card.verdict);
  const bool ends = ends_path(card);
  float x = pen.left;
  x += word(pen.f, p.fonts.strong, x, p.y, card.verdict == WhichVerdict::NotReached ? c.muted : c.text,
            draw::elided(p.fonts.strong, card.title, 0.5f * (end - pen.left))) +
       10 * s;
  const bool reasoned = with_reasons && !card.reason.empty();
  const Font& font = ends ? p.fonts.strong : p.fonts.body;
  const std::string verdict = card.verdict_words + (!reasoned                                  ? ""
                                                    : card.verdict == WhichVerdict::NotReached ? ". "
                                                                                               : ": ");
  draw::text(p.list, font, x, p.y, ink, verdict);
  x += draw::text_width(font, verdict);
  const float line = p.y, room = end - x;
  p.y += draw::leading(p.fonts.body);
  if (!reasoned) return;
  const ImU32 words = card.verdict == WhichVerdict::Refused ? c.warn : c.muted;
  const std::string whole = card.reason + (card.yours.empty() ? "" : "; " + card.yours);
  for (const std::string& text : {whole, card.reason})  // the stop's tooltip has the rest
    if (draw::text_width(p.fonts.body, text) <= room) return draw::text(p.list, p.fonts.body, x, line, words, text);
  const float wide = pen.right() - pen.left;
  const Font& font_below = draw::text_width(p.fonts.body, card.reason) <= wide ? p.fonts.body : p.fonts.tiny;
  p.y += draw::paragraph(p.list, font_below, p.fonts.tiny, pen.left, p.y, wide, words, card.reason);
}

struct Placed {  // y of a backend's node and of its branch, if it has one
  float node;
  std::optional<float> branch = {};
};

Placed draw_backend(const PathPen& pen, const WhichCard& card, std::size_t number, bool with_reasons) {
  Panel& p = pen.p;
  const float s = p.s, top = p.y, sign = p.fonts.body.size;
  PathUi& ui = pen.f.ui.of<PathUi>();
  const bool named = !card.stops.empty() && !card.stops.front().topic.empty();  // else the list replaces the branch
  const bool reached = card.verdict != WhichVerdict::NotReached, folds = shows_controls(pen.f) && named;
  draw_words(pen, card, with_reasons, folds ? pen.right() - sign - 10 * s : pen.right());
  const draw::Rect words{pen.left - 4 * s, top - 2 * s, pen.right(), p.y};
  const bool open = !named || ui.open.contains(card.title);
  if (folds) {
    draw::sign(p.list, open ? draw::Sign::Up : draw::Sign::Down,
               {pen.right() - sign, top, pen.right(), top + sign + 2 * s}, p.colours.muted, s);
    const Hit at = hit(pen.f, "conditions " + card.title, words);
    if (at.hovered) tooltip(pen.f, open ? "Hides its conditions" : "Lists its conditions, one below the other");
    if (at.clicked) open ? void(ui.open.erase(card.title)) : void(ui.open.insert(card.title));
  }
  p.y += 2 * s;
  Placed out{top + p.fonts.body.size / 2};
  if (reached && with_reasons && named) out.branch = draw_branch(pen, card);
  if (open && with_reasons)
    for (const WhichCheck& check : card.checks) draw_condition(pen, check);
  draw_node(pen, card, number, out.node);
  pen.f.ui.rects.put("card " + card.title, {p.x, top, pen.right(), p.y});
  p.y = std::max(p.y + 3 * s, top + 2 * node_radius(p) + 4.5f * s);  // so that the next disc is clear of this one
  return out;
}

}  // namespace

ImU32 verdict_ink(const Palette& c, WhichVerdict verdict) {
  switch (verdict) {
    case WhichVerdict::Runs: return c.accent;
    case WhichVerdict::Refused: return c.warn;
    case WhichVerdict::Raises: return c.bad;
    case WhichVerdict::NotReached: return c.muted;
  }
  return c.muted;
}

void draw_decision_path(const UiFrame& f, Panel& p, const WhichModel& m, bool with_reasons) {
  const float s = p.s, r = node_radius(p), trunk = p.x + r + s, left = trunk + r + 10 * s, top = p.y;
  const PathPen pen{f, p, trunk, left};
  p.y += r - p.fonts.body.size / 2 + 4.5f * s;  // the first disc begins above its words
  p.list->ChannelsSplit(2);                     // the trunk lies below the nodes, whose places are known after them
  p.list->ChannelsSetCurrent(1);
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < m.cards.size(); ++i) placed.push_back(draw_backend(pen, m.cards[i], i, with_reasons));
  p.list->ChannelsSetCurrent(0);
  const auto end = std::find_if(m.cards.begin(), m.cards.end(), ends_path);
  const ImU32 path = end == m.cards.end() ? p.colours.muted : verdict_ink(p.colours, end->verdict);
  const auto down = [&](float from, float to, bool on_path) {
    p.list->AddLine({trunk, from}, {trunk, to}, on_path ? path : p.colours.border, (on_path ? 3 : 1.4f) * s);
  };
  for (const bool on_path : {false, true})
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const auto card = m.cards.begin() + std::ptrdiff_t(i);
      const bool before = end != m.cards.end() && card < end;
      if (placed[i].branch && (before || card == end) == on_path) down(placed[i].node, *placed[i].branch, on_path);
      if (i + 1 < placed.size() && before == on_path) down(placed[i].node, placed[i + 1].node, on_path);
    }
  p.list->ChannelsMerge();
  f.ui.rects.put("decision path", {p.x, top, p.x + p.width, p.y});
}

}  // namespace tilewalk
