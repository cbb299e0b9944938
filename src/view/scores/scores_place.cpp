#include "view/scores/scores_place.h"

#include <algorithm>
#include <string>

#include "core/problem/format_value.h"

namespace tilewalk {
namespace {

constexpr double kWidestCell = 1.4;     // as a factor of its height
constexpr double kLeastLensCells = 20;  // the width of a lens at the right, in smallest cells of a matrix
constexpr double kLargestLensCell = 4;  // likewise
constexpr double kLift = 1.6;           // of the current tile, as a factor of its place
constexpr double kMostLifted = 0.5;     // of a side of the matrix that it may cover

// The current tile, or the nearest one: it stays in view where the whole matrix does not fit.
struct TilePlace {
  std::int64_t q = 0, kv = 0;
};

TilePlace place_at_hand(const Schedule& schedule, const State& state) {
  if (!state.started) return {};
  TilePlace at{std::max<std::int64_t>(0, state.step.q_tile), state.step.kv_tile};
  if (at.kv >= 0) return at;
  const TileRange met = schedule.visited(at.q);
  // A step that loads the Q tile comes before the first visit of these rows, any other after the last.
  const bool before = schedule.cost_of(state.step).of(TensorId::Q).read_bytes > 0,
             reverse = schedule.problem().tiling.order == KvOrder::Reverse;
  at.kv = before != reverse ? met.begin : std::max<std::int64_t>(0, met.end - 1);
  return at;
}

struct CellSize {
  double w = 0, h = 0;
};

class Placing {
 public:
  Placing(const Problem& p, const ScoresArea& area) : p_(p), area_(area) {}

  double room_w(const ScoresPlace& at) const { return std::max(1.0, area_.width - at.left - at.label_w); }
  double room_h(const ScoresPlace& at) const { return std::max(1.0, area_.height - at.top - at.label_h); }
  CellSize largest(const ScoresPlace& at) const {
    return {room_w(at) / double(p_.shape.n_kv), room_h(at) / double(p_.shape.n_q)};
  }
  // Cells of the whole matrix are square, unless a lopsided matrix would shrink to a line, or numbers need wider cells.
  CellSize whole(const ScoresPlace& at) const {
    const CellSize fit = largest(at);
    const double least = std::min(fit.w, fit.h), lopsided = std::max(fit.w, fit.h) / least;
    const double most = least * std::max(is_hand_size(p_) ? std::min(kWidestCell, lopsided) : 1.0, lopsided / 3);
    return {std::min(fit.w, most), std::min(fit.h, most)};
  }
  bool number_in_cell(const CellSize& cell) const { return cell.w >= area_.number_w && cell.h >= area_.number_h; }
  // Of a cell with a number: as wide as wished where `room` allows it.
  double number_width(double room) const { return std::max(area_.number_w, std::min(area_.number_wish, room)); }
  bool tile_with_numbers_fits(const ScoresPlace& at) const {
    return room_w(at) >= area_.number_w * tile_cols() && room_h(at) >= area_.number_h * tile_rows();
  }
  double tile_rows() const { return double(std::min(p_.tiling.br, p_.shape.n_q)); }
  double tile_cols() const { return double(std::min(p_.tiling.bc, p_.shape.n_kv)); }
  double digits() const { return double(std::to_string(p_.shape.n_q - 1).size()); }

  // Cells under the lifted tile stay large enough to tell their colours apart.
  CellSize under_lift(const ScoresPlace& at) const {
    const CellSize cell = whole(at);
    const double least = area_.whole ? 0 : area_.cell_min_px;
    return {std::max(cell.w, least), std::max(cell.h, least)};
  }
  // The tile with its numbers covers at most half of each side.
  bool lift_fits(const ScoresPlace& at) const {
    const CellSize cell = under_lift(at);
    if (std::min(cell.w, cell.h) < area_.cell_min_px) return false;
    const double wide = std::min(room_w(at), cell.w * double(p_.shape.n_kv)),
                 high = std::min(room_h(at), cell.h * double(p_.shape.n_q));
    return std::max(area_.number_w, cell.w) * tile_cols() <=
               std::max(kMostLifted * wide, cell.w * tile_cols()) + 1e-6 &&
           std::max(area_.number_h, cell.h) * tile_rows() <= std::max(kMostLifted * high, cell.h * tile_rows()) + 1e-6;
  }
  ScoresAxis rows(const ScoresPlace& at, double px, double centre) const {
    return make_scores_axis({p_.shape.n_q, px, at.top + at.label_h, room_h(at), centre});
  }
  ScoresAxis cols(const ScoresPlace& at, double px, double centre) const {
    return make_scores_axis({p_.shape.n_kv, px, at.left + at.label_w, room_w(at) - at.right, centre});
  }
  double free_right(const ScoresPlace& at, const CellSize& cell) const {
    if (is_hand_size(p_) || std::min(cell.w, cell.h) >= area_.cell_min_px) return 0;
    const double free = room_w(at) - cell.w * double(p_.shape.n_kv);
    return free >= kLeastLensCells * area_.cell_min_px ? free : 0;
  }

