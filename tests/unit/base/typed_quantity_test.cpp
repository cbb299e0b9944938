#include "base/typed_quantity.h"

#include <cmath>

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

constexpr double kMi = 1024.0 * 1024;

}  // namespace

TEST_CASE("a number is parsed with the unit that a person types behind it") {
  const struct {
    const char* text;
    const char* expected;
    double value;
  } rows[] = {
      {"780 ms", "ms", 780},
      {"0.78 s", "ms", 780},
      {"780ms", "s", 0.78},
      {"780 µs", "ms", 0.78},
      {"780 us", "ms", 0.78},
      {"0,78 seconds", "ms", 780},
      {"64 GiB", "bytes", 65536 * kMi},
      {"68.7 GB", "bytes", 68.7e9},
      {"64gib", "bytes", 65536 * kMi},
      {"1.5e3", "bytes", 1500},
      {"1.5e3 B", "bytes", 1500},
      {"1,048,576 bytes", "bytes", kMi},
      {"4x", "", 4},
      {"4 ×", "×", 4},
      {"4 times", "", 4},
      {"400 %", "", 4},
      {"12.5%", "", 0.125},
      {"12,5 percent", "×", 0.125},
      {"1/2", "", 0.5},
      {"1/2 s", "ms", 500},
      {"≈ 4", "", 4},
      {"about 4.6x", "", 4.6},
      {"15 tiles", "tiles", 15},
      {"15 Tile", "tiles", 15},
      {"256 blocks", "thread blocks", 256},
      {"32 FLOP/byte", "FLOP per byte", 32},
      {"32 flops per byte", "FLOP per byte", 32},
      {"4275 GB/s", "TB/s", 4.275},
      {"0.8 PFLOP/s", "TFLOP/s", 800},
      {"1024 bits", "bytes", 128},
  };
  for (const auto& row : rows) {
    const TypedQuantity read = typed_quantity(row.text, row.expected);
    CAPTURE(row.text, row.expected, read.error);
    REQUIRE(read.value);
    CHECK(*read.value == Approx(row.value).epsilon(1e-12));
    CHECK(read.error.empty());
  }
  CHECK(typed_quantity("64 gib", "bytes").unit == "GiB");
  CHECK(typed_quantity("64", "bytes").unit.empty());
}

TEST_CASE("a unit of another kind is refused by a sentence that names the expected one") {
  const struct {
    const char* text;
    const char* expected;
    const char* error;
  } rows[] = {
      {"780 MiB", "ms", "MiB is a unit of memory. The question asks for a time, in ms."},
      {"5 ms", "bytes", "ms is a unit of time. The question asks for a number of bytes, such as 64 KiB."},
      {"5 ms", "", "ms is a unit of time. The question asks for a number without a unit."},
      {"5 %", "ms", "% is a unit of ratios. The question asks for a time, in ms."},
      {"5 KiB", "tiles", "KiB is a unit of memory. The question asks for a number of tiles."},
      {"5 TB/s", "TFLOP/s", "TB/s is a unit of bytes per second. The question asks for FLOPs per second, in TFLOP/s."},
      {"5 apples", "ms", "“apples” is not a unit here. The question asks for a time, in ms."},
      {"ms", "ms", "That is not a number. Type digits, a point or a comma, and a unit if you like."},
      {"", "", "That is not a number. Type digits, a point or a comma, and a unit if you like."},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text, row.expected);
    CHECK_FALSE(typed_quantity(row.text, row.expected).value);
    CHECK(typed_quantity(row.text, row.expected).error == row.error);
  }
  CHECK(typed_quantity("5 ms", "").begins_right);
  CHECK_FALSE(typed_quantity("ms", "").begins_right);
  CHECK_FALSE(typed_quantity(std::string(10'000, '1'), "").value);
}

TEST_CASE("a number that is right in another unit is told its unit") {
  const auto near = [](double right) { return [right](double typed) { return std::abs(typed / right - 1) < 0.02; }; };
  CHECK(slip_of_scale(0.55, "µs", near(551)) == "That is in ms. The question asks for a time, in µs.");
  CHECK(slip_of_scale(551, "ms", near(0.55)) == "That is in µs. The question asks for a time, in ms.");
  CHECK(slip_of_scale(0.00055, "ms", near(0.55)) == "That is in s. The question asks for a time, in ms.");
  CHECK(slip_of_scale(39, "", near(0.39)) == "That is in %. The question asks for a number without a unit.");
  CHECK(slip_of_scale(9.2, "ms", near(0.55)).empty());
  CHECK(slip_of_scale(0.55, "ms", near(0.55 * 60'000)).empty());  // minutes are 60 apart: that is no slip of a prefix
  CHECK(slip_of_scale(1, "bytes", near(1000)).empty());
  CHECK(slip_of_scale(1, "tiles", near(1000)).empty());
}
