// The page of the family tree: drawn for every member at every size, and each click sends exactly its command.
#include <fmt/format.h>

#include <cmath>
#include <set>

#include "pages/tree/tree_grid.h"
#include "pages/tree/tree_model.h"
#include "pages/tree/tree_table.h"
#include "session/document/words.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;

TEST_CASE("the family tree draws for every member, in both themes, at four sizes and in large text") {
  Commands commands;
  for (std::size_t i = 0; i < std::size(kTreeWords); ++i) {
    commands.push_back(ChooseMember{TreeMember(int(i))});
    commands.push_back(SetTextScale{i % 2 ? 1.0 : 2.0});
  }
  draws_everywhere(Page::Tree, commands);
}

TEST_CASE("Y opens the family tree; Y and Esc return to the walk") {
  opens_and_closes(Key::Y, Action::ShowTree, Page::Tree);
}

TEST_CASE("a click on a member shows what it changed, and a button walks its schedule") {
  Headless head(picture_document(), 1600, 900, true);
  head.session->dispatch(Action::ShowTree);
  head.frames(2);
  for (const MemberRow& row : tree_table()) {
    CAPTURE(row.name);
    CHECK(head.click("tree/" + std::string(row.short_name)) == Commands{ChooseMember{row.member}});
    CHECK(head.session->tree().member() == row.member);
  }
  CHECK(head.click("tree/walk") == Commands{SetSchedule{ScheduleKind::FlashV4}, ShowPage{Page::Walk}});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV4);
}

TEST_CASE("lines of the tree are at least 8 pixels apart and behind no box, and rows grow with the window") {
  float before = 0;
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    head.session->dispatch(Action::ShowTree);
    head.frames(2);
    const TreeModel m = head.models<TreeModel>();
    std::vector<std::pair<std::size_t, draw::Rect>> pieces;
    for (std::size_t i = 0; i < m.lines.size(); ++i)
      for (int k = 0; k < 5; ++k)
        if (const std::optional<draw::Rect> r = head.ui.rects.find(fmt::format("tree/line {} {}", i, k)))
          pieces.push_back({i, *r});
    REQUIRE(pieces.size() > 3 * m.lines.size() / 2);
    const auto overlap = [](float a0, float a1, float b0, float b1) { return std::min(a1, b1) - std::max(a0, b0) > 1; };
    for (const auto& [i, a] : pieces) {
      for (const auto& [j, b] : pieces) {
        if (i >= j) continue;
        INFO("lines " << i << " and " << j);
        const bool flat = a.height() < 1 && b.height() < 1 && overlap(a.x0, a.x1, b.x0, b.x1),
                   steep = a.width() < 1 && b.width() < 1 && overlap(a.y0, a.y1, b.y0, b.y1);
        if (flat) CHECK(std::abs(a.y0 - b.y0) >= 7.9f);
        if (steep) CHECK(std::abs(a.x0 - b.x0) >= 7.9f);
        const auto crosses = [](const draw::Rect& level, const draw::Rect& upright) {
          return level.height() < 1 && upright.width() < 1 && level.x0 < upright.x0 - 1 && level.x1 > upright.x0 + 1 &&
                 upright.y0 < level.y0 - 1 && upright.y1 > level.y0 + 1;
        };
        CHECK_FALSE((crosses(a, b) || crosses(b, a)));
      }
      for (const TreeBox& box : m.boxes) {
        const draw::Rect r = head.rect("tree/" + box.name);
        CHECK_FALSE((a.x1 > r.x0 + 1 && a.x0 < r.x1 - 1 && a.y1 > r.y0 + 1 && a.y0 < r.y1 - 1));
      }
    }
    for (std::size_t i = 0; i < m.lines.size(); ++i) {  // a line begins at its box, not below it
      const draw::Rect r = head.rect("tree/" + m.boxes[std::size_t(m.lines[i].from)].name);
      const draw::Rect start = head.rect(fmt::format("tree/line {} 0", i));
      CHECK((start.height() >= 1 || (start.y0 > r.y0 && start.y0 < r.y1)));
    }
    const draw::Rect first = head.rect("tree/FA-1");
    CHECK(first.height() / head.theme.s > before);
    before = first.height() / head.theme.s;
    CHECK(head.rect("tree/FA-1 loop").width() >= 24);
  }
  CHECK(before > 55);
}

TEST_CASE("the description of each member is whole at the sizes of a laptop") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}}) {
    Headless head(picture_document(), w, h, true);
    head.session->dispatch(Action::ShowTree);
    for (const MemberRow& row : tree_table()) {
      INFO(w << "x" << h << ", " << row.name);
      head.session->dispatch(ChooseMember{row.member});
      head.frames(2);
      CHECK(head.rect("tree/facts").y1 <= head.rect("tree/panel").y1 - 8 * head.theme.s);
    }
  }
}

TEST_CASE("the facts have the place of the pictures where these do not fit") {
  std::set<bool> seen;
  for (const int high : {640, 1100}) {
    Headless head(picture_document(), 1280, high, true);
    head.session->dispatch(Action::ShowTree);
    for (const MemberRow& row : tree_table()) {
      head.session->dispatch(ChooseMember{row.member});
      head.frames(2);
      const draw::Rect facts = head.rect("tree/facts"), panel = head.rect("tree/panel");
      const bool wide = facts.x1 > panel.x1 - 40 * head.theme.s;
      const TreeModel m = head.models<TreeModel>();
      INFO(high << ", " << row.name);
      CHECK(wide == (m.orders.empty() || !head.ui.rects.find("tree/order " + m.orders.back().title)));
      seen.insert(wide);
    }
  }
  CHECK(seen.size() == 2);
}

