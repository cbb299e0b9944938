#include "ui/panels/walk/walk_buttons.h"

#include "ui/widgets.h"

namespace tilewalk {

float draw_walk_buttons(const UiFrame& f, Panel& p, float x, float y) {
  const float s = p.s, high = 26 * s, wide = 36 * s;
  const CompareController& compare = f.session.compare();
  const bool playing = f.session.walk().playback().playing || compare.call_walk().plays() || compare.visit().moves();
  struct WalkButton {
    const char* id;
    draw::Sign sign;
    Action action;
    const char* tip;
  };
  for (const WalkButton& key :
       {WalkButton{"first", draw::Sign::First, Action::First, "To the start (Home)"},
        WalkButton{"back", draw::Sign::StepBack, Action::TileBack, "Tile back (,)"},
        WalkButton{"play", playing ? draw::Sign::Pause : draw::Sign::Play, Action::PlayPause, "Play (Space)"},
        WalkButton{"forward", draw::Sign::StepForward, Action::TileForward, "Tile forward (.)"},
        WalkButton{"last", draw::Sign::Last, Action::Last, "To the end (End)"}}) {
    const draw::Rect r{x, y, x + wide, y + high};
    if (button(f, {.id = key.id,
                   .rect = r,
                   .label = "",
                   .tip = key.tip,
                   .sign = key.sign,
                   .strong = key.action == Action::PlayPause}))
      f.push(key.action);
    x = r.x1 + 6 * s;
  }
  return x;
}

}  // namespace tilewalk
