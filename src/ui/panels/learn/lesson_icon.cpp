// A small drawing for a lesson's card: the kind of its first picture, in the hues of that picture's items. It shows no
// value: lengths and sizes are the same for every lesson.
#include <algorithm>
#include <array>

#include "ui/panels/learn/lesson_picture_parts.h"

namespace tilewalk {
namespace {

constexpr std::array kLengths = {1.0f, 0.45f, 0.8f, 0.6f};

class IconPen {
 public:
  IconPen(ImDrawList* list, const Theme& theme, const draw::Rect& r, const LessonPicture* picture)
      : list_(list), c_(theme.colours), s_(theme.s), r_(r), picture_(picture) {}

  void bars() const {
    const float pitch = r_.height() / float(kLengths.size());
    for (std::size_t i = 0; i < kLengths.size(); ++i)
      put({r_.x0, r_.y0 + pitch * float(i), r_.x0 + kLengths[i] * r_.width(), r_.y0 + pitch * (float(i) + 0.7f)}, i);
  }
  void areas() const {
    const float side = r_.height(), less = 0.4f * side;
    put({r_.x0, r_.y1 - side, r_.x0 + side, r_.y1}, 0);
    put({r_.x1 - less, r_.y1 - less, r_.x1, r_.y1}, 1);
  }
  void grid(int rows, int cols, bool causal) const {
    const draw::Rect all = centred(float(cols) / float(rows));
    const float high = all.height() / float(rows), wide = all.width() / float(cols);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j) {
        const draw::Rect cell{all.x0 + wide * float(j), all.y0 + high * float(i), all.x0 + wide * float(j + 1) - 2 * s_,
                              all.y0 + high * float(i + 1) - 2 * s_};
        if (causal && j > i)
          draw::box(list_, cell, 0, 2 * s_, c_.cell_line);
        else
          put(cell, std::size_t(i));
      }
  }
  void pairs() const {
    const draw::Rect all = centred(1);
    const float cell = all.width() / 5;
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
        const draw::Rect r{all.x0 + cell * float(j), all.y0 + cell * float(i), all.x0 + cell * float(j + 1) - 2 * s_,
                           all.y0 + cell * float(i + 1) - 2 * s_};
        if (i > 0 && j > 0)
          draw::box(list_, r, 0, 2 * s_, c_.cell_line);
        else if (i + j > 0)
          put(r, j == 0 ? 0 : 1);
      }
  }
  void trips() const {  // between two memories
    for (const float y : {r_.y0, r_.y1 - 9 * s_})
      draw::box(list_, {r_.x0, y, r_.x1, y + 9 * s_}, c_.to_do, 3 * s_, c_.cell_line);
    const draw::Sign signs[] = {draw::Sign::Down, draw::Sign::Up, draw::Sign::Down};
    for (int i = 0; i < 3; ++i) {
      const float x = r_.x0 + r_.width() * (float(i) + 0.5f) / 3, y = (r_.y0 + r_.y1) / 2;
      draw::sign(list_, signs[i], {x - 9 * s_, y - 9 * s_, x + 9 * s_, y + 9 * s_}, c_.accent, s_);
    }
  }
  void roof() const {
    const ImVec2 points[] = {{r_.x0, r_.y1}, {r_.x0 + 0.55f * r_.width(), r_.y0 + 8 * s_}, {r_.x1, r_.y0 + 8 * s_}};
    list_->AddPolyline(points, 3, c_.accent, 0, 2.5f * s_);
    list_->AddLine({r_.x0, r_.y1}, {r_.x1, r_.y1}, c_.cell_line, draw::hairline());
    list_->AddCircleFilled({r_.x0 + 0.75f * r_.width(), r_.y0 + 0.5f * r_.height()}, 4 * s_, c_.changed);
  }

 private:
  draw::Rect centred(float ratio) const {  // width over height
    const float high = std::min(r_.height(), r_.width() / ratio), wide = high * ratio;
    const float x = (r_.x0 + r_.x1 - wide) / 2, y = (r_.y0 + r_.y1 - high) / 2;
    return {x, y, x + wide, y + high};
  }
  void put(const draw::Rect& r, std::size_t item) const {
    ImU32 fill = c_.accent;
    if (picture_ && !picture_->items.empty())
      if (const auto& hued = picture_->items[item % picture_->items.size()]; hued.hue) fill = hue(c_, *hued.hue);
    draw::box(list_, r, fill, 2 * s_);
  }

  ImDrawList* list_;
  const Palette& c_;
  float s_;
  draw::Rect r_;
  const LessonPicture* picture_;
};

}  // namespace

void draw_lesson_icon(ImDrawList* list, const Theme& theme, const draw::Rect& r, const Lesson& lesson) {
  const LessonPicture* picture = nullptr;
  bool draws = false;
  for (const LessonScreen& screen : lesson.screens) {
    if (!picture && screen.picture) picture = &*screen.picture;
    draws |= screen.task && screen.task->kind == TaskKind::Draw;
  }
  const IconPen pen(list, theme, r, picture);
  if (!picture) return draws ? pen.roof() : pen.grid(4, 4, false);
  switch (picture->kind) {
    case PictureKind::Bars: return pen.bars();
    case PictureKind::Areas: return pen.areas();
    case PictureKind::Cells: return pen.grid(3, 6, false);
    case PictureKind::Numbers: return pen.grid(3, 3, false);
    case PictureKind::Tiles: return pen.grid(5, 5, true);
    case PictureKind::Pairs: return pen.pairs();
    case PictureKind::Trips: return pen.trips();
  }
}

}  // namespace tilewalk
