#include "app/cli/output.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("an fp32 in JSON reads back as the same fp32 with few digits") {
  CHECK(json_number(0.1f).dump() == "0.1");
  CHECK(json_number(-2.0f).dump() == "-2.0");
  for (float value : {0.3333333f, 1e-38f, 3.4e38f, 1.17549435e-38f, -7.0e-45f})
    CHECK(std::strtof(json_number(value).dump().c_str(), nullptr) == value);
}

TEST_CASE("values that are not finite are strings in JSON") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(json_number(inf) == "inf");
  CHECK(json_number(-inf) == "-inf");
  CHECK(json_number(std::nanf("")) == "nan");
  CHECK(json_number(double(-inf)) == "-inf");
}

TEST_CASE("rows of values become lists of lists") {
  CHECK(json_rows({1, 2, 3, 4}, 2).dump() == "[[1.0,2.0],[3.0,4.0]]");
  CHECK(json_rows({}, 2).dump() == "[]");
  CHECK(json_rows({}, 0).dump() == "[]");
}

TEST_CASE("counters list the tensors that the whole run moves, with both directions") {
  Cost whole, part;
  whole.of(TensorId::K).read_bytes = 64;
  whole.of(TensorId::L).write_bytes = 8;
  part.of(TensorId::K).read_bytes = 16;
  const Json json = json_counters(part, whole);
  CHECK(json["hbm"].dump() == R"({"K":{"read_bytes":16,"write_bytes":0},"L":{"read_bytes":0,"write_bytes":0}})");
  CHECK(json["hbm_total"]["read_bytes"] == 16);
}

TEST_CASE("columns of a table align although characters have several bytes") {
  CHECK(table_text({"a", "ℓ"}, {{"−∞", "1"}, {"2", "−10"}}, "  ") == "   a    ℓ\n  −∞    1\n   2  −10\n");
}
