#include "view/present/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/sentence/sentence.h"
#include "view/sentence/sentence_parts.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostListed = 8;

struct Asker {
  const Problem& problem;
  const State& state;
  std::int64_t r;
  const Step& step = state.step;
  SoftmaxKind softmax = row_of(problem).walk.softmax;

  std::int64_t row() const { return step.row_begin + r; }
  bool has(const std::vector<float>& values) const { return r < std::int64_t(values.size()); }
  std::string score(const std::vector<float>& values) const {
    return number_in_text(problem, display_score(problem, values[std::size_t(r)]));
  }
  std::string plain(const std::vector<float>& values) const { return number_in_text(problem, values[std::size_t(r)]); }

  std::optional<Question> row_max() const {
    if (softmax == SoftmaxKind::WholeRows && has(state.m))
      return Question{fmt::format("Row {}: what is its largest score?", row()), r, "max"};
    if (softmax == SoftmaxKind::PerTile && has(state.tile_max))
      return Question{fmt::format("Row {}: what is its largest score within this tile?", row()), r, "tile max"};
    if (softmax != SoftmaxKind::Online || !has(state.m) || !has(state.m_old) || !has(state.tile_max))
      return std::nullopt;
    return Question{fmt::format("Row {}: the running max was {}, and this tile's best score is {}. What is m now?",
                                row(), score(state.m_old), score(state.tile_max)),
                    r, "m new"};
  }
  std::optional<Question> rescale() const {
    if (!has(state.alpha) || !has(state.m_old) || !has(state.m) || std::isinf(state.m_old[std::size_t(r)]))
      return std::nullopt;
    return Question{fmt::format("Row {}: the running max was {} and is {} now. What is α?", row(), score(state.m_old),
                                score(state.m)),
                    r, "α"};
  }
  std::optional<Question> weight() const {
    const std::int64_t cols = step.cols();
    if (cols <= 0 || std::int64_t(state.p.size()) < (r + 1) * cols || state.s.size() < state.p.size())
      return std::nullopt;
    const std::vector<float>& best = softmax == SoftmaxKind::PerTile ? state.tile_max : state.m;
    if (!has(best)) return std::nullopt;
    // A column whose weight is neither 0 by the mask nor 1 by being the max: those are no question.
    std::int64_t asked = -1;
    for (std::int64_t c = 0; c < cols; ++c) {
      const float p = state.p[std::size_t(r * cols + c)];
      if (p > 0 && p < 1 && (asked < 0 || p > state.p[std::size_t(r * cols + asked)])) asked = c;
    }
    if (asked < 0) return std::nullopt;
    const std::string own = number_in_text(problem, display_score(problem, state.s[std::size_t(r * cols + asked)]));
    return Question{fmt::format("Row {}, column {}: its score is {}, and the max is {}. What is its weight?", row(),
                                step.col_begin + asked, own, score(best)),
                    r, "", asked};
  }
  std::string weights() const {
    const std::int64_t cols = step.cols();
    std::string text;
    if (cols <= kMostListed && std::int64_t(state.p.size()) >= (r + 1) * cols)
      for (std::int64_t c = 0; c < cols; ++c)
        add_to_list(text, weight_text(problem, state.p[std::size_t(r * cols + c)]));
    return text;
  }
  std::optional<Question> row_sum() const {
    const std::string listed = weights();
    if (softmax == SoftmaxKind::WholeRows && has(state.l))
      return Question{fmt::format("Row {}: what do its exponentials add up to?", row()), r, "sum"};
    if (softmax == SoftmaxKind::PerTile && has(state.tile_l))
      return Question{listed.empty() ? fmt::format("Row {}: what do this tile's exponentials add up to?", row())
                                     : fmt::format("Row {}: what do the weights {} add up to?", row(), listed),
                      r, "tile ℓ"};
    if (softmax != SoftmaxKind::Online || !has(state.l) || !has(state.l_old) || !has(state.alpha)) return std::nullopt;
    const float alpha = state.alpha[std::size_t(r)], before = state.l_old[std::size_t(r)];
    const std::string added =
        listed.empty()
            ? "add up to " + number_in_text(problem, double(state.l[std::size_t(r)]) - double(alpha) * double(before))
            : "are " + listed;
    return Question{fmt::format("Row {}: ℓ was {} and α is {}. This tile's weights {}. What is ℓ now?", row(),
                                plain(state.l_old), weight_text(problem, alpha), added),
                    r, "ℓ new"};
  }
};

}  // namespace

std::optional<Question> question_at(const Schedule& schedule, const State& state) {
  const std::int64_t r = spoken_row(state);
  if (r < 0) return std::nullopt;
  const Asker ask{schedule.problem(), state, r};
  switch (state.step.phase) {
    case Phase::RowMax: return ask.row_max();
    case Phase::Rescale: return ask.rescale();
    case Phase::Exponentiate: return ask.weight();
    case Phase::RowSum: return ask.row_sum();
    default: return std::nullopt;
  }
}

}  // namespace tilewalk
