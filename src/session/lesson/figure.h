// The value of a lesson's expression: a number with its unit, a word, or true or false. view/learn formats it for the
// screen.
#pragma once

#include <string>
#include <variant>

namespace tilewalk {

enum class Counts {
  Plain,         // no unit: a number of the softmax, a ratio
  Whole,         // tiles, rows, steps: 1,048,576
  Bytes,         // shown in KiB, MiB, GiB
  Flops,         // shown in MFLOP, GFLOP, TFLOP
  Milliseconds,  // shown in µs, ms, s
};

struct Figure {
  std::variant<double, std::string, bool> value = 0.0;
  Counts counts = Counts::Plain;

  static Figure of(double number, Counts counts = Counts::Plain) { return {number, counts}; }
  static Figure word(std::string text) { return {std::move(text), Counts::Plain}; }
  static Figure truth(bool yes) { return {yes, Counts::Plain}; }
  const double* number() const { return std::get_if<double>(&value); }
  bool yes() const { return std::holds_alternative<bool>(value) && std::get<bool>(value); }
  bool operator==(const Figure&) const = default;
};

}  // namespace tilewalk
