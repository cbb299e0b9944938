// Each right answer of each shipped question, typed in the forms that people use, is accepted; a unit of another kind
// is refused by a sentence that names the expected one.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/typed_quantity.h"
#include "base/units.h"
#include "tests/support/catch.h"
#include "tests/support/shipped_setup.h"

using namespace tilewalk;

namespace {

std::string digits(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.6g}", value);
}

std::string grouped(double value, const std::string& separator) {
  std::string out = format_count(std::llround(value));
  for (std::size_t at = 0; (at = out.find(',', at)) != std::string::npos; at += separator.size())
    out.replace(at, 1, separator);
  return out;
}

// "3/8" where the value is such a fraction of small numbers.
std::string as_fraction(double value) {
  for (int below = 2; below <= 16; ++below)
    if (const double above = value * below; above == std::floor(above) && above >= 1 && above < 100)
      return fmt::format("{:.0f}/{}", above, below);
  return "";
}

struct Form {
  double size;
  std::vector<const char*> units;
};

// Units of the same kind as the expected one, with their sizes in it.
std::vector<Form> units_of(const std::string& unit) {
  constexpr double kKi = 1024;
  if (unit == "bytes")
    return {{1, {"B", "bytes", "byte"}},      {kKi, {"KiB", "kib"}}, {kKi * kKi, {"MiB"}}, {kKi * kKi * kKi, {"GiB"}},
            {1e3, {"kB", "KB", "kilobytes"}}, {1e6, {"MB"}},         {1e9, {"GB"}}};
  if (unit == "ms") return {{1, {"ms", "milliseconds"}}, {1e3, {"s", "sec", "seconds"}}, {1e-3, {"µs", "us"}}};
  if (unit == "µs") return {{1, {"µs", "us", "microseconds"}}, {1e3, {"ms"}}, {1e6, {"s"}}};
  if (unit == "s") return {{1, {"s", "seconds"}}, {1e-3, {"ms"}}};
  if (unit.empty() || unit == "×") return {{1, {"x", "×", "times"}}, {0.01, {"%", "percent"}}};
  if (unit == "FLOP per byte") return {{1, {"FLOP/byte", "FLOPs per byte", "flop/B"}}};
  return {{1, {unit.c_str()}}};
}

std::vector<std::string> forms_of(double value, const std::string& unit) {
  const std::string plain = digits(value);
  std::vector<std::string> out = {plain, " " + plain + " ", "≈ " + plain, fmt::format("{:.5e}", value)};
  if (plain.find('.') != std::string::npos && plain.find('e') == std::string::npos) {
    std::string comma = plain;
    comma.replace(comma.find('.'), 1, ",");
    if (plain.size() - plain.find('.') != 4) out.push_back(comma);  // three decimals: a separator of thousands
  }
  if (value == std::floor(value) && value >= 1000)
    for (const char* separator : {",", " ", "'", "\u202f"}) out.push_back(grouped(value, separator));
  if (const std::string fraction = as_fraction(value); !fraction.empty()) out.push_back(fraction);
  for (const Form& form : units_of(unit))
    for (const char* each : form.units)
      for (const char* between : {" ", ""}) out.push_back(digits(value / form.size) + between + each);
  return out;
}

bool asks_for_a_number(const LessonTask& task) {
  return task.kind == TaskKind::Number || task.kind == TaskKind::Predict;
}

}  // namespace

TEST_CASE("each right answer is accepted in each natural form, and a foreign unit is refused by name") {
  const std::vector<Lesson>& lessons = test::shipped_lessons();
  int questions = 0, forms = 0;
  for (const Lesson& lesson : lessons)
    for (std::size_t i = 0; i < lesson.screens.size(); ++i) {
      const std::optional<LessonTask>& task = lesson.screens[i].task;
      if (!task || !asks_for_a_number(*task)) continue;
      const auto session = test::shipped_session();
      session->dispatch(OpenLesson{lesson.number, std::int64_t(i) + 1});
      const Facts& facts = session->lesson().facts();
      const Result<Figure> right = task->answer->value(facts);
      REQUIRE(right.ok());
      ++questions;
      for (const std::string& form : forms_of(*right->number(), task->unit)) {
        CAPTURE(lesson.id, lesson.screens[i].title, task->unit, form);
        const CheckedAnswer checked = check_answer(*task, form, facts);
        CAPTURE(checked.slip);
        CHECK(checked.verdict == AnswerVerdict::Right);
        ++forms;
      }
      const std::string foreign = task->unit == "ms" || task->unit == "µs" || task->unit == "s" ? "5 MiB" : "5 ms";
      const CheckedAnswer refused = check_answer(*task, foreign, facts);
      CAPTURE(lesson.id, lesson.screens[i].title, refused.slip);
      CHECK(refused.verdict == AnswerVerdict::Unread);
      const std::string expected = task->unit.empty() || task->unit == "×" ? "without a unit" : task->unit;
      CHECK(refused.slip.find(expected) != std::string::npos);
    }
  CHECK(questions >= 40);
  CHECK(forms > 10 * questions);
}

TEST_CASE("numbers by hand and marks of a roof are typed in the same forms") {
  const auto session = test::shipped_session();
  session->dispatch(OpenLesson{7, 3});
  const auto answer = [&](const char* text) {
    session->dispatch(AnswerField{session->hand().fields()[1].place, text});
    return session->hand().fields()[1];
  };
  REQUIRE(session->hand().fields().size() == 2);  // m and α of row 9
  session->dispatch(ShowField{session->hand().fields()[0].place});
  const HandField refused = answer("5 ms");
  CHECK_FALSE(refused.stands());
  CHECK(refused.diagnosis == "ms is a unit of time. The question asks for a number without a unit.");
  CHECK(answer("none").diagnosis.find("is not a number") != std::string::npos);

  session->dispatch(OpenLesson{14, 1});
  const LessonTask& roof = *session->lesson().screen().task;
  const Facts& facts = session->lesson().facts();
  for (const char* typed : {"slope 4.275; ceiling 811", "slope 4.275 TB/s; ceiling 811 TFLOP/s",
                            "slope 4275 GB/s; ceiling 0.811 PFLOP/s"}) {
    CAPTURE(typed);
    CHECK(check_answer(roof, typed, facts).verdict == AnswerVerdict::Right);
  }
  CHECK(check_answer(roof, "slope 4 ms", facts).slip ==
        "ms is a unit of time. The question asks for bytes per second, in TB/s.");
}
