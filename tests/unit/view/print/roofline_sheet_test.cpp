#include "view/print/roofline_sheet.h"

#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

const RaceTimes& times() {
  static const RaceTimes kTimes = *load_race_times(std::string(TILEWALK_SOURCE_DIR));
  return kTimes;
}

RooflineSheet sheet_of(const char* name, std::uint64_t seed) {
  const DeviceModel& device = device_of(name);
  return build_roofline_sheet(device, times(), win_shapes(times(), device), seed);
}

template <class Block>
const Block& only(const PrintDocument& document) {
  const Block* found = nullptr;
  for (const PrintBlock& block : document.blocks)
    if (const auto* each = std::get_if<Block>(&block)) {
      CHECK(!found);
      found = each;
    }
  REQUIRE(found);
  return *found;
}

bool within_chart(const PrintChart& chart, double x, double y) {
  constexpr double kRounding = 1.0001;
  const auto power = [](int e) { return std::pow(10.0, e); };
  return x >= power(chart.x_low) / kRounding && x <= power(chart.x_high) * kRounding &&
         y >= power(chart.y_low) / kRounding && y <= power(chart.y_high) * kRounding;
}

}  // namespace

TEST_CASE("the sheet asks the questions of the key, and reveals no answer") {
  const RooflineSheet made = sheet_of("h200", 3);
  const PrintGrid &blank = only<PrintGrid>(made.sheet), &key = only<PrintGrid>(made.key);
  REQUIRE(blank.rows.size() == kWinsOnSheet);
  REQUIRE(key.rows.size() == kWinsOnSheet);
  for (std::size_t r = 0; r < key.rows.size(); ++r)
    for (std::size_t c = 0; c < key.columns.size(); ++c) {
      CHECK_FALSE(key.rows[r][c].empty());
      CHECK(blank.rows[r][c] == (c < 6 ? key.rows[r][c] : ""));
    }
  CHECK(only<PrintChart>(made.sheet).lines.empty());
  CHECK(only<PrintChart>(made.sheet).points.empty());
  CHECK(only<PrintBox>(made.sheet).parts[0].lines == only<PrintBox>(made.key).parts[0].lines);
  CHECK(document_text(sheet_of("h200", 3).key) == document_text(made.key));
  CHECK(document_text(sheet_of("h200", 4).sheet) != document_text(made.sheet));
}

TEST_CASE("everything in the key is on its page, on every card that runs the kernels") {
  int cards = 0;
  for (const DeviceModel& device : device_models()) {
    if (win_shapes(times(), device).empty()) continue;
    ++cards;
    for (const std::uint64_t seed : {1, 2, 3}) {
      const PrintChart chart = only<PrintChart>(sheet_of(device.name.c_str(), seed).key);
      CAPTURE(device.name, seed);
      CHECK(chart.lines.size() >= 4);
      for (const PrintChart::Line& line : chart.lines) {
        CAPTURE(line.label);
        CHECK(within_chart(chart, line.x0, line.y0));
        CHECK(within_chart(chart, line.x1, line.y1));
      }
      for (const PrintChart::Point& point : chart.points) {
        CAPTURE(point.label, point.x, point.y);
        CHECK(within_chart(chart, point.x, point.y));
      }
    }
  }
  CHECK(cards >= 5);
}

TEST_CASE("the five numbers of the H200 and the method are on the sheet") {
  const std::string text = document_text(sheet_of("h200", 1).sheet);
  for (const char* part :
       {"B = 4.28 TB/s", "P = 811 TFLOP/s", "R = 0.62 P = 503 TFLOP/s", "16 a cycle, 132 SMs, 1.755 GHz",
        "1/16 + 5/128 cycles", "naive = 8 N² H / B", "counted, 7 of 8", "win = naive / FA", "____"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(document_text(sheet_of("a100", 1).key).find("FA-3") == std::string::npos);
  CHECK(document_text(sheet_of("a100", 1).key).find("there is no recording of this GPU") != std::string::npos);
}

TEST_CASE("a set has a seed for each sheet, and a card that runs no kernel is refused") {
  const auto set = build_roofline_set({.device = "h200", .seed = 5, .count = 2, .key = true}, times());
  REQUIRE(set.ok());
  std::vector<std::string> labels;
  for (const PrintDocument& document : *set) labels.push_back(document.label);
  CHECK(labels == std::vector<std::string>{"seed 5", "seed 6", "key · seed 5", "key · seed 6"});
  CHECK_FALSE(build_roofline_set({.device = "t4", .seed = 1, .count = 1, .key = false}, times()).ok());
  CHECK_FALSE(build_roofline_set({.device = "abacus", .seed = 1, .count = 1, .key = false}, times()).ok());
  CHECK_FALSE(build_roofline_set({.device = "h200", .seed = 1, .count = 101, .key = false}, times()).ok());
}
