// Labels of a plot avoid marks and each other: the first free position, or the one that covers least.
#include "ui/labels.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

bool meet(const draw::Rect& a, const draw::Rect& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }

}  // namespace

TEST_CASE("a label uses its first position without a mark or another label", "[unit]") {
  Labels labels({0, 0, 200, 100});
  const draw::Rect mark{40, 40, 60, 60};
  labels.keep_free(mark);
  const draw::Rect first = labels.put({50, 12}, {{30, 44}, {62, 44}, {0, 0}});
  CHECK(first.x0 == 62);
  CHECK(first.y0 == 44);
  const draw::Rect second = labels.put({50, 12}, {{62, 44}, {62, 57}});
  CHECK(second.y0 == 57);
  for (const draw::Rect& other : {mark, first}) CHECK_FALSE(meet(second, other));
}

TEST_CASE("a label stays within the plot, and without a free position covers as little as possible", "[unit]") {
  Labels labels({0, 0, 100, 40});
  const draw::Rect moved = labels.put({60, 12}, {{70, 35}});
  CHECK(moved.x1 == 100);
  CHECK(moved.y1 == 40);
  labels.keep_free({0, 0, 100, 26});
  const std::vector<ImVec2> places = {{0, 4}, {0, 20}};
  CHECK_FALSE(labels.has_room({30, 12}, places));
  CHECK(labels.put({30, 12}, places).y0 == 20);
  CHECK_FALSE(labels.has_room({30, 12}, {{80, 0}}));  // a position outside is invalid, although it would fit if moved
  CHECK(Labels({0, 0, 100, 40}).has_room({30, 12}, {{60, 0}}));
}
