#include <cmath>

#include "ui/panels/present/present_parts.h"

namespace tilewalk {

void draw_spotlight(const PresentPen& p) {
  const ImGuiIO& io = ImGui::GetIO();
  constexpr int kSides = 72;
  const float inner = io.DisplaySize.y * 0.16f, outer = io.DisplaySize.x + io.DisplaySize.y;
  const ImU32 shade = p.c.dark ? IM_COL32(0, 0, 0, 190) : IM_COL32(10, 14, 24, 175);
  const ImDrawListFlags flags = p.list->Flags;
  p.list->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // otherwise seams between the pieces are visible
  const auto on = [&](int side, float radius) {
    const float turn = 6.2831853f * float(side) / float(kSides);
    return ImVec2(io.MousePos.x + radius * std::cos(turn), io.MousePos.y + radius * std::sin(turn));
  };
  for (int i = 0; i < kSides; ++i)
    p.list->AddQuadFilled(on(i, inner), on(i + 1, inner), on(i + 1, outer), on(i, outer), shade);
  p.list->Flags = flags;
  p.list->AddCircle(io.MousePos, inner, p.c.accent, kSides, 2 * p.s);
}

}  // namespace tilewalk
