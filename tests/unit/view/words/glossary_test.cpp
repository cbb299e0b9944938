#include "view/words/glossary.h"

#include <set>

#include "core/schedules/registry.h"
#include "tests/unit/view/view_fixture.h"
#include "view/walk/softmax_model.h"

using namespace tilewalk;

namespace {

std::vector<std::string> words_in(std::string_view text) {
  std::vector<std::string> out;
  for (const Term* term : terms_in(text)) out.emplace_back(term->word);
  return out;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("every word of the glossary belongs to one row, and its meaning is one short sentence") {
  std::set<std::string_view> seen;
  for (const Term& term : glossary()) {
    CAPTURE(term.word);
    CHECK(seen.insert(term.word).second);
    for (const std::string_view other : term.also) {
      CAPTURE(other);
      CHECK(seen.insert(other).second);
      CHECK(find_term(other) == &term);
    }
    CHECK(find_term(term.word) == &term);
    REQUIRE(term.meaning.size() > 8);
    CHECK(term.meaning.size() <= 120);
    CHECK(term.meaning.back() == '.');
    CHECK(term.meaning.find(". ") == std::string_view::npos);
    CHECK(term.meaning.find("  ") == std::string_view::npos);
  }
}

TEST_CASE("words are found in a text as written, the longest first, with case where a letter needs it") {
  CHECK(words_in("SRAM · one thread block") == Words{"SRAM", "thread block"});
  CHECK(words_in("Online softmax · Q tile 2 meets KV tile 1") == Words{"online softmax", "Q tile", "KV tile"});
  CHECK(words_in("two thread blocks and 16 SMs") == Words{"thread block", "SM"});
  CHECK(words_in("Scores S = QKᵀ/√d") == Words{"S", "QKᵀ", "d"});
  CHECK(words_in("m, ℓ and D of each row") == Words{"m", "ℓ", "D"});
  CHECK(words_in("dO·O") == Words{"dO", "O"});
  CHECK(words_in("a tiled kind of smaller words").empty());
  CHECK(words_in("Q2").empty());
  CHECK(words_in("").empty());
}

TEST_CASE("a word is found in any case and number, and a mistyped one gives its nearest") {
  REQUIRE(find_term("sram"));
  CHECK(find_term("sram")->word == "SRAM");
  CHECK(find_term("Thread Blocks")->word == "thread block");
  CHECK(find_term("l")->word == "ℓ");
  CHECK(find_term("L")->word == "L");
  CHECK(find_term("d")->word == "d");
  CHECK(find_term("D")->word == "D");
  CHECK_FALSE(find_term("srma"));
  CHECK(nearest_term("srma").word == "SRAM");
  CHECK(nearest_term("wrap").word == "warp");
}

TEST_CASE("every column and every title of the softmax table, of every schedule and step, is in the glossary") {
  for (const ScheduleKind kind : all_schedules()) {
    Problem p = test::picture(kind);
    p.tiling.splits = kind == ScheduleKind::SplitKv ? 2 : 1;
    p.machine.sram_bytes = 1 << 16;
    test::Walk walk(p);
    for (std::int64_t k = 0; k <= walk.schedule->step_count(); ++k) {
      const SoftmaxModel m = build_softmax_model(*walk.schedule, walk.at(k));
      INFO(name_of(kind) << ", step " << k << ", " << m.title);
      CHECK_FALSE(terms_in(m.title).empty());
      for (const std::string& column : m.columns) {
        CAPTURE(column);
        CHECK((column == "row" || find_term(column)));
      }
    }
  }
}
