#include "session/questions/question_file.h"

#include <algorithm>

#include "files/file_io.h"
#include "files/table_reader.h"
#include "files/toml_text.h"
#include "session/command/command_text.h"
#include "session/lesson/lesson_prose.h"
#include "session/lesson/markdown_parts.h"

namespace tilewalk {
namespace {

constexpr std::size_t kMostQuestionBytes = 1 << 18;
constexpr const char* kVerdicts[] = {"right", "partly", "wrong", "it depends"};

class QuestionReader {
 public:
  explicit QuestionReader(const std::string& name) : name_(name) {}

  Result<std::vector<CommonQuestion>> read(std::string_view text) {
    if (issues_ = hidden_lines(text, name_); !issues_.empty()) return issues_;
    for (const MarkdownPart& part : markdown_parts(text)) take(part);
    end_question();
    if (questions_.empty() && issues_.empty()) refuse(1, "", "contains no question", "Begin one with ##");
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
      append(issues_, read.issues());
  }

  void take(const MarkdownPart& part) {
    switch (part.kind) {
      case MarkdownPart::Kind::Title: return take_prose(part.line, questions_.empty() ? "" : "# " + part.text);
      case MarkdownPart::Kind::Heading:
        end_question();
        questions_.emplace_back();
        questions_.back().ask = part.text;
        questions_.back().line = part.line;
        return;
      case MarkdownPart::Kind::Block: return take_block(part);
      case MarkdownPart::Kind::Text: return take_prose(part.line, part.text);
    }
  }

  void take_prose(int line, const std::string& text) {
    if (text.find_first_not_of(" \n") == std::string::npos) return;
    if (questions_.empty())
      return refuse(line, text.substr(0, std::min<std::size_t>(30, text.find('\n'))), "is before the first question",
                    "Begin with ##");
    Prose read;
    take_over(parse_prose(text, at(line)), read);
    Prose& answer = questions_.back().answer;
    answer.insert(answer.end(), read.begin(), read.end());
    has_prose_ = true;
  }

  void take_block(const MarkdownPart& part) {
    if (part.fence != "question" || questions_.empty() || has_block_)
      return refuse(part.line, "```" + part.fence, "each question has one ```question block", "Begin it with ##");
    has_block_ = true;
    if (!part.closed) return refuse(part.line, "```", "a block is not closed", "Put ``` below it");
    const Result<toml::table> table = parse_toml(part.text, name_);
    const Issues wrong = table ? hidden_texts(*table, name_) : table.issues();
    if (!wrong.empty()) return append(issues_, wrong);
    CommonQuestion& q = questions_.back();
    TableReader reader(*table, "", name_, issues_);
    std::string says, number, show;
    reader.text("claim", q.claim);
    reader.text("about", q.about);
    q.verdict = AnswerKind(reader.choice("verdict", kVerdicts, 0));
    reader.text("says", says);
    reader.text("number", number);
    reader.text("show", show);
    reader.text("shows", q.shows);
    reader.refuse_unknown();
    for (const auto& [key, value] :
         {std::pair{"claim", q.claim}, {"says", says}, {"number", number}, {"show", show}, {"shows", q.shows}})
      if (value.empty()) refuse(part.line, key, "is missing", std::string("Add ") + key + " = \"…\"");
    take_over(parse_sentence(says, at(part.line) + ", says"), q.says);
    take_over(parse_sentence(number, at(part.line) + ", number"), q.number);
    Result<std::vector<Command>> commands = commands_from(show, Reach::Link);
    if (commands) return void(q.show = std::move(*commands));
    for (const Issue& issue : commands.issues())
      issues_.push_back({at(part.line) + ", show, " + issue.field, issue.value, issue.rule, issue.suggestion});
  }

  void end_question() {
    if (questions_.empty()) return;
    if (!has_block_) refuse(questions_.back().line, questions_.back().ask, "has no verdict", "Add a ```question block");
    if (!has_prose_)
      refuse(questions_.back().line, questions_.back().ask, "has no answer", "Say it in a few sentences");
    has_block_ = has_prose_ = false;
  }

  const std::string name_;
  std::vector<CommonQuestion> questions_;
  Issues issues_;
  bool has_block_ = false, has_prose_ = false;  // of the current question
};

}  // namespace

const char* name_of(AnswerKind kind) { return kVerdicts[int(kind)]; }

Result<std::vector<CommonQuestion>> parse_questions(std::string_view text, const std::string& name) {
  return QuestionReader(name).read(text);
}

Result<std::vector<CommonQuestion>> load_questions(const std::string& root) {
  const std::string path = root + "/assets/questions/questions.md";
  const Result<std::string> text = read_text_file(path, kMostQuestionBytes);
  if (!text) return text.issues();
  return parse_questions(*text, path);
}

}  // namespace tilewalk
