#include "view/scores/scores_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/scores/score_sample.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr int kMostTexels = 384;      // of one side of the value texture
constexpr int kMostTileTexels = 192;  // of one side of the tile texture
constexpr std::int64_t kMostCells = 6000;

constexpr float kTwoDigits = 9.995f;   // from here on a number has a digit more before its point
constexpr double kLongerNumber = 1.2;  // and needs this much more width

// Where the schedule stores the score matrix.
const char* fate_of(const ScheduleRow& row) {
  if (row.memory.scores_in_hbm) return is_given(row, Quantity::P) ? ", its P in HBM" : ", written to HBM";
  return row.family.forward == row.identity.kind ? ", one tile at a time in SRAM" : ", made again by tiles";
}

double gap_of(double tile_px, double most) { return tile_px < 5 ? 0 : std::min(most, tile_px * 0.05); }

std::vector<ScoreBar> bars_of(const ScoresAxis& axis, std::int64_t tile, std::int64_t count, std::int64_t tiles,
                              std::int64_t now, bool query, double most_gap) {
  std::vector<ScoreBar> bars;
  const double tile_px = axis.px * double(tile);
  const std::int64_t first = std::int64_t(axis.begin) / tile,
                     last = std::min(tiles - 1, (std::int64_t(std::ceil(axis.end)) - 1) / tile);
  // Bars narrower than three pixels are merged into one; the current one is drawn on top.
  const std::int64_t stride = tile_px >= 3 ? 1 : std::max<std::int64_t>(1, last - first + 1);
  const auto add = [&](std::int64_t begin, std::int64_t end, bool is_now) {
    ScoreBar bar;
    bar.tile = begin;
    const double gap = stride == 1 ? gap_of(axis.px * double(tile), most_gap) / 2 : 0;
    bar.begin = float(std::max(axis.at(double(begin * tile)), axis.at(axis.begin)) + gap);
    bar.end = float(std::min(axis.at(double(std::min(end * tile, count))), axis.at(axis.end)) - gap);
    bar.now = is_now;
    bar.label = query ? fmt::format("Q{}", begin) : fmt::format("K{} · V{}", begin, begin);
    if (bar.end > bar.begin) bars.push_back(std::move(bar));
  };
  for (std::int64_t t = first; t <= last; t += stride) add(t, std::min(t + stride, last + 1), stride == 1 && t == now);
  if (stride > 1) {
    bars.back().label.clear();
    if (now >= first && now <= last) {
      add(now, now + 1, true);
      bars.back().end = std::max(bars.back().end, bars.back().begin + 3);
      bars.back().label.clear();
    }
  }
  return bars;
}

std::string range_text(Quantity quantity, float low, float high, bool sampled = false) {
  return fmt::format("{}: {}{} to {}{}", ledger_row(quantity).letter, sampled ? "≤ " : "", compact_number(low),
                     sampled ? "≥ " : "", compact_number(high));
}

// "Scores S = QKᵀ/√d — the 16×16 matrix, one tile at a time in SRAM", then shorter ones.
std::vector<std::string> titles_of(const Problem& p, Quantity shown) {
  const std::string letter = ledger_row(shown).letter, name = shown == Quantity::S ? "Scores S" : "Gradient " + letter,
                    formula = shown != Quantity::S                              ? ""
                              : p.numerics.base == Base::E && !p.numerics.scale ? " = QKᵀ/√d"
                                                                                : " = QKᵀ",
                    size = fmt::format("{}×{}", format_count(p.shape.n_q), format_count(p.shape.n_kv)),
                    fate = fmt::format(" — the {} matrix{}", size, fate_of(row_of(p)));
  return {name + formula + fate, letter + formula + fate, name + formula + " · " + size, name + formula,
          shown == Quantity::S ? "Scores" : name};
}

