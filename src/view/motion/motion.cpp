#include "view/motion/motion.h"

#include <algorithm>
#include <bit>

#include "core/schedules/registry.h"
#include "session/document/step_motion.h"
#include "view/walk/memory_model.h"

namespace tilewalk {
namespace {

constexpr Span kAll{0.04, 0.94};  // what is made lands within it
constexpr Span kLoadCrosses{0.02, 0.75}, kLoadUnfolds{0.75, 0.97}, kStoreFolds{0.02, 0.2}, kStoreCrosses{0.2, 0.88};
constexpr double kCounting = 0.1;        // its bytes, after a tile has arrived
constexpr Span kWithItsTile{0.9, 0.95};  // set to its first value, or read
constexpr Span kShrinks{0.2, 0.75};      // rows of O shrink; α has landed before
constexpr double kFactorArrives = 0.3;   // of kShrinks: α reaches its row, which shrinks from then on
constexpr double kGrowsBack = 0.93;      // a row that has shrunk, with its new number, fills its cells again
constexpr Span kDissolves{0.02, 0.3};    // before the next tiles are in view
constexpr double kEach = 0.35;           // of a dissolve: what one cell takes

Span part_of(const Span& all, double begin, double end) {
  const double wide = all.end - all.begin;
  return {all.begin + wide * begin, all.begin + wide * end};
}

bool same(float a, float b) { return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b); }

// Rows and columns that a quantity has at this step.
void place(MovingValues& v, const Step& step, std::int64_t d) {
  const bool of_keys = v.shape == QuantityShape::ColByHead;
  v.row_begin = of_keys ? step.col_begin : step.row_begin;
  v.rows = of_keys ? step.cols() : step.rows();
  v.cols = v.shape == QuantityShape::Cell ? step.cols() : v.shape == QuantityShape::Row ? 1 : d;
  v.col_begin = v.shape == QuantityShape::Cell ? step.col_begin : 0;
}

// What the sentence names of a quantity, in its own rows and columns.
void name_element(MovingValues& v, const NamedCell& named, const Band& band) {
  v.named_row = v.shape == QuantityShape::ColByHead ? named.key : named.row;
  if (v.named_row < v.row_begin || v.named_row >= v.row_begin + v.rows) v.named_row = -1;
  if (v.named_row < 0 || v.shape == QuantityShape::Row) return;
  // Of a row of the head that is named as a whole, the arithmetic works out the first column.
  v.named_col = v.shape == QuantityShape::Cell ? named.col : std::max<std::int64_t>(0, named.head_col);
  if (v.shape != QuantityShape::Cell) return;
  v.kept_begin = std::max(v.col_begin, band.first_col(v.named_row));
  v.kept_end = band.end_col(v.named_row, v.col_begin + v.cols);
}

// A quantity made of itself changes only where its bits do: the mask closes some cells and leaves the others.
std::vector<bool> changes_of(const MovingValues& v, const State& before, const State& after) {
  const auto held = ledger_row(v.quantity()).values;
  if (!held || !v.made.is_of_itself()) return {};
  const std::vector<float>&was = before.*held, &is = after.*held;
  if (was.size() != is.size() || is.size() != std::size_t(v.rows * v.cols)) return {};
  std::vector<bool> changes(is.size());
  for (std::size_t i = 0; i < is.size(); ++i) changes[i] = !same(was[i], is[i]);
  return changes;
}

// The factor by which the rows of O shrink: α, where a step makes O of O and α alone. Two mistakes leave that out. A
// row that has seen nothing before has nothing to shrink.
std::vector<float> shrinks_of(const MovingValues& v, const State& after, Fault fault) {
  if (fault == Fault::ForgetRescaleO || fault == Fault::InverseRescale) return {};
  if (!shrinks_by_alpha(v.made) || std::int64_t(after.alpha.size()) != v.rows) return {};
  std::vector<float> out = after.alpha;
  for (std::size_t r = 0; r < out.size() && r < after.m_old.size(); ++r)
    if (std::isinf(after.m_old[r])) out[r] = 1;
  return out;
}

std::vector<MovingValues> moving_values(const Schedule& schedule, const State& before, const State& after,
                                        const NamedCell& named) {
  const Problem& p = schedule.problem();
  std::vector<MovingValues> out;
  for (const Made& made : made_by(row_of(p), after.step.section_name, after.step.phase)) {
    MovingValues v{.made = made, .shape = ledger_row(made.quantity).shape};
    if (v.shape == QuantityShape::RowBySplit) continue;
    place(v, after.step, p.shape.d);
    if (v.rows <= 0 || v.cols <= 0) continue;
    v.changes = changes_of(v, before, after);
    v.shrinks = shrinks_of(v, after, p.fault);
    name_element(v, named, p.shape.band());
    out.push_back(std::move(v));
  }
  // What a person may be asked for takes longer.
  const auto weight = [](const MovingValues& v) { return v.made.asked ? 1.0 : 0.5; };
  double all = 0, at = 0;
  const bool shrinks = std::any_of(out.begin(), out.end(), [](const MovingValues& v) { return !v.shrinks.empty(); });
  const Span others = shrinks ? Span{kAll.begin, kShrinks.begin} : kAll;
  for (const MovingValues& v : out) all += v.shrinks.empty() ? weight(v) : 0;
  for (MovingValues& v : out) {
    if (!v.shrinks.empty()) {
      v.span = kShrinks;
      continue;
    }
    v.span = v.made.from.empty() ? kWithItsTile : part_of(others, at / all, (at + weight(v)) / all);
    at += weight(v);
  }
  return out;
}

std::vector<MovingTile> moving_tiles(const Schedule& schedule, const Step& step) {
  std::vector<MovingTile> out;
  for (const MemoryMove& move : moves_of(schedule, step)) {
    MovingTile tile{.tensor = move.tensor,
                    .label = move.label,
                    .in_hbm = move.in_hbm,
                    .to_sram = move.to_sram,
                    .bytes = move.byte_count,
                    // At once with the others of the step, side by side: so all have one size on their way.
                    .crossing = move.to_sram ? kLoadCrosses : kStoreCrosses,
                    .unfolding = move.to_sram ? kLoadUnfolds : kStoreFolds};
    tile.pieces = std::max<std::int64_t>(1, is_of_keys(move.tensor) ? step.cols() : step.rows());
    out.push_back(std::move(tile));
  }
  return out;
}

// Tensors that are in SRAM after the step and were not before it; none where the step takes others out for them.
std::vector<TensorId> filled_at(const Schedule& schedule, const State& before, const State& after) {
  const auto held = [&](const State& state) {
    std::vector<TensorId> out;
    if (!state.started) return out;
    for (const Resident& r : schedule.residents(state.step))
      if (r.bytes > 0) out.push_back(r.tensor);
    return out;
  };
  const auto without = [](std::vector<TensorId> all, const std::vector<TensorId>& others) {
    std::erase_if(all, [&](TensorId id) { return std::find(others.begin(), others.end(), id) != others.end(); });
    return all;
  };
  const std::vector<TensorId> was = held(before), is = held(after);
  return without(was, is).empty() ? without(is, was) : std::vector<TensorId>{};
}

// The tile of the visit that the step before ended, if this step works on another one and HBM has no copy of it.
std::optional<DissolvingTile> dissolving_of(const Schedule& schedule, const State& before, const State& after) {
  const Step& was = before.step;
  if (!before.started || !was.in_visit() || (before.s.empty() && before.p.empty())) return std::nullopt;
  if (after.step.in_visit() && after.step.tile() == was.tile()) return std::nullopt;
  if (writing_section(schedule, TensorId::S) >= 0 || writing_section(schedule, TensorId::P) >= 0) return std::nullopt;
  return DissolvingTile{was.tile(), was.row_begin, was.rows(), was.col_begin, was.cols(), kDissolves};
}

}  // namespace

