// The plots of the page of the roofline: marks, roofs, the curve over N and the arrow.
#include <algorithm>
#include <cmath>

#include "core/schedules/registry.h"
#include "tests/support/catch.h"
#include "tests/unit/pages/roofline/asked_roofline.h"

using namespace tilewalk;
using test::Asked;
using test::place_of;

TEST_CASE("places in the plots are inside them, and roofs meet at the ridge", "[unit]") {
  for (const char* device : {"h200", "b200", "rtx4090"})
    for (const std::int64_t d : {64, 128})
      for (const std::int64_t n : {512, 65536}) {
        Asked asked;
        asked.controller.carry_out(ChooseRoofline{.device = device, .n = n, .d = d});
        asked.controller.reveal();
        const RooflinePage page = asked.page();
        INFO(device << " d " << d << " n " << n);
        REQUIRE(page.roofs.size() >= 2);
        CHECK(page.roofs[0].to_x == page.roofs[1].from_x);
        CHECK(page.roofs[0].to_y == page.roofs[1].from_y);
        for (const RooflinePoint& point : page.points) {
          REQUIRE(point.predicted);
          CHECK((point.predicted->x >= 0 && point.predicted->x <= 1));
          CHECK((point.predicted->y > 0 && point.predicted->y < 1));
        }
        for (const WinCurve& curve : page.wins)
          for (const PlotPoint& point : curve.modelled) CHECK((point.y > 0 && point.y <= 1));
      }
}

TEST_CASE("the chart begins at the tick below its lowest mark and ends above its roof, on every card") {
  for (const DeviceModel& device : device_models())
    for (const std::int64_t n : {512, 8192, 65536}) {
      INFO(device.name << ", N " << n);
      Asked asked;
      asked.controller.show_answers();
      asked.controller.carry_out(ChooseRoofline{.device = device.name, .n = n});
      const RooflinePage page = asked.page();
      double low = 1, high = 0;
      const auto reach = [&](double y) { low = std::min(low, y), high = std::max(high, y); };
      for (const RooflinePoint& point : page.points)
        for (const auto& at : {point.predicted, point.recorded})
          if (at) reach(at->y);
      for (const RoofLine& roof : page.roofs) reach(roof.from_y), reach(roof.to_y);
      CHECK(low >= 0);
      CHECK(low < 0.16);            // 2.5 times the first tick, of three decades
      CHECK(high == Approx(0.93));  // the roof's label is above it
      REQUIRE(page.y_ticks.size() >= 4);
      for (std::size_t i = 0; i < page.y_ticks.size(); ++i) {
        CHECK(page.y_ticks[i].at >= 0);
        CHECK(page.y_ticks[i].at <= 1);
        if (i > 0) CHECK(page.y_ticks[i].at > page.y_ticks[i - 1].at);
      }
      // One scale for ticks and points: the label's TFLOP/s are where the ticks say.
      const auto value_of = [](const std::string& text) {
        std::string digits = text.substr(text.rfind(' ') + 1);
        std::erase(digits, ',');
        return std::stod(digits);
      };
      const PlotTick &first = page.y_ticks.front(), &last = page.y_ticks.back();
      const double decades = std::log(value_of(last.text) / value_of(first.text)) / (last.at - first.at);
      for (const RooflinePoint& point : page.points) {
        if (point.part || point.hue == RooflineHue::Guess) continue;
        const double y = (point.recorded ? point.recorded : point.predicted)->y, value = value_of(point.label);
        if (value >= 20)
          CHECK(value_of(first.text) * std::exp((y - first.at) * decades) == Approx(value).epsilon(0.03));
      }
    }
}

TEST_CASE("the chosen length has its point on the speed-up curve, with a mark where no usual length is there",
          "[unit]") {
  for (const std::int64_t n : {100, 3000, 98'000, 4096, 5120}) {  // some are usual lengths
    Asked asked;
    asked.controller.carry_out(ChooseRoofline{.n = n, .heads = 2, .batch = 1});
    asked.controller.reveal();
    const RooflinePage page = asked.page();
    REQUIRE(page.wins.size() == 2);
    for (const WinCurve& curve : page.wins) {
      bool there = false;
      for (const PlotPoint& point : curve.modelled) there |= point.x == page.n_at;
      CHECK(there);  // the curve runs through its ring
      CHECK(curve.chosen.has_value() == (n != 4096 && n != 5120));
      if (curve.chosen) CHECK(curve.chosen->x == page.n_at);
      CHECK(std::is_sorted(curve.modelled.begin(), curve.modelled.end(),
                           [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; }));
    }
    CHECK(page.n_ticks.front().at == 0);
    CHECK(page.n_ticks.back().at == 1);
    const auto here =
        std::find_if(page.lengths.begin(), page.lengths.end(), [&](const auto& length) { return length.second == n; });
    REQUIRE(here != page.lengths.end());  // a click on the plot can choose it
    CHECK(here->first == page.n_at);
  }
}

TEST_CASE("one arrow leads from naive to the fastest kernel, labelled with the page's figure, once answers are shown") {
  Asked asked;
  CHECK_FALSE(asked.page().arrow);
  asked.controller.show_answers();
  for (const char* device : {"h200", "a100"}) {
    INFO(device);
    asked.controller.carry_out(ChooseRoofline{.device = device, .n = 8192});
    const RooflinePage page = asked.page();
    REQUIRE(page.arrow);
    CHECK(page.arrow->label == page.figure);
    const std::optional<PlotPoint> naive = place_of(page, RooflineHue::Naive);
    REQUIRE(naive);
    CHECK((page.arrow->from.x == naive->x && page.arrow->from.y == naive->y));
    double best = 0;  // equal FLOPs: the highest mark is the fastest
    for (const RooflineHue hue : {RooflineHue::Tiled2, RooflineHue::Tiled3})
      if (const auto at = place_of(page, hue)) best = std::max(best, at->y);
    CHECK(page.arrow->to.y == best);
  }
}
