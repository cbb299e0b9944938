#include "session/lesson/lesson_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "files/file_io.h"
#include "files/table_reader.h"
#include "files/toml_text.h"
#include "session/command_text.h"
#include "session/lesson/lesson_prose.h"
#include "session/lesson/markdown_parts.h"

namespace tilewalk {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTaskNames[] = {"do", "choose", "number", "byhand", "predict", "order", "label"};
constexpr std::size_t kMostHints = 3, kMostOptions = 12, kMostWrong = 12, kMostScreens = 40;

// A table of a lesson's TOML, with what a lesson needs of it beside plain values.
class BlockReader {
 public:
  BlockReader(const toml::table& table, std::string where, const std::string& file, Issues& issues)
      : keys(table, where, file, issues), file_(file), issues_(issues) {}

  TableReader keys;

  std::string place_of(const toml::node& node) const {
    return file_ + ", line " + std::to_string(node.source().begin.line);
  }
  std::optional<Expression> expression(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    return node ? taken(Expression::parse(text, place_of(*node))) : std::nullopt;
  }
  Sentence sentence(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    return node ? taken(parse_sentence(text, place_of(*node))).value_or(Sentence{}) : Sentence{};
  }
  std::vector<Command> commands(const char* key, bool needed) {
    std::string text;
    const toml::node* node = words(key, text, needed);
    if (!node) return {};
    Result<std::vector<Command>> commands = commands_from(text);
    if (commands) return std::move(*commands);
    for (Issue issue : commands.issues()) {
      issue.field = place_of(*node) + ", " + issue.field;
      issues_.push_back(std::move(issue));
    }
    return {};
  }
  // What stands behind "by-hand" in a command: "9 ask m+alpha+l".
  std::optional<AskByHand> by_hand(const char* key) {
    std::string text;
    const toml::node* node = words(key, text, true);
    if (!node) return std::nullopt;
    const Result<Command> command = command_from("by-hand " + text);
    if (command)
      if (const AskByHand* ask = std::get_if<AskByHand>(&*command)) return *ask;
    refuse(key, text, command ? "is no command of work by hand" : in_one_line(command.issues()),
           "Such as 9 ask m+alpha+l");
    return std::nullopt;
  }
  // The node, where it is text; a missing one is refused if it is needed.
  const toml::node* words(const char* key, std::string& out, bool needed) {
    const toml::node* node = keys.take(key);
    if (!node && needed) missing(key);
    if (!node) return nullptr;
    keys.text(key, out);
    return node->is_string() ? node : nullptr;
  }
  std::vector<std::string> list(const char* key) {
    std::vector<std::string> out;
    each(key, [&](const toml::node& node) {
      if (const auto text = node.value_exact<std::string>())
        out.push_back(*text);
      else
        keys.refuse(node, key, "must be a list of texts", std::string("Such as ") + key + " = [\"text\"]");
    });
    return out;
  }
  std::vector<Sentence> sentences(const char* key, std::size_t most) {
    std::vector<Sentence> out;
    each(key, [&](const toml::node& node) {
      const auto text = node.value_exact<std::string>();
      if (!text)
        return keys.refuse(node, key, "must be a list of texts", std::string("Such as ") + key + " = [\"text\"]");
      if (out.size() == most) return keys.refuse(node, key, "holds too many", "At most " + std::to_string(most));
      if (auto sentence = taken(parse_sentence(*text, place_of(node)))) out.push_back(std::move(*sentence));
    });
    return out;
  }
  void tables(const char* key, std::size_t most, const std::function<void(BlockReader&)>& read) {
    std::size_t count = 0;
    each(key, [&](const toml::node& node) {
      if (!node.is_table()) return keys.refuse(node, key, "must be a table", std::string("Such as [[") + key + "]]");
      if (++count > most) return keys.refuse(node, key, "there are too many", "At most " + std::to_string(most));
      BlockReader reader(*node.as_table(), std::string(key) + ".", file_, issues_);
      reader.place_ = place_of(node);
      read(reader);
      reader.keys.refuse_unknown();
    });
  }
  void refuse(const char* key, std::string value, std::string rule, std::string way_out) {
    issues_.push_back({place_ + ", " + key, std::move(value), std::move(rule), std::move(way_out)});
  }
  void missing(const char* key) {
    issues_.push_back({place_, std::string(key), "is missing", std::string("Such as ") + key + " = \"…\""});
  }
  void at(std::string place) { place_ = std::move(place); }

