#include "view/check/answer_in_view.h"

#include <cmath>

#include "view/check/number_in_text.h"
#include "view/learn/lesson_panel_model.h"

namespace tilewalk {
namespace {

// Such numbers (32, 1,024) appear on every page.
bool too_common(double number) {
  const bool power_of_two = std::exp2(std::round(std::log2(number))) == number;
  return number == std::floor(number) && (number < 100 || (power_of_two && number <= 4096));
}

}  // namespace

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
