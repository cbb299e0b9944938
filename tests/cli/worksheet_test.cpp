// worksheet, as a teacher calls it.
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/run_program.h"

using namespace tilewalk;
using test::tilewalk_says;

TEST_CASE("a class set is one PDF, and says how many pages it has") {
  test::TemporaryFolder folder;
  const std::string sheet = "worksheet --preset paper --seed 12 --json --out " + folder.file("sheet.pdf");
  const test::Said one = tilewalk_says(sheet), set = tilewalk_says(sheet + " --count 3 --key --paper letter");
  REQUIRE(one.exit == 0);
  REQUIRE(set.exit == 0);
  const std::int64_t pages = nlohmann::json::parse(one.out)["pages"];
  CHECK(nlohmann::json::parse(one.out)["file"] == folder.file("sheet.pdf"));
  CHECK(pages == 2);
  CHECK(nlohmann::json::parse(set.out)["pages"] >= 3 * pages + 3);
  CHECK(test::read_text(folder.file("sheet.pdf")).starts_with("%PDF-"));
}

TEST_CASE("the text version goes to the terminal or to a file, and names each seed") {
  test::TemporaryFolder folder;
  const test::Said here = tilewalk_says("worksheet --preset paper --count 2 --seed 3 --key --text");
  REQUIRE(here.exit == 0);
  for (const char* part : {" · seed 3\n", " · seed 4\n", "Key · FA-2 by hand", "____"})
    CHECK(here.out.find(part) != std::string::npos);
  REQUIRE(
      tilewalk_says("worksheet --preset paper --count 2 --seed 3 --key --text --out " + folder.file("a.txt")).exit ==
      0);
  CHECK(test::read_text(folder.file("a.txt")) == here.out);
}

TEST_CASE("a lesson has a page for its teacher, with every question and its answer") {
  test::TemporaryFolder folder;
  const test::Said page = tilewalk_says("worksheet --lesson 7 --text");
  REQUIRE(page.exit == 0);
  for (const char* part :
       {"Lesson 7 · Walk one Q tile", "Ask the class", "often said wrongly", "Answer: b) ℓ and the row of O",
        "m = 0.92; α = 0.66", "ℓ = 3.63; O = 0.91", "Only ℓ: O was summed"}) {
    CAPTURE(part);
    CHECK(page.out.find(part) != std::string::npos);
  }
  for (const char* number : {"3", "5", "9", "10"}) {
    const test::Said pdf = tilewalk_says(std::string("worksheet --json --paper letter --lesson ") + number + " --out " +
                                         folder.file("t.pdf"));
    REQUIRE(pdf.exit == 0);
    CHECK(nlohmann::json::parse(pdf.out)["pages"] >= 1);
    CHECK(test::read_text(folder.file("t.pdf")).starts_with("%PDF-"));
  }
  CHECK(tilewalk_says("worksheet --lesson 99 --text").err.find("There are 0, 1") != std::string::npos);
  CHECK(tilewalk_says("worksheet --lesson 7 --preset paper --text").exit == 2);
}

TEST_CASE("a roofline to draw has a page for its key, as PDF and as text") {
  test::TemporaryFolder folder;
  const test::Said pdf =
      tilewalk_says("worksheet --roofline --seed 3 --count 2 --key --json --out " + folder.file("r.pdf"));
  REQUIRE(pdf.exit == 0);
  CHECK(nlohmann::json::parse(pdf.out)["pages"] == 4);
  const test::Said text = tilewalk_says("worksheet --roofline --device h200 --seed 3 --key --text");
  REQUIRE(text.exit == 0);
  for (const char* part : {"The roofline of the H200: predict the win · seed 3\n", "\n\f", "log-log paper: FLOP/byte"})
    CHECK(text.out.find(part) != std::string::npos);
  CHECK(tilewalk_says("worksheet --roofline --device t4 --text").err.find("needs Ampere") != std::string::npos);
  CHECK(tilewalk_says("worksheet --roofline --n 64 --text").err.find("does not go with --roofline") !=
        std::string::npos);
}

TEST_CASE("a class has its plan and then its print-outs, in order of use") {
  test::TemporaryFolder folder;
  const test::Said text = tilewalk_says("worksheet --class 90 --text");
  REQUIRE(text.exit == 0);
  std::size_t at = 0;
  for (const char* part : {"FlashAttention in 90 minutes", "0 to 6", "print-out A · seed 12", "print-out A · key",
                           "print-out B · seed 1", "print-out B · key"}) {
    CAPTURE(part);
    at = text.out.find(part, at);
    CHECK(at != std::string::npos);
  }
  CHECK(tilewalk_says("worksheet --class 45 --paper letter --out " + folder.file("c.pdf")).exit == 0);
  CHECK(tilewalk_says("worksheet --class 60 --text").err.find("There are plans of 45, 90 minutes") !=
        std::string::npos);
  CHECK(tilewalk_says("worksheet --class 45 --seed 3 --text").exit == 2);
}

TEST_CASE("an impossible worksheet is refused with its reason, and writes nothing") {
  test::TemporaryFolder folder;
  const std::string out = folder.file("x.pdf"), to = " --out " + out;
  const std::pair<const char*, const char*> wrong[] = {
      {"--n 128 --d 64", "d = 64: must be at most 8"}, {"--preset paper --fault no-max", "fault = no-max"},
      {"--preset paper --count 0", "count = 0"},       {"--preset paper --count 101", "count = 101"},
      {"--preset paper --paper a5", "paper = a5"},     {"--preset paper --q-tile 2", "q-tile = 2"}};
  for (const auto& [words, part] : wrong) {
    CAPTURE(words);
    const test::Said said = tilewalk_says(std::string("worksheet ") + words + to);
    CHECK(said.exit == 2);
    CHECK(said.err.find(part) != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(out));
  }
  CHECK(tilewalk_says("worksheet --preset paper").err.find("--out sheet.pdf") != std::string::npos);
  CHECK(tilewalk_says("worksheet --preset paper --out " + folder.file("x.png")).exit == 2);
}
