// Facts of other pages: the roofline's call, and the call on the page of which attention runs; and of the lesson
// itself: the number that is drafted.
#include <algorithm>

#include "dispatch/dispatch.h"
#include "session/document/words.h"
#include "session/lesson/fact_family.h"

namespace tilewalk {

namespace {

Result<Figure> roofline(const AskedFact& asked) {
  const RooflineController& controller = asked.of.roofline;
  const std::string& what = asked.word(1);
  if (what == "device") return Figure::word(controller.device());
  if (what == "n") return whole_figure(controller.call().n);
  if (what == "d") return whole_figure(controller.call().d);
  if (what == "causal") return Figure::truth(controller.call().causal);
  if (what == "guessed") return Figure::truth(controller.guess().has_value());
  return Figure::truth(controller.revealed());
}

std::string word_of(const CallField& field) {  // n_q for n-q
  std::string name = field.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

FactWords call_words() {
  FactWords out = {"choice", "why", "profile"};
  for (const CallField& field : call_fields()) out.push_back(word_of(field));
  return out;
}

Result<Figure> which(const AskedFact& asked) {
  const WhichController& controller = asked.of.which;
  const std::string& what = asked.word(1);
  if (what == "profile") return Figure::word(controller.example());
  for (const CallField& field : call_fields())
    if (word_of(field) == what) return Figure::word(field.text(controller.call()));
  const RuleTable* const table = controller.table();
  if (!table) return asked.issue("is not known: no rules were read", "The scene opens the page: show which");
  const WhichAnswer answer = answer_of(controller.call(), *table);
  if (what == "why") return Figure::word(answer.raised_rule);
  return Figure::word(answer.runs ? torch_name(*answer.runs) : "none");
}

}  // namespace

std::vector<FactFamily> page_facts() {
  return {
      {.names = {"roofline"}, .second = {"device", "n", "d", "causal", "guessed", "revealed"}, .figure = roofline},
      {.names = {"tree"},
       .second = {"member"},
       .figure = [](const AskedFact& asked) -> Result<Figure> {
         return Figure::word(kTreeWords[int(asked.of.tree.member())]);
       }},
      {.names = {"which"}, .second = call_words(), .figure = which},
      {.names = {"guess"},
       .figure = [](const AskedFact& asked) -> Result<Figure> {
         if (!asked.of.guess) return asked.issue("is not known: nothing is typed", "Type a number, or drag the slider");
         return Figure::of(*asked.of.guess, Counts::Plain);
       }},
  };
}

}  // namespace tilewalk
