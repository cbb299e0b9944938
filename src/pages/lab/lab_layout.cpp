#include "pages/lab/lab_layout.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {

// The text has the height of the page and the width of a line of code; the run is right of it, with the
// verdict across its top.
LabLayout lab_layout(const Layout& layout) {
  const PageScale& scale = layout.scale;
  const auto& [edge, top, end, bottom] = layout.page;
  const float width = scale.width, gap = scale.gap;
  const float text =
      std::round(std::clamp(share(778 * scale.ui, scale.grow, width * 0.487f), width * 0.3f, width * 0.49f));
  const float side =
      std::round(std::clamp(share(350 * scale.ui, scale.grow, width * 0.3f), width * 0.2f, width * 0.32f));
  const float run = edge + text + gap, numbers = end - side;
  const float high = bottom - top;
  // Where its words need more lines, beside a lesson, it is higher.
  const float middle = numbers - gap - run;
  const bool narrow = middle < 300 * scale.ui, two_rows = middle < 270 * scale.s + 165 * scale.e;
  const float words = narrow ? 178 : 131, buttons = two_rows ? 36 : 0;
  const float transport = std::round(std::clamp((words + buttons) * scale.e, high * 0.15f, high * 0.4f));
  // Before a run it has one bar, and the steps above it have many words.
  const float traffic = std::round(std::min((layout.lab_run ? 158 : 90) * scale.e, high * 0.36f));
  LabLayout out;
  out.text = {edge, top, edge + text, bottom};
  const float verdict = top + std::round(std::clamp(105 * scale.e, high * 0.12f, high * 0.2f)), below = verdict + gap;
  out.verdict = {run, top, end, verdict};
  out.matrix = {run, below, numbers - gap, bottom - transport - gap};
  out.transport = {run, bottom - transport, numbers - gap, bottom};
  out.numbers = {numbers, below, end, bottom - traffic - gap};
  out.traffic = {numbers, bottom - traffic, end, bottom};
  const float steps = bottom - std::round(std::clamp(174 * scale.e, high * 0.15f, high * 0.4f));
  out.matrix_alone = {run, below, end, steps - gap};
  out.numbers_alone = {run, steps, end, bottom};
  return out;
}

}  // namespace tilewalk
