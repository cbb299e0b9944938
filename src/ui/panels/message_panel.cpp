// The message line of the pages without a timeline; session/document/message_line.h defines how long it stays. Without
// a message: the keys of keyboard navigation while that is on.
#include <algorithm>
#include <cmath>

#include "ui/panels/panels.h"

namespace tilewalk {

void draw_message_panel(const UiFrame& f) {
  if (f.session.page() == Page::Walk || f.session.view().dialog() != Dialog::None) return;
  std::optional<Message> message = f.session.message();
  if (!message && f.ui.navigating) message = Message{kNavigationHint};
  if (!message) return;
  const float s = f.theme.s, pad = 14 * s, high = 10 * s;
  const Fonts& fonts = f.theme.fonts;
  const Palette& c = f.theme.colours;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float most = std::max(40 * s, std::min(720 * s, screen.x - 48 * s) - 2 * pad);
  const float width = std::min(most, draw::text_width(fonts.body, message->text) + 2);
  const float height = draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, width, 0, message->text);
  const ImVec2 size(width + 2 * pad, height + 2 * high);
  const ImVec2 corner(std::floor((screen.x - size.x) / 2), std::floor(screen.y - size.y - 24 * s));
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("message", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRectFullScreen();
  draw::box(list, {corner.x, corner.y, corner.x + size.x, corner.y + size.y}, message->error ? c.bad_fill : c.tab,
            8 * s, message->error ? c.bad : c.accent, std::max(1.0f, s));
  draw::paragraph(list, fonts.body, fonts.tiny, corner.x + pad, corner.y + high, width, message->error ? c.bad : c.text,
                  message->text);
  list->PopClipRect();
  ImGui::End();
}

}  // namespace tilewalk