bool shrinks_by_alpha(const Made& made) {
  return made.from.size() == 2 && made.from[0].quantity == made.quantity && made.from[1].quantity == Quantity::Alpha;
}

double Span::share(double t) const {
  const double x = end > begin ? std::clamp((t - begin) / (end - begin), 0.0, 1.0) : t >= end ? 1.0 : 0.0;
  return eased(x);
}

Span MovingTile::counting() const { return {crossing.end, std::min(1.0, crossing.end + kCounting)}; }

std::int64_t MovingTile::bytes_landed(double t) const {
  const std::int64_t landed = std::clamp<std::int64_t>(std::int64_t(counting().share(t) * double(pieces)), 0, pieces);
  return landed == pieces ? bytes : bytes / pieces * landed;
}

bool MovingValues::holds(std::int64_t row, std::int64_t col) const {
  if (shape == QuantityShape::Row) return row >= row_begin && row < row_begin + rows;
  return row >= row_begin && row < row_begin + rows && col >= col_begin && col < col_begin + cols;
}

bool MovingValues::does_change(std::int64_t row, std::int64_t col) const {
  if (!holds(row, col)) return false;
  if (changes.empty()) return true;
  const std::int64_t c = shape == QuantityShape::Row ? 0 : col - col_begin;
  return changes[std::size_t((row - row_begin) * cols + c)];
}

