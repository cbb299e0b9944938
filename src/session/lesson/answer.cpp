#include "session/lesson/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "base/typed_number.h"
#include "base/typed_quantity.h"
#include "base/units.h"
#include "base/words.h"
#include "session/lesson/marked_tiles.h"
#include "session/lesson/roof_marks.h"

namespace tilewalk {

namespace {

constexpr double kKi = 1024.0;

// A binary unit of bytes and the decimal one that it is mistaken for.
struct ByteUnits {
  const char* binary;
  const char* decimal;
  double binary_size, decimal_size;
};
constexpr ByteUnits kByteUnits[] = {{"KiB", "kB", kKi, 1e3},
                                    {"MiB", "MB", kKi* kKi, 1e6},
                                    {"GiB", "GB", kKi* kKi* kKi, 1e9},
                                    {"TiB", "TB", kKi* kKi* kKi* kKi, 1e12}};

bool far(double ratio) { return ratio >= 10 || ratio <= 0.1; }

std::string times(double ratio) {
  return ratio >= 10 ? format_count(std::llround(ratio)) + " times" : fmt::format("{:.1f} times", ratio);
}

// Size and direction of the error.
std::string distance(double typed, double right) {
  if (typed * right > 0) {
    const double ratio = typed / right;
    if (ratio > 1.5) return fmt::format("That is {} too large.", times(ratio));
    if (ratio < 1 / 1.5) return fmt::format("That is {} too small.", times(1 / ratio));
  }
  if (typed == -right && right != 0) return "The size is right, the sign is not.";
  return typed > right ? "That is a little too large." : "That is a little too small.";
}

// "1 KiB is 1,024 B", where the number would be right in the other unit of that size.
std::string slip_of_unit(const LessonTask& task, const TypedQuantity& typed, double right) {
  for (const ByteUnits& units : kByteUnits)
    for (const bool binary : {true, false}) {
      if (typed.unit != (binary ? units.binary : units.decimal)) continue;
      const double size = binary ? units.binary_size : units.decimal_size;
      const double other = binary ? units.decimal_size : units.binary_size;
      if (!stands(task, *typed.value / size * other, right)) continue;
      return fmt::format("{} and {} are not the same: 1 {} is {} B, 1 {} is {} B.", typed.unit,
                         binary ? units.decimal : units.binary, typed.unit, format_count(std::llround(size)),
                         binary ? units.decimal : units.binary, format_count(std::llround(other)));
    }
  return {};
}

std::string slip_of_bytes(const LessonTask& task, const TypedQuantity& quantity, double right) {
  const double typed = *quantity.value;
  if (std::string slip = slip_of_unit(task, quantity, right); !slip.empty()) return slip;
  if (stands(task, typed / 8, right)) return "That counts bits. A byte has eight of them.";
  if (stands(task, typed * 8, right)) return "That is an eighth. Bits were taken for bytes.";
  if (stands(task, typed * 4, right)) return "That counts elements. In fp32 each of them takes 4 bytes.";
  if (stands(task, typed * 2, right) && right >= 4) return "That is half. Is each element 2 bytes wide here, or 4?";
  if (stands(task, typed / 2, right)) return "That is double. Is each element 4 bytes wide here, or 2?";
  if (stands(task, typed * kKi, right) || stands(task, typed * kKi * kKi, right))
    return "The digits are right, the unit is not: KiB, MiB and GiB are 1,024 apart.";
  if (stands(task, typed / kKi, right) || stands(task, typed / kKi / kKi, right))
    return "The digits are right, the unit is not: KiB, MiB and GiB are 1,024 apart.";
  return {};
}

constexpr double kSameNumber = 0.05;

// The named wrong answer nearest to the typed one among those that fit; null: none.
template <class Fits>
const WrongAnswer* nearest_wrong(const LessonTask& task, double typed, const Facts& facts, const Fits& fits) {
  const WrongAnswer* nearest = nullptr;
  double least = 0;
  for (const WrongAnswer& wrong : task.wrong) {
    const Result<Figure> value = wrong.value.value(facts);
    if (!value || !value->number() || !fits(*value->number())) continue;
    const double off = std::abs(typed - *value->number());
    if (!nearest || off < least) nearest = &wrong, least = off;
  }
  return nearest;
}

// A guess has no second try. The result says how far off it was and, for a wrong guess, which mistake it shows.
CheckedAnswer checked_guess(const LessonTask& task, double typed, double right, const Facts& facts) {
  const double miss = typed / right - 1;
  const std::string off = std::abs(miss) < 0.005 ? "That is it, to the percent."
                                                 : fmt::format("Your guess is {:.0f} % too {}.", std::abs(miss) * 100,
                                                               miss < 0 ? "low" : "high");
  if (stands(task, typed, right)) return {AnswerVerdict::Right, {}, off};
  const WrongAnswer* const said = nearest_wrong(task, typed, facts, [&](double wrong) {
    return std::abs(typed / wrong - 1) < kSameNumber && !is_by_method(task, wrong, facts);
  });
  if (said) return {AnswerVerdict::Wrong, said->says, off};
  return {AnswerVerdict::Wrong, {}, off};
}

CheckedAnswer check_number(const LessonTask& task, const std::string& text, const Facts& facts) {
  const TypedQuantity quantity = typed_quantity(text, task.unit);
  const std::optional<double> typed = quantity.value;
  if (!typed) return {AnswerVerdict::Unread, {}, quantity.error};
  const Result<Figure> right = task.answer->value(facts);
  if (!right || !right->number()) return {AnswerVerdict::Unknown, {}, ""};
  if (task.draw > 0) return checked_guess(task, *typed, *right->number(), facts);
  const bool right_by_rule = stands(task, *typed, *right->number());
  const WrongAnswer* const said = nearest_wrong(task, *typed, facts, [&](double wrong) {
    return right_by_rule ? shows_mistake(*typed, *right->number(), wrong)
                         : answers(*typed, wrong) || stands(task, *typed, wrong);
  });
  if (said) return {AnswerVerdict::Wrong, said->says, ""};
  if (right_by_rule) return {AnswerVerdict::Right, {}, ""};
  if (task.unit == "bytes")
    if (std::string slip = slip_of_bytes(task, quantity, *right->number()); !slip.empty())
      return {AnswerVerdict::Wrong, {}, std::move(slip)};
  const auto fits = [&](double value) { return stands(task, value, *right->number()); };
  if (quantity.unit.empty())
    if (std::string slip = slip_of_scale(*typed, task.unit, fits); !slip.empty())
      return {AnswerVerdict::Wrong, {}, std::move(slip)};
  if (stands(task, *typed * *right->number(), 1) && far(*typed / *right->number()))
    return {AnswerVerdict::Wrong, {}, "That is the ratio upside down."};
  return {AnswerVerdict::Wrong, {}, distance(*typed, *right->number())};
}

// "b", "B", "2": a position below count; -1 for any other word.
int place_of(const std::string& word, int count) {
  if (word.size() != 1) return -1;
  const char c = char(std::tolower((unsigned char)word[0]));
  const int place = c >= 'a' && c <= 'z' ? c - 'a' : c >= '1' && c <= '9' ? c - '1' : -1;
  return place < count ? place : -1;
}

std::vector<int> places_of(const std::string& text, int count) {
  std::vector<int> out;
  for (const char c : text)
    if (!std::isspace((unsigned char)c) && c != ',' && c != ';') out.push_back(place_of(std::string(1, c), count));
  return out;
}

CheckedAnswer check_choice(const LessonTask& task, const std::string& text) {
  const int place = place_of(trimmed(text), int(task.options.size()));
  if (place < 0) return {AnswerVerdict::Unread, {}, "Give the letter of one of them."};
  const TaskOption& option = task.options[std::size_t(place)];
  return {option.right ? AnswerVerdict::Right : AnswerVerdict::Wrong, option.says, ""};
}

// Options that may change places have one rank.
std::vector<int> ranks_of(const LessonTask& task) {
  std::vector<int> ranks;
  for (const TaskOption& option : task.options)
    ranks.push_back(ranks.empty() ? 0 : ranks.back() + (option.with_previous ? 0 : 1));
  return ranks;
}

// The first named slip that the order shows; null: none.
const OrderSlip* slip_of_order(const LessonTask& task, const std::vector<int>& shown, const std::vector<int>& places) {
  const auto place_in_answer = [&](int option) {
    return std::find_if(places.begin(), places.end(), [&](int at) { return shown[std::size_t(at)] == option; });
  };
  const auto found = std::find_if(task.slips.begin(), task.slips.end(), [&](const OrderSlip& slip) {
    return place_in_answer(slip.early) < place_in_answer(slip.late);
  });
  return found == task.slips.end() ? nullptr : &*found;
}

CheckedAnswer check_order(const LessonTask& task, const std::string& text) {
  const int count = int(task.options.size());
  std::vector<int> places = places_of(text, count), sorted = places;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < count; ++i)
    if (int(sorted.size()) != count || sorted[std::size_t(i)] != i)
      return {AnswerVerdict::Unread, {}, "Give each letter once, such as: b a c."};
  const std::vector<int> shown = shuffled(task);
  if (const OrderSlip* const slip = slip_of_order(task, shown, places)) return {AnswerVerdict::Wrong, slip->says, ""};
  const std::vector<int> ranks = ranks_of(task);
  for (int i = 0; i < count; ++i) {
    if (ranks[std::size_t(shown[std::size_t(places[std::size_t(i)])])] == ranks[std::size_t(i)]) continue;
    const TaskOption& misplaced = task.options[std::size_t(shown[std::size_t(places[std::size_t(i)])])];
    const std::string where = task.kind == TaskKind::Label
                                  ? " does not belong to \u201c" + task.options[std::size_t(i)].place + "\u201d."
                                  : fmt::format(" cannot be number {}.", i + 1);
    return {AnswerVerdict::Wrong, task.says, "\u201c" + misplaced.text + "\u201d" + where};
  }
  return {AnswerVerdict::Right, {}, ""};
}

}  // namespace

