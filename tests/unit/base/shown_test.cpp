#include "base/shown.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("displayable text does not change, in any script") {
  for (const char* text : {"", "br", "/tmp/a file.npy", "odd \"quotes\" \\ and back", "ℓ = 4×4 · 日本語 🙂"}) {
    CHECK(shown(text) == text);
    CHECK(is_showable(text));
  }
}

TEST_CASE("control characters, invisible characters and bytes that are not UTF-8 become escapes") {
  CHECK(shown("a\nb\r\tc") == "a\\nb\\r\\tc");
  CHECK(shown("\x1b[2J") == "\\x1b[2J");
  CHECK(shown(std::string("\0\x7f", 2)) == "\\x00\\x7f");
  CHECK(shown("\xc2\x9b"
              "31m") == "\\u{9b}31m");  // one character that starts a terminal's command
  CHECK(shown("\xe2\x80\xae"
              "txt.exe") == "\\u{202e}txt.exe");  // writes from right to left
  CHECK(shown("a\xe2\x80\x8b"
              "b") == "a\\u{200b}b");  // no width
  CHECK(shown("\xff\xc3") == "\\xff\\xc3");
  CHECK(shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");           // half a pair
  CHECK(shown("\xf0\x80\x80\x80") == "\\xf0\\x80\\x80\\x80");  // too long a form
  for (const char* text : {"a\nb", "\x1b[2J", "\xff", "\xe2\x80\xae"}) {
    CHECK_FALSE(is_showable(text));
    CHECK(is_showable(shown(text)));
    CHECK(shown(shown(text)) == shown(text));
  }
}

TEST_CASE("in many lines the line ends stay, and nothing else that moves a terminal") {
  CHECK(shown_lines("a\nb\fc ℓ") == "a\nb\fc ℓ");
  CHECK(shown_lines("a\x1b[2J\r\n\xff") == "a\\x1b[2J\\r\n\\xff");
  CHECK(shown_lines(std::string(9000, 'x')).size() == 9000);
}

TEST_CASE("invalid UTF-8 is detected, and is replaced byte by byte") {
  for (const char* text : {"", "ℓ = 4×4 · 日本語 🙂", "a\n"}) {
    CHECK(is_utf8(text));
    CHECK(as_utf8(text) == text);
  }
  CHECK_FALSE(is_utf8("a\xff"));
  CHECK(as_utf8("a\xff\xc3") == "a\uFFFD\uFFFD");
}

TEST_CASE("every byte and every pair of bytes becomes visible characters") {
  for (int a = 0; a < 256; ++a)
    for (int b = 0; b < 256; ++b) REQUIRE(is_showable(shown(std::string{char(a), char(b)})));
}

TEST_CASE("a long text is shortened in the middle between two characters") {
  const std::string text = shown(std::string(5000, 'a') + std::string(5000, 'b'), 30);
  CHECK(text == std::string(20, 'a') + " … " + std::string(10, 'b'));
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "ℓ";
  for (std::size_t most = 0; most < 40; ++most) CHECK(is_showable(shown(wide, most)));
}
