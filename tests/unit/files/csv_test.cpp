#include "files/csv.h"

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a line without quotes has the fields that its record has") {
  for (const std::string line : {"", ",", "a", "a,b", "a,,b,", "forward,flash_v3 192x128,bf16,64", "µs,×"})
    for (const std::size_t most : {1, 2, 64}) {
      CAPTURE(line, most);
      CsvRecord record(most + 1);
      for (const char c : line)
        if (record.take(c) != CsvRecord::Took::More) break;
      CHECK(csv_fields(line, most) == record.fields());
    }
}

TEST_CASE("quotes hold commas and quotes, and a line ends at its end") {
  CHECK(csv_fields("a,\"b,c\",d") == std::vector<std::string>{"a", "b,c", "d"});
  CHECK(csv_fields("\"say \"\"tile\"\"\",2") == std::vector<std::string>{"say \"tile\"", "2"});
  CHECK(csv_fields("a,b\r") == std::vector<std::string>{"a", "b"});
  CHECK(csv_fields("a,b\nc") == std::vector<std::string>{"a", "b"});
}
