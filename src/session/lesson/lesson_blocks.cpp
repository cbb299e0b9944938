#include "session/lesson/lesson_blocks.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::size_t kMostTaskHints = 3, kMostTaskOptions = 12, kMostTaskWrong = 12;

void read_wrong(BlockReader& block, LessonTask& task) {
  block.tables("wrong", kMostTaskWrong, [&](BlockReader& wrong) {
    std::optional<Expression> value = wrong.expression("value", true);
    Sentence says = wrong.sentence("says", true);
    if (value) task.wrong.push_back({std::move(*value), std::move(says)});
  });
}

void read_options(BlockReader& block, LessonTask& task) {
  block.tables("option", kMostTaskOptions, [&](BlockReader& option) {
    TaskOption out;
    option.words("text", out.text, true);
    if (task.kind == TaskKind::Choose) {
      option.keys.yes_or_no("right", out.right);
      out.says = option.sentence("says", true);
    }
    if (task.kind == TaskKind::Label) option.words("place", out.place, true);
    task.options.push_back(std::move(out));
  });
}

}  // namespace

LessonScene read_scene(BlockReader& block) {
  LessonScene scene;
  scene.commands = block.commands("then", false);
  scene.outline = block.list("outline");
  scene.hides = block.list("hides");
  const auto expect = [&](const char* key, const std::vector<std::string>& words, const std::vector<std::string>& known,
                          const char* rule) {
    for (const std::string& word : words)
      if (std::find(known.begin(), known.end(), word) == known.end())
        block.refuse(key, word, rule, "The nearest is " + nearest(word, known));
  };
  expect("outline", scene.outline, {std::begin(kOutlineWords), std::end(kOutlineWords)},
         "is not a part that a lesson can outline");
  std::vector<std::string> hidden(std::begin(kHideWords), std::end(kHideWords));
  for (const char* word : kHideWords) hidden.push_back(std::string(word) + " throughout");
  expect("hides", scene.hides, hidden, "is not a kind of figure that a lesson can hide");
  block.keys.yes_or_no("code", scene.code);
  return scene;
}

LessonTask read_task(BlockReader& block, TaskKind kind, int line, const std::string& file, Issues& issues) {
  LessonTask task;
  task.kind = kind;
  task.line = line;
  const auto refuse = [&](const char* what, const char* rule, const char* way_out) {
    issues.push_back({file + ", line " + std::to_string(line), what, rule, way_out});
  };
  task.ask = block.sentence("ask", true);
  task.hints = block.sentences("hints", kMostTaskHints);
  task.show = block.commands("show", kind == TaskKind::Do);
  switch (kind) {
    case TaskKind::Do:
      task.goal = block.expression("goal", true);
      task.says = block.sentence("says", false);
      break;
    case TaskKind::Number:
    case TaskKind::Predict:
      task.answer = block.expression("answer", true);
      block.keys.text("unit", task.unit);
      block.keys.number("within", task.within, 0, 1);
      read_wrong(block, task);
      if (kind == TaskKind::Number) break;
      block.keys.number("low", task.low, 1e-9, 1e30);
      block.keys.number("high", task.high, 1e-9, 1e30);
      block.keys.whole("draw", task.draw, 1);
      if (task.draw > kDraws) refuse("draw", "must be 1 to 5", "Such as draw = 1");
      if (!(task.low < task.high)) refuse("low", "must lie below high", "Such as low = 1 and high = 1000");
      if (task.within <= 0) refuse("within", "is missing: the tolerance of a guess", "Such as within = 0.25");
      break;
    case TaskKind::Choose: {
      read_options(block, task);
      const auto right =
          std::count_if(task.options.begin(), task.options.end(), [](const TaskOption& o) { return o.right; });
      if (task.options.size() < 2 || right != 1)
        refuse("option", "needs two or more, of which one is right", "right = true in one");
      break;
    }
    case TaskKind::Order:
    case TaskKind::Label:
      read_options(block, task);
      task.says = block.sentence("says", true);
      if (task.options.size() < 2) refuse("option", "needs two or more", "Add another [[option]]");
      break;
    case TaskKind::ByHand: task.by_hand = block.by_hand("fields"); break;
  }
  return task;
}

}  // namespace tilewalk
