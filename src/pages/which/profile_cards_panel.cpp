// The calls that a profile implies, as cards beside and below one another.
#include <algorithm>

#include "pages/which/which_page.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

constexpr float kCardPad = 12, kCardGap = 10, kLeastWide = 300;  // design pixels

struct CardInk {
  ImU32 border, verdict;
};

CardInk ink_of(const Palette& c, const ProfileCard& card) {
  if (!card.agrees) return {c.border, c.muted};
  return *card.agrees ? CardInk{c.good, c.text} : CardInk{c.warn, c.warn};
}

std::string facts_text(const ProfileCard& card) {
  std::string out;
  for (const std::string& each : card.facts) out += (out.empty() ? "" : " · ") + each;
  return out.empty() ? "Its name says nothing about the call." : out;
}

// With a null list it only measures. Returns the height.
float draw_profile_card(const UiFrame& f, Panel& p, const ProfileCard& card, std::size_t number, float x, float y,
                        float wide, float high, bool draws) {
  const float s = p.s, left = x + kCardPad * s, room = wide - 2 * kCardPad * s;
  ImDrawList* const list = draws ? p.list : nullptr;
  const CardInk ink = ink_of(p.colours, card);
  if (draws) draw::box(p.list, {x, y, x + wide, y + high}, p.colours.raised, 7 * s, ink.border);
  float at = y + kCardPad * s;
  const auto write = [&](const Font& font, float from, ImU32 colour, std::string_view text) {
    const float tall = draw::paragraph(list, font, p.fonts.tiny, from, at, left + room - from, colour, text);
    at += tall;
  };
  const float figure = draw::text_width(p.fonts.figure, card.figure) + 12 * s, top = at;
  const bool beside = figure + 130 * s <= room;
  if (draws) draw::text(p.list, p.fonts.figure, left, at, p.colours.accent, card.figure);
  if (!beside) at += p.fonts.figure.size;
  const float from = beside ? left + figure : left;
  write(p.fonts.strong, from, p.colours.text, card.title);
  write(p.fonts.body, from, p.colours.muted, card.words);
  at = std::max(at, top + p.fonts.figure.size) + 4 * s;
  write(p.fonts.mono_small, left, p.colours.text, facts_text(card));
  at += 4 * s;
  if (!card.verdict.empty()) write(p.fonts.body, left, ink.verdict, card.verdict);
  at += 6 * s;
  const std::string label = card.take.empty() ? "This is the call" : "Make it the call";
  const float button_wide = draw::text_width(p.fonts.strong, label) + 24 * s;
  if (draws && button(f, {.id = "card " + std::to_string(number + 1),
                          .rect = {left, at, left + button_wide, at + 28 * s},
                          .label = label,
                          .tip = "Sets the window's call to what the kernel's name says; lengths, heads and mask stay",
                          .enabled = !card.take.empty()}))
    for (const Command& command : card.take) f.push(command);
  return at + 28 * s + kCardPad * s - y;
}

}  // namespace

void draw_profile_cards(const UiFrame& f, Panel& p, const std::vector<ProfileCard>& cards) {
  if (cards.empty()) return;
  const float s = p.s, gap = kCardGap * s;
  const int columns = std::clamp(int((p.width + gap) / (kLeastWide * s + gap)), 1, int(cards.size()));
  const float wide = (p.width - gap * float(columns - 1)) / float(columns);
  p.caption("The calls in it");
  for (std::size_t first = 0; first < cards.size(); first += std::size_t(columns)) {
    const std::size_t end = std::min(cards.size(), first + std::size_t(columns));
    float high = 0;
    for (std::size_t i = first; i < end; ++i)
      high = std::max(high, draw_profile_card(f, p, cards[i], i, p.x, p.y, wide, 0, false));
    for (std::size_t i = first; i < end; ++i) {
      const float x = p.x + float(i - first) * (wide + gap);
      draw_profile_card(f, p, cards[i], i, x, p.y, wide, high, true);
      f.ui.rects.put("profile card " + std::to_string(i + 1), {x, p.y, x + wide, p.y + high});
    }
    p.y += high + gap;
  }
  p.y += 4 * s;
}

}  // namespace tilewalk
