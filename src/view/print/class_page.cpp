#include "view/print/class_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"

namespace tilewalk {
namespace {

std::string below_each_other(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& each : all) add_to_list(out, each, "\n");
  return out;
}

std::vector<std::string> dashed(const std::vector<std::string>& all) {
  std::vector<std::string> out;
  for (const std::string& each : all) out.push_back("– " + each);
  return out;
}

std::string lesson_text(std::int64_t number, const std::vector<Lesson>& lessons) {
  if (number == 0) return "";
  const auto at = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& l) { return l.number == number; });
  return at == lessons.end() ? fmt::format("{}", number) : fmt::format("{} · {}", number, at->title);
}

std::string print_text(const ClassPrint& print, const std::vector<Lesson>& lessons) {
  switch (print.sheet) {
    case ClassSheet::Hand: return "a Q tile to work by hand, and its key";
    case ClassSheet::Roofline: return "log-log paper for the roofline, five shapes to predict, and the key";
    case ClassSheet::Lesson: return "the teacher's page of lesson " + lesson_text(print.lesson, lessons);
  }
  return "";
}

}  // namespace

PrintDocument build_class_page(const ClassPlan& plan, const std::vector<Lesson>& lessons) {
  PrintDocument out{.title = plan.title,
                    .label = "plan",
                    .foot = fmt::format("{} minutes, {} lessons", plan.minutes,
                                        std::count_if(plan.parts.begin(), plan.parts.end(),
                                                      [](const ClassPart& part) { return part.lesson > 0; })),
                    .blocks = {}};
  out.blocks.push_back(PrintLines{{"At the end: " + plan.goal}});
  out.blocks.push_back(PrintHeading{"Before", ""});
  out.blocks.push_back(PrintLines{dashed(plan.before)});
  out.blocks.push_back(
      PrintHeading{"Minute by minute", "the number before a lesson is its number in the list, Ctrl+L"});
  PrintGrid grid{
      {{"minutes", 0.62}, {"lesson", 1.4}, {"what to do", 2.4}, {"ask the room", 2.2}, {"print-out", 0.62}}, {}, false};
  std::int64_t from = 0;
  for (const ClassPart& part : plan.parts) {
    grid.rows.push_back({fmt::format("{} to {}", from, from + part.minutes), lesson_text(part.lesson, lessons),
                         part.deed, below_each_other(part.ask), part.print});
    from += part.minutes;
  }
  out.blocks.push_back(std::move(grid));
  if (!plan.prints.empty()) {
    out.blocks.push_back(PrintHeading{"Print-outs", "they follow in this order"});
    std::vector<std::string> prints;
    for (const ClassPrint& print : plan.prints)
      prints.push_back(fmt::format("– {}: {}; {}", print.name, print_text(print, lessons), print.copies));
    out.blocks.push_back(PrintLines{std::move(prints)});
  }
  if (!plan.after.empty()) {
    out.blocks.push_back(PrintHeading{"After", ""});
    out.blocks.push_back(PrintLines{dashed(plan.after)});
  }
  return out;
}

}  // namespace tilewalk