bool stands(const LessonTask& task, double typed, double right) {
  if (task.within > 0 && std::isfinite(typed) && right != 0) return std::abs(typed / right - 1) <= task.within;
  return answers(typed, right);
}

CheckedAnswer check_answer(const LessonTask& task, const std::string& text, const Facts& facts) {
  switch (task.kind) {
    case TaskKind::Choose: return check_choice(task, text);
    case TaskKind::Order:
    case TaskKind::Label: return check_order(task, text);
    case TaskKind::Number:
    case TaskKind::Predict: return check_number(task, text, facts);
    case TaskKind::Draw: return check_marks(task, text, facts);
    case TaskKind::MarkTiles: return check_tiles(task, text, facts);
    case TaskKind::Do:
    case TaskKind::ByHand: break;
  }
  return {AnswerVerdict::Unread, {}, "That is done in the window, not typed."};
}

std::string right_answer(const LessonTask& task, const Facts& facts) {
  switch (task.kind) {
    case TaskKind::Choose:
      for (std::size_t i = 0; i < task.options.size(); ++i)
        if (task.options[i].right) return letter_of(int(i));
      return {};
    case TaskKind::Order:
    case TaskKind::Label: {
      const std::vector<int> shown = shuffled(task);
      std::string out;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto at = std::find(shown.begin(), shown.end(), int(i));
        out += (i ? " " : "") + letter_of(int(at - shown.begin()));
      }
      return out;
    }
    case TaskKind::Number:
    case TaskKind::Predict: {
      const Result<Figure> right = task.answer->value(facts);
      if (!right || !right->number()) return {};
      const double value = *right->number();
      // Digits that no answer needs are left out.
      if (task.within >= 0.01 && value != std::floor(value))
        return std::abs(value) < 1000 ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
      if (right->counts == Counts::Plain && value != std::floor(value)) return fmt::format("{:.4g}", value);
      return format_number(value);
    }
    case TaskKind::Draw: return right_marks(task, facts);
    case TaskKind::MarkTiles: return text_of(right_tiles(task, side_of(task, facts)));
    case TaskKind::Do:
    case TaskKind::ByHand: return {};
  }
  return {};
}

bool is_by_method(const LessonTask& task, double value, const Facts& facts) {
  if (!task.method) return false;
  const Result<Figure> method = task.method->value(facts);
  return method && method->number() && std::abs(value / *method->number() - 1) < kSameNumber;
}

std::vector<int> shuffled(const LessonTask& task) {
  std::vector<int> places(task.options.size());
  std::iota(places.begin(), places.end(), 0);
  // A rotation by the line of the block: the same at every start, and never the order of the file.
  const std::size_t count = places.size();
  if (count < 2) return places;
  std::rotate(places.begin(), places.begin() + std::ptrdiff_t(1 + std::size_t(task.line) % (count - 1)), places.end());
  if (count > 3) std::swap(places[0], places[count / 2]);
  return places;
}

std::string letter_of(int place) { return std::string(1, char('a' + place)); }

}  // namespace tilewalk