// Weights land row by row, and cell by cell in the named row, whose bars grow one after the other. All else lands cell
// by cell.
bool MovingValues::lands_by_row() const { return quantity() == Quantity::P; }

// Elements of the named row take most of the time, and the named one most of that.
double MovingValues::weight_of(std::int64_t row, std::int64_t col) const {
  constexpr double kNamed = 4, kBeside = 0.5, kQuietCell = 0.1, kQuietRow = 0.25;
  if (!does_change(row, col)) return 0;
  if (named_row < 0) return 1;
  const bool whole_row = lands_by_row() || shape == QuantityShape::Row;
  if (row != named_row) return whole_row ? kQuietRow : kQuietCell;
  return whole_row || named_col < 0 || col == named_col ? kNamed : kBeside;
}

Span MovingValues::of(std::int64_t row, std::int64_t col) const {
  if (!does_change(row, col)) return {span.begin, span.begin};
  if (!shrinks.empty()) return span;  // whole rows shrink, all at once
  const std::int64_t r = row - row_begin, c = shape == QuantityShape::Row ? 0 : col - col_begin;
  if (rows * cols > kInTurn) {
    const double count = double(rows + cols - 1);
    return part_of(span, double(r + c) / count, double(r + c + 1) / count);
  }
  if (masks()) {
    constexpr std::int64_t kEachCloses = 3;  // of the times of a row's columns
    const double count = double(cols + kEachCloses - 1);
    const Span in_row = part_of(span, double(r) / double(rows), double(r + 1) / double(rows));
    return part_of(in_row, double(c) / count, double(c + kEachCloses) / count);
  }
  const bool by_row = lands_by_row() && changes.empty();
  double before = 0, own = 0, all = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < (by_row ? 1 : cols); ++j) {
      const double weight = weight_of(row_begin + i, col_begin + j);
      if (i < r || (i == r && !by_row && j < c)) before += weight;
      if (i == r && (by_row || j == c)) own = weight;
      all += weight;
    }
  const Span whole = part_of(span, before / all, (before + own) / all);
  if (!by_row || row != named_row || kept_end <= kept_begin) return whole;
  const double kept = double(kept_end - kept_begin),
               at = double(std::clamp(col, kept_begin, kept_end - 1) - kept_begin);
  return part_of(whole, at / kept, (at + 1) / kept);
}

float MovingValues::shrink(std::int64_t row) const {
  return shrinks.empty() || row < row_begin || row >= row_begin + rows ? 1.0f : shrinks[std::size_t(row - row_begin)];
}

bool MovingValues::masks() const { return shape == QuantityShape::Cell && made.is_of_itself() && !changes.empty(); }

Span mask_row_span(const Step& step, std::int64_t row) {
  const double at = double(row - step.row_begin), rows = double(step.rows());
  return part_of(kAll, at / rows, (at + 1) / rows);
}

double MovingValues::factor_way(double t) const { return part_of(span, 0, kFactorArrives).share(t); }

double MovingValues::height(std::int64_t row, double t) const {
  const double low = shrink(row);
  if (low >= 1 || shrinks.empty()) return 1;
  if (t < span.end) return 1 - (1 - low) * part_of(span, kFactorArrives, 1).share(t);
  return low + (1 - low) * Span{kGrowsBack, 1}.share(t);
}

double MovingValues::share_landed(double t) const {
  std::int64_t landed = 0;
  if (span.has_landed(t)) return 1;
  if (rows * cols > kInTurn) return span.share(t);
  for (std::int64_t r = row_begin; r < row_begin + rows; ++r)
    for (std::int64_t c = col_begin; c < col_begin + cols; ++c) landed += of(r, c).has_landed(t);
  return double(landed) / double(rows * cols);
}

