// The steps of an order task as trips between HBM and SRAM. A tensor that is not in the memory yet, from which a step
// takes it, is an empty outline there.
#include <algorithm>
#include <set>

#include "base/contains.h"
#include "ui/panels/learn/lesson_picture_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

class Trips {
 public:
  Trips(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area, float t)
      : f_(f), p_(p), m_(m), s_(p.s), area_(area), t_(t) {
    const float head = draw::leading(p.fonts.strong) + 8 * s_;
    side_ = std::min(84 * s_, column() / 3.6f);
    const float plane = side_ + head + 16 * s_;
    words_ = std::min(area.height() * 0.3f, 5 * draw::leading(p.fonts.title) + 10 * s_);
    const float gap = std::clamp(area.height() - 2 * plane - words_, 40 * s_, 340 * s_);
    hbm_ = {area.x0, area.y0, area.x1, area.y0 + plane};
    sram_ = {area.x0, hbm_.y1 + gap, area.x1, hbm_.y1 + gap + plane};
  }

  float draw() {
    plane("HBM", hbm_);
    plane("SRAM", sram_);
    std::set<TensorId> in_hbm = {TensorId::Q, TensorId::K, TensorId::V}, in_sram;
    float end = sram_.y1;
    for (std::size_t i = 0; i < m_.trips.size(); ++i) {
      const TripStep& moves = m_.trips[i].moves;
      const float x = area_.x0 + column() * float(i), middle = x + column() / 2;
      // What comes is left of what goes, where a step has both.
      const float apart = moves.loads.empty() || moves.writes.empty() ? 0 : column() / 4;
      // First what it loads goes down, then what it writes goes up.
      const float step = part_at(t_, std::int64_t(i), std::int64_t(m_.trips.size())), down = std::min(1.0f, 2 * step),
                  up = std::max(0.0f, 2 * step - 1);
      tensors(moves.loads, middle - apart, hbm_, &in_hbm, down);
      std::vector<TensorId> on_chip;
      for (const auto* ids : {&moves.loads, &moves.makes, &moves.writes})
        for (const TensorId id : *ids)
          if (!contains(on_chip, id)) on_chip.push_back(id);
      in_sram.insert(moves.loads.begin(), moves.loads.end());
      in_sram.insert(moves.makes.begin(), moves.makes.end());
      tensors(on_chip, middle, sram_, &in_sram, moves.loads.empty() ? down : std::max(0.0f, 2 * down - 1));
      if (!moves.loads.empty()) arrow(middle - apart, hbm_.y1, sram_.y0, down);
      if (!moves.writes.empty()) {
        arrow(middle + apart, sram_.y0, hbm_.y1, up);
        tensors(moves.writes, middle + apart, hbm_, nullptr, std::max(0.0f, 2 * up - 1));
        in_hbm.insert(moves.writes.begin(), moves.writes.end());
      }
      draw::text_in(p_.list, p_.fonts.strong,
                    {x, sram_.y1 + 6 * s_, x + column(), sram_.y1 + 6 * s_ + p_.fonts.strong.size}, p_.colours.muted,
                    std::to_string(i + 1));
      const float top = sram_.y1 + 12 * s_ + p_.fonts.strong.size;
      end = std::max(end, top + draw::paragraph(p_.list, p_.fonts.body, p_.fonts.tiny, x + 6 * s_, top,
                                                column() - 12 * s_, p_.colours.text, m_.trips[i].text));
      f_.ui.rects.put("trip " + std::to_string(i + 1), {x, hbm_.y0, x + column(), sram_.y1});
    }
    return end;
  }

 private:
  float column() const { return area_.width() / float(std::max<std::size_t>(1, m_.trips.size())); }

  void plane(const char* name, const draw::Rect& r) const {
    draw::box(p_.list, r, p_.colours.raised, 8 * s_, p_.colours.border);
    draw::text(p_.list, p_.fonts.strong, r.x0 + 12 * s_, r.y0 + 6 * s_, p_.colours.muted, name);
  }
  // present: those that are in the memory now; null: all. share: how far they have grown.
  void tensors(const std::vector<TensorId>& ids, float middle, const draw::Rect& plane,
               const std::set<TensorId>* present, float share) const {
    const float gap = 6 * s_, wide = side_ * float(ids.size()) + gap * float(std::max<std::size_t>(1, ids.size()) - 1);
    float x = middle - wide / 2;
    for (const TensorId id : ids) {
      const draw::Rect r = grown({x, plane.y1 - 10 * s_ - side_, x + side_, plane.y1 - 10 * s_}, share);
      const std::string letter = tensor_title(id);
      if (present && !present->contains(id)) {
        draw::dashed(p_.list, r, p_.colours.warn, {.length = 4 * s_, .thickness = 1.5f * s_});
        if (share == 1) draw::text_in(p_.list, p_.fonts.strong, r, p_.colours.warn, letter);
      } else {
        const ImU32 fill = hue(p_.colours, id);
        draw::box(p_.list, r, fill, 5 * s_);
        if (share == 1) draw::text_in(p_.list, p_.fonts.strong, r, ink_on(fill), letter);
      }
      x += side_ + gap;
    }
  }
  void arrow(float x, float from, float to, float share) const {
    if (share <= 0) return;
    const float down = to > from ? 1.0f : -1.0f, head = 9 * s_, a = from + down * 6 * s_,
                b = a + down * head + (to - down * 4 * s_ - a - down * head) * share;
    p_.list->AddLine(ImVec2(x, a), ImVec2(x, b - down * head), p_.colours.text, 2.5f * s_);
    const ImVec2 tip(x, b), left(x - head * 0.7f, b - down * head), right(x + head * 0.7f, b - down * head);
    if (down > 0)
      p_.list->AddTriangleFilled(tip, left, right, p_.colours.text);
    else
      p_.list->AddTriangleFilled(tip, right, left, p_.colours.text);
  }

  const UiFrame& f_;
  const Panel& p_;
  const LessonPictureModel& m_;
  const float s_;
  const draw::Rect area_;
  const float t_;
  draw::Rect hbm_, sram_;
  float side_ = 0, words_ = 0;
};

}  // namespace

float draw_trips(const UiFrame& f, const Panel& p, const LessonPictureModel& m, const draw::Rect& area, float t) {
  return Trips(f, p, m, area, t).draw();
}

}  // namespace tilewalk
