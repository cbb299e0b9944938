#include "session/lesson/roof_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "base/typed_quantity.h"
#include "base/units.h"
#include "base/words.h"

namespace tilewalk {
namespace {

std::string names_of(const LessonTask& task) {
  std::string names;
  for (const RoofMark& mark : task.marks)
    if (!mark.given) add_to_list(names, mark.name);
  return names;
}

std::string example_of(const RoofMark& mark) {
  return mark.kind == RoofMark::Kind::Point ? mark.name + " 10 100" : mark.name + " 10";
}

// The numbers of a mark, each with the unit that follows it: "32 FLOP per byte", "138 TFLOP/s".
std::vector<std::string> numbers_in(std::istringstream& words) {
  std::vector<std::string> out;
  for (std::string word; words >> word;) {
    if (word.back() == ',') word.pop_back();
    if (word.empty() || word == ":" || word == "=" || lower_case(word) == "at") continue;
    const bool unit = !std::isdigit((unsigned char)word.front()) && word.front() != '.' && !out.empty();
    unit ? void(out.back() += " " + word) : out.push_back(word);
  }
  return out;
}

// One mark: its name and its numbers. Returns why it cannot be read; else empty.
std::string read_mark(const LessonTask& task, const std::string& text, PlacedMarks& marks) {
  std::istringstream words(text);
  std::string name;
  if (!(words >> name)) return "";
  while (name.size() > 1 && (name.back() == ':' || name.back() == '=')) name.pop_back();  // as the screen prints it
  const auto at = std::find_if(task.marks.begin(), task.marks.end(), [&](const RoofMark& mark) {
    return !mark.given && lower_case(mark.name) == lower_case(name);
  });
  if (at == task.marks.end())
    return fmt::format("Type a name and its numbers. The names are {}; such as {}.", names_of(task),
                       example_of(task.marks.front()));
  const bool point = at->kind == RoofMark::Kind::Point;
  const std::vector<std::string> typed = numbers_in(words);
  if (typed.size() != (point ? 2u : 1u))
    return fmt::format("{} needs {}. Type it like this: {}.", at->name,
                       point ? "two numbers: FLOP per byte, then TFLOP/s" : "one number", example_of(*at));
  std::vector<double> numbers;
  for (const std::string& each : typed) {
    const bool across = point && numbers.empty();
    const char* const unit = across ? "FLOP per byte" : at->kind == RoofMark::Kind::Slope ? "TB/s" : "TFLOP/s";
    const TypedQuantity number = typed_quantity(each, unit);
    if (number.begins_right) return number.error;
    if (!number.value || !(*number.value > 0) || !std::isfinite(*number.value))
      return fmt::format("{} is not a number above 0. Type it like this: {}.", each, example_of(*at));
    numbers.push_back(*number.value);
  }
  marks[std::size_t(at - task.marks.begin())] = point ? PlacedMark{numbers[0], numbers[1]} : PlacedMark{1, numbers[0]};
  return "";
}

bool near(double placed, double right, double within) { return std::abs(placed / right - 1) <= within; }

std::string how_far(const char* what, double placed, double right) {
  const double ratio = placed > right ? placed / right : right / placed;
  return fmt::format("{} is {} too {}.", what, ratio > 1.5 ? fmt::format("{:.1f} times", ratio) : "a little",
                     placed > right ? "large" : "small");
}

// The lesson's text about a wrong position; null: it names none that fits.
const WrongMark* named_mistake(const LessonTask& task, const RoofMark& mark, const PlacedMark& placed,
                               const Facts& facts) {
  const auto fits = [&](const std::optional<Expression>& wrong, double at) {
    if (!wrong) return true;
    const Result<Figure> value = wrong->value(facts);
    return value && value->number() && near(at, *value->number(), task.within);
  };
  const auto found = std::find_if(mark.wrong.begin(), mark.wrong.end(), [&](const WrongMark& each) {
    return fits(each.x, placed.x) && fits(each.y, placed.y);
  });
  return found == mark.wrong.end() ? nullptr : &*found;
}

}  // namespace

ReadMarks placed_marks(const LessonTask& task, const std::string& text) {
  ReadMarks out{.marks = PlacedMarks(task.marks.size()), .error = ""};
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';') && out.error.empty();)
    out.error = read_mark(task, part, out.marks);
  return out;
}

