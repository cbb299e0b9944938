// Keys, clicks, wheel and letters in orders that nobody would choose, over every page and dialog: nothing asserts,
// every vertex is finite, and the session stays one that could be saved and opened.
#include <array>

#include "core/chip/compare.h"
#include "core/schedules/validate.h"
#include "tests/support/random_problem.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/headless.h"

using namespace tilewalk;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

namespace {

struct InTemporaryFolder {
  test::TemporaryFolder folder;
  std::filesystem::path before = std::filesystem::current_path();
  InTemporaryFolder() { std::filesystem::current_path(folder.path()); }
  ~InTemporaryFolder() { std::filesystem::current_path(before); }
};

class Hand {
 public:
  Hand(Headless& head, std::uint64_t seed, int width, int height)
      : head_(head), draw_(seed), width_(width), height_(height) {}

  void act() {
    switch (pick(10)) {
      case 0:
      case 1:
      case 2:
      case 3: return press_command();
      case 4:
      case 5:
      case 6: head_.click(float(pick(width_)), float(pick(height_))); return;
      case 7:
        inject_mouse(float(pick(width_)), float(pick(height_)), false);
        inject_wheel(pick(2) ? 1.0f : -1.0f);
        head_.frames(2);
        return;
      case 8: {
        constexpr std::array kTyped = {"0", "9", "-", "2, 1", "x", "1e9", "ℓ"};
        inject_text(kTyped[std::size_t(pick(int(kTyped.size())))]);
        head_.frames(2);
        return;
      }
      default: {
        constexpr std::array kKeys = {Key::Enter, Key::Escape, Key::Tab, Key::Up, Key::Down, Key::Escape};
        head_.press(kKeys[std::size_t(pick(int(kKeys.size())))]);
      }
    }
  }

 private:
  int pick(int below) { return int(draw_.upto(0, below - 1)); }

  void press_command() {
    const CommandRow& row = command_table()[std::size_t(pick(int(command_table().size())))];
    if (row.key.key == Key::None)
      head_.session->dispatch(row.action);
    else
      head_.press(row.key.key, row.key.ctrl, row.key.shift);
  }

  Headless& head_;
  test::Draw draw_;
  int width_, height_;
};

}  // namespace

TEST_CASE("odd orders of keys, clicks and letters leave a session that can be saved and opened") {
  const InTemporaryFolder inside;  // whatever path is typed into the dialogs
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{700, 420}})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      Headless head(picture_document(), w, h, true);
      Hand hand(head, seed, w, h);
      for (int action = 0; action < 250; ++action) {
        INFO(w << "x" << h << ", seed " << seed << ", action " << action);
        hand.act();
        head.frame();
        REQUIRE(finite(*ImGui::GetDrawData()));
        const Session& s = *head.session;
        REQUIRE(s.cursor() >= 0);
        REQUIRE(s.cursor() <= s.schedule().step_count());
        REQUIRE(validate(s.problem()).empty());
        REQUIRE(why_not_comparable(s.baseline(), s.problem()).empty());
        if (action % 10 != 0) continue;
        const auto again = parse_document(document_text(s.document()), "again");
        INFO((again ? "" : text_of(again.issues())));
        REQUIRE(again.ok());
        REQUIRE(*again == s.document());
      }
    }
}
