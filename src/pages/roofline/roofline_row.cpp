// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include "pages/roofline/roofline_page.h"
#include "view/hide_asked.h"
#include "view/pages.h"
#include "view/words/call_model.h"
#include "view/words/paper_reason.h"

namespace tilewalk {
namespace {

// Looks as before the answers, without a way to show them.
void hide_times(RooflinePage& page) {
  std::erase_if(page.points, [](const RooflinePoint& point) { return point.hue != RooflineHue::Naive; });
  for (RooflinePoint& point : page.points) {
    point.recorded.reset();
    point.detail.clear();
    if (!point.part) point.label = title_of(Contender::Naive);
  }
  page.trails.clear();
  for (auto* texts :
       {&page.figure, &page.caption, &page.because, &page.answer, &page.misses, &page.trips, &page.sentence})
    texts->clear();
  std::erase_if(page.roofs, [](const RoofLine& roof) { return roof.lower; });
  page.arrow.reset();
  page.wins.clear();
  page.rows.clear();
  page.eager.clear();
  page.guesses.clear();
  page.question = "FlashAttention and the recorded times come back once you have answered.";
  page.revealed = false;
  page.hides_times = true;
}

void hide(RooflinePage& page, const LessonController& lesson) {
  if (lesson.hides("times")) hide_times(page);
}

void add_texts(ShownTexts& texts, const RooflinePage& page) {
  if (page.drawing) {
    for (const DrawnMark& mark : page.drawing->marks) texts.say("drawing", mark.label);
    return;
  }
  texts.say("roofline", {page.title, page.not_followed, page.over_n, page.x_title, page.y_title, page.measure.words,
                         page.measure.help, page.measure.details, page.hollow, page.off, page.question, page.sentence,
                         page.source, page.trips});
  texts.say("roofline", {page.figure, page.because, page.answer, page.misses, page.jumps});
  texts.say("roofline", page.notes);
  texts.say("roofline", page.unplotted);
  texts.say("roofline", page.absent);
  for (const RooflineField& field : page.own)
    texts.say("roofline", {field.field, field.text, field.otherwise, field.help, field.issue});
  for (const RoofLine& roof : page.roofs) texts.say("roof", roof.label);
  for (const RooflinePoint& point : page.points) texts.say("roofline, point", {point.label, point.detail});
  for (const WinCurve& curve : page.wins) texts.say("roofline, win", curve.label);
  for (const RooflineRow& row : page.rows) {
    texts.say("roofline, " + row.title, row.cells);
    texts.say("roofline, " + row.title, {row.walk_tip, row.reason});
  }
  for (const OperationLine& line : page.eager) texts.say("roofline, lines", {line.line, line.bytes, line.ms});
}

RooflinePage build_roofline(const PageSources& of) {
  if (auto drawing = build_roof_drawing(of.session.lesson())) {
    RooflinePage page;
    page.drawing = std::move(drawing);
    return page;
  }
  const Lesson* const lesson = of.session.lesson().lesson();
  RooflinePage page = build_roofline_page(of.session.roofline(), of.caches.of<RooflineCache>(),
                                          default_of_call(of.session), lesson && lesson->number == kShortRuleLesson);
  page.not_followed = not_followed(of.session);
  return page;
}

RoomWords words_of_roofline_for_room(const Session&) {
  return {"Ask: which roof is over naive, which over FlashAttention, and what moves them at twice the N?",
          "← → halve and double N"};
}

}  // namespace

PageRow roofline_row() {
  return PageOf<RooflinePage>{
      .title = "Roofline",
      .help = "How much faster FlashAttention is at a length, on a GPU, and which roof limits it",
      .turn = Action::ShowRoofline,
      .build = build_roofline,
      .hide = hide,
      .add_texts = add_texts,
      .for_room = words_of_roofline_for_room};
}

}  // namespace tilewalk
