#include "ui/panels/sheet.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kRing = 4;   // pixels
constexpr float kFoot = 18;  // below the contents, before scaling

}  // namespace

Sheet::Sheet(const UiFrame& frame, const char* title, float width, float most_height) : f(frame) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float s = f.theme.s;
  // Everything behind is dimmed, and a click there closes the sheet.
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, f.theme.colours.dark ? IM_COL32(0, 0, 0, 150) : IM_COL32(30, 36, 50, 100));
  if (f.session.view().dialog() != f.ui.dialog_before) ImGui::SetNextWindowFocus();
  ImGui::Begin("shade", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoNav);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) f.push(Action::CloseDialog);
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
  most_ = std::min(most_height * s, screen.y - 24);
  const auto needed = f.ui.sheet_heights.find(f.session.view().dialog());
  const ImVec2 size(std::min(width * s, screen.x - 24),
                    needed == f.ui.sheet_heights.end() ? most_ : std::min(needed->second, most_));
  ImGui::SetNextWindowPos(ImVec2(std::floor((screen.x - size.x) / 2), std::floor((screen.y - size.y) / 2)));
  ImGui::SetNextWindowSize(size);
  if (f.session.view().dialog() != f.ui.dialog_before) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(22 * s, 18 * s));
  ImGui::Begin("sheet", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                   ImGuiWindowFlags_NoScrollWithMouse);
  push_font(f.theme.fonts.title);
  ImGui::TextUnformatted(title);
  pop_font();
  const float close = 26 * s;
  const ImVec2 corner(ImGui::GetWindowPos().x + size.x - 22 * s - close, ImGui::GetWindowPos().y + 16 * s);
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  const draw::Rect r{corner.x, corner.y, corner.x + close, corner.y + close};
  const Hit h = hit(f, "close", r);
  draw::box(ImGui::GetWindowDrawList(), r, h.hovered ? f.theme.colours.button_hover : f.theme.colours.button, 5 * s);
  draw::sign(ImGui::GetWindowDrawList(), draw::Sign::Cross, r, f.theme.colours.text, 0.8f * s);
  if (h.clicked) f.push(Action::CloseDialog);
  // The title does not scroll, the contents do. Leaves space for a ring around the first item.
  head_ = cursor.y + 4 * s - ImGui::GetWindowPos().y;
  ImGui::SetCursorScreenPos(ImVec2(cursor.x - kRing, cursor.y + 4 * s));
  ImGui::PopStyleVar();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(kRing, 4 * s));
  ImGui::BeginChild("body", ImVec2(ImGui::GetContentRegionAvail().x + kRing, size.y - head_ - kFoot * s), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
}

void Sheet::start_at_item() const {
  if (appeared()) focus_item();
}

float Sheet::room_below() const {
  return std::max(80 * f.theme.s, most_ - head_ - ImGui::GetCursorPosY() - (kFoot + 8) * f.theme.s);
}

Sheet::~Sheet() {
  const float body = ImGui::GetCursorPosY();
  ImGui::EndChild();
  f.ui.sheet_heights[f.session.view().dialog()] = std::ceil(head_ + body + kFoot * f.theme.s);
  ImGui::End();
}

void words(const UiFrame& f, std::string_view text, ImU32 colour) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float high = draw::paragraph(ImGui::GetWindowDrawList(), f.theme.fonts.body, f.theme.fonts.tiny, at.x, at.y,
                                     width, colour, text);
  ImGui::Dummy(ImVec2(width, high));
}

void error_words(const UiFrame& f) {
  if (f.session.message() && f.session.message()->error) words(f, f.session.message()->text, f.theme.colours.bad);
}

void sheet_caption(const UiFrame& f, std::string_view text, float above) {
  const float s = f.theme.s;
  ImGui::Dummy(ImVec2(1, above * s));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw::caption(ImGui::GetWindowDrawList(), f.theme, at.x, at.y, text, ImGui::GetContentRegionAvail().x);
  ImGui::Dummy(ImVec2(1, 20 * s));
}

bool sheet_button(const UiFrame& f, const char* label, bool strong, bool enabled) {
  const float s = f.theme.s, w = button_width(f.theme, label, 34);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const draw::Rect r{at.x, at.y, at.x + w, at.y + 32 * s};
  return button(f, {.id = label, .rect = r, .label = label, .strong = strong, .enabled = enabled});
}

}  // namespace tilewalk
