// The row of this page: builds its models and lists its texts.
#include "pages/lab/lab_model.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

void add_texts(ShownTexts& texts, const LabPage& page) {
  texts.say("lab",
            {page.missing, page.head, page.title, page.text.state, page.text.says, page.text.goal, page.printed});
  texts.say("lab badge", {page.badge.text, page.badge.detail});
  for (const Paragraph& paragraph : page.prose) {
    std::string all;
    for (const Run& run : paragraph.runs) all += run.text;
    texts.say("lab task", all);
  }
  texts.say("lab hint", page.hints);
  const LabTransportModel& t = page.transport;
  texts.say("lab run", {t.place, t.step, t.wrong, t.verdict});
  texts.say("lab run", {page.verdict.figure, page.verdict.words});
  texts.say("lab run", t.findings);
  for (const LabLineMark& mark : page.text.marks) texts.say("lab line", mark.words);
  texts.say("lab matrix",
            {page.matrix.title, page.matrix.scale, page.matrix.weights_title, page.matrix.weights_formula});
  texts.say("lab numbers", {page.numbers.title, page.numbers.where, page.numbers.sentence, page.numbers.o_title});
  for (const LabStep& step : page.numbers.steps) texts.say("lab numbers", {step.title, step.words});
  for (const LabRowModel& row : page.numbers.rows) {
    texts.say("lab numbers row " + row.row, row.cells);
    texts.say("lab numbers row " + row.row, row.right);
  }
  texts.say("lab thread", page.thread.title);
  for (const LabVariable& each : page.thread.variables) texts.say("lab thread", {each.name, each.value});
  for (const TrafficBar& bar : page.bars) texts.say("lab traffic", {bar.label, bar.text});
  for (const LabFact& fact : page.facts) texts.say("lab traffic", {fact.name, fact.value, fact.beside});
}

}  // namespace

PageRow lab_row() {
  return PageOf<LabPage>{.title = "Lab",
                         .help = "Write the kernel yourself: it runs here, visit by visit, and is checked",
                         .turn = Action::ShowLab,
                         .build = [](const PageSources& of) { return build_lab_page(of.session.lab()); },
                         .add_texts = add_texts,
                         .badge = [](const LabPage& page) { return page.badge; }};
}

}  // namespace tilewalk
