#include "view/learn/review_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "session/wins/sampled_win.h"

namespace tilewalk {
namespace {

bool was_far_off(const TaskProgress& task) { return task.miss && std::fabs(*task.miss) > kGoodGuess; }

std::string said_of(const TaskProgress& task) {
  if (was_far_off(task))
    return fmt::format("your guess was {:.0f} % {}", std::fabs(*task.miss) * 100, *task.miss < 0 ? "low" : "high");
  const std::string tries =
      task.tries == 0 ? "" : fmt::format("{} wrong {}", task.tries, task.tries == 1 ? "try" : "tries");
  const std::string end = task.right ? "then right" : task.shown ? "then shown" : "not right yet";
  if (tries.empty()) return task.right ? "right" : "shown to you";
  return tries + ", " + end;
}

std::string opening_of(const ReviewModel& m, int begun) {
  if (begun == 0)
    return "Nothing was answered yet. Take a lesson first; what goes wrong on the way is kept here, so that you can "
           "try it again.";
  if (m.steps.empty())
    return m.right == m.asked
               ? fmt::format("All {} questions are right, each at the first try.", m.asked)
               : fmt::format("Nothing went wrong so far: {} of {} questions are right.", m.right, m.asked);
  return fmt::format(
      "{} of {} questions are right. These went wrong first, or were shown. A mistake that was found is "
      "rarely made again: take the step once more.",
      m.right, m.asked);
}

}  // namespace

const std::vector<Reading>& readings() {
  static const std::vector<Reading> rows = {
      {"Online normalizer calculation for softmax", "arXiv 1805.02867", 2018,
       "The running max and sum of lesson 6, before there was any FlashAttention: a softmax in two readings of its row "
       "instead of three."},
      {"FlashAttention: fast and memory-efficient exact attention with IO-awareness", "arXiv 2205.14135", 2022,
       "Theorem 2 counts bytes, Θ(N²d²/M) beside Θ(Nd + N²). In Algorithm 1, O is divided at every step, and both "
       "ℓ and m are kept."},
      {"FlashAttention-2: faster attention with better parallelism and work partitioning", "arXiv 2307.08691", 2023,
       "Section 3: the three changes of lesson 10, and whom the paper credits for the loops. In Algorithm 1 the "
       "rescale is printed with an inverse too many; the code has none."},
      {"FlashAttention-3: fast and accurate attention with asynchrony and low-precision", "arXiv 2407.08608", 2024,
       "Section 3: why so few exponentials cost so much, and what softmax beside products wins. The ablation switches "
       "each idea off alone, as lesson 11 does."}};
  return rows;
}

ReviewModel build_review_model(const std::vector<Lesson>& lessons, const LessonsProgress& progress) {
  ReviewModel out;
  int begun = 0;
  for (const Lesson& lesson : lessons) {
    const auto kept = progress.find(lesson.id);
    for (std::size_t i = 0; i < lesson.screens.size(); ++i) {
      if (!lesson.screens[i].task) continue;
      ++out.asked;
      if (kept == progress.end()) continue;
      const auto found = kept->second.tasks.find(int(i) + 1);
      if (found == kept->second.tasks.end()) continue;
      const TaskProgress& task = found->second;
      begun += task.done() || task.tries > 0;
      out.right += task.right;
      if (task.tries == 0 && !task.shown && !was_far_off(task)) continue;
      out.steps.push_back({.open = {lesson.number, std::int64_t(i) + 1},
                           .lesson = lesson.title,
                           .screen = lesson.screens[i].title,
                           .tries = task.tries,
                           .shown = task.shown,
                           .right = task.right,
                           .said = said_of(task)});
    }
  }
  std::stable_sort(out.steps.begin(), out.steps.end(),
                   [](const ReviewStep& a, const ReviewStep& b) { return a.tries > b.tries; });
  out.opening = opening_of(out, begun);
  return out;
}

}  // namespace tilewalk
