#include "view/check/every_text.h"

#include "view/pages.h"
#include "view/scores/inspector_model.h"

namespace tilewalk {
namespace {

void add_texts(ShownTexts& texts, const TrafficModel& m) {
  for (const TrafficBar& bar : m.bars) texts.say("traffic", {bar.label, bar.text});
  texts.say("traffic", {m.visits, m.flops, m.textbook});
  for (const TrafficModel::Line& line : m.lines)
    texts.say("traffic in full", {line.tensor, line.read_so_far, line.write_so_far, line.read_total, line.write_total});
}

void add_texts(ShownTexts& texts, const HardwareModel& m) {
  texts.say("hardware", {m.card, m.source, m.label, m.text, m.sentence});
  texts.say("hardware", m.reasons);
  for (const HardwareLine& line : m.lines) texts.say("hardware", {line.what, line.modelled, line.measured, line.apart});
}

void add_texts(ShownTexts& texts, const PresentModel& m) {
  texts.say("present", {m.tile.title, m.tile.part, m.table.title, m.sentence});
  texts.say("present", m.place);
  for (const PresentCell& cell : m.tile.cells) texts.say("present, tile", cell.text);
  for (const PresentTableRow& row : m.table.rows) texts.say("present, table", row.cells);
  tilewalk::add_texts(texts, m.timeline);
}

}  // namespace

std::vector<ShownText> every_text(const Views& v) {
  ShownTexts texts;
  texts.say("header", v.header.title);
  texts.say("header", v.header.problem);
  for (const HeaderTab& tab : v.header.tabs) texts.say("header", tab.title);
  texts.say("verify", {v.verify.text, v.verify.detail, v.verify.short_text, v.verify.brief});
  texts.say("accuracy", {v.accuracy.text, v.accuracy.figure, v.accuracy.detail});
  add_texts(texts, v.traffic);
  if (v.hardware) add_texts(texts, *v.hardware);
  if (!v.on_page.empty()) page_row(v.shown_page).add_texts(texts, v.on_page);
  if (v.present) add_texts(texts, *v.present);
  if (v.problem) texts.say("editor", {v.problem->summary, v.problem->fit, v.problem->values_note});
  return std::move(texts.all);
}

namespace {

void add_texts(ShownTexts& texts, const LessonPictureModel& m) {
  texts.say("picture", {m.title, m.note, m.mark_name});
  texts.say("picture", m.columns);
  for (const PictureTick& tick : m.ticks) texts.say("picture", {tick.words});
  for (const PictureItemModel& item : m.items) {
    texts.say("picture", {item.heading, item.name, item.words});
    texts.say("picture", item.numbers);
  }
}

}  // namespace

std::vector<ShownText> every_text(const LessonPanelModel& m) {
  ShownTexts texts;
  if (m.picture) add_texts(texts, *m.picture);
  texts.say("rail", {m.head, m.title, m.screen_title});
  for (const LessonLine& line : m.lines) texts.say("text", plain_text(line));
  if (m.task) {
    texts.say("question", plain_text(m.task->ask));
    texts.say("question", m.task->answer);
    for (const LessonField& field : m.task->fields) texts.say("question", field.answer);
  }
  for (const LessonNote& note : m.notes) texts.say("note", plain_text(note.line));
  for (const LessonLine& line : m.after) texts.say("text after it", plain_text(line));
  return std::move(texts.all);
}

std::vector<ShownText> every_text(const InspectorModel& model, const std::string& where) {
  ShownTexts texts;
  add_texts(texts, model, where);
  return std::move(texts.all);
}

}  // namespace tilewalk
