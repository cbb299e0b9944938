#include "view/learn/figure_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {

namespace {

constexpr double kMostExact = 9e15;  // beyond it a double does not represent every integer

std::string number_text(double value, Counts counts, const Problem& p, const std::string& format) {
  if (format == "times") return compact_number(value) + "×";
  if (format == "percent") return fmt::format("{:.0f} %", std::round(value * 100) + 0.0);
  if (format.size() == 1 && format[0] >= '0' && format[0] <= '9') return signed_number(value, format[0] - '0');
  const bool countable = std::isfinite(value) && std::abs(value) < kMostExact;
  if (format == "plain" && countable && value == std::floor(value)) return format_count(std::llround(value));
  if (countable && (counts == Counts::Bytes || format == "bytes")) return format_bytes(std::llround(value));
  if (counts == Counts::Milliseconds) return ms_text(value);
  if (countable && counts == Counts::Flops) return format_flops(std::llround(value));
  if (countable && counts == Counts::Whole && value == std::floor(value)) return format_count(std::llround(value));
  if (countable && value == std::floor(value) && std::abs(value) >= 100) return format_count(std::llround(value));
  return format_value(p, value);
}

}  // namespace

std::string figure_text(const Figure& figure, const Problem& p, const std::string& format) {
  if (const auto* word = std::get_if<std::string>(&figure.value)) return *word;
  if (const auto* yes = std::get_if<bool>(&figure.value)) return *yes ? "yes" : "no";
  return number_text(*figure.number(), figure.counts, p, format);
}

Sentence with_figures(Sentence sentence, const Facts& facts, const Problem& p) {
  for (Run& run : sentence) {
    if (!run.figure) continue;
    const Result<Figure> figure = run.figure->value(facts);
    run.text = figure ? figure_text(*figure, p, run.format) : "…";
    run.figure.reset();
  }
  return sentence;
}

std::string sentence_text(const Sentence& sentence, const Facts& facts, const Problem& p) {
  std::string out;
  for (const Run& run : with_figures(sentence, facts, p)) out += run.text;
  return out;
}

}  // namespace tilewalk
