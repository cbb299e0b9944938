#include "base/words.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a text begins with a capital letter", "[unit]") {
  CHECK(capitalized("agrees partly") == "Agrees partly");
  CHECK(capitalized("Agrees") == "Agrees");
  CHECK(capitalized("α shrinks O") == "α shrinks O");
  CHECK(capitalized("") == "");
}

TEST_CASE("words are what stands between spaces", "[unit]") {
  CHECK(split_words("  q   k ") == std::vector<std::string>{"q", "k"});
  CHECK(split_words("one") == std::vector<std::string>{"one"});
  CHECK(split_words(" ").empty());
  CHECK(split_words("").empty());
}

TEST_CASE("lists have commas, and a word of their own before the last item", "[unit]") {
  const std::vector<std::string> three = {"a", "b", "c"};
  CHECK(listed(three) == "a, b, c");
  CHECK(listed(three, " and ") == "a, b and c");
  CHECK(listed(std::vector<std::string>{"a"}, " and ") == "a");
  CHECK(trimmed("  a b ") == "a b");
  CHECK(lower_case("FA-2 α") == "fa-2 α");
}
