// The dialog of the problem by keys alone: its fields, its buttons, and the values of Q, K and V.
#include <algorithm>

#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("Tab reaches every relevant field of the problem, and arrows or letters change it") {
  for (const ScheduleKind kind : {ScheduleKind::FlashV2, ScheduleKind::FlashV3, ScheduleKind::SplitKv}) {
    Document document = picture_document();
    document.problem.schedule = kind;
    document.problem.shape.mask = {MaskKind::Window, 3, 0};
    Headless head(document);
    head.session->dispatch(Action::EditProblem);
    head.frames(4);
    std::vector<std::string> reached;
    const int stops = head.ui.stops;
    REQUIRE(stops > 12);
    for (int i = 0; i < stops; ++i) {
      REQUIRE(head.ui.stop == i);
      inject_text("9");
      Commands made = head.frames(3);
      for (Command& c : head.press(Key::Right)) made.push_back(std::move(c));
      for (const Command& c : made)
        if (const EditField* edit = c.as<EditField>()) reached.push_back(edit->field);
      for (Command& c : head.press(Key::Tab)) made.push_back(std::move(c));
      head.frames(2);
      for (const Command& c : made) CHECK(c.is<EditField>());  // and no shortcut
    }
    CHECK(head.ui.stop == 0);
    for (const Field& field : fields()) {
      INFO(name_of(kind) << ": " << field.name);
      const std::string name = field.name == std::string("n-q") ? kBothLengths : field.name;
      CHECK((std::find(reached.begin(), reached.end(), name) != reached.end()) == field.matters(kind));
    }
  }
}

TEST_CASE("the key length follows the query length until it is unlinked or typed itself") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::E);
  REQUIRE(head.session->view().dialog() == Dialog::Problem);
  head.frames(3);
  const auto draft = [&](const char* field) { return head.session->editing().draft().at(field); };
  CHECK(head.ui.lengths_linked);
  head.session->dispatch(EditField{kBothLengths, "32"});
  CHECK(draft("n-kv") == "32");
  CHECK(head.click("dialog/link lengths").empty());
  CHECK_FALSE(head.ui.lengths_linked);
  head.press(Key::Escape);
  head.press(Key::E);
  head.frames(3);
  CHECK(head.ui.lengths_linked);  // as the problem on screen has them
  CHECK(draft("n-kv") == "16");
}

TEST_CASE("Enter applies the problem from any of its fields, and Revert by key restores the fields") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::E);
  head.frames(3);
  head.press(Key::Right);  // the row of schedules is first
  CHECK(head.session->editing().draft().at("schedule") == "flash_v3");
  while (head.ui.stop != head.ui.stops - 1) head.press(Key::Tab);  // Revert is last
  CHECK(head.press(Key::Space) == Commands{ResetEdit{}});
  CHECK(head.session->editing().draft().at("schedule") == "flash_v2");
  head.press(Key::Tab);
  head.press(Key::Right);
  CHECK(head.press(Key::Enter) == Commands{ApplyEdit{}});
  CHECK(head.session->problem().schedule == ScheduleKind::FlashV3);
  CHECK(head.session->view().dialog() == Dialog::None);
}

TEST_CASE("Esc first reverts a value being edited, then closes the problem's dialog") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::E);
  head.frames(3);
  const draw::Rect field = head.rect("dialog/mask None");
  inject_mouse(field.x0, field.y0, false);
  inject_wheel(-100);  // to the values
  head.frames(3);
  head.click("dialog/Q 0 0");
  REQUIRE(head.ui.value_at == "Q 0 0");
  inject_text("5");
  head.frames(2);
  CHECK(head.press(Key::Escape).empty());
  CHECK(head.ui.value_at.empty());
  CHECK(head.session->view().dialog() == Dialog::Problem);
  CHECK(head.press(Key::Escape) == Commands{Action::CloseDialog});
  CHECK(head.session->view().dialog() == Dialog::None);
}

TEST_CASE("the values of Q, K and V can be reached, edited and applied by keys alone") {
  Headless head(picture_document(), 1600, 900, true);
  head.press(Key::E);
  head.frames(3);
  // From the last stop, Revert, back over Apply to V, K and Q.
  for (int i = 0; i < 5; ++i) head.press(Key::Tab, false, true);
  const auto value = [&](std::int64_t row, std::int64_t col) {
    std::vector<float> scratch;
    return head.session->inputs().rows({TensorId::Q}, row, 1, scratch)[col];
  };
  head.press(Key::Down);
  head.press(Key::Right);
  CHECK(head.ui.value_row == 1);
  CHECK(head.ui.value_col == 1);
  const float left = value(1, 0), above = value(0, 1);
  inject_text("-2.5");
  head.frames(6);
  CHECK(head.ui.value_at == "Q 1 1");
  CHECK(head.press(Key::Enter) == Commands{EditValue{TensorId::Q, 1, 1, "-2.5"}});
  CHECK(value(1, 1) == -2.5f);
  CHECK(value(1, 0) == left);
  CHECK(value(0, 1) == above);
  CHECK(head.ui.value_at.empty());
  CHECK(head.ui.value_col == 2);  // on to the next
  CHECK(head.press(Key::Enter).empty());
  head.frames(4);
  CHECK(head.ui.value_at == "Q 1 2");
  inject_text("7");
  head.frames(3);
  head.press(Key::Enter);
  CHECK(value(1, 2) == 7);
  CHECK(head.session->view().dialog() == Dialog::Problem);
  inject_text("3");
  head.frames(4);
  head.press(Key::Tab);  // moves to K, and discards the typed text
  head.frames(2);
  CHECK(head.ui.value_at.empty());
  CHECK(head.session->inputs().edits().size() == 2);
}
