#include "session/lesson/lesson_file.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/shown.h"
#include "files/file_io.h"
#include "files/toml_text.h"
#include "session/lesson/lesson_blocks.h"
#include "session/lesson/lesson_prose.h"
#include "session/lesson/markdown_parts.h"
#include "session/wins/sampled_win.h"

namespace tilewalk {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTaskNames[] = {"do",    "choose", "number", "byhand",    "predict",
                                      "order", "label",  "draw",   "mark-tiles"};
constexpr const char* kRoofMarkNames[] = {"slope", "ceiling", "point"};
constexpr const char* kTileKindNames[] = {"full", "cut", "skipped"};
constexpr std::size_t kMostScreens = 40;
constexpr std::int64_t kLastNumber = 999, kMostParts = 9;

std::string id_of(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  return file.substr(0, file.find('.'));
}

// Reads a file line by line: headings, fenced blocks, and the prose between them.
class LessonReader {
 public:
  explicit LessonReader(const std::string& name) : name_(name) {
    lesson_.id = id_of(name);
    lesson_.number = -1;  // until the file gives one
  }

  Result<Lesson> read(std::string_view text) {
    if (issues_ = hidden_lines(text, name_); !issues_.empty()) return issues_;
    for (const MarkdownPart& part : markdown_parts(text)) take(part);
    if (lesson_.title.empty()) refuse(1, "", "the first heading is missing", "Begin with # and the lesson's title");
    if (lesson_.number < 0)
      refuse(1, "lesson", "the block is missing, or has no number", "Such as number = 5 in ```lesson");
    if (lesson_.screens.empty()) refuse(1, "", "there are no screens", "Begin one with ## and its title");
    check_pictures();
    if (!issues_.empty()) return issues_;
    return std::move(lesson_);
  }

 private:
  void check_pictures() {
    for (const LessonScreen& screen : lesson_.screens) {
      if (screen.task && screen.task->kind == TaskKind::MarkTiles &&
          !(screen.picture && screen.picture->kind == PictureKind::Tiles && screen.picture->items.size() == 1))
        refuse(screen.task->line, "mark-tiles", "needs a picture of tiles with one item", "Such as kind = \"tiles\"");
      if (!screen.picture || screen.picture->kind != PictureKind::Trips || !screen.picture->items.empty()) continue;
      const bool moves = screen.task && std::any_of(screen.task->options.begin(), screen.task->options.end(),
                                                    [](const TaskOption& each) { return !each.trip.empty(); });
      if (!moves)
        refuse(screen.picture->line, "trips", "needs an order task whose options move something",
               "Such as loads = \"Q K\" in an [[option]]");
    }
  }
  void refuse(int line, std::string value, std::string rule, std::string way_out) {
    issues_.push_back(
        {name_ + ", line " + std::to_string(line), std::move(value), std::move(rule), std::move(way_out)});
  }
  void take(const MarkdownPart& part) {
    switch (part.kind) {
      case MarkdownPart::Kind::Title:
        if (!lesson_.title.empty())
          return refuse(part.line, "# " + part.text, "is a second title", "Begin a screen with ##");
        lesson_.title = part.text;
        return;
      case MarkdownPart::Kind::Heading:
        if (lesson_.screens.size() == kMostScreens)
          return refuse(part.line, "## " + part.text, "is one screen too many",
                        "At most " + std::to_string(kMostScreens));
        lesson_.screens.push_back({.title = part.text,
                                   .line = part.line,
                                   .scene = {},
                                   .picture = {},
                                   .prose = {},
                                   .terminal = {},
                                   .task = {},
                                   .after = {}});
        return;
      case MarkdownPart::Kind::Block: return take_block(part);
      case MarkdownPart::Kind::Text: return take_prose(part);
    }
  }

  void take_prose(const MarkdownPart& part) {
    if (part.text.find_first_not_of(" \n") == std::string::npos) return;
    Result<Prose> prose = parse_prose(part.text, name_ + ", line " + std::to_string(part.line), problems_);
    if (!prose) return append(issues_, prose.issues());
    if (lesson_.screens.empty())
      return refuse(part.line, part.text.substr(0, 30), "is before the first screen", "Begin a screen with ##");
    LessonScreen& screen = lesson_.screens.back();
    Prose& to = screen.task ? screen.after : screen.prose;
    to.insert(to.end(), prose->begin(), prose->end());
  }

  void take_block(const MarkdownPart& part) {
    if (part.fence.empty()) return refuse(part.line, "```", "a block needs its kind", "The nearest is ```scene");
    if (!part.closed) return refuse(part.line, "```" + part.fence, "is not closed", "End the block with ```");
    if (part.fence == "terminal") return take_terminal(part);
    const Result<toml::table> table = parse_toml(part.text, name_);
    const Issues wrong = table ? hidden_texts(*table, name_) : table.issues();
    if (!wrong.empty()) return append(issues_, wrong);
    BlockReader block(*table, "", name_, problems_, issues_);
    block.at(name_ + ", line " + std::to_string(part.line));
    if (part.fence == "lesson")
      read_head(block);
    else
      read_in_screen(part, block, table->size() == 1 && table->contains("draw"));
    block.keys.refuse_unknown();
  }

