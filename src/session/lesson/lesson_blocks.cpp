#include "session/lesson/lesson_blocks.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::size_t kMostTaskHints = 3, kMostTaskOptions = 12, kMostTaskWrong = 12, kMostMarks = 6;
constexpr double kMarkWithin = 0.1;

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
    if (task.kind == TaskKind::Order) {
      option.keys.yes_or_no("with_previous", out.with_previous);
      out.trip = read_trip(option);
    }
    if (task.kind == TaskKind::Label) option.words("place", out.place, true);
    task.options.push_back(std::move(out));
  });
}

void read_slips(BlockReader& block, LessonTask& task) {
  const auto place = [&](BlockReader& slip, const char* key) {
    std::string text;
    slip.words(key, text, true);
    const auto at = std::find_if(task.options.begin(), task.options.end(),
                                 [&](const TaskOption& option) { return option.text == text; });
    if (at == task.options.end()) slip.refuse(key, text, "is not the text of an option", "Copy an option's text");
    return int(at - task.options.begin());
  };
  block.tables("slip", kMostTaskWrong, [&](BlockReader& slip) {
    OrderSlip out{.early = place(slip, "early"), .late = place(slip, "late"), .says = slip.sentence("says", true)};
    if (out.early <= out.late)
      slip.refuse("early", "", "must belong after late", "A slip is an option placed before one that precedes it");
    else
      task.slips.push_back(std::move(out));
  });
}

void read_marks(BlockReader& block, LessonTask& task) {
  block.tables("mark", kMostMarks, [&](BlockReader& mark) {
    RoofMark out;
    std::string kind = name_of(out.kind);
    mark.words("name", out.name, true);
    mark.words("kind", kind, false);
    if (out.name.find_first_of(" ;") != std::string::npos)
      mark.refuse("name", out.name, "must be one word", "Such as FA-2");
    for (const RoofMark::Kind each : {RoofMark::Kind::Slope, RoofMark::Kind::Ceiling, RoofMark::Kind::Point})
      if (kind == name_of(each)) out.kind = each;
    if (kind != name_of(out.kind)) mark.refuse("kind", kind, "is not a kind of mark", "Use slope, ceiling or point");
    if (out.kind == RoofMark::Kind::Point) out.x = mark.expression("x", true);
    out.y = mark.expression("y", true);
    mark.keys.yes_or_no("given", out.given);
    mark.tables("wrong", kMostTaskWrong, [&](BlockReader& wrong) {
      out.wrong.push_back({wrong.expression("x", false), wrong.expression("y", false), wrong.sentence("says", true)});
    });
    task.marks.push_back(std::move(out));
  });
  if (std::none_of(task.marks.begin(), task.marks.end(), [](const RoofMark& mark) { return !mark.given; }))
    block.refuse("mark", "", "is missing: something to place", "Add [[mark]] with name, kind, y");
}

TileKind read_tile_kind(BlockReader& block, const char* key) {
  std::string word;
  block.words(key, word, true);
  for (const TileKind each : {TileKind::Full, TileKind::Cut, TileKind::Skipped})
    if (word == name_of(each)) return each;
  block.refuse(key, word, "is not a kind of tile", "Use full, cut or skipped");
  return TileKind::Skipped;
}

void read_tiles(BlockReader& block, LessonTask& task) {
  task.answer = block.expression("side", true);
  task.tiles = read_tile_kind(block, "tiles");
  block.tables("wrong", kMostTaskWrong, [&](BlockReader& wrong) {
    const TileKind kind = read_tile_kind(wrong, "tiles");
    task.wrong_tiles.push_back({kind, wrong.sentence("says", true)});
    if (kind == task.tiles) wrong.refuse("tiles", name_of(kind), "are the right ones", "Name another kind");
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
  block.keys.yes_or_no("dims", scene.dims);
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
      block.words("button", task.button, false);
      task.opens = block.commands("opens", !task.button.empty());
      break;
    case TaskKind::Number:
    case TaskKind::Predict:
      task.answer = block.expression("answer", true);
      block.keys.text("unit", task.unit);
      block.keys.number("within", task.within, 0, 1);
      read_wrong(block, task);
      if (kind == TaskKind::Number) break;
      task.method = block.expression("method", false);
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
      if (kind == TaskKind::Order) read_slips(block, task);
      break;
    case TaskKind::Draw:
      task.within = kMarkWithin;
      block.keys.number("within", task.within, 0.001, 1);
      read_marks(block, task);
      break;
    case TaskKind::MarkTiles: read_tiles(block, task); break;
    case TaskKind::ByHand: task.by_hand = block.by_hand("fields"); break;
  }
  return task;
}

}  // namespace tilewalk
