// The texts of one row of a race: its figure under each metric, and sentences about it.
#pragma once

#include <optional>
#include <string>

#include "session/command/race_report.h"

namespace tilewalk {

std::string rate_text(double tflops);        // "811 TFLOP/s"
std::string milliseconds_text(double ms);    // "8.99 ms", "63 µs"
std::string n_text(std::int64_t n);          // "8k", "3,000"
std::string rung_title(const std::string&);  // "FA-2 by Tilewalk", "PyTorch FLASH"

std::optional<double> figure(const Race&, const RaceRow&, RaceMetric);  // empty if it has none
std::string figure_text(RaceMetric, double value);
const char* metric_title(RaceMetric);  // on a tag
const char* column_title(RaceMetric);  // of the table
const char* metric_words(RaceMetric);  // of the bars: the meaning of a longer bar

// The highest floor of a row: "S and P, 8.00 GiB each, cross HBM 4 times in all: 8.04 ms of it"; "" where none is
// known.
std::string highest_floor_text(const Race&, const RaceRow&);
const char* highest_floor_word(const Race&, const RaceRow&);  // "bytes of S", "products", "exponentials", "bytes"
std::string detail_of(const Race&, const RaceRow&);           // for a tooltip

}  // namespace tilewalk