  // Prose for a terminal, in the place of the screen's.
  void take_terminal(const MarkdownPart& part) {
    Result<Prose> prose = parse_prose(part.text, name_ + ", line " + std::to_string(part.line), problems_);
    if (!prose) return append(issues_, prose.issues());
    if (lesson_.screens.empty())
      return refuse(part.line, "```terminal", "is before the first screen", "Begin a screen with ##");
    lesson_.screens.back().terminal = std::move(*prose);
  }

  void read_head(BlockReader& block) {
    std::int64_t number = -1, minutes = 0, parts = 1;
    block.keys.whole("number", number, 0, kLastNumber);
    block.keys.whole("minutes", minutes, 1, kLastNumber);
    lesson_.number = int(number);
    block.keys.whole("parts", parts, 1, kMostParts);
    lesson_.minutes = int(minutes);
    lesson_.parts = int(parts);
    block.keys.yes_or_no("asks", lesson_.asks);
    block.words("phase", lesson_.phase, true);
    block.words("claim", lesson_.claim, true);
    lesson_.ask_class = block.list("ask-class");
    lesson_.usual_mistakes = block.list("usual-mistakes");
    read_problems(block);
  }

  void read_problems(BlockReader& block) {
    block.texts("problems", [&](const std::string& name, const std::string& text, const std::string& place) {
      Result<ProblemChanges> changes = parse_changes(text, place + ", " + name);
      if (changes)
        problems_[name] = std::move(*changes);
      else
        append(issues_, changes.issues());
    });
  }

  // A predict block with nothing but `draw` asks what the first one asks, about another call.
  std::optional<LessonTask> first_draw() const {
    for (const LessonScreen& screen : lesson_.screens)
      if (screen.task && screen.task->draw > 0) return screen.task;
    return std::nullopt;
  }
  void take_draw(LessonTask& task, int line, BlockReader& block) {
    task.line = line;
    block.keys.whole("draw", task.draw, 1);
    if (task.draw > kDraws) refuse(line, "draw", "must be 1 to 5", "Such as draw = 2");
  }

  void read_in_screen(const MarkdownPart& part, BlockReader& block, bool asks_draw_alone) {
    const auto* const task = std::find(std::begin(kTaskNames), std::end(kTaskNames), part.fence);
    if (part.fence != "scene" && part.fence != "picture" && task == std::end(kTaskNames)) {
      std::vector<std::string> kinds = {"lesson", "scene", "picture", "terminal"};
      kinds.insert(kinds.end(), std::begin(kTaskNames), std::end(kTaskNames));
      return refuse(part.line, "```" + part.fence, "is not a kind of block",
                    "The nearest is ```" + nearest(part.fence, kinds));
    }
    if (lesson_.screens.empty())
      return refuse(part.line, "```" + part.fence, "is before the first screen", "Begin a screen with ##");
    LessonScreen& screen = lesson_.screens.back();
    if (part.fence == "scene") return void(screen.scene = read_scene(block));
    if (part.fence == "picture") return void(screen.picture = read_picture(block, part.line));
    if (screen.task)
      return refuse(part.line, "```" + part.fence, "is a second task of one screen", "Begin another screen with ##");
    if (part.fence == name_of(TaskKind::Predict) && asks_draw_alone) {
      screen.task = first_draw();
      if (screen.task) return take_draw(*screen.task, part.line, block);
    }
    screen.task = read_task(block, TaskKind(task - std::begin(kTaskNames)), part.line, name_, issues_);
  }

  const std::string name_;
  NamedProblems problems_;
  Lesson lesson_;
  Issues issues_;
};

}  // namespace

const char* name_of(TaskKind kind) { return kTaskNames[int(kind)]; }
const char* name_of(RoofMark::Kind kind) { return kRoofMarkNames[int(kind)]; }
const char* name_of(TileKind kind) { return kTileKindNames[int(kind)]; }

Result<Lesson> parse_lesson(std::string_view text, const std::string& name) {
  if (text.size() > kMaxLessonBytes)
    return Issue{name, std::to_string(text.size()) + " bytes", "must be at most 256 KiB", "Make two lessons of it"};
  return LessonReader(name).read(text);
}

Result<std::vector<Lesson>> load_lessons(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> paths;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".md" && it->path().filename() != "README.md") paths.push_back(it->path());
  if (error) return Issue{folder, "", "cannot be read: " + error.message(), "Name a folder with lessons"};
  std::sort(paths.begin(), paths.end());
  std::vector<Lesson> lessons;
  Issues issues;
  std::map<int, std::string> numbers;
  for (const fs::path& path : paths) {
    if (!is_showable(path.filename().string())) {
      issues.push_back(
          {path.string(), "", "has a name with characters that are not printable", "Name it in plain letters"});
      continue;
    }
    const Result<std::string> text = read_text_file(path.string(), kMaxLessonBytes);
    Result<Lesson> lesson = text ? parse_lesson(*text, path.string()) : Result<Lesson>(text.issues());
    if (!lesson) {
      append(issues, lesson.issues());
      continue;
    }
    const auto [first, is_new] = numbers.emplace(lesson->number, path.string());
    if (!is_new)
      issues.push_back({path.string() + ", number", std::to_string(lesson->number), "is that of " + first->second,
                        "Give it another"});
    lessons.push_back(std::move(*lesson));
  }
  if (!issues.empty()) return issues;
  std::stable_sort(lessons.begin(), lessons.end(),
                   [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
  return lessons;
}

}  // namespace tilewalk
