#include "base/nearest.h"

#include <algorithm>
#include <functional>

#include "base/random.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("the nearest word is the one with the fewest letters changed") {
  const std::vector<std::string> words = {"flash_v1", "flash_v2", "split_kv"};
  CHECK(nearest("flash_v22", words) == "flash_v2");
  CHECK(nearest("split", words) == "split_kv");
  CHECK(nearest("spilt_kv", words) == "split_kv");
  CHECK(nearest("anything", {}).empty());
}

TEST_CASE("a word is alike by its case, its beginning, or few other letters") {
  const std::vector<std::string> words = {"D", "sK", "sM", "rows", "first_row"};
  CHECK(alike_word("sm", words) == "sM");
  CHECK(alike_word("rwos", words) == "rows");
  CHECK(alike_word("first", words) == "first_row");
  CHECK(alike_word("frist_row", words) == "first_row");
  CHECK(alike_word("c", words).empty());
  CHECK(alike_word("sQ", words).empty());
  CHECK(alike_word("column", words).empty());
  CHECK(alike_word("anything", {}).empty());
}

TEST_CASE("no word is nearer than the returned one, the first of several", "[property]") {
  // Letters to change, add, leave out or swap, straight from the definition.
  const std::function<std::size_t(std::string_view, std::string_view)> between =
      [&](std::string_view a, std::string_view b) -> std::size_t {
    if (a.empty() || b.empty()) return a.size() + b.size();
    const std::string_view a1 = a.substr(1), b1 = b.substr(1);
    std::size_t least = std::min({between(a1, b1) + (a[0] == b[0] ? 0 : 1), between(a1, b) + 1, between(a, b1) + 1});
    if (!a1.empty() && !b1.empty() && a[0] == b1[0] && a1[0] == b[0])
      least = std::min(least, between(a1.substr(1), b1.substr(1)) + 1);
    return least;
  };
  for (std::uint64_t run = 0; run < 1000; ++run) {
    std::uint64_t next = 0;
    const auto word = [&] {
      std::string out;
      for (std::uint64_t i = random_bits(run, 1, next++) % 6; i > 0; --i)
        out += char('a' + random_bits(run, 2, next++) % 3);
      return out;
    };
    const std::string typed = word();
    std::vector<std::string> words(5);
    for (std::string& each : words) each = word();
    const std::string found = nearest(typed, words);
    CAPTURE(run, typed, found);
    // a word that begins with the typed text is nearer than any other
    if (typed.size() >= 3 && found.starts_with(typed)) continue;
    const auto least = std::min_element(words.begin(), words.end(), [&](const auto& a, const auto& b) {
      return between(typed, a) < between(typed, b);
    });
    CHECK(found == *least);
  }
}

TEST_CASE("words are spelled alike whatever their capitals and hyphens") {
  CHECK(spelled_alike("FA-2", "fa_2"));
  CHECK(spelled_alike("RTX 3090", "rtx3090"));
  CHECK(spelled_alike("attn_mask", "attn-mask"));
  CHECK(spelled_alike("", "--"));
  CHECK_FALSE(spelled_alike("FA-2", "FA-3"));
  CHECK_FALSE(spelled_alike("rtx3090", "rtx309"));
  CHECK_FALSE(spelled_alike("rtx309", "rtx3090"));
}
