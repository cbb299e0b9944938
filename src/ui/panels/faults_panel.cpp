// Classic mistakes to make deliberately: each in plain words, with its effect and the reason why it is a mistake.
// Mistakes that the schedule does not allow are left out.
#include "base/words.h"
#include "core/schedules/registry.h"
#include "ui/panels/panels.h"
#include "ui/panels/sheet.h"

namespace tilewalk {

void draw_faults_dialog(const UiFrame& f) {
  Sheet sheet(f, "Make a mistake on purpose", 680, 760);
  const float s = f.theme.s;
  const Palette& c = f.theme.colours;
  const Fonts& fonts = f.theme.fonts;
  words(f, "The walk then makes it at every tile. You see where it shows first, and what it does to O.", c.muted);
  const Problem& problem = f.session.problem();
  std::vector<Fault> offered = {Fault::None};
  for (const Fault fault : all_faults())
    if (fault_applies(fault, problem.schedule)) offered.push_back(fault);
  for (const Fault fault : offered) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, inner = width - 24 * s;
    const std::string about =
        fault == Fault::None ? "The walk is right." : std::string(description_of(fault)) + " " + harm_of(fault);
    const float high = 30 * s + draw::paragraph(nullptr, fonts.body, fonts.tiny, 0, 0, inner, 0, about);
    const draw::Rect r{at.x, at.y, at.x + width, at.y + high};
    const bool made = problem.fault == fault;
    const Hit h = hit(f, std::string("fault ") + name_of(fault), r);
    if (made) sheet.start_at_item();
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (h.hovered || made) draw::box(list, r, made ? c.tab : c.button, 6 * s);
    draw::text(list, fonts.strong, r.x0 + 12 * s, r.y0 + 7 * s, c.text, capitalized(title_of(fault)));
    draw::paragraph(list, fonts.body, fonts.tiny, r.x0 + 12 * s, r.y0 + 26 * s, inner, c.muted, about);
    if (h.clicked) f.push(SetFault{fault});
    ImGui::SetCursorScreenPos(ImVec2(at.x, r.y1 + 2 * s));
  }
  error_words(f);
  ImGui::Dummy(ImVec2(1, 1));
}

}  // namespace tilewalk
