#include "ui/plot.h"

#include <algorithm>
#include <cmath>

namespace tilewalk::plot {
namespace {

void dashes(ImDrawList* list, const ImVec2& a, const ImVec2& b, ImU32 colour, float thickness) {
  const float dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy), dash = 5 * thickness;
  if (length <= 0) return;
  for (float at = 0; at < length; at += 1.8f * dash) {
    const float end = std::min(at + dash, length);
    list->AddLine({a.x + dx * at / length, a.y + dy * at / length}, {a.x + dx * end / length, a.y + dy * end / length},
                  colour, thickness);
  }
}

}  // namespace

ImVec2 place(const draw::Rect& r, double x, double y) {
  return {r.x0 + float(x) * r.width(), r.y1 - float(y) * r.height()};
}

void mark(ImDrawList* list, Mark shape, const ImVec2& at, float radius, ImU32 colour, bool hollow, ImU32 inside,
          float thickness) {
  const float r = shape == Mark::Square ? radius * 0.88f : shape == Mark::Circle ? radius : radius * 1.2f;
  const ImU32 fill = hollow ? inside : colour;
  switch (shape) {
    case Mark::Square:
      list->AddRectFilled({at.x - r, at.y - r}, {at.x + r, at.y + r}, fill);
      list->AddRect({at.x - r, at.y - r}, {at.x + r, at.y + r}, colour, 0, 0, thickness);
      break;
    case Mark::Circle:
      list->AddCircleFilled(at, r, fill, 20);
      list->AddCircle(at, r, colour, 20, thickness);
      break;
    case Mark::Triangle: {
      const ImVec2 a{at.x, at.y - r}, b{at.x + r * 0.9f, at.y + r * 0.65f}, c{at.x - r * 0.9f, at.y + r * 0.65f};
      list->AddTriangleFilled(a, b, c, fill);
      list->AddTriangle(a, b, c, colour, thickness);
      break;
    }
    case Mark::Diamond: {
      const ImVec2 a{at.x, at.y - r}, b{at.x + r, at.y}, c{at.x, at.y + r}, d{at.x - r, at.y};
      list->AddQuadFilled(a, b, c, d, fill);
      list->AddQuad(a, b, c, d, colour, thickness);
      break;
    }
  }
}

void line(ImDrawList* list, const std::vector<ImVec2>& points, ImU32 colour, float thickness, bool dashed) {
  for (std::size_t i = 1; i < points.size(); ++i)
    if (dashed)
      dashes(list, points[i - 1], points[i], colour, thickness);
    else
      list->AddLine(points[i - 1], points[i], colour, thickness);
}

void bar(ImDrawList* list, const draw::Rect& r, ImU32 colour, bool hollow, float scale) {
  if (!hollow) return draw::box(list, r, colour, 3 * scale);
  draw::box(list, r, with_alpha(colour, 0.16f), 3 * scale);
  draw::hatch(list, r, with_alpha(colour, 0.55f), 8 * scale, 1.2f * scale);
  draw::box(list, r, 0, 3 * scale, colour, 1.5f * scale);
}

void upright(ImDrawList* list, float x, float y0, float y1, ImU32 colour, float thickness) {
  dashes(list, {x, y0}, {x, y1}, colour, thickness);
}

void level(ImDrawList* list, float y, float x0, float x1, ImU32 colour, float thickness) {
  dashes(list, {x0, y}, {x1, y}, colour, thickness);
}

}  // namespace tilewalk::plot
