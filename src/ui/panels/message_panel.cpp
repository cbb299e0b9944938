// Messages that are no line of the transport: on pages without one, and errors that are longer than its line. A message
// is at the lower edge; that about a dropped file is where the file was dropped. session/document/message_line.h
// defines how long it stays. Without a message: the keys of keyboard navigation while that is on.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

// Breaks words that are wider than a line, as paths may be.
std::string with_short_words(const Font& font, std::string_view text, float width) {
  std::string out;
  float used = 0;
  for (const char c : text) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // a character of UTF-8
    if (c == ' ' || c == '\n') used = 0;
    const float wide = begins && c != '\n' ? draw::text_width(font, std::string_view(&c, 1)) : 0;
    if (used + wide > width) out += '\n', used = 0;
    used += c == ' ' ? 0 : wide;
    out += c;
  }
  return out;
}

// Where the file was dropped that the message is about.
std::optional<ImVec2> drop_place(const UiFrame& f, const Message& message) {
  const DropPlace& drop = f.ui.dropped;
  if (!message.error || message.serial != drop.message) return std::nullopt;
  return ImVec2(drop.x, drop.y);
}

ImVec2 corner_of(const UiFrame& f, const Message& message, const ImVec2& size) {
  const float s = f.theme.s, edge = 8 * s;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImVec2 at((screen.x - size.x) / 2, screen.y - size.y - 24 * s);
  if (const std::optional<ImVec2> drop = drop_place(f, message))
    at = {drop->x - size.x / 2, drop->y - size.y / 2};
  else if (f.session.page() == Page::Walk)
    at.y = f.layout.transport.y0 - size.y - 8 * s;
  return {std::floor(std::clamp(at.x, edge, std::max(edge, screen.x - size.x - edge))),
          std::floor(std::clamp(at.y, edge, std::max(edge, screen.y - size.y - edge)))};
}

}  // namespace

void draw_message_panel(const UiFrame& f) {
  if (f.session.view().dialog() != Dialog::None) return;
  const bool walk = f.session.page() == Page::Walk && !f.session.shows_animation();  // with its transport
  std::optional<Message> message = f.session.message();
  if (walk && message && fits_transport(f, *message) && !drop_place(f, *message)) return;
  if (!message && f.ui.navigating && !walk) message = Message{kNavigationHint};
  if (!message) return;
  const float s = f.theme.s, pad = 14 * s, high = 10 * s;
  const Fonts& fonts = f.theme.fonts;
  const Palette& c = f.theme.colours;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float most = std::max(40 * s, std::min(720 * s, screen.x - 48 * s) - 2 * pad);
  const std::string text = with_short_words(fonts.body, message->text, most);
  const float width = std::min(most, draw::widest_line(fonts.body, text) + 2);
  const float height = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, width, 0, text);
  const ImVec2 size(width + 2 * pad, height + 2 * high), corner = corner_of(f, *message, size);
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRectFullScreen();
  const draw::Rect box{corner.x, corner.y, corner.x + size.x, corner.y + size.y};
  f.ui.rects.within("message");
  f.ui.rects.put("box", box);
  f.ui.rects.put("text", {corner.x + pad, corner.y + high, corner.x + pad + width, corner.y + high + height});
  const ImU32 ink = message->error ? c.bad : message->no_op ? c.muted : c.text;
  draw::box(list, box, message->error ? c.bad_fill : c.tab, 8 * s,
            message->error   ? c.bad
            : message->no_op ? c.border
                             : c.accent,
            std::max(1.0f, s));
  draw::paragraph(list, fonts.body, fonts.tiny, corner.x + pad, corner.y + high, width, ink, text);
  list->PopClipRect();
  ImGui::End();
}

}  // namespace tilewalk
