#include "view/check/every_text.h"

namespace tilewalk {
namespace {

struct Texts {
  std::vector<ShownText> out;

  void say(const std::string& where, const std::string& text) {
    if (!text.empty()) out.push_back({where, text});
  }
  void say(const std::string& where, const std::vector<std::string>& all) {
    for (const std::string& each : all) say(where, each);
  }

  void of(const MemoryModel& m) {
    for (const MemoryRow& row : m.hbm) {
      say("hbm", {row.label, row.size, row.note, row.help});
      for (const MemoryChip& chip : row.chips) say("hbm", chip.label);
    }
    for (const MemoryMove& move : m.moves) say("moves", {move.label, move.bytes});
    for (const MemoryResident& each : m.residents) say("sram", each.label);
    say("sram", {m.sram_title, m.sram_text});
    say("memory", {m.moves_note, m.purpose, m.cost});
    say("levels", {m.levels_title, m.hbm_level, m.sram_level, m.apart});
  }
  void of(const SoftmaxModel& m) {
    say("softmax", {m.title, m.meeting, m.sentence});
    for (const SoftmaxRow& row : m.rows)
      for (std::size_t c = 1; c < row.cells.size(); ++c)
        say("softmax row " + std::to_string(row.row) + ", " + m.columns[c], {row.cells[c], row.brief[c]});
  }
  void of(const InspectorModel& m, const std::string& where) {
    say(where, {m.place, m.value});
    say(where, m.from);
    say(where, m.goes);
    say(where, m.working);
  }
  void of(const TimelineModel& m) { say("transport", {m.visit_text, m.phase_text, m.step_text}); }
  void of(const WalkPage& page) {
    of(page.memory);
    say("scores", {page.scores.titles.front(), page.scores.scale_text, page.scores.formula});
    of(page.softmax);
    say("O", {page.o_tile.title, page.o_tile.note});
    say("code", {page.code.title, page.code.note});
    say("transport", {page.transport.news.text, page.transport.speed});
    of(page.transport.timeline);
    if (page.hand) say("hand", {page.hand->text, page.hand->progress, page.hand->rows, page.hand->quantities});
    if (page.fault) say("fault", {page.fault->title, page.fault->about, page.fault->harm, page.fault->so_far});
    if (page.selected) of(*page.selected, "selected");
  }
  void of(const TrafficModel& m) {
    for (const TrafficBar& bar : m.bars) say("traffic", {bar.label, bar.text});
    say("traffic", {m.visits, m.flops, m.textbook});
    for (const TrafficModel::Line& line : m.lines)
      say("traffic in full", {line.tensor, line.read_so_far, line.write_so_far, line.read_total, line.write_total});
  }
  void of(const HardwareModel& m) {
    say("hardware", {m.card, m.source, m.label, m.text, m.sentence});
    say("hardware", m.reasons);
    for (const HardwareLine& line : m.lines) say("hardware", {line.what, line.modelled, line.measured, line.apart});
  }

  void of(const LanesModel& m) {
    for (const LanesPicture& picture : m.pictures) {
      say("lanes", {picture.title, picture.cycles_text, picture.so_far, picture.note});
      for (const LaneRow& row : picture.rows)
        for (const LaneBox& box : row.boxes) say("lanes", {row.name, box.label, box.tip});
    }
    for (const LaneSwitch& each : m.switches) say("switches", {each.name, each.saves});
    say("lanes", {m.sentence, m.empty_note});
  }
  void of(const WavesModel& m) {
    say("SMs", {m.title, m.sentence, m.limit, m.time});
    for (const SmSquare& square : m.squares) say("SMs", square.tip);
    for (const WaveBar& bar : m.bars) say("SMs", bar.tip);
  }
  void of(const WarpsModel& m) {
    for (const WarpsSide& side : m.sides) {
      say("warps", {side.title, side.owns, side.exchange, side.operands, side.barriers, side.whole_run, side.sentence});
      say("warps", side.barrier_reasons);
      for (const WarpRect& rect : side.rects) say("warps", {rect.label, rect.tip});
    }
    say("warps", m.sentence);
  }
  void of(const CompareModel& m) {
    say("differences", {m.heading, m.left_title, m.right_title, m.verdict, m.footnote});
    say("differences", m.problems);
    for (const CompareLine& line : m.lines) {
      say("differences", {line.title, line.left, line.right, line.difference, line.tip});
      for (const auto* transfers : {&line.left_transfers, &line.right_transfers})
        for (const CompareTransfer& each : *transfers) say("differences", each.text);
    }
  }
  void of(const ComparePage& page) {
    say("compare", {page.baseline, page.block, page.pace, page.pace_tip, page.left_note, page.right_note});
    say("compare", page.real_size);
    if (page.launches)
      for (const LaunchesModel* side : {&page.launches->left, &page.launches->right}) {
        say("launches", {side->title, side->traffic.text, side->sentence});
        for (const LaunchLine& line : side->lines)
          say("launches", {line.name, line.blocks, line.read, line.written, line.flops});
      }
    of(page.lanes);
    for (const auto* waves : {&page.left, &page.right})
      if (*waves) of(**waves);
    if (page.warps) of(*page.warps);
    of(page.compare);
  }

