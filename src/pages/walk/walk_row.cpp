// The row of this page: builds its models, hides a lesson's answers, and lists its texts.
#include "pages/walk/walk_page.h"
#include "view/pages.h"

namespace tilewalk {
namespace {

void hide_levels(MemoryModel& m) {
  for (std::string* text : {&m.levels_title, &m.hbm_level, &m.sram_level, &m.apart, &m.sram_tip}) text->clear();
}

void hide(WalkPage& page, const LessonController& lesson) {
  if (lesson.hides("levels")) hide_levels(page.memory);
}

void add_texts(ShownTexts& texts, const MemoryModel& m) {
  texts.say("hbm", m.hbm_title);
  for (const MemoryRow& row : m.hbm) {
    texts.say("hbm", {row.label, row.size, row.note, row.help});
    for (const MemoryTile& shown : row.tiles) texts.say("hbm", shown.label);
  }
  for (const MemoryMove& move : m.moves) texts.say("moves", {move.label, move.bytes});
  for (const MemoryResident& each : m.residents) texts.say("sram", each.label);
  texts.say("sram", {m.sram_title, m.sram_text});
  texts.say("memory", {m.moves_note, m.purpose, m.cost});
  texts.say("levels", {m.levels_title, m.hbm_level, m.sram_level, m.apart, m.sram_tip});
}
void add_texts(ShownTexts& texts, const SoftmaxModel& m) {
  texts.say("softmax", {m.title, m.meeting, m.sentence});
  for (const SoftmaxRow& row : m.rows)
    for (std::size_t c = 1; c < row.cells.size(); ++c)
      texts.say("softmax row " + std::to_string(row.row) + ", " + m.columns[c], {row.cells[c], row.brief[c]});
}

void add_texts(ShownTexts& texts, const LastCard& m) {
  texts.say("card", {m.heading, m.result_title, m.result_note, m.moved, m.against, m.ratio, m.ratio_word});
  for (const TrafficBar& bar : m.bars) texts.say("card", {bar.label, bar.text});
  texts.say("card", {m.check.title, m.check.text, m.check.accuracy, m.scores.title, m.scores.text});
  for (const CardWay& way : m.next) texts.say("card", {way.title, way.words});
}

void add_texts(ShownTexts& texts, const WalkPage& page) {
  if (page.one_row) return add_texts(texts, *page.one_row);
  add_texts(texts, page.memory);
  texts.say("scores",
            {page.scores.titles.front(), page.scores.scale_text, page.scores.other_scale_text, page.scores.formula});
  add_texts(texts, page.softmax);
  texts.say("arithmetic", {page.arithmetic.title, page.arithmetic.on_one_line(1)});
  for (const ArithmeticBar& bar : page.arithmetic.bars) texts.say("arithmetic", {bar.power, bar.result});
  texts.say("O", {page.o_tile.title, page.o_tile.note});
  texts.say("code", {page.code.title, page.code.note});
  texts.say("transport", {page.transport.news.text, page.transport.speed});
  add_texts(texts, page.transport.timeline);
  if (page.hand) texts.say("hand", {page.hand->text, page.hand->progress, page.hand->rows, page.hand->quantities});
  if (page.fault)
    texts.say("fault", {page.fault->title, page.fault->about, page.fault->harm, page.fault->so_far, page.fault->count});
  if (page.selected) add_texts(texts, *page.selected, "selected");
  if (page.endless_zoom) add_texts(texts, *page.endless_zoom);
  if (page.explained) texts.say("scores", page.explained->label);
  if (page.last_card) add_texts(texts, *page.last_card);
}

WalkPage build_walk(const PageSources& of) {
  return build_walk_page(of.session, of.room, of.kernels, of.caches.of<WalkCaches>(), of.caches.of<WalkTimesCache>());
}

// Of the explanation of a row: about what the scene shows.
const char* question_of(RowScene scene) {
  switch (scene) {
    case RowScene::Scores: return "Ask: which key fits this row of Q best, and which fits it worst?";
    case RowScene::Weights: return "Ask: why is the best score subtracted before the exponential?";
    case RowScene::Average: return "Ask: which row of V counts most in this row of O?";
    case RowScene::Tiles: return "Ask: later keys have not come yet. Which of these numbers can still change?";
    case RowScene::Better: return "Ask: the weights of earlier tiles are too large now. Must anything be read again?";
    case RowScene::Shrink: return "Ask: why does one factor α correct ℓ and each number of O?";
    case RowScene::Rest: return "Ask: would the row of O differ if the tiles came in another order?";
  }
  return "";
}

constexpr float kTextOfRow = 1.7f;  // for the person at the window; a class is further away

RoomWords words_of_walk_for_room(const Session& session) {
  if (session.shows_endless_zoom())
    return {"Ask: which of these squares does a memory hold while FlashAttention runs?", "Space zooms · ← → squares"};
  RoomWords out{question_of(row_scene_at(session.one_row().t())), "Space plays · ← → scenes"};
  if (!session.view().presenting()) out.text = kTextOfRow;
  return out;
}

}  // namespace

PageRow walk_row() {
  return PageOf<WalkPage>{.title = "Walk",
                          .help = "One tile after the other",
                          .build = build_walk,
                          .hide = hide,
                          .add_texts = add_texts,
                          .for_room = words_of_walk_for_room};
}

}  // namespace tilewalk
