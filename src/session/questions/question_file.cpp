#include "session/questions/question_file.h"

#include <algorithm>

#include "files/file_io.h"
#include "files/table_reader.h"
#include "files/toml_text.h"
#include "session/command_text.h"
#include "session/lesson/lesson_prose.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostQuestionBytes = 1 << 18;
constexpr std::string_view kFence = "```";
constexpr const char* kVerdicts[] = {"right", "partly", "wrong", "it depends"};

class QuestionReader {
 public:
  explicit QuestionReader(const std::string& name) : name_(name) {}

  Result<std::vector<CommonQuestion>> read(std::string_view text) {
    int line = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view now = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (now.ends_with('\r')) now.remove_suffix(1);
      take(now, ++line);
    }
    if (in_block_) refuse(block_line_, std::string(kFence), "a block is not closed", "Put ``` below it");
    end_question();
    if (questions_.empty() && issues_.empty()) refuse(line, "", "holds no question", "Begin one with ##");
    if (!issues_.empty()) return issues_;
    return std::move(questions_);
  }

 private:
  void refuse(int line, std::string value, std::string rule, std::string way_out) {
    issues_.push_back({at(line), std::move(value), std::move(rule), std::move(way_out)});
  }
  std::string at(int line) const { return name_ + ", line " + std::to_string(line); }
  template <class T, class To>
  void take_over(Result<T> read, To& to) {
    if (read)
      to = std::move(*read);
    else
      issues_.insert(issues_.end(), read.issues().begin(), read.issues().end());
  }

  void take(std::string_view now, int line) {
    if (in_block_) {
      if (now == kFence) return end_block();
      block_.append(now).push_back('\n');
      return;
    }
    if (now.starts_with(kFence)) {
      if (now != "```question" || questions_.empty() || has_block_)
        return refuse(line, std::string(now), "one ```question block stands in each question", "Begin it with ##");
      in_block_ = has_block_ = true;
      block_line_ = line;
      block_.assign(std::size_t(line), '\n');  // so that the lines of its TOML are the file's
      return;
    }
    if (now.starts_with("## ")) {
      end_question();
      questions_.emplace_back();
      questions_.back().ask = std::string(now.substr(3));
      questions_.back().line = line;
      return;
    }
    if (now.starts_with("# ") && questions_.empty()) return;
    if (questions_.empty()) {
      if (!now.empty())
        refuse(line, std::string(now.substr(0, 30)), "stands before the first question", "Begin with ##");
      return;
    }
    if (prose_.empty()) prose_line_ = line;
    prose_.append(now).push_back('\n');
  }

  void end_block() {
    in_block_ = false;
    const Result<toml::table> table = parse_toml(block_, name_);
    if (!table) return void(issues_.insert(issues_.end(), table.issues().begin(), table.issues().end()));
    CommonQuestion& q = questions_.back();
    TableReader reader(*table, "", name_, issues_);
    std::string says, number, show;
    reader.text("claim", q.claim);
    q.verdict = AnswerKind(reader.choice("verdict", kVerdicts, 0));
    reader.text("says", says);
    reader.text("number", number);
    reader.text("show", show);
    reader.text("shows", q.shows);
    reader.refuse_unknown();
    for (const auto& [key, value] :
         {std::pair{"claim", q.claim}, {"says", says}, {"number", number}, {"show", show}, {"shows", q.shows}})
      if (value.empty()) refuse(block_line_, key, "is missing", std::string("Add ") + key + " = \"…\"");
    take_over(parse_sentence(says, at(block_line_) + ", says"), q.says);
    take_over(parse_sentence(number, at(block_line_) + ", number"), q.number);
    take_over(commands_from(show), q.show);
  }

  void end_question() {
    if (questions_.empty()) return;
    if (!has_block_) refuse(questions_.back().line, questions_.back().ask, "has no verdict", "Add a ```question block");
    has_block_ = false;
    const std::string prose = std::exchange(prose_, "");
    if (prose.find_first_not_of(" \n") == std::string::npos)
      return refuse(questions_.back().line, questions_.back().ask, "has no answer", "Say it in a few sentences");
    take_over(parse_prose(prose, at(prose_line_)), questions_.back().answer);
  }

  const std::string name_;
  std::vector<CommonQuestion> questions_;
  Issues issues_;
  std::string block_, prose_;
  bool in_block_ = false, has_block_ = false;
  int block_line_ = 0, prose_line_ = 0;
};

}  // namespace

const char* name_of(AnswerKind kind) { return kVerdicts[int(kind)]; }

Result<std::vector<CommonQuestion>> parse_questions(std::string_view text, const std::string& name) {
  return QuestionReader(name).read(text);
}

Result<std::vector<CommonQuestion>> load_questions(const std::string& root) {
  const std::string path = root + "/assets/questions/questions.md";
  const Result<std::vector<std::byte>> bytes = read_whole_file(path, kMostQuestionBytes);
  if (!bytes) return bytes.issues();
  return parse_questions({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

}  // namespace tilewalk
