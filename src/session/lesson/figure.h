// What an expression of a lesson gives: a number with what it counts, a word, or yes or no. How it is written on screen
// is view/learn's.
#pragma once

#include <string>
#include <variant>

namespace tilewalk {

enum class Counts {
  Plain,         // a number of the softmax, a ratio, whatever has no unit
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
