// Ten thousand random actions over every schedule, page and dialog: nothing asserts, every vertex is finite, and the
// session can still be saved and opened. TILEWALK_MONKEY_SEED and TILEWALK_MONKEY_ACTIONS make other and longer runs; a
// failure names its seed and action.
#include "tests/ui/monkey.h"

#include "core/fields/validate.h"
#include "core/predict/compare.h"
#include "tests/support/asked_for.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;
using tilewalk::test::asked_for;
using tilewalk::test::finite;
using tilewalk::test::Headless;
using tilewalk::test::Monkey;

namespace {

struct InTemporaryFolder {  // for paths typed into the dialogs
  test::TemporaryFolder folder;
  std::filesystem::path before = std::filesystem::current_path();
  InTemporaryFolder() { std::filesystem::current_path(folder.path()); }
  ~InTemporaryFolder() { std::filesystem::current_path(before); }
};

Document random_document(std::uint64_t seed) {
  Document document;
  document.title = "monkey";
  document.problem = test::random_problem(seed);
  if (seed % 5 == 0) {  // too many tiles to draw each one
    document.problem = {};
    document.problem.schedule = all_schedules()[seed / 5 % all_schedules().size()];
    document.problem.shape.n_q = document.problem.shape.n_kv = 1 << 20;
  }
  document.view.dark = seed % 2 == 0;
  return document;
}

void require_sound(const Session& s) {
  REQUIRE(s.cursor() >= 0);
  REQUIRE(s.cursor() <= s.schedule().step_count());
  REQUIRE(validate(s.problem()).empty());
  REQUIRE(why_not_comparable(s.baseline(), s.problem()).empty());
}

void require_saved_and_opened(const Session& s) {
  const auto again = parse_document(document_text(s.document()), "again");
  INFO((again ? "" : text_of(again.issues())));
  REQUIRE(again.ok());
  REQUIRE(*again == s.document());
}

void require_all_undone(Session& s, const Document& start) {
  if (s.undo().steps_back() == UndoController::kMost) return;  // the oldest steps may be discarded
  while (s.undo().steps_back() > 0) {
    const std::size_t left = s.undo().steps_back();
    s.dispatch(Action::Undo);
    REQUIRE(s.undo().steps_back() == left - 1);
    require_sound(s);
  }
  REQUIRE(same_subject(s.document(), start));
}

}  // namespace

TEST_CASE("after ten thousand random actions a session can be saved and opened") {
  const InTemporaryFolder inside;
  constexpr std::uint64_t kActionsEach = 400;
  const std::uint64_t first = asked_for("TILEWALK_MONKEY_SEED", 1);
  const std::uint64_t walks = (asked_for("TILEWALK_MONKEY_ACTIONS", 10000) + kActionsEach - 1) / kActionsEach;
  for (std::uint64_t seed = first; seed < first + walks; ++seed) {
    const Document document = random_document(seed);
    INFO("seed " << seed << ": " << test::as_text(document.problem));
    Headless head(document, 1280, 720, true);
    Monkey monkey(head, seed);
    for (std::uint64_t action = 0; action < kActionsEach; ++action) {
      INFO("action " << action);
      monkey.act();
      REQUIRE(finite(*ImGui::GetDrawData()));
      require_sound(*head.session);
      if (action % 10 == 0) require_saved_and_opened(*head.session);
    }
    require_all_undone(*head.session, document);
  }
}