void show_tile_at_hand(ScoresModel& model, const Schedule& schedule, const Inputs& inputs, const State& state,
                       std::optional<Quantity> asked, bool with_operands) {
  model.now_low = model.low, model.now_high = model.high;
  const std::optional<Quantity> shown = quantity_shown(state, asked);
  if (with_operands) {
    const Quantity made = shown.value_or(Quantity::S);
    model.left = operand_at(schedule, inputs, state, left_operand_of(made));
    model.above = operand_at(schedule, inputs, state, upper_operand_of(made));
  }
  if (!shown) return;
  model.shown = *shown;
  model.choices = quantities_at(state);
  model.formula = formula_of(schedule, state, *shown);
  if (*shown == Quantity::S) return;
  model.now_low = 0, model.now_high = 0;
  for (const float v : values_of(state, *shown))
    if (std::isfinite(v)) model.now_low = std::min(model.now_low, v), model.now_high = std::max(model.now_high, v);
  if (*shown == Quantity::P) model.now_high = std::max(model.now_high, 1.0f);
  model.signed_map = *shown == Quantity::DP || *shown == Quantity::DS;
  if (model.signed_map) model.now_high = std::max(model.now_high, -model.now_low), model.now_low = -model.now_high;
  if (model.now_high - model.now_low < 1e-6f) model.now_high = model.now_low + 1;
  if (!model.gone) model.other_scale_text = "others " + model.scale_text;
  model.scale_text = range_text(*shown, model.now_low, model.now_high);
  if (model.signed_map) model.titles = titles_of(schedule.problem(), *shown);
}

// The exact ends of a scale could be hidden numbers.
void widen_scale(ScoresModel& model) {
  model.low = std::floor(model.low * 2 - 0.25f) / 2, model.high = std::ceil(model.high * 2 + 0.25f) / 2;
  model.other_scale_text.clear();
  if (model.shown != Quantity::S) return;
  model.now_low = model.low, model.now_high = model.high;
  model.scale_text.clear();
}

ScoreCell cell_at_hand(const ScoresModel& model, const Problem& p, const SeenState& seen, std::int64_t row,
                       std::int64_t col) {
  const Step& step = seen.state().step;
  const Shown<float> value =
      seen.at(model.shown, std::size_t((row - step.row_begin) * step.cols() + col - step.col_begin));
  ScoreCell cell;
  cell.hidden = value.hidden();
  if (cell.hidden) return cell;
  cell.value = model.shown == Quantity::S ? display_score(p, value.value()) : value.value();
  return cell;
}

// The current tile for the lens right of a matrix without cells.
void add_tile_at_hand(ScoresModel& model, const Schedule& schedule, const SeenState& seen) {
  const Step& step = seen.state().step;
  const Band band = schedule.problem().shape.band();
  model.tiles.push_back({.q_tile = step.q_tile,
                         .kv_tile = step.kv_tile,
                         .tile_class = schedule.tile_class(step.q_tile, step.kv_tile),
                         .state = TileState::Now,
                         .row_begin = step.row_begin,
                         .col_begin = step.col_begin,
                         .rows = step.rows(),
                         .cols = step.cols()});
  model.cells.reserve(std::size_t(step.rows() * step.cols()));
  for (std::int64_t row = step.row_begin; row < step.row_begin + step.rows(); ++row)
    for (std::int64_t col = step.col_begin; col < step.col_begin + step.cols(); ++col) {
      ScoreCell cell = cell_at_hand(model, schedule.problem(), seen, row, col);
      cell.masked = !band.allows(row, col);
      cell.known = !cell.hidden;
      model.cells.push_back(cell);
    }
}

// In naive attention's last pass every tile of P is in HBM, and P is what the pass reads. Not where the walk has ended:
// no tile is read then.
bool reads_weights(const Schedule& schedule, const State& state) {
  const ScheduleRow& row = row_of(schedule.problem());
  return row.memory.scores_in_hbm && !is_given(row, Quantity::P) && state.started &&
         state.step.section_name == SectionName::Output && state.cursor < schedule.step_count();
}

// Of whole rows of displayed scores.
std::vector<float> weights_of(const Problem& p, std::vector<float> scores, std::int64_t width) {
  for (std::size_t row = 0; row + std::size_t(width) <= scores.size(); row += std::size_t(width)) {
    const auto begin = scores.begin() + std::ptrdiff_t(row), end = begin + std::ptrdiff_t(width);
    const float most = *std::max_element(begin, end);
    float sum = 0;
    for (auto at = begin; at != end; ++at) {
      *at = !std::isfinite(*at) ? 0 : p.numerics.base == Base::E ? std::exp(*at - most) : std::exp2(*at - most);
      sum += *at;
    }
    for (auto at = begin; at != end && sum > 0; ++at) *at /= sum;
  }
  return scores;
}

