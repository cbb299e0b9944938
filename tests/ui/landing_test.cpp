// What a person sees while a tile or a visit lands: the way of a tile to its numbers, and the mark of a checked visit.
#include <cmath>

#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::give_recorded_check;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::within;

TEST_CASE("a dotted way leads from a tile's place in SRAM to its numbers, while it unfolds") {
  Headless head(picture_document());
  head.session->dispatch(GoToStep{40});
  const auto dots = [&](double t) {
    head.session->dispatch(HoldMotion{t});
    head.frames(2);
    std::vector<draw::Rect> out;
    for (const auto& [name, r] : head.ui.rects.all())
      if (name.starts_with("motion/way of K1 ")) out.push_back(r);
    return out;
  };
  CHECK(dots(0.4).empty());
  const std::vector<draw::Rect> way = dots(0.88);
  REQUIRE(way.size() > 20);
  const draw::Rect sram = head.rect("memory/sram tile K1");
  float first = 1e9f, right = 0;
  for (const draw::Rect& dot : way) {
    first = std::min(first, std::abs(dot.middle().x - sram.x1) + std::abs(dot.middle().y - sram.middle().y));
    right = std::max(right, dot.x1);
  }
  CHECK(first < 12);
  CHECK(right > head.layout.scores.x0);
  CHECK(right < head.layout.scores.x1);  // not by way of the panel at the other side
}

TEST_CASE("a check mark stands under a visit once its last step has landed") {
  Document document = picture_document();
  document.problem.schedule = ScheduleKind::Standard;
  Headless head(document, 1600, 900, true);
  give_recorded_check(head);
  head.session->dispatch(GoToStep{30});
  const auto marks = [&](double t) {
    head.session->dispatch(HoldMotion{t});
    head.frames(3);
    int count = 0;
    for (const auto& [name, r] : head.ui.rects.all()) count += name.starts_with("transport/check of step ");
    return count;
  };
  const int on_the_way = marks(0.5);
  CHECK(on_the_way > 0);
  CHECK(marks(1) == on_the_way + 1);
}

TEST_CASE("a film counts the bytes as they land, below the numbers") {
  for (const int side : {720, 1080}) {
    Headless head(picture_document(), side, side, true);
    head.post = true;
    head.session->dispatch(GoToStep{40});
    const auto bytes = [&](double t) {
      head.session->dispatch(HoldMotion{t});
      head.frames(3);
      for (const auto& [name, r] : head.ui.rects.all())
        if (name.starts_with("side/bytes ")) {
          CHECK(r.y0 > head.rect("side/o numbers").y1);
          CHECK(within(r, head.layout.side));
          return name.substr(11);
        }
      return std::string();
    };
    CHECK(bytes(0) == "864 B");
    CHECK(bytes(1) == "992 B");
    CHECK(bytes(0.5) != "864 B");
    CHECK(bytes(0.5) != "992 B");
  }
}

TEST_CASE("the mask's rule is below the matrix, between the scale and the formula; without a mask there is none") {
  for (const auto& [w, h, mask] :
       {std::tuple{1280, 720, true}, std::tuple{1600, 900, true}, std::tuple{1600, 900, false}}) {
    INFO(w << "x" << h << ", mask " << mask);
    Document document = picture_document();
    document.cursor = 44;
    if (!mask) document.problem.shape.mask.kind = MaskKind::None;
    Headless head(document, w, h, true);
    head.frames(2);
    if (!mask) {
      CHECK_FALSE(head.ui.rects.find("scores/mask rule"));
      continue;
    }
    const draw::Rect rule = head.rect("scores/mask rule");
    CHECK(within(rule, head.layout.scores));
    CHECK(rule.x0 > head.rect("scores/scale").x1);
    CHECK(rule.x1 < head.rect("scores/formula").x0);
  }
}
