// The page of the roofline with recorded times, guesses first, shared by its tests.
#pragma once

#include <map>
#include <optional>

#include "core/fields/validate.h"
#include "pages/roofline/roofline_page.h"

namespace tilewalk::test {

inline Result<RaceTimes> recorded_once(const std::string& device) {
  static std::map<std::string, Result<RaceTimes>> times;
  const auto at = times.find(device);
  return at != times.end() ? at->second
                           : times.emplace(device, load_race_times(TILEWALK_SOURCE_DIR, device)).first->second;
}

struct Asked final : DocumentOwner {
  MessageLine messages;
  Document document;
  WindowCall window;
  RooflineController controller{document, messages, *this, window, {.load_times = recorded_once}};
  std::optional<Document> walked;
  Issues adopt(Document next, bool) override {
    const Issues issues = validate(next.problem);
    if (issues.empty()) walked = std::move(next);
    return issues;
  }
  Issues open_anew(WalkedDocument) override { return {}; }
  Asked() {
    controller.read_times();
    controller.guess_first();
  }
  RooflinePage page() { return build_roofline_page(controller, cache); }
  RooflineCache cache;
};

// Of a contender's mark: recorded, else predicted.
inline std::optional<PlotPoint> place_of(const RooflinePage& page, RooflineHue hue) {
  for (const RooflinePoint& point : page.points)
    if (point.hue == hue && !point.part) return point.recorded ? point.recorded : point.predicted;
  return std::nullopt;
}

}  // namespace tilewalk::test