void show_weights(ScoresModel& model, const Schedule& schedule, const State& state) {
  const Problem& p = schedule.problem();
  model.shown = Quantity::P;
  model.formula = formula_of(schedule, state, Quantity::P);
  model.low = model.now_low = 0, model.high = model.now_high = 1;
  model.scale_text = range_text(Quantity::P, 0, 1);
  model.other_scale_text.clear();
  const std::string size = fmt::format("{}×{}", format_count(p.shape.n_q), format_count(p.shape.n_kv));
  model.titles = {fmt::format("Weights P — the {} matrix, written to HBM", size), "Weights P · " + size, "Weights P"};
}

}  // namespace

TileState tile_state(const Schedule& schedule, const State& state, std::int64_t q_tile, std::int64_t kv_tile) {
  const Step& step = state.step;
  const std::int64_t batch = state.started ? step.batch : 0, head = state.started ? step.head : 0;
  if (state.started && step.q_tile == q_tile && (step.kv_tile == kv_tile || whole_rows_at_hand(state)))
    return TileState::Now;
  const std::int64_t end = schedule.end_step_of_visit(
      schedule.visit_section(), {.batch = batch, .head = head, .q_tile = q_tile, .kv_tile = kv_tile});
  if (end < 0) return TileState::Skipped;
  return end <= state.cursor ? TileState::Done : TileState::Pending;
}

bool ScoresModel::cell_at(double x, double y, std::int64_t& row, std::int64_t& col) const {
  if (x < x0 || y < y0 || x >= x1 || y >= y1 || cols.px <= 0 || rows.px <= 0) return false;
  const bool now = x >= now_x0 && x < now_x1 && y >= now_y0 && y < now_y1;
  const ScoresAxis &down = now ? now_rows : rows, &across = now ? now_cols : cols;
  row = std::int64_t(std::floor(down.cell(y)));
  col = std::int64_t(std::floor(across.cell(x)));
  return double(row) < down.end && double(col) < across.end;
}

bool ScoresModel::is_lifted(double row, double col) const {
  return now_x1 > now_x0 && row >= now_rows.begin && row < now_rows.end && col >= now_cols.begin && col < now_cols.end;
}

