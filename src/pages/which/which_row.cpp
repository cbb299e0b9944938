// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include "pages/which/which_page.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

void hide(WhichPage& page, const LessonController& lesson) { hide_asked(page, lesson); }

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
    texts.say("profile", card.told);
  }
  if (page.win) texts.say("which", {page.win->figure(), page.win->words()});
  texts.say("which", page.untimed);
  if (!page.model) return;
  const WhichModel& m = *page.model;
  texts.say("which", {m.versions, m.call_line, m.why_order, m.headline, m.so, m.generation, m.walk_words, m.cost_title,
                      m.cost_line, m.cost_note, m.recorded, m.command_line, m.checked, m.unknown, m.other_versions,
                      m.version_note, m.advice_title});
  texts.say("which", m.notes);
  for (const CallFieldModel& field : m.fields) texts.say("which", {field.label, field.text, field.help, field.issue});
  for (const WhichCard& card : m.cards) {
    texts.say("which",
              {card.title, card.badge, card.verdict_words, card.hint, card.all_hold, card.recorded, card.not_recorded});
    for (const auto* checks : {&card.checks, &card.brief})
      for (const WhichCheck& check : *checks) texts.say("which", {check.says, check.value, check.source});
  }
  for (const WhichAdvice& advice : m.advice) texts.say("advice", {advice.words, advice.costs, advice.then});
  texts.say("advice", m.no_advice);
}

// Of a call whose attn_mask alone is in no time.
std::string without_mask(std::optional<NaiveWin> win) {
  const std::string none = "No time with an attn_mask is recorded here.";
  if (!win) return none;
  win->other.clear();  // on a small screen the words have three lines
  return none + " " + win->figure() + " " + win->words();
}

WhichPage build_which(const PageSources& of) {
  const WhichController& which = of.session.which();
  WhichPage page = build_which_page(which, of.session.roofline().recorded(which.call().device));
  if (!page.model || !page.model->runs || !modelled_call(which.call())) return page;
  const std::vector<PredictionRow>& rows = of.session.roofline().rows();
  std::optional<NaiveWin> win = recorded_win(*page.model, rows);
  const bool only_mask = which.call().has_mask() && which.call().dropout == 0 && !which.call().training;
  if (only_mask) page.untimed = without_mask(win);
  if (!page.model->cost_note.empty()) return page;  // a mask, dropout and training are in no time here
  if (!win && page.model->walk) win = predicted_win(page.model->walk->schedule, rows);
  page.win = std::move(win);
  return page;
}

}  // namespace

PageRow which_row() {
  return PageOf<WhichPage>{.title = "Which",
                           .help = "Which attention PyTorch takes for a call, and why",
                           .turn = Action::ShowWhich,
                           .build = build_which,
                           .hide = hide,
                           .add_texts = add_texts};
}

}  // namespace tilewalk
