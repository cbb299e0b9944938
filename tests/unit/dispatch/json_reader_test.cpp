#include "dispatch/profile/json_reader.h"

#include <nlohmann/json.hpp>

#include "base/random.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

struct Text {
  std::string text;
  ByteSource bytes;
  explicit Text(std::string t)
      : text(std::move(t)),
        bytes(bytes_in_memory(std::as_bytes(std::span(text))), std::int64_t(text.size()), "x.json") {}
};

std::string why_no_json(const std::string& text) {
  Text source(text);
  JsonReader reader(source.bytes);
  if (reader.pass_over() && reader.at_end()) return "";
  return in_one_line(reader.issues());
}

}  // namespace

TEST_CASE("valid JSON is skipped, and invalid JSON is refused with its byte") {
  for (const char* text : {"{}", "[]", "0", "-0.5e+10", "\"a\\u00e4\\n\\\"\"", " [1, {\"a\" : [true,false,null]} ] \n"})
    CHECK(why_no_json(text) == "");
  CHECK(why_no_json("{\"a\":1,}").starts_with("x.json, byte 7: "));
  CHECK(why_no_json("[1 2]").starts_with("x.json, byte 3: a comma"));
  CHECK(why_no_json("[01]").starts_with("x.json, byte 2: a comma"));
  CHECK(why_no_json("nul").starts_with("x.json, byte 3: the file ends"));
  CHECK(why_no_json("[1] x").starts_with("x.json, byte 4: something follows"));
  CHECK(why_no_json("\"a\nb\"").starts_with("x.json, byte 2: a control character"));
  CHECK(why_no_json("\"\\ud800x\"").find("half of a surrogate pair") != std::string::npos);
  CHECK(why_no_json("{\"a\":[1,2").find("the file ends in the middle") != std::string::npos);
  CHECK(why_no_json(std::string(kDeepestJson, '[') + std::string(kDeepestJson, ']')) == "");
  CHECK(why_no_json(std::string(100'000, '[')).find("inside each other") != std::string::npos);
}

TEST_CASE("texts and numbers are read as written, also across the pieces of a file") {
  const std::string filler(300 << 10, ' ');  // longer than a piece
  Text source("[" + filler + "\"\\u00e4 \\ud83d\\ude00 \\/\\t|\"," + filler + "-12.5e1,\"abcdef\"]");
  JsonReader reader(source.bytes);
  bool first = true;
  std::string text;
  double number = 0;
  REQUIRE(reader.enter('['));
  REQUIRE(reader.next_element(first));
  REQUIRE(reader.read_string(text, 100));
  CHECK(text == "ä 😀 /\t|");
  REQUIRE(reader.next_element(first));
  REQUIRE(reader.read_number(number));
  CHECK(number == -125);
  REQUIRE(reader.next_element(first));
  REQUIRE(reader.read_string(text, 4));
  CHECK(text == "abcd");
  CHECK(!reader.next_element(first));
  CHECK(reader.at_end());
}

TEST_CASE("this reader and nlohmann's agree on what is JSON") {
  const std::string letters = "{}[]\",:0123456789.eE+-truefalsn \\u";
  int good = 0;
  for (std::uint64_t run = 0; run < 20'000; ++run) {
    std::string text = run % 2 ? R"({"a":[1,-2.5,"x\u0041"],"b":{"c":null,"d":true}})" : "[[],{},0]";
    for (std::uint64_t i = 0; i < 1 + run % 3; ++i) {
      const std::size_t at = random_bits(run, 1, i) % text.size();
      const char letter = letters[random_bits(run, 2, i) % letters.size()];
      if (random_bits(run, 3, i) % 3 == 0)
        text.erase(at, 1);
      else if (random_bits(run, 3, i) % 3 == 1)
        text.insert(at, 1, letter);
      else
        text[at] = letter;
    }
    CAPTURE(text);
    const bool theirs = nlohmann::json::accept(text);
    good += theirs;
    REQUIRE((why_no_json(text) == "") == theirs);
  }
  CHECK(good > 100);
}
