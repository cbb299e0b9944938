// Where S or P is the task: the first wrong element, and the rows of Q and K that it comes from.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "core/problem/format_value.h"
#include "pages/lab/lab_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostTerms = 12;  // of a dot product, one a line
constexpr int kDigits = 4;               // of terms: in two decimals their sum would not be that of the terms

std::string term(double value) { return signed_number(value, kDigits); }

// The terms of the dot product, a line each, then their sum.
void put_terms(const lab::LabRunResult& run, const lab::WrongElement& at, LabNumbersModel& out) {
  const Shape& s = run.setup.problem.shape;
  const float* const q = &run.inputs.q[std::size_t(((at.batch * s.heads + at.head) * s.n_q + at.row) * s.d)];
  const float* const k =
      &run.inputs.k[std::size_t(((at.batch * s.kv_heads + s.kv_head_of(at.head)) * s.n_kv + at.column) * s.d)];
  const auto add = [&](std::string row, std::vector<std::string> cells) {
    out.rows.push_back(
        {.row = std::move(row), .cells = std::move(cells), .right = {"", "", ""}, .wrong = {false, false, false}});
  };
  out.columns = {{"x"}, {fmt::format("Q[{}][x]", at.row)}, {fmt::format("K[{}][x]", at.column)}, {"product"}};
  double sum = 0;
  for (std::int64_t x = 0; x < s.d; ++x) {
    const double product = double(q[x]) * double(k[x]);
    sum += product;
    if (x < kMostTerms) add(std::to_string(x), {term(q[x]), term(k[x]), term(product)});
  }
  if (s.d > kMostTerms) add("…", {"…", "…", "…"});
  add("sum", {"", "", term(sum)});
}

// "P[0][1] = e^(S − m) / ℓ = e^(2.4500 − 3.1000) / 1.5200"
std::string weight_words(const lab::LabRunResult& run, const lab::WrongElement& at, double score) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  const std::int64_t cols = run.setup.problem.shape.n_kv;
  for (std::int64_t col = 0; col < cols; ++col) most = std::max(most, lab_score(run, at.batch, at.head, at.row, col));
  for (std::int64_t col = 0; col < cols; ++col) sum += std::exp(lab_score(run, at.batch, at.head, at.row, col) - most);
  return fmt::format(
      "{}[{}][{}] = e^(S − m) / ℓ = e^({} {}) / {}, where m is the largest score of row {}, and ℓ the sum of its "
      "exponentials.",
      at.tensor, at.row, at.column, term(score), subtracted(most), term(sum), at.row);
}

}  // namespace

std::string subtracted(double value) { return value < 0 ? "+ " + term(-value) : "− " + term(value); }

LabNumbersModel build_lab_element(const LabController& lab) {
  LabNumbersModel out;
  const lab::LabRunResult* const run = lab.result();
  const std::string tensor = lab.task()->setup.judging == lab::LabJudging::Scores ? "S" : "P";
  out.title = "Your first wrong element";
  out.columns = {{"x"}, {"Q"}, {"K"}, {"product"}};
  if (!run || !run->walked.compiled) {
    out.sentence = run ? "The text does not compile yet."
                       : fmt::format(
                             "After a run, the first wrong element of {} is here, beside the rows of Q and K "
                             "that it comes from.",
                             tensor);
    return out;
  }
  const auto& wrong = run->walked.wrong_element;
  if (!wrong || run->inputs.q.empty()) {
    if (!run->walked.ended) {
      out.sentence = "The run stopped before its end, so " + tensor + " was not compared.";
      return out;
    }
    const Shape& s = run->setup.problem.shape;
    out.title = fmt::format("All {} right", format_count(s.batch * s.heads * s.n_q * s.n_kv));
    out.sentence = fmt::format(
        "Each element of {} is within its bound of float64's. See it walk: the first button below goes to the start of "
        "the run, and play follows one thread.",
        tensor);
    return out;
  }
  out.where = fmt::format("{}[{}][{}]", tensor, wrong->row, wrong->column);
  const double score = lab_score(*run, wrong->batch, wrong->head, wrong->row, wrong->column);
  const std::string yours =
      fmt::format("Your kernel has {}; right is {}. ", result_number(wrong->got), result_number(wrong->expected));
  if (!std::isfinite(score)) {
    out.sentence = yours + fmt::format("Row {} does not see key {}.", wrong->row, wrong->column);
    return out;
  }
  put_terms(*run, *wrong, out);
  out.sentence = yours + fmt::format("S = SCALE × sum = {:.4g} × {} = {}. ", run->setup.problem.scale_value(),
                                     out.rows.back().cells.back(), term(score));
  if (tensor == "P") out.sentence += weight_words(*run, *wrong, score);
  return out;
}

}  // namespace tilewalk
