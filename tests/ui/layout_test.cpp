#include "ui/layout.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

bool overlap(const draw::Rect& a, const draw::Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

}  // namespace

TEST_CASE("no two panels overlap and none leaves the window, at any size, text scale and split") {
  for (const auto& [w, h] :
       {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{1920, 1080}, std::pair{3840, 2160}, std::pair{800, 600}})
    for (const float text : {0.8f, 1.0f, 1.5f, 3.0f})
      for (const float split : {0.2f, 1.0f, 4.0f}) {
        const Layout l = compute_layout(float(w), float(h), automatic_scale(w, h), text, {split, split, split});
        const draw::Rect all[] = {l.header, l.memory, l.grid, l.side, l.transport, l.traffic};
        INFO(w << "x" << h << " text " << text << " split " << split);
        for (const draw::Rect& r : all) {
          CHECK(r.x0 >= 0);
          CHECK(r.y0 >= 0);
          CHECK(r.x1 <= float(w));
          CHECK(r.y1 <= float(h));
          CHECK(r.width() > 8);
          CHECK(r.height() > 8);
        }
        for (std::size_t i = 0; i < std::size(all); ++i)
          for (std::size_t j = i + 1; j < std::size(all); ++j) CHECK_FALSE(overlap(all[i], all[j]));
        const draw::Rect page[] = {l.header, l.lanes, l.waves_left, l.waves_right, l.compare};
        for (std::size_t i = 0; i < std::size(page); ++i) {
          CHECK(page[i].x0 >= 0);
          CHECK(page[i].x1 <= float(w));
          CHECK(page[i].y1 <= float(h));
          CHECK(page[i].width() > 8);
          CHECK(page[i].height() > 8);
          for (std::size_t j = i + 1; j < std::size(page); ++j) CHECK_FALSE(overlap(page[i], page[j]));
        }
      }
}

TEST_CASE("the interface scales with the framebuffer") {
  CHECK(automatic_scale(1600, 900) == Approx(1));
  CHECK(automatic_scale(1280, 720) == Approx(0.85));
  CHECK(automatic_scale(3840, 2160) == Approx(2.4));
  CHECK(automatic_scale(640, 360) == Approx(0.85));
}
