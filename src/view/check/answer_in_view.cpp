#include "view/check/answer_in_view.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/words.h"
#include "view/learn/lesson_panel_model.h"

namespace tilewalk {
namespace {

struct Unit {
  std::string_view of, name;
  double size;
};
constexpr double kKi = 1024;
constexpr Unit kUnits[] = {{"bytes", "KiB", kKi},
                           {"bytes", "MiB", kKi* kKi},
                           {"bytes", "GiB", kKi* kKi* kKi},
                           {"bytes", "TiB", kKi* kKi* kKi* kKi},
                           {"bytes", "kB", 1e3},
                           {"bytes", "MB", 1e6},
                           {"bytes", "GB", 1e9},
                           {"bytes", "TB", 1e12},
                           {"bytes", "B", 1},
                           {"ms", "ms", 1},
                           {"ms", "µs", 1e-3},
                           {"ms", "s", 1e3},
                           {"rate", "TFLOP", 1},
                           {"rate", "GFLOP", 1},
                           {"rate", "MFLOP", 1},
                           {"rate", "GHz", 1}};

// True if a date such as "2026-11-21" begins at `at`.
bool is_date(std::string_view text, std::size_t at) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  if (text.size() < at + kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i)
    if (kForm[i] == 'd' ? !is_digit(text[at + i]) : text[at + i] != kForm[i]) return false;
  return true;
}

struct Written {
  double value = 0;
  double last = 1;  // value of one unit of its last significant digit
  int digits = 0;   // significant digits
};

// Parses the number that begins at `at` and sets `at` to its end.
Written number_at(std::string_view text, std::size_t& at) {
  std::string plain;
  bool point = false;
  for (; at < text.size(); ++at) {
    const bool next = at + 1 < text.size() && is_digit(text[at + 1]);
    if (text[at] == ',' && !point && next) continue;
    if (text[at] == '.' && !point && next)
      point = true;
    else if (!is_digit(text[at]))
      break;
    plain += text[at];
  }
  Written out;
  out.value = std::strtod(plain.c_str(), nullptr);
  std::string counted = plain;
  std::erase(counted, '.');
  counted.erase(0, std::min(counted.find_first_not_of('0'), counted.size()));
  if (point) {
    out.last = std::pow(10, -double(plain.size() - 1 - plain.find('.')));
  } else {
    while (counted.size() > 2 && counted.back() == '0') counted.pop_back(), out.last *= 10;
  }
  out.digits = int(counted.size());
  return out;
}

// The size of the unit that follows a number, in the given unit; empty where that unit measures something else.
std::optional<double> size_of_unit(std::string_view rest, std::string_view unit) {
  if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  for (const Unit& each : kUnits)
    if (rest.starts_with(each.name) &&
        (rest.size() == each.name.size() || !std::isalpha((unsigned char)rest[each.name.size()])))
      return each.of == unit ? std::optional(each.size) : std::nullopt;
  return 1;
}

// Such numbers (32, 1,024) appear on every page.
bool too_common(double number) {
  const bool power_of_two = std::exp2(std::round(std::log2(number))) == number;
  return number == std::floor(number) && (number < 100 || (power_of_two && number <= 4096));
}

}  // namespace

bool contains_number(std::string_view text, double number, std::string_view unit) {
  constexpr int kFewestDigits = 2;
  for (std::size_t at = 0; at < text.size();) {
    const bool inside = at > 0 && (std::isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_' ||
                                   text.substr(0, at).ends_with("SM "));  // SM 45, SM 9.0: a name
    if (!is_digit(text[at]) || inside) {
      ++at;
      continue;
    }
    if (is_date(text, at)) {
      at += 10;
      continue;
    }
    const Written found = number_at(text, at);
    const std::optional<double> size = size_of_unit(text.substr(at), unit);
    if (!size || found.digits < kFewestDigits) continue;
    if (std::abs(found.value * *size - number) <= found.last * *size * 0.501) return true;
  }
  return false;
}

std::vector<ShownText> texts_with_number(std::vector<ShownText> texts, double number, std::string_view unit) {
  if (too_common(number)) return {};
  std::erase_if(texts, [&](const ShownText& shown) { return !contains_number(shown.text, number, unit); });
  return texts;
}

std::vector<ShownText> texts_with_answer(const Session& session, double number, std::string_view unit) {
  ViewRoom room;
  room.scores_width = room.scores_height = 900;
  room.timeline_width = room.lanes_width = room.waves_width = room.waves_height = 800;
  ViewBuilder builder{KernelTexts{}};
  const Views& views = builder.build(session, room);
  std::vector<ShownText> texts = every_text(views);
  if (views.lesson_panel)
    for (ShownText& shown : every_text(*views.lesson_panel)) texts.push_back(std::move(shown));
  return texts_with_number(std::move(texts), number, unit);
}

}  // namespace tilewalk