TEST_CASE("a card without a recorded time has its figure or its change in whole") {
  for (const auto& [w, h] :
       {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{1920, 1080}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h);
    head.session->dispatch(Action::ShowTree);
    head.frames(2);
    for (const TreeBox& box : head.models<TreeModel>().boxes) {
      INFO(box.name << ": " << box.factor.text);
      const std::optional<draw::Rect> words = head.ui.rects.find("tree/" + box.name + " brief");
      if (words) CHECK(words->x1 <= head.rect("tree/" + box.name).x1 - (box.loop < 0 ? 0 : 20 * head.theme.s));
      if (h >= 900) CHECK(words);
    }
  }
}

TEST_CASE("no member needs a scroll bar on a laptop, bars have one scale, and the key is one line") {
  const auto with_times = [](SessionSetup& setup) {
    setup.of<RooflineController>().load_times = [](const std::string& device) {
      return load_race_times(TILEWALK_SOURCE_DIR, device);
    };
  };
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    Headless head(picture_document(), w, h, true, with_times);
    head.session->dispatch(Action::ShowTree);
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    for (const MemberRow& row : tree_table()) {
      INFO(w << "x" << h << ", " << row.name);
      head.session->dispatch(ChooseMember{row.member});
      head.frames(3);
      CHECK(test::scroll_of("tree") == 0);
    }
    const TreeModel m = head.models<TreeModel>();
    float track = 0;
    for (const TreeBox& box : m.boxes) {
      if (box.factor.times <= 0) continue;
      INFO(box.name);
      const float wide = head.rect("tree/" + box.name + " track").width();
      if (track > 0) CHECK(wide == Approx(track));
      track = wide;
      CHECK(head.rect("tree/" + box.name + " factor").width() == Approx(track * box.factor.share).margin(0.1));
    }
    CHECK(track > 0);
    std::set<float> lines;
    for (const auto& [name, r] : head.ui.rects.all())
      if (name.starts_with("tree/key ")) lines.insert(r.y0);
    CHECK(lines.size() == 1);
  }
}

TEST_CASE("the loop of the chosen member plays once when it is shown, and rests; with motion off it rests at once") {
  for (const bool motion : {true, false}) {
    Headless head(picture_document(), 1600, 900);
    if (!motion) head.session->dispatch(Action::ToggleMotion);
    head.session->dispatch(ShowPage{Page::Tree});
    const auto t = [&] { return head.session->tree().loop_t(); };
    CHECK(t() == 1);
    for (const double now : {0.0, 0.0}) head.session->dispatch(Tick{now});  // off-screen no time passes
    CHECK(t() == 1);
    CHECK(head.session->seconds_to_change(0).has_value() == motion);
    for (const double now : {0.1, 0.2, 1.0}) head.session->dispatch(Tick{now});
    CHECK((t() < 0.5) == motion);
    head.session->dispatch(Tick{10});
    CHECK(t() == 1);
    CHECK_FALSE(head.session->seconds_to_change(10));
    head.session->dispatch(ChooseMember{TreeMember::Flash1});
    for (const double now : {10.1, 10.2, 10.3}) head.session->dispatch(Tick{now});
    CHECK((t() < 0.5) == motion);
    head.session->dispatch(HoldMotion{0.5});
    head.frames(2);
    CHECK(t() == 0.5);
    CHECK(head.models<TreeModel>().loop_t == 0.5);
  }
  const TreeOrder order = build_tree_model(TreeMember::Flash2).orders.back();
  const auto done = [&](double t) {
    float sum = 0;
    for (std::size_t i = 0; i < order.time.size(); ++i) sum += visited_share(order, i, t);
    return sum / float(order.time.size());
  };
  CHECK(done(0) == 0);
  CHECK(done(0.5) == Approx(0.5));
  CHECK(done(1) == 1);
}

TEST_CASE("the bars of the tree have tracks that are seen in both themes") {
  for (const bool dark : {false, true}) {
    const Palette c = palette_of(dark);
    const auto grey = [](ImU32 colour) {
      return 0.3f * float(colour & 0xff) + 0.6f * float((colour >> 8) & 0xff) + 0.1f * float((colour >> 16) & 0xff);
    };
    INFO(dark);
    CHECK(std::abs(grey(bar_track(c)) - grey(c.button)) > 25);
  }
}

TEST_CASE("at 1280x720 the loop of the chosen one stands beside that of its parent, and all facts are inside") {
  Headless head(picture_document(), 1280, 720, true);
  head.session->dispatch(Action::ShowTree);
  head.frames(2);
  const draw::Rect before = head.rect("tree/order FA-1"), after = head.rect("tree/order FA-2");
  CHECK(before.x1 < after.x0);
  CHECK(before.width() >= 80 * head.theme.s);
  CHECK(after.x1 <= head.rect("tree/panel").x1);
  CHECK(head.rect("tree/facts").x1 < before.x0);
}
