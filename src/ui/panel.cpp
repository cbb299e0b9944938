#include "ui/panel.h"

#include <algorithm>

#include "ui/imgui_compat.h"
#include "ui/widgets.h"

namespace tilewalk {
namespace {

// Before scaling: the lower margin of a panel, and the gap after its last line. Contents that need no more than these
// besides their room do not scroll.
constexpr float kLeastOverflow = 16;

}  // namespace

Panel::Panel(const char* id, const draw::Rect& r, const UiFrame& f, Scroll scroll, bool in_page)
    : theme(f.theme),
      colours(theme.colours),
      fonts(theme.fonts),
      s(theme.s),
      e(theme.e),
      rect(r),
      frame_(f),
      in_page_(in_page) {
  const ImVec2 size(std::max(1.0f, r.width()), std::max(1.0f, r.height()));
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                           ImGuiWindowFlags_NoBringToFrontOnFocus;
  const bool nobody_scrolls = is_post_layout(f.layout);  // a film
  if (scroll == Scroll::Never || nobody_scrolls)
    flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  if (scroll == Scroll::ByBar) flags |= ImGuiWindowFlags_NoScrollWithMouse;
  if (in_page) {
    ImGui::SetCursorScreenPos(r.min());
    begin_panel_in_page(id, size, flags);
  } else {
    ImGui::SetNextWindowPos(r.min());
    ImGui::SetNextWindowSize(size);
    ImGui::Begin(id, nullptr, flags);
  }
  f.ui.rects.put("panel", r);
  list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  x = at.x;
  y = at.y;
  width = ImGui::GetContentRegionAvail().x;
}

Panel::~Panel() {
  ImGui::SetCursorScreenPos(ImVec2(x, y));
  ImGui::Dummy(ImVec2(1, 1));
  drop_small_overflow(kLeastOverflow * s);
  in_page_ ? ImGui::EndChild() : ImGui::End();
}

void Panel::caption(std::string_view text, float taken) {
  caption_at(x, y, text, taken > 0 ? width - taken - 6 * s : width);
  y += 24 * s;
}

float Panel::caption_at(float at_x, float at_y, std::string_view text, float most) {
  return tilewalk::caption(frame_, "caption " + std::to_string(captions_++), at_x, at_y, text, most);
}

}  // namespace tilewalk
