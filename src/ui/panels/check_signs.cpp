#include "ui/panels/check_signs.h"

namespace tilewalk {

draw::Sign sign_of(BadgeKind kind) {
  switch (kind) {
    case BadgeKind::Live:
    case BadgeKind::Right:
    case BadgeKind::Recorded: return draw::Sign::Check;
    case BadgeKind::WithinRule: return draw::Sign::Dot;
    case BadgeKind::Running: return draw::Sign::Ring;
    case BadgeKind::NotChecked: return draw::Sign::Dash;
    case BadgeKind::AtRisk: return draw::Sign::Alert;
    case BadgeKind::Diverged:
    case BadgeKind::NotFinite: return draw::Sign::Cross;
  }
  return draw::Sign::Dash;
}

draw::Sign sign_of(AccuracyMark mark) {
  switch (mark) {
    case AccuracyMark::Kept: return draw::Sign::Check;
    case AccuracyMark::Broken: return draw::Sign::Cross;
    case AccuracyMark::None: return draw::Sign::Dash;
  }
  return draw::Sign::Dash;
}

ImU32 ink_of(AccuracyMark mark, const Palette& colours) {
  switch (mark) {
    case AccuracyMark::Kept: return colours.good;
    case AccuracyMark::Broken: return colours.bad;
    case AccuracyMark::None: return colours.muted;
  }
  return colours.muted;
}

}  // namespace tilewalk