 private:
  const Problem& p_;
  const ScoresArea& area_;
};

struct Chosen {
  ScoresPlace place;
  CellSize cell;
  bool closer = false;  // at the size that numbers need: a part of the matrix may be out of view
};

Chosen choose(const Problem& p, const ScoresArea& area) {
  const Placing placing(p, area);
  const bool hand = is_hand_size(p);
  ScoresPlace bare;
  if (hand || area.zoom > 1)
    bare.label_w = area.digit_w > 0 ? area.digit_w * placing.digits() + area.gap_px : 0, bare.label_h = area.label_h;
  ScoresPlace operands = bare;
  if (hand && area.operand_w > 0) {
    operands.operand_w = area.operand_w;
    operands.left = area.operand_w * double(p.shape.d), operands.top = area.operand_h * double(p.shape.d);
  }
  if (!hand) return {bare, placing.whole(bare)};
  if (area.number_w <= 0) return {operands, placing.whole(operands)};
  const auto closer = [&](const ScoresPlace& at) {
    const CellSize cell = placing.whole(at);
    const double number_w = placing.number_width(placing.room_w(at) / placing.tile_cols());
    return Chosen{at, {std::max(cell.w, number_w), std::max(cell.h, area.number_h)}, true};
  };
  for (const ScoresPlace& at : {operands, bare}) {
    const CellSize cell = placing.whole(at);
    if (placing.number_in_cell(placing.largest(at)))
      return {at, {std::max(cell.w, placing.number_width(placing.largest(at).w)), std::max(cell.h, area.number_h)}};
    if (placing.lift_fits(at)) return {at, placing.under_lift(at)};
    if (!area.whole && at.operand_w > 0 && placing.tile_with_numbers_fits(at)) return closer(at);
  }
  if (area.whole) return {bare, placing.whole(bare)};
  // In very little space the values of Q and K are more than the numbers of rows and columns.
  const auto without_labels = [](ScoresPlace at) {
    at.label_w = at.label_h = 0;
    return at;
  };
  for (const ScoresPlace& at : {without_labels(operands), bare})
    if (placing.tile_with_numbers_fits(at)) return closer(at);
  return closer(without_labels(bare));
}

}  // namespace

bool whole_rows_at_hand(const State& state) {
  if (!state.started) return false;
  return state.step.section_name == SectionName::Softmax || state.step.section_name == SectionName::GradS;
}

ScoresAxis lifted_axis(const ScoresAxis& matrix, double begin, double end, double least) {
  const double count = end - begin, shown = (matrix.end - matrix.begin) * matrix.px,
               most = std::max(matrix.px, kMostLifted * shown / count),
               px = std::min(std::max(kLift * matrix.px, least), most), length = px * count;
  if (px <= matrix.px) return {.px = px, .begin = begin, .end = end, .origin = matrix.at(begin)};
  const double first = matrix.at((begin + end) / 2) - length / 2, last = matrix.origin + shown - length;
  return {.px = px, .begin = begin, .end = end, .origin = std::clamp(first, matrix.origin, last)};
}

std::optional<ScoresLens> place_lens_right(const Problem& p, const ScoresArea& area, const ScoresPlace& at,
                                           double begin, double end) {
  if (at.right <= 0) return std::nullopt;
  const Placing placing(p, area);
  const double numbers = area.digit_w * double(std::to_string(std::max(p.shape.n_q, p.shape.n_kv) - 1).size()),
               left = at.cols.at(at.cols.end) + 2 * area.cell_min_px + numbers + area.gap_px,
               title = 2 * area.label_h + area.gap_px, wide = area.width - left, tall = area.height - title;
  if (std::min(wide, tall) < kLeastLensCells / 2 * area.cell_min_px) return std::nullopt;
  const double most = kLargestLensCell * area.cell_min_px,
               cell = std::min({wide / placing.tile_cols(), tall / placing.tile_rows(), most}),
               high = cell * placing.tile_rows(), middle = (at.rows.at(begin) + at.rows.at(end)) / 2;
  return ScoresLens{
      .x0 = left, .y0 = std::clamp(middle - high / 2, title, area.height - high), .cell_w = cell, .cell_h = cell};
}

ScoresPlace place_scores(const Schedule& schedule, const State& state, const ScoresArea& area) {
  const Problem& p = schedule.problem();
  const Placing placing(p, area);
  Chosen chosen = choose(p, area);
  ScoresPlace& at = chosen.place;
  // A pass over whole rows shows these from end to end.
  if (chosen.closer && whole_rows_at_hand(state)) chosen.cell.w = placing.whole(at).w;
  double row = area.centre_row, col = area.centre_col;
  if (is_hand_size(p) && area.number_w > 0 && !area.whole && area.zoom == 1) {
    const auto middle = [](std::int64_t tile, std::int64_t size, std::int64_t count) {
      return double(tile * size + std::min(count, (tile + 1) * size)) / 2 / double(count);
    };
    const TilePlace hand = place_at_hand(schedule, state);
    row = middle(hand.q, p.tiling.br, p.shape.n_q), col = middle(hand.kv, p.tiling.bc, p.shape.n_kv);
  }
  CellSize cell = placing.whole(at);
  cell = {std::max(chosen.cell.w, cell.w * area.zoom), std::max(chosen.cell.h, cell.h * area.zoom)};
  at.right = placing.free_right(at, cell);
  at.rows = placing.rows(at, cell.h, row), at.cols = placing.cols(at, cell.w, col);
  return at;
}

}  // namespace tilewalk