  void of(const RaceModel& m) {
    say("race", {m.badge, m.heading, m.ceilings, m.empty, m.bars_title, m.curves_title, m.predicted_note, m.peak_text,
                 m.progress, m.failure});
    say("race", m.notes);
    say("race", m.reasons);
    for (const RaceBar& bar : m.bars) say("race", {bar.title, bar.value, bar.detail});
    for (const RaceLine& line : m.table) say("race, " + line.title, line.cells);
    for (const RacePredicted& row : m.predicted) say("race, " + row.title, row.cells);
    for (const RaceCurve& curve : m.curves)
      for (const auto* points : {&curve.points, &curve.missing})
        for (const RacePoint& point : *points) say("race, " + curve.title, point.detail);
  }
  void of(const TreeModel& m) {
    say("tree", {m.name, m.changes, m.show});
    for (const TreeBox& box : m.boxes) say("tree", {box.name, box.tip});
    for (const TreeFact& fact : m.facts) say("tree", {fact.title, fact.text});
  }
  void of(const NamesModel& m) {
    say("kernel names", {m.name, m.untold, m.walk_words, m.file, m.headline, m.so, m.failure});
    say("kernel names", m.notes);
    for (const NamePart& part : m.parts) say("kernel names", {part.part, part.text});
    for (const ProfileRow& row : m.rows)
      say("profile", {row.family, row.pass, row.calls, row.time, row.share, row.tip});
  }
  void of(const WhichPage& page) {
    say("which", page.missing);
    of(page.names);
    if (!page.model) return;
    const WhichModel& m = *page.model;
    say("which", {m.versions, m.call_line, m.why_order, m.headline, m.so, m.generation, m.walk_words, m.cost_line,
                  m.cost_note, m.recorded, m.command_line, m.checked, m.unknown, m.other_versions, m.advice_title});
    say("which", m.notes);
    for (const WhichField& field : m.fields) say("which", {field.label, field.text, field.help, field.issue});
    for (const WhichCard& card : m.cards) {
      say("which", {card.title, card.badge, card.verdict_words, card.hint});
      for (const auto* checks : {&card.checks, &card.brief})
        for (const WhichCheck& check : *checks) say("which", {check.says, check.value, check.source});
    }
    for (const WhichAdvice& advice : m.advice) say("advice", {advice.words, advice.costs, advice.then});
    say("advice", m.no_advice);
  }
  void of(const RooflinePage& page) {
    say("roofline", {page.title, page.x_title, page.y_title, page.measure.words, page.measure.help,
                     page.measure.details, page.hollow, page.question, page.sentence, page.source, page.trips});
    say("roofline", {page.answer, page.misses, page.jumps});
    say("roofline", page.notes);
    say("roofline", page.absent);
    for (const RooflineField& field : page.own)
      say("roofline", {field.field, field.text, field.otherwise, field.help, field.issue});
    for (const RoofLine& roof : page.roofs) say("roof", roof.label);
    for (const RooflinePoint& point : page.points) say("roofline, point", {point.label, point.detail});
    for (const WinCurve& curve : page.wins) say("roofline, win", curve.label);
    for (const RooflineRow& row : page.rows) {
      say("roofline, " + row.title, row.cells);
      say("roofline, " + row.title, row.walk_tip);
    }
    for (const OperationLine& line : page.eager) say("roofline, lines", {line.line, line.bytes, line.ms});
  }
  void of(const PresentModel& m) {
    say("present", {m.tile.title, m.tile.part, m.table.title, m.sentence});
    say("present", m.place);
    for (const PresentCell& cell : m.tile.cells) say("present, tile", cell.text);
    for (const PresentTableRow& row : m.table.rows) say("present, table", row.cells);
    of(m.timeline);
  }
  void of(const RailLine& line, const std::string& where) { say(where, words_of(line)); }
  void of(const LessonPanelModel& m) {
    say("rail", {m.head, m.title, m.screen_title});
    for (const RailLine& line : m.lines) of(line, "text");
    if (m.task) {
      of(m.task->ask, "question");
      say("question", m.task->answer);
      for (const RailField& field : m.task->fields) say("question", field.answer);
    }
    for (const RailNote& note : m.notes) of(note.line, "note");
    for (const RailLine& line : m.after) of(line, "text after it");
  }
};

}  // namespace

std::vector<ShownText> every_text(const Views& v) {
  Texts texts;
  texts.say("header", v.header.title);
  texts.say("header", v.header.problem);
  for (const HeaderTab& tab : v.header.tabs) texts.say("header", tab.title);
  texts.say("verify", {v.verify.text, v.verify.detail, v.verify.short_text, v.verify.brief});
  texts.say("accuracy", {v.accuracy.text, v.accuracy.figure, v.accuracy.detail});
  texts.of(v.traffic);
  if (v.hardware) texts.of(*v.hardware);
  if (v.walk) texts.of(*v.walk);
  if (v.compare) texts.of(*v.compare);
  if (v.race) texts.of(*v.race);
  if (v.tree) texts.of(*v.tree);
  if (v.which) texts.of(*v.which);
  if (v.roofline) texts.of(*v.roofline);
  if (v.present) texts.of(*v.present);
  if (v.problem) texts.say("editor", {v.problem->summary, v.problem->fit, v.problem->values_note});
  return std::move(texts.out);
}

std::vector<ShownText> every_text(const LessonPanelModel& rail) {
  Texts texts;
  texts.of(rail);
  return std::move(texts.out);
}

std::vector<ShownText> every_text(const InspectorModel& model, const std::string& where) {
  Texts texts;
  texts.of(model, where);
  return std::move(texts.out);
}

}  // namespace tilewalk
