#include "ui/panels/motion/moving.h"

#include <algorithm>

namespace tilewalk {
namespace {

// What moves on the walk, or on the screen for a room; null: nothing.
const Motion* motion_of(const Views& views) {
  if (views.present) return views.present->moving ? &views.present->moving->motion : nullptr;
  const WalkPage* const page = views.page<WalkPage>();
  return page && page->moving ? &page->moving->motion : nullptr;
}

}  // namespace

const draw::Rect* MovingPlaces::find(const MovingPlace& place) const {
  const auto found = at.find(place);
  return found == at.end() ? nullptr : &found->second;
}

std::optional<draw::Rect> MovingPlaces::all_of(PlaceKind kind, int of) const {
  std::optional<draw::Rect> all;
  for (const auto& [place, r] : at) {
    if (place.kind != kind || place.of != of || place.name == kBesideOutput) continue;
    all = all ? all->joined(r) : r;
  }
  return all;
}

std::optional<Moving> moving(const UiFrame& f) {
  const Motion* const step = motion_of(f.views);
  const StepMotion& motion = f.session.walk().motion();
  if (!step || motion.t() >= 1 || !(motion.is_held() || f.ui.motion)) return std::nullopt;
  if (!motion.is_held() && !f.session.document().view.motion)
    return Moving{.motion = *step, .t = 1, .places = f.ui.of<MovingPlaces>(), .fade = motion.t()};
  return Moving{.motion = *step, .t = motion.t(), .places = f.ui.of<MovingPlaces>(), .slow = motion.is_slow()};
}

void note_label(const UiFrame& f, std::int64_t row, std::int64_t col, const std::string& name, const draw::Rect& r) {
  if (const std::optional<Moving> m = moving(f)) m->places.at[{PlaceKind::Words, 0, row, col, name}] = r;
}

bool is_idle(const std::optional<Moving>& m, TensorId id) { return m && m->slow && !m->motion.uses(id); }

ImU32 letters_of(const Palette& c, TensorId id) { return mix(hue(c, id), c.text, c.dark ? 0.1f : 0.6f); }

CellLook look_of_cell(const Palette& c, ImU32 fill, bool idle) {
  if (!idle) return {fill, ink_on(fill)};
  const ImU32 pale = mix(fill, c.panel, 0.6f);
  return {pale, mix(ink_on(pale), pale, 0.4f)};
}

std::vector<draw::Tint> waiting_words(const std::vector<LandingWords>& landing, double t, ImU32 box) {
  constexpr ImU32 kNothing = IM_COL32(0, 0, 0, 0);
  std::vector<draw::Tint> out;
  for (const LandingWords& words : landing) {
    if (t >= words.lands) continue;
    if (t < words.begins) {
      out.push_back({words.clause, words.end, kNothing});
      continue;
    }
    if (words.number_end > words.begin) out.push_back({words.begin, words.number_end, kNothing, box});
    out.push_back({words.number_end, words.end, kNothing});
  }
  return out;
}

double t_of(const UiFrame& f) {
  const std::optional<Moving> m = moving(f);
  return m ? m->t : 1;
}

const WalkMotion& before_step(const UiFrame& f) { return *f.views.page<WalkPage>()->moving; }

const MovingTile* on_its_way(const std::optional<Moving>& m, TensorId tensor, const std::string& label, bool to_sram) {
  if (!m) return nullptr;
  for (const MovingTile& tile : m->motion.tiles)
    if (tile.tensor == tensor && tile.to_sram == to_sram && (to_sram ? tile.label : tile.in_hbm) == label &&
        !tile.crossing.has_landed(m->t))
      return &tile;
  return nullptr;
}

bool waits_for_row(const Motion& motion, const OperandTile& operand, std::int64_t row, double t) {
  for (const MovingTile& tile : motion.tiles)
    if (tile.tensor == operand.tensor && tile.to_sram)
      return tile.unfolding.share(t) * double(operand.rows) < double(row - operand.row_begin + 1) &&
             !tile.unfolding.has_landed(t);
  return false;
}

void draw_awaited(ImDrawList* list, const draw::Rect& r, ImU32 colour, float rounding, float s) {
  draw::dashed(list, r, colour, {.length = 3 * s, .thickness = s, .corner = rounding / 2});
}

}  // namespace tilewalk
