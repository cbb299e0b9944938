// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include "core/schedules/registry.h"
#include "pages/compare/compare_page.h"
#include "view/hide_asked.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

// Hides byte and time figures while two schedules are compared.
void hide_differences(ComparePage& page) {
  page.compare.lines.clear();
  page.compare.verdict.clear();
  page.compare.headline.clear();
  page.compare.figure.clear();
  page.compare.detail.clear();
  page.compare.footnote.clear();
  page.compare.problems = {kAskedNow};
  page.launches.reset();
  page.pipes.reset();
  page.filled.sides.clear();
  for (LanesPicture& picture : page.lanes.pictures) picture.so_far.clear();
}

void hide_saves(LanesModel& m) {
  for (LaneSwitch& each : m.switches) each.saves.clear();
}

void hide(ComparePage& page, const LessonController& lesson) {
  if (lesson.hides("traffic") || lesson.hides("times")) hide_differences(page);
  if (lesson.hides("saves")) hide_saves(page.lanes);
}

void add_texts(ShownTexts& texts, const LanesModel& m) {
  for (const LanesPicture& picture : m.pictures) {
    texts.say("lanes", {picture.title, picture.cycles_text, picture.cycles_tip, picture.so_far, picture.note});
    for (const LaneFold& fold : picture.folds) texts.say("lanes", fold.labels.front());
    if (picture.whole) texts.say("lanes", {picture.whole->text, picture.whole->tip});
    for (const LaneWhole& each : picture.launches) texts.say("lanes", {each.name, each.text, each.tip});
    for (const LaneRow& row : picture.rows)
      for (const LaneBox& box : row.boxes) texts.say("lanes", {row.name, box.label, box.tip});
  }
  for (const LaneSwitch& each : m.switches) texts.say("switches", {each.name, each.saves});
  for (const TickedAxis* axis : {&m.cycles, &m.whole})
    for (const AxisTick& tick : axis->ticks) texts.say("lanes", tick.text + " " + axis->unit);
  texts.say("lanes", {m.sentence, m.empty_note});
}
void add_texts(ShownTexts& texts, const WavesModel& m) {
  texts.say("SMs", {m.title, m.at_cursor, m.figure, m.figure_words, m.waits, m.plain, m.sentence, m.limit, m.time,
                    m.other_time});
  for (const SmSquare& square : m.squares) texts.say("SMs", square.tip);
}
void add_texts(ShownTexts& texts, const FilledSms& m) {
  texts.say("SMs", {m.title, m.figure, m.figure_words, m.clock, m.tail, m.end_text, m.idle, m.after});
}
void add_texts(ShownTexts& texts, const WarpsModel& m) {
  for (const WarpsSide& side : m.sides) {
    texts.say("warps", {side.title, side.owns, side.price, side.exchange, side.operands, side.barriers, side.figure,
                        side.whole_run, side.sentence, side.gain});
    texts.say("warps", side.barrier_reasons);
    for (const WarpRect& rect : side.rects) texts.say("warps", {rect.label, rect.tip});
  }
  texts.say("warps", {m.figure, m.headline, m.sentence});
}
void add_texts(ShownTexts& texts, const CompareModel& m) {
  texts.say("differences", {m.heading, m.left_title, m.right_title, m.figure, m.headline, m.detail, m.footnote});
  texts.say("differences", m.problems);
  for (const CompareLine& line : m.lines) {
    texts.say("differences", {line.title, line.left, line.right, line.difference, line.tip});
    for (const auto* transfers : {&line.left_transfers, &line.right_transfers})
      for (const CompareTransfer& each : *transfers) texts.say("differences", each.text);
  }
}
void add_texts(ShownTexts& texts, const PipesModel& m) {
  for (const PipeSide& side : m.sides) {
    texts.say("pipes", {side.heading, side.moved, side.of, side.place, side.sram_of + side.sram_title, side.sram_text,
                        side.matrix.caption, side.matrix.done_words, side.matrix.to_do_words, side.counted});
    for (const PipeArea& area : side.areas) texts.say("pipes", {area.text, area.note});
    for (const Pipe& pipe : side.pipes) texts.say("pipes", {pipe.label, pipe.amount, pipe.times});
  }
  texts.say("pipes", {m.dot_text, m.ratio, m.ratio_words, m.ratio_detail, m.ratio_reason, m.clock, m.time_text});
}
void add_texts(ShownTexts& texts, const ChipComparison& m) {
  texts.say("chip", {m.call, m.figure, m.conclusion, m.walk, m.lacks, m.reconciled});
  for (const KindCycles& each : m.kinds) texts.say("chip", {each.name, each.tip});
  texts.say("chip", m.notes);
}
void add_texts(ShownTexts& texts, const ComparePage& page) {
  texts.say("compare",
            {page.baseline, page.block, page.pace, page.pace_tip, page.steps_text, page.left_note, page.right_note});
  for (const ComparedChoice& choice : page.compared) texts.say("compare", {choice.title, choice.tip});
  if (page.launches)
    for (const LaunchesModel* side : {&page.launches->left, &page.launches->right}) {
      texts.say("launches", {side->title, side->traffic.text, side->sentence});
      for (const LaunchLine& line : side->lines)
        texts.say("launches", {line.name, line.blocks, line.read, line.written, line.flops});
    }
  add_texts(texts, page.lanes);
  if (page.chip) add_texts(texts, *page.chip);
  for (const auto* waves : {&page.left, &page.right})
    if (*waves) add_texts(texts, **waves);
  for (const FilledSms& side : page.filled.sides) add_texts(texts, side);
  texts.say("SMs", page.filled.axis_words);
  if (page.warps) add_texts(texts, *page.warps);
  if (page.pipes) add_texts(texts, *page.pipes);
  add_texts(texts, page.compare);
}