ScoresModel build_scores_model(const Schedule& schedule, const Inputs& inputs, const SeenState& seen,
                               const ScoresArea& given_area, std::uint64_t problem_revision, ScoresCache& cache) {
  ScoresArea area = given_area;
  const State& state = seen.state();
  const Problem& p = schedule.problem();
  const bool scores_in_hbm = row_of(p).memory.scores_in_hbm, is_given_p = is_given(row_of(p), Quantity::P);
  ScoresModel model;
  model.gone = !scores_in_hbm;
  model.titles = titles_of(p, Quantity::S);
  if (area.width < 8 || area.height < 8) return model;
  const std::int64_t batch = state.started ? state.step.batch : 0, head = state.started ? state.step.head : 0;
  std::optional<ScoresPlace> held = cache.place;
  if (cache.problem_revision != problem_revision || cache.batch != batch || cache.head != head) {
    cache = {};
    cache.problem_revision = problem_revision;
    cache.batch = batch;
    cache.head = head;
    const ScoreRange range = score_range(inputs, {batch, head});
    cache.low = range.low;
    cache.high = range.high;
  }
  model.low = cache.low;
  model.high = cache.high;
  // Scores that were not sampled may lie outside, and have the colours of the ends.
  model.scale_text = range_text(Quantity::S, cache.low, cache.high, std::max(p.shape.n_q, p.shape.n_kv) > kMostSampled);

  if (std::max(cache.high, -cache.low) >= kTwoDigits) area.number_w *= kLongerNumber, area.number_wish *= kLongerNumber;
  if (!area.hold || !held) held = place_scores(schedule, state, area);
  cache.place = held;
  const ScoresAxis &cols = held->cols, &rows = held->rows;
  const bool row_at_hand = whole_rows_at_hand(state);
  show_tile_at_hand(model, schedule, inputs, state, area.asked, held->operand_w > 0);
  if (seen.hides_any_score()) widen_scale(model);
  model.operand_w = held->operand_w, model.operand_h = area.operand_h;
  model.label_w = held->label_w, model.label_h = held->label_h;
  model.rows = model.now_rows = rows, model.cols = model.now_cols = cols;
  model.x0 = cols.origin, model.x1 = cols.at(cols.end), model.y0 = rows.origin, model.y1 = rows.at(rows.end);

  model.now_q_tile = state.started ? state.step.q_tile : -1;
  model.now_kv_tile = state.started ? state.step.kv_tile : -1;
  model.row_bars = bars_of(rows, p.tiling.br, p.shape.n_q, p.q_tiles(), model.now_q_tile, true, area.gap_px);
  model.col_bars = bars_of(cols, p.tiling.bc, p.shape.n_kv, p.kv_tiles(), model.now_kv_tile, false, area.gap_px);
  if (model.now_q_tile >= 0 && (model.now_kv_tile >= 0 || row_at_hand)) {
    const double c0 = row_at_hand ? 0 : double(model.now_kv_tile * p.tiling.bc);
    const double c1 = row_at_hand ? double(p.shape.n_kv)
                                  : std::min(double((model.now_kv_tile + 1) * p.tiling.bc), double(p.shape.n_kv));
    const double r0 = double(model.now_q_tile * p.tiling.br),
                 r1 = std::min(double((model.now_q_tile + 1) * p.tiling.br), double(p.shape.n_q));
    if (c1 > cols.begin && c0 < cols.end && r1 > rows.begin && r0 < rows.end) {
      if (is_hand_size(p) && area.number_w > 0 && area.zoom == 1 && std::min(cols.px, rows.px) >= area.cell_min_px)
        model.now_rows = lifted_axis(rows, r0, r1, area.number_h),
        model.now_cols = lifted_axis(cols, c0, c1, std::max(area.number_w, area.number_wish));
      const ScoresAxis &across = model.now_cols, &down = model.now_rows;
      model.now_x0 = float(std::max(across.at(c0), model.x0)), model.now_x1 = float(std::min(across.at(c1), model.x1));
      model.now_y0 = float(std::max(down.at(r0), model.y0)), model.now_y1 = float(std::min(down.at(r1), model.y1));
      if (!row_at_hand) model.lens = place_lens_right(p, area, *held, r0, r1);
    }
  }

  const std::int64_t q_first = std::int64_t(rows.begin) / p.tiling.br,
                     q_last = std::min(p.q_tiles() - 1, (std::int64_t(std::ceil(rows.end)) - 1) / p.tiling.br);
  const std::int64_t k_first = std::int64_t(cols.begin) / p.tiling.bc,
                     k_last = std::min(p.kv_tiles() - 1, (std::int64_t(std::ceil(cols.end)) - 1) / p.tiling.bc);
  const double cells_in_view = (rows.end - rows.begin) * (cols.end - cols.begin);
  model.cells_drawn = std::min(cols.px, rows.px) >= area.cell_min_px && cells_in_view <= double(kMostCells);

  if (!model.cells_drawn) {
    ScoresTexture& t = model.texture;
    t.width = int(std::min({std::ceil(cols.end - cols.begin), std::ceil(model.x1 - model.x0), double(kMostTexels)}));
    t.height = int(std::min({std::ceil(rows.end - rows.begin), std::ceil(model.y1 - model.y0), double(kMostTexels)}));
    const double rect[4] = {rows.begin, rows.end, cols.begin, cols.end};
    if (!cache.texture || !std::equal(rect, rect + 4, cache.rect) || cache.texture_w != t.width ||
        cache.texture_h != t.height) {
      cache.texture = std::make_shared<const std::vector<float>>(
          sample_scores(inputs, {batch, head}, spread(rows.begin, rows.end, t.height, p.shape.n_q),
                        spread(cols.begin, cols.end, t.width, p.shape.n_kv)));
      std::copy(rect, rect + 4, cache.rect);
      cache.texture_w = t.width;
      cache.texture_h = t.height;
    }
    t.values = cache.texture;
    const std::int64_t high = q_last - q_first + 1, wide = k_last - k_first + 1;
    t.tiles_high = int(std::min<std::int64_t>(high, kMostTileTexels));
    t.tiles_wide = int(std::min<std::int64_t>(wide, kMostTileTexels));
    t.tiles.reserve(std::size_t(t.tiles_high) * std::size_t(t.tiles_wide));
    for (int i = 0; i < t.tiles_high; ++i)
      for (int j = 0; j < t.tiles_wide; ++j) {
        const std::int64_t q = q_first + (2 * i + 1) * high / (2 * t.tiles_high),
                           k = k_first + (2 * j + 1) * wide / (2 * t.tiles_wide);
        t.tiles.push_back(std::uint8_t(tile_state(schedule, state, q, k)));
      }
    t.tile_px_w = cols.px * double(p.tiling.bc);
    t.tile_px_h = rows.px * double(p.tiling.br);
    t.offset_x = cols.begin / double(p.tiling.bc) - double(k_first);
    t.offset_y = rows.begin / double(p.tiling.br) - double(q_first);
    t.tiles_in_view_x = (cols.end - cols.begin) / double(p.tiling.bc);
    t.tiles_in_view_y = (rows.end - rows.begin) / double(p.tiling.br);
    if (model.lens && !model.choices.empty() && !seen.hides_any_score()) add_tile_at_hand(model, schedule, seen);
    return model;
  }

  // Whole tiles, so that a tile's cells stay together; the panel clips what is outside.
  const std::int64_t r0 = q_first * p.tiling.br, r1 = std::min(p.shape.n_q, (q_last + 1) * p.tiling.br),
                     c0 = k_first * p.tiling.bc, c1 = std::min(p.shape.n_kv, (k_last + 1) * p.tiling.bc);
  const std::int64_t lo_r = std::max(r0, std::int64_t(rows.begin)),
                     hi_r = std::min(r1, std::int64_t(std::ceil(rows.end)));
  const std::int64_t lo_c = std::max(c0, std::int64_t(cols.begin)),
                     hi_c = std::min(c1, std::int64_t(std::ceil(cols.end)));
  const std::int64_t rect[4] = {lo_r, hi_r, lo_c, hi_c};
  if (!std::equal(rect, rect + 4, cache.cell_rect)) {
    cache.cell_values = scores_of(inputs, {{batch, head}, lo_r, hi_r, lo_c, hi_c});
    for (float& v : cache.cell_values) v = display_score(p, v);
    std::copy(rect, rect + 4, cache.cell_rect);
  }
  const Band band = p.shape.band();
  const std::int64_t width = hi_c - lo_c;
  const bool weights = width == p.shape.n_kv && reads_weights(schedule, state) && !seen.hides_any_score();
  if (weights) show_weights(model, schedule, state);
  std::vector<float> as_weights;
  if (weights) as_weights = weights_of(p, cache.cell_values, width);
  const std::vector<float>& others = weights ? as_weights : cache.cell_values;
  for (std::int64_t q = q_first; q <= q_last; ++q)
    for (std::int64_t k = k_first; k <= k_last; ++k) {
      ScoreTile tile;
      tile.q_tile = q;
      tile.kv_tile = k;
      tile.tile_class = schedule.tile_class(q, k);
      tile.state = tile_state(schedule, state, q, k);
      tile.row_begin = std::max(q * p.tiling.br, lo_r);
      tile.col_begin = std::max(k * p.tiling.bc, lo_c);
      tile.rows = std::min({(q + 1) * p.tiling.br, p.shape.n_q, hi_r}) - tile.row_begin;
      tile.cols = std::min({(k + 1) * p.tiling.bc, p.shape.n_kv, hi_c}) - tile.col_begin;
      const double gap_x = gap_of(cols.px * double(p.tiling.bc), area.gap_px) / 2,
                   gap_y = gap_of(rows.px * double(p.tiling.br), area.gap_px) / 2;
      tile.x0 = float(cols.at(double(tile.col_begin)) + gap_x);
      tile.x1 = float(cols.at(double(tile.col_begin + tile.cols)) - gap_x);
      tile.y0 = float(rows.at(double(tile.row_begin)) + gap_y);
      tile.y1 = float(rows.at(double(tile.row_begin + tile.rows)) - gap_y);
      tile.first_cell = model.cells.size();
      const bool now = tile.state == TileState::Now;
      const bool stored =
          is_given_p ||
          (scores_in_hbm && state.started &&
           schedule.end_step_of_visit(schedule.visit_section(),
                                      {.batch = batch, .head = head, .q_tile = q, .kv_tile = k}) <= state.cursor);
      const bool own = now && (state.step.kv_tile == k || row_at_hand) && !model.choices.empty();
      for (std::int64_t r = tile.row_begin; r < tile.row_begin + tile.rows; ++r)
        for (std::int64_t c = tile.col_begin; c < tile.col_begin + tile.cols; ++c) {
          ScoreCell cell;
          if (own) {
            cell = cell_at_hand(model, p, seen, r, c);
          } else {
            cell.value = others[std::size_t((r - lo_r) * width + c - lo_c)];
          }
          cell.masked = !band.allows(r, c);
          cell.known = own || stored || tile.state == TileState::Done;
          cell.hidden = cell.hidden || ((!now || model.shown == Quantity::S) && seen.hides_score(r, c));
          if (cell.hidden) cell.value = 0, cell.known = false;
          model.cells.push_back(cell);
        }
      model.tiles.push_back(tile);
    }
  return model;
}

}  // namespace tilewalk
