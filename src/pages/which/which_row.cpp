// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include "pages/which/which_page.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

void hide(WhichPage& page, const LessonController& lesson) { hide_answers(page, lesson); }

void add_texts(ShownTexts& texts, const NamesModel& m) {
  texts.say("kernel names", {m.name, m.missing, m.walk_words, m.file, m.headline, m.so, m.failure});
  texts.say("kernel names", m.notes);
  for (const NamePart& part : m.parts) texts.say("kernel names", {part.part, part.text});
  for (const ProfileRow& row : m.rows)
    texts.say("profile", {row.family, row.pass, row.calls, row.time, row.share, row.tip});
}
void add_texts(ShownTexts& texts, const WhichPage& page) {
  texts.say("which", page.missing);
  add_texts(texts, page.names);
  for (const ProfileCard& card : page.cards) {
    texts.say("profile", {card.title, card.figure, card.words, card.verdict});
    texts.say("profile", card.facts);
  }
  if (page.win) texts.say("which", {page.win->figure(), page.win->words()});
  texts.say("which", {page.untimed, page.faster, page.chart.title});
  for (const TimeBar& bar : page.chart.bars) texts.say("which", {bar.name, bar.time, bar.speed});
  if (!page.model) return;
  const WhichModel& m = *page.model;
  texts.say("which", {m.versions, m.call_line, m.why_order, m.headline, m.so, m.generation, m.walk_words, m.cost_title,
                      m.cost_line, m.cost_note, m.recorded, m.command_line, m.checked, m.unknown, m.other_versions,
                      m.version_note, m.advice_title});
  texts.say("which", {m.plain.refusal, m.plain.runs, m.plain.because});
  texts.say("which", m.notes);
  for (const CallFieldModel& field : m.fields) texts.say("which", {field.label, field.text, field.help, field.issue});
  for (const WhichCard& card : m.cards) {
    texts.say("which", {card.title, card.badge, card.verdict_words, card.hint, card.all_hold, card.recorded,
                        card.not_recorded, card.predicted, card.published, card.published_source});
    if (!card.predicted.empty()) texts.say("which", card.bar_tag);
    texts.say("which", {card.reason, card.yours});
    for (const WhichCheck& check : card.checks) texts.say("which", {check.says, check.value, check.source});
    for (const PathStop& stop : card.stops) texts.say("which", {stop.topic, stop.tip});
  }
  for (const WhichAdvice& advice : m.advice) texts.say("advice", {advice.words, advice.costs, advice.then});
  texts.say("advice", m.no_advice);
}

WhichPage build_which(const PageSources& of) {
  const WhichController& which = of.session.which();
  WhichPage page = build_which_page(which, of.session.roofline().recorded(which.call().device));
  if (page.model && page.model->runs && modelled_call(which.call()))
    put_times_of_call(which.call(), of.session.roofline().rows(), page);
  return page;
}

RoomWords words_of_which_for_room(const Session& session) {
  return {"Ask: why does PyTorch take this one, and what in the call would make it take another?",
          session.which().answered() ? "← → halve and double N" : "→ shows the reason · ← halves N"};
}

}  // namespace

PageRow which_row() {
  return PageOf<WhichPage>{.title = "Which",
                           .help = "Which attention PyTorch takes for a call, and why",
                           .turn = Action::ShowWhich,
                           .build = build_which,
                           .hide = hide,
                           .add_texts = add_texts,
                           .for_room = words_of_which_for_room};
}

}  // namespace tilewalk