 private:
  template <class T>
  std::optional<T> taken(Result<T> result) {
    if (result) return std::move(*result);
    issues_.insert(issues_.end(), result.issues().begin(), result.issues().end());
    return std::nullopt;
  }
  void each(const char* key, const std::function<void(const toml::node&)>& act) {
    const toml::node* node = keys.take(key);
    if (!node) return;
    if (!node->is_array()) return keys.refuse(*node, key, "must be a list", std::string("Such as ") + key + " = []");
    for (const toml::node& member : *node->as_array()) act(member);
  }

  const std::string& file_;
  Issues& issues_;
  std::string place_;
};

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
         "is nothing that can be pointed at");
  std::vector<std::string> hidden(std::begin(kHideWords), std::end(kHideWords));
  for (const char* word : kHideWords) hidden.push_back(std::string(word) + " throughout");
  expect("hides", scene.hides, hidden, "is nothing that can be hidden");
  block.keys.yes_or_no("code", scene.code);
  return scene;
}

void read_wrong(BlockReader& block, LessonTask& task) {
  block.tables("wrong", kMostWrong, [&](BlockReader& wrong) {
    std::optional<Expression> value = wrong.expression("value", true);
    Sentence says = wrong.sentence("says", true);
    if (value) task.wrong.push_back({std::move(*value), std::move(says)});
  });
}

