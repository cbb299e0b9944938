// Parts of a panel that a lesson outlines and that are below its edge.
#include <algorithm>

#include "base/contains.h"
#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

struct OutlinedUi {
  std::string shown;  // the part and the screen that were brought into view last
};

}  // namespace

void bring_outlined_into_view(const UiFrame& f, const Panel& p, const char* name, const char* above,
                              const draw::Rect& r) {
  if (!f.views.lesson_panel) return;
  const LessonPanelModel& lesson = *f.views.lesson_panel;
  if (!contains(lesson.outline, name) || contains(lesson.outline, above)) return;
  const float beyond = r.y1 + 8 * p.s - p.rect.y1;
  if (beyond <= 0 || ImGui::GetScrollMaxY() <= 0) return;
  OutlinedUi& ui = f.ui.of<OutlinedUi>();
  std::string shown = std::string(name) + lesson.title + lesson.screen_title;
  if (ui.shown == shown) return;
  ui.shown = std::move(shown);
  ImGui::SetScrollY(std::min(ImGui::GetScrollMaxY(), ImGui::GetScrollY() + beyond));
}

}  // namespace tilewalk