std::string text_of_marks(const LessonTask& task, const PlacedMarks& marks) {
  std::string out;
  for (std::size_t i = 0; i < task.marks.size() && i < marks.size(); ++i) {
    if (!marks[i]) continue;
    const bool point = task.marks[i].kind == RoofMark::Kind::Point;
    add_to_list(out,
                point ? fmt::format("{} {:.4g} {:.4g}", task.marks[i].name, marks[i]->x, marks[i]->y)
                      : fmt::format("{} {:.4g}", task.marks[i].name, marks[i]->y),
                "; ");
  }
  return out;
}

std::string with_marks(const LessonTask& task, const std::string& draft, const std::string& typed) {
  PlacedMarks marks = placed_marks(task, draft).marks;
  const ReadMarks added = placed_marks(task, typed);
  if (!added.error.empty()) return draft;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (added.marks[i]) marks[i] = added.marks[i];
  return text_of_marks(task, marks);
}

std::optional<PlacedMark> right_place(const RoofMark& mark, const Facts& facts) {
  PlacedMark out;
  if (mark.x) {
    const Result<Figure> x = mark.x->value(facts);
    if (!x || !x->number()) return std::nullopt;
    out.x = *x->number();
  }
  const Result<Figure> y = mark.y ? mark.y->value(facts) : Result<Figure>(Issues{});
  if (!y || !y->number()) return std::nullopt;
  out.y = *y->number();
  return out;
}

std::string words_of(const RoofMark& mark, const PlacedMark& placed) {
  switch (mark.kind) {
    case RoofMark::Kind::Slope: return format_digits(placed.y, 3) + " TB/s";
    case RoofMark::Kind::Ceiling: return format_digits(placed.y, 3) + " TFLOP/s";
    case RoofMark::Kind::Point: break;
  }
  return fmt::format("{} FLOP/byte, {} TFLOP/s", format_digits(placed.x, 4), format_digits(placed.y, 3));
}

JudgedMark judged(const LessonTask& task, std::size_t at, const PlacedMark& placed, const Facts& facts) {
  const RoofMark& mark = task.marks[at];
  const std::optional<PlacedMark> right = right_place(mark, facts);
  if (!right) return {};
  const bool wide = near(placed.x, right->x, task.within), high = near(placed.y, right->y, task.within);
  if (wide && high) return {.right = true, .says = {}, .slip = ""};
  if (const WrongMark* const wrong = named_mistake(task, mark, placed, facts)) return {false, wrong->says, ""};
  std::string slip = mark.name + ": ";
  switch (mark.kind) {
    case RoofMark::Kind::Slope: slip += how_far("its rate at 1 FLOP per byte", placed.y, right->y); break;
    case RoofMark::Kind::Ceiling: slip += how_far("its height", placed.y, right->y); break;
    case RoofMark::Kind::Point:
      slip += wide ? how_far("its height", placed.y, right->y) : how_far("its FLOP per byte", placed.x, right->x);
      break;
  }
  return {false, {}, std::move(slip)};
}

CheckedAnswer check_marks(const LessonTask& task, const std::string& text, const Facts& facts) {
  const ReadMarks read = placed_marks(task, text);
  if (!read.error.empty()) return {AnswerVerdict::Unread, {}, read.error};
  std::string right, open;
  std::optional<JudgedMark> wrong;
  for (std::size_t i = 0; i < task.marks.size(); ++i) {
    if (task.marks[i].given) continue;
    if (!right_place(task.marks[i], facts)) return {AnswerVerdict::Unknown, {}, ""};
    if (!read.marks[i]) {
      add_to_list(open, task.marks[i].name);
      continue;
    }
    JudgedMark mark = judged(task, i, *read.marks[i], facts);
    if (mark.right)
      add_to_list(right, task.marks[i].name);
    else if (!wrong)
      wrong = std::move(mark);
  }
  if (wrong) return {AnswerVerdict::Wrong, wrong->says, wrong->slip};
  if (open.empty()) return {AnswerVerdict::Right, {}, ""};
  return {AnswerVerdict::Unread, {}, (right.empty() ? "" : "Right: " + right + ". ") + "To place: " + open + "."};
}

std::string right_marks(const LessonTask& task, const Facts& facts) {
  PlacedMarks marks(task.marks.size());
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (!task.marks[i].given) marks[i] = right_place(task.marks[i], facts);
  return text_of_marks(task, marks);
}

}  // namespace tilewalk
