#include "pages/walk/walk_page.h"

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/hand/hide.h"
#include "view/sentence/named_cell.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

ScoresArea scores_area_of(const Session& session, const ViewRoom& room) {
  const GridView& view = session.walk().grid_view();
  return {.width = room.scores_width,
          .height = room.scores_height,
          .zoom = view.zoom,
          .centre_row = view.row,
          .centre_col = view.col,
          .cell_min_px = room.cell_min_px,
          .gap_px = room.tile_gap_px,
          .operand_w = room.operand_width,
          .operand_h = room.operand_height,
          .number_w = room.number_width,
          .number_wish = room.number_width_wished,
          .number_h = room.number_height,
          .digit_w = room.digit_width,
          .label_h = room.label_height,
          .whole = session.walk().keeps_whole(),
          .asked = cells_wanted(session),
          .hold = room.holds_matrix};
}

OTileModel o_tile_of(const Schedule& schedule, const SeenState& seen, const ViewRoom& room,
                     std::optional<Quantity> quantity = {}) {
  return build_o_tile_model(schedule, seen, room.o_rows, room.o_cols, room.o_number_cols, quantity);
}

// The operand of the output tile's product, where it is small enough for work by hand.
OperandTile into_o_of(const Session& session, const State& state, const OTileModel& o_tile) {
  if (!o_tile.numbers || !is_hand_size(session.problem())) return {};
  return operand_at(session.schedule(), session.inputs(), state,
                    operand_of(shown_tile(session.schedule(), state).tensor));
}

// How a visit changes the output, from the ledger's rows of the output: "α·O + P·V1", "dK + dSᵀ·Q2".
std::string output_sum_of(const Schedule& schedule, const State& state, const OperandTile& into) {
  if (into.empty()) return {};
  const std::string name = tile_name(into.tensor, into.tile);
  const Quantity output = shown_tile(schedule, state).quantity;
  const std::vector<MadeAt> phases = phases_that_make(schedule, output);
  const bool shrinks =
      std::any_of(phases.begin(), phases.end(), [](const MadeAt& at) { return shrinks_by_alpha(*at.made); });
  std::string sum = ledger_row(output).letter + std::string(" + ");
  if (shrinks) sum = ledger_row(Quantity::Alpha).letter + ("·" + sum);
  for (const MadeAt& at : phases)
    for (const MadeFrom& from : at.made->from)
      if (from.quantity && ledger_row(*from.quantity).shape == QuantityShape::Cell)
        return sum + ledger_row(*from.quantity).letter +
               std::string(ledger_row(output).shape == QuantityShape::ColByHead ? "ᵀ·" : "·") + name;
  return "+ P·" + name;  // FA-1 computes the product on its own, and divides as it adds it
}

std::optional<WalkMotion> moving_of(const Session& session, const ViewRoom& room, ScoresCache& cache) {
  const State* before = session.walk().before();
  if (!before || session.hand().on()) return std::nullopt;
  const Schedule& schedule = session.schedule();
  WalkMotion out;
  out.motion = build_motion(schedule, *before, session.state());
  out.scores = build_scores_model(schedule, session.inputs(), *before, scores_area_of(session, room),
                                  session.problem_revision(), cache);
  out.softmax = build_softmax_model(schedule, *before);
  out.o_tile = o_tile_of(schedule, *before, room, shown_tile(schedule, session.state()).quantity);
  out.into_o = into_o_of(session, *before, out.o_tile);
  return out;
}

// Rings the wrong number in place of the one that the sentence, now cut, named.
void name_wrong(WalkPage& page, const WrongNumber& wrong) {
  const bool is_cell = ledger_row(wrong.quantity).shape == QuantityShape::Cell;
  page.scores.named_row = wrong.row;
  page.scores.named_col = is_cell ? wrong.col : -1;
  for (SoftmaxRow& row : page.softmax.rows) row.spoken = row.row == wrong.row && !row.is_right;
}

}  // namespace