std::vector<std::pair<std::int64_t, std::int64_t>> MovingValues::under_way(double t) const {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  if (rows * cols > kInTurn || !span.is_under_way(t)) return out;
  for (std::int64_t r = row_begin; r < row_begin + rows; ++r)
    for (std::int64_t c = col_begin; c < col_begin + cols; ++c)
      if (does_change(r, c) && of(r, c).is_under_way(t)) out.emplace_back(r, c);
  return out;
}

std::optional<std::pair<std::int64_t, std::int64_t>> MovingValues::ringed(double t) const {
  if (named_row >= 0) {
    const bool cells = shape != QuantityShape::Row;
    for (std::int64_t c = col_begin; c < col_begin + cols; ++c) {
      const std::pair at{named_row, cells ? c : 0};
      if (!does_change(at.first, at.second) || !of(at.first, at.second).is_under_way(t)) continue;
      if (lands_by_row() && c >= kept_begin && c < kept_end) return at;
      if (!cells || named_col < 0 || c == named_col) return at;
    }
    return std::nullopt;
  }
  const auto all = under_way(t);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

Span DissolvingTile::of(std::int64_t row, std::int64_t col) const {
  const auto mixed = std::uint64_t(row * 7919 + col) * 0x9fb21c651e98df25ull;
  const double at = double(mixed >> 40) / double(1 << 24) * (1 - kEach);
  return part_of(span, at, at + kEach);
}

const MovingValues* Motion::of(Quantity quantity) const {
  const auto at =
      std::find_if(values.begin(), values.end(), [&](const MovingValues& v) { return v.quantity() == quantity; });
  return at == values.end() ? nullptr : &*at;
}

bool Motion::has_landed(Quantity quantity, std::int64_t row, std::int64_t col, double t) const {
  const MovingValues* v = of(quantity);
  return !v || !v->holds(row, col) || v->of(row, col).has_landed(t);
}

Span Motion::span_of_figure(std::optional<Quantity> quantity, std::int64_t row) const {
  const MovingValues* made = quantity ? of(*quantity) : nullptr;
  if (!made) made = &values.front();
  return made->shape == QuantityShape::Row ? made->of(row, 0) : made->span;
}

bool Motion::uses(TensorId id) const {
  const auto is_of = [&](Quantity quantity) {
    const QuantityRow& about = ledger_row(quantity);
    // A product by itself waits where it will be added to O.
    return about.tensor ? *about.tensor == id : about.shape == QuantityShape::RowByHead && id == TensorId::O;
  };
  const auto reads = [&](const MadeFrom& from) { return from.quantity ? is_of(*from.quantity) : from.input == id; };
  const bool changes = std::any_of(values.begin(), values.end(), [](const MovingValues& v) {
    return v.changes.empty() || std::find(v.changes.begin(), v.changes.end(), true) != v.changes.end();
  });
  return !tiles.empty() || !changes || std::any_of(values.begin(), values.end(), [&](const MovingValues& v) {
    return is_of(v.quantity()) || std::any_of(v.made.from.begin(), v.made.from.end(), reads);
  });
}

std::int64_t Motion::bytes_so_far(double t) const {
  std::int64_t bytes = bytes_before;
  for (const MovingTile& tile : tiles) bytes += tile.bytes_landed(t);
  return bytes;
}

double Motion::share_on_chip(TensorId tensor, const std::string& tile, double t) const {
  for (const MovingTile& moving : tiles)
    if (moving.tensor == tensor && moving.to_sram && moving.label == tile)
      return double(moving.bytes_landed(t)) / double(std::max<std::int64_t>(1, moving.bytes));
  if (std::find(filled.begin(), filled.end(), tensor) == filled.end()) return 1;
  for (const MovingValues& v : values)
    if (ledger_row(v.quantity()).tensor == tensor) return v.share_landed(t);
  return 1;
}

Motion build_motion(const Schedule& schedule, const State& before, const State& after) {
  Motion motion;
  motion.phase = after.step.phase;
  motion.tiles = moving_tiles(schedule, after.step);
  motion.named = named_cell(schedule.problem(), after);
  motion.values = moving_values(schedule, before, after, motion.named);
  motion.dissolving = dissolving_of(schedule, before, after);
  motion.filled = filled_at(schedule, before, after);
  motion.bytes_before = schedule.totals_before(before.cursor).cost.hbm_total().bytes();
  return motion;
}

}  // namespace tilewalk