ComparePage build_compare(const PageSources& of) {
  return build_compare_page(of.session, of.room.lanes_width, of.room.waves_width, of.room.waves_height,
                            of.caches.of<ComparePageCache>());
}

constexpr float kChipRoomText = 1.5f;  // its two timelines fit up to this size

RoomWords words_of_compare_for_room(const Session& session) {
  const CompareController& compare = session.compare();
  if (compare.filling() == Filling::Pipes)
    return {"Ask: both compute the same O. Which pipes does the right side not have?", "Space plays · ← → steps"};
  if (compare.chip())
    return {"Ask: where does the chip wait, and which of its waits does the model not have?",
            "← → one kind of work after the other", kChipRoomText};
  if (compare.filling() == Filling::Warps)
    return {"Ask: which of the two must wait at barriers for the other warps, and why?",
            compare.presented_step() == 0   ? "→ shows what passes between warps · Space plays"
            : compare.presented_step() == 1 ? "→ shows why · ← back"
                                            : "← back"};
  if (compare.filling() == Filling::Waves)
    return {"Ask: which SMs have nothing to do, and when?", "Space plays · ← → steps"};
  if (makes(row_of(session.problem()), Quantity::DQ))
    return {"Ask: which tensors does naive write and read, and the other does not?", ""};
  const ComparedProblems of = compare.problems();
  if (!has_lanes(of.now.schedule) && !has_lanes(of.baseline.schedule))
    return {"Ask: which of the two takes longer, and why?", "Space plays · ← → steps"};
  const ScheduleKind asked = has_lanes(of.now.schedule) ? of.now.schedule : of.baseline.schedule;
  return {std::string("Ask: what limits ") + title_of(asked) + ": the loads, the products or the softmax?",
          compare.asks_about_lanes() ? "→ shows the answer · Space plays" : "Space plays · ← → steps"};
}

}  // namespace

PageRow compare_row() {
  return PageOf<ComparePage>{.title = "Compare",
                             .help = "Two walks side by side: bytes in pipes, or lanes, SMs and differences",
                             .turn = Action::ShowCompare,
                             .build = build_compare,
                             .hide = hide,
                             .add_texts = add_texts,
                             .for_room = words_of_compare_for_room};
}

}  // namespace tilewalk