WalkPage build_walk_page(const Session& session, const ViewRoom& room, const KernelTexts& kernels, WalkCaches& caches,
                         WalkTimesCache& times) {
  const Schedule& schedule = session.schedule();
  const SeenState seen = session.hand().seen();
  const State& state = seen.state();
  WalkPage page;
  page.one_row = build_one_row(session);
  if (page.one_row) return page;
  page.memory = build_memory_model(schedule, state, room.memory_tiles);
  if (!session.lesson().done()) page.memory.levels_title.clear();  // a lesson may ask for exactly this
  if (const std::int64_t over = session.editing().too_large_by(); over > 0 && session.message()) {
    page.memory.too_large = true;
    page.memory.sram_text = "does not fit by " + format_bytes(over);
  }
  page.scores = build_scores_model(schedule, session.inputs(), seen, scores_area_of(session, room),
                                   session.problem_revision(), caches.scores);
  page.softmax = build_softmax_model(schedule, seen);
  page.o_tile = o_tile_of(schedule, seen, room);
  page.into_o = into_o_of(session, state, page.o_tile);
  page.output_sum = output_sum_of(schedule, state, page.into_o);
  const auto kernel = kernels.find(session.problem().schedule);
  static const KernelText kNoKernel;
  page.code = build_code_model(kernel == kernels.end() ? kNoKernel : kernel->second, state);
  page.transport = build_transport_model(session, room.timeline_width);
  const WrongVisits wrong = wrong_visits(session, caches.wrong);
  mark_wrong_visits(page.transport.timeline, wrong);
  page.fault = build_fault_model(session);
  if (page.fault)
    add_count(*page.fault, schedule.problem(), wrong, completed_visits(schedule, session.walk().landed()));
  std::optional<WrongNumber> unnamed;  // that the step's sentence does not name
  std::size_t own_words = page.softmax.sentence.size();
  if (const State* right = session.walk().right()) {
    mark_wrong(page.softmax, build_softmax_model(schedule, *right));
    mark_wrong(page.scores, state, *right);
    if (page.fault) page.fault->wrong = wrong_runs(session, caches.wrong);
    const std::optional<WrongNumber> number = wrong_number(schedule, state, *right, output_stays_right(session));
    if (number && !session.hand().hides()) {
      SentenceBesideWrong beside = sentence_beside(session.problem(), state, page.softmax.sentence, *number);
      own_words = beside.text.size();
      add_to_list(beside.text, number->text, " ");
      page.softmax.sentence = std::move(beside.text);
      if (!beside.names_wrong) unnamed = number;
    }
  }
  page.hand = build_hand_model(session);
  add_asked_columns(page.softmax, session.hand());
  hide(page.softmax, session.hand());
  if (!session.hand().hides()) {
    const NamedCell named = named_cell(session.problem(), state);
    page.scores.named_row = named.row, page.scores.named_col = named.col;
    page.scores.named_key = named.key;
    if (unnamed) name_wrong(page, *unnamed);
    page.scores.reads_above =
        state.started && reads_input(row_of(session.problem()), state.step, page.scores.above.tensor);
  }
  if (page.fault && !session.hand().hides()) {
    const auto& output = ledger_row(shown_tile(schedule, state).quantity);
    const bool of_keys = output.shape == QuantityShape::ColByHead;
    page.fault->row = build_mistake_row(page.o_tile, page.fault->right_o, output.letter,
                                        of_keys ? page.scores.named_key : page.scores.named_row);
  }
  page.moving = moving_of(session, room, caches.before);
  if (page.moving) {
    const std::string_view sentence = std::string_view(page.softmax.sentence).substr(0, own_words);
    page.moving->landing = landing_words(session.problem(), state, page.moving->motion, sentence);
    if (own_words < page.softmax.sentence.size())
      page.moving->landing.push_back(words_after_all(page.moving->motion, page.softmax.sentence, own_words));
  }
  if (!session.hand().hides() && !unnamed)
    page.arithmetic = build_arithmetic(schedule, session.inputs(), seen, page.moving ? &page.moving->motion : nullptr);
  page.last_card = build_last_card(session, caches.last_card, times);
  page.endless_zoom = build_endless_zoom(session);
  page.explained = build_explained_row(session, caches.explained);
  page.heads = build_head_choice(session);
  if (const auto& selection = session.walk().selection())
    page.selected = inspected_cell(session, selection->row, selection->col, page.scores.shown);
  return page;
}

}  // namespace tilewalk