void read_options(BlockReader& block, LessonTask& task) {
  block.tables("option", kMostOptions, [&](BlockReader& option) {
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

LessonTask read_task(BlockReader& block, TaskKind kind, int line, const std::string& file, Issues& issues) {
  LessonTask task;
  task.kind = kind;
  task.line = line;
  const auto refuse = [&](const char* what, const char* rule, const char* way_out) {
    issues.push_back({file + ", line " + std::to_string(line), what, rule, way_out});
  };
  task.ask = block.sentence("ask", true);
  task.hints = block.sentences("hints", kMostHints);
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
      if (task.within <= 0) refuse("within", "is missing: how near a guess must come", "Such as within = 0.25");
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

std::string id_of(const std::string& name) {
  const std::string file = fs::path(name).filename().string();
  return file.substr(0, file.find('.'));
}

// Reads a file line by line: headings, fenced blocks, and what stands between them.
class LessonReader {
 public:
  explicit LessonReader(const std::string& name) : name_(name) {
    lesson_.id = id_of(name);
    lesson_.number = -1;  // until the file says
  }

  Result<Lesson> read(std::string_view text) {
    for (const MarkdownPart& part : markdown_parts(text)) take(part);
    if (lesson_.title.empty()) refuse(1, "", "the first heading is missing", "Begin with # and the lesson's title");
    if (lesson_.number < 0)
      refuse(1, "lesson", "the block is missing, or has no number", "Such as number = 5 in ```lesson");
    if (lesson_.screens.empty()) refuse(1, "", "there are no screens", "Begin one with ## and its title");
    if (!issues_.empty()) return issues_;
    return std::move(lesson_);
  }

 private:
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
        lesson_.screens.push_back(
            {.title = part.text, .line = part.line, .scene = {}, .prose = {}, .task = {}, .after = {}});
        return;
      case MarkdownPart::Kind::Block: return take_block(part);
      case MarkdownPart::Kind::Text: return take_prose(part);
    }
  }

  void take_prose(const MarkdownPart& part) {
    if (part.text.find_first_not_of(" \n") == std::string::npos) return;
    Result<Prose> prose = parse_prose(part.text, name_ + ", line " + std::to_string(part.line));
    if (!prose) return void(issues_.insert(issues_.end(), prose.issues().begin(), prose.issues().end()));
    if (lesson_.screens.empty())
      return refuse(part.line, part.text.substr(0, 30), "stands before the first screen", "Begin a screen with ##");
    LessonScreen& screen = lesson_.screens.back();
    Prose& to = screen.task ? screen.after : screen.prose;
    to.insert(to.end(), prose->begin(), prose->end());
  }

  void take_block(const MarkdownPart& part) {
    if (part.fence.empty()) return refuse(part.line, "```", "a block needs its kind", "The nearest is ```scene");
    if (!part.closed) return refuse(part.line, "```" + part.fence, "is not closed", "End the block with ```");
    const Result<toml::table> table = parse_toml(part.text, name_);
    if (!table) return void(issues_.insert(issues_.end(), table.issues().begin(), table.issues().end()));
    BlockReader block(*table, "", name_, issues_);
    block.at(name_ + ", line " + std::to_string(part.line));
    if (part.fence == "lesson")
      read_head(block);
    else
      read_in_screen(part, block);
    block.keys.refuse_unknown();
  }

  void read_head(BlockReader& block) {
    std::int64_t number = -1, minutes = 0;
    block.keys.whole("number", number, 0);
    block.keys.whole("minutes", minutes, 1);
    lesson_.number = int(std::min<std::int64_t>(number, 999));
    lesson_.minutes = int(std::min<std::int64_t>(minutes, 999));
    block.keys.yes_or_no("asks", lesson_.asks);
    block.words("phase", lesson_.phase, true);
    block.words("claim", lesson_.claim, true);
    lesson_.ask_class = block.list("ask-class");
    lesson_.usual_mistakes = block.list("usual-mistakes");
  }

  void read_in_screen(const MarkdownPart& part, BlockReader& block) {
    const auto* const task = std::find(std::begin(kTaskNames), std::end(kTaskNames), part.fence);
    if (part.fence != "scene" && task == std::end(kTaskNames)) {
      std::vector<std::string> kinds = {"lesson", "scene"};
      kinds.insert(kinds.end(), std::begin(kTaskNames), std::end(kTaskNames));
      return refuse(part.line, "```" + part.fence, "is no kind of block",
                    "The nearest is ```" + nearest(part.fence, kinds));
    }
    if (lesson_.screens.empty())
      return refuse(part.line, "```" + part.fence, "stands before the first screen", "Begin a screen with ##");
    LessonScreen& screen = lesson_.screens.back();
    if (part.fence == "scene") return void(screen.scene = read_scene(block));
    if (screen.task)
      return refuse(part.line, "```" + part.fence, "is a second task of one screen", "Begin another screen with ##");
    screen.task = read_task(block, TaskKind(task - std::begin(kTaskNames)), part.line, name_, issues_);
  }

  const std::string name_;
  Lesson lesson_;
  Issues issues_;
};

}  // namespace

const char* name_of(TaskKind kind) { return kTaskNames[int(kind)]; }

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
  if (error) return Issue{folder, "", "cannot be read: " + error.message(), "Name a folder that holds lessons"};
  std::sort(paths.begin(), paths.end());
  std::vector<Lesson> lessons;
  Issues issues;
  std::map<int, std::string> numbers;
  for (const fs::path& path : paths) {
    const Result<std::string> text = read_text_file(path.string(), kMaxLessonBytes);
    Result<Lesson> lesson = text ? parse_lesson(*text, path.string()) : Result<Lesson>(text.issues());
    if (!lesson) {
      issues.insert(issues.end(), lesson.issues().begin(), lesson.issues().end());
      continue;
    }
    const auto [first, is_new] = numbers.emplace(lesson->number, path.string());
    if (!is_new)
      issues.push_back({path.string(), "number = " + std::to_string(lesson->number), "is that of " + first->second,
                        "Give it another"});
    lessons.push_back(std::move(*lesson));
  }
  if (!issues.empty()) return issues;
  std::stable_sort(lessons.begin(), lessons.end(),
                   [](const Lesson& a, const Lesson& b) { return a.number < b.number; });
  return lessons;
}

}  // namespace tilewalk
