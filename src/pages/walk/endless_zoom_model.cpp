#include "pages/walk/endless_zoom_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "pages/walk/zoom_tile.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string sides_of(const ZoomSquare& square) {
  return fmt::format("{} × {}", format_count(square.rows), format_count(square.cols));
}

// "32 heads × batch 2"
std::string heads_text(const HeadsWall& wall) {
  return fmt::format("{} heads × batch {}", format_count(wall.heads), format_count(wall.batch));
}

std::vector<ZoomBatches> batches_of(const HeadsWall& wall) {
  std::vector<ZoomBatches> out;
  if (wall.batch < 2) return out;
  for (std::int64_t first = 0; first < wall.batch; first += wall.batch_across) {
    const std::int64_t last = std::min(first + wall.batch_across, wall.batch) - 1;
    out.push_back(
        {first, last, last > first ? fmt::format("batch {}–{}", first, last) : fmt::format("batch {}", first)});
  }
  return out;
}

// Of one matrix.
std::int64_t bytes_of(const Problem& p, const ZoomSquare& square) {
  Problem as_long = p;
  as_long.shape.n_kv = square.cols;
  return square.rows * bytes_a_row(as_long, Width::Scores);
}

std::string name_of_level(const Problem& p, const ZoomSquare& square) {
  switch (square.kind) {
    case ZoomSquareKind::Score: return "One score";
    case ZoomSquareKind::Heads: return "All heads";
    case ZoomSquareKind::Tile: return "This walk's tile";
    case ZoomSquareKind::KernelTile: return fmt::format("Tile of a fast {}", kernel_of_zoom(p).title);
    case ZoomSquareKind::Walk: return "This walk";
    case ZoomSquareKind::Length: break;
  }
  return "N " + format_count(square.rows);
}

constexpr const char* kFitsNowhere = "fits in no memory";

std::string memory_for(const DeviceModel& device, std::int64_t bytes) {
  if (bytes <= device.sram_per_block_bytes) return "fits in SRAM";
  if (bytes <= device.l2_bytes) return "fits in L2";
  if (double(bytes) <= device.memory_bytes()) return "fits in HBM, and in no smaller memory";
  return kFitsNowhere;
}

// One byte is at 0, `last` at 1, on a logarithmic axis.
std::vector<ZoomTick> ticks_until(std::int64_t last) {
  constexpr const char* kUnits[] = {"1 B", "1 KiB", "1 MiB", "1 GiB", "1 TiB", "1 PiB", "1 EiB"};
  const double doublings = std::log2(double(std::max<std::int64_t>(2, last)));
  std::vector<ZoomTick> out;
  for (std::size_t i = 0; i < std::size(kUnits) && 10 * double(i) < doublings; ++i)
    out.push_back({10 * double(i) / doublings, kUnits[i]});
  out.push_back({1, format_bytes(last)});
  return out;
}

// The largest one that the current square contains.
const ZoomLevel& largest_tile(const EndlessZoomModel& m) {
  const ZoomLevel* out = &m.levels.front();
  for (const ZoomLevel& level : m.levels)
    if (level.on_chip && level.bytes <= m.levels[m.at].bytes) out = &level;
  return *out;
}

void add_words_of_score(EndlessZoomModel& m, const Problem& p) {
  m.figure = m.tile.value;
  m.figure_words = "is one score";
  const std::string bytes = format_bytes(m.levels.front().bytes) + " in fp32, on chip.";
  if (m.tile.meeting)
    m.figure_detail =
        fmt::format("{}: {}, added and scaled. {}", m.tile.meeting->title, counted(p.shape.d, "product"), bytes);
  else
    m.figure_detail = (m.tile.value == "?" ? "Yours to find. " : "Masked. ") + bytes;
}

// The bytes are of the whole matrix. At a tile, or without a mask, empty.
std::string kept_words(const EndlessZoomModel& m, const ZoomLevel& at) {
  if (!m.diagonal || at.on_chip) return {};
  const std::int64_t n = at.square.kind == ZoomSquareKind::Heads ? m.levels[m.matrix].square.rows : at.square.rows,
                     heads = at.square.kind == ZoomSquareKind::Heads ? std::int64_t(m.wall.count()) : 1;
  return fmt::format(" Naive attention stores all of them; {} keeps {} of {}.",
                     at.square.kind == ZoomSquareKind::Walk ? "this walk's mask" : "your call's mask",
                     format_count(heads * (n * (n + 1) / 2)), format_count(heads * n * n));
}

void add_words(EndlessZoomModel& m, const Problem& p) {
  const ZoomLevel &at = m.levels[m.at], &tile = largest_tile(m), &last = m.levels[m.matrix];
  const DeviceModel& device = device_of(p.machine);
  const bool all_heads = m.matrix + 1 < m.levels.size();
  m.title = all_heads ? "From one score to all heads" : fmt::format("From one score to {} scores", last.sides);
  m.scale =
      "Scores S, to scale. Matrices share row 0 and column 0. Each mark above the bars is 1,024 times the one before.";
  if (all_heads) m.scale += " All heads: as many as your call has, each with the largest matrix.";
  if (at.square.kind == ZoomSquareKind::Score) return add_words_of_score(m, p);
  m.figure = at.size;
  m.figure_words = at.on_chip                               ? "exist on chip at a time"
                   : m.written && at.memory == kFitsNowhere ? "of scores have no room"
                   : m.written                              ? "of scores are written and read back"
                                                            : "of scores never exist";
  m.figure_detail = fmt::format("{}, in fp32: on an {} that {}.", at.sides, device.title, at.memory);
  if (at.on_chip) m.figure_detail = fmt::format("{}, in fp32: one at a time in each thread block.", at.sides);
  if (m.at > 0 && m.levels[m.at - 1].square.kind != ZoomSquareKind::Score) {
    const ZoomLevel& before = m.levels[m.at - 1];
    m.figure_detail +=
        fmt::format(" {} times the scores of {}.", format_digits(double(at.bytes) / double(before.bytes), 3),
                    before.square.kind == ZoomSquareKind::Walk ? "this walk" : before.name);
  }
  if (at.on_chip) return;
  m.figure_detail += kept_words(m, at);
  const double share = double(at.bytes) / double(tile.bytes);
  m.tile_figure = tile.size;
  m.tile_brief = "exist at a time";
  m.tile_words = fmt::format("exist at a time in a thread block: one {} tile, 1\u00a0/\u00a0{} of them", tile.sides,
                             format_count(std::int64_t(std::llround(share))));
  if (m.t < 1) return;
  m.end_words = m.figure + (m.written ? " are written to HBM" : " never exist");
  m.end_tile = (m.written ? "this square is on chip: " : "this square does: ") + tile.size;
}

bool is_on_chip(ZoomSquareKind kind) {
  return kind == ZoomSquareKind::Score || kind == ZoomSquareKind::Tile || kind == ZoomSquareKind::KernelTile;
}

void place(ZoomLevel& level, const ZoomTile& tile, const Problem& p) {
  const ZoomSquare& square = level.square;
  switch (square.kind) {
    case ZoomSquareKind::Score: level.row = tile.row, level.col = tile.col; break;
    case ZoomSquareKind::Tile: level.row = tile.tile_row, level.col = tile.tile_col; break;
    case ZoomSquareKind::KernelTile:  // of a matrix that it does not cover, the one with the score
      if (square.rows < p.shape.n_q) level.row = tile.row / square.rows * square.rows;
      if (square.cols < p.shape.n_kv) level.col = tile.col / square.cols * square.cols;
      break;
    default: break;
  }
}

// Linear in the extent from one square to the next, so that all between them seems to shrink towards one point.
void place_corner(EndlessZoomModel& m) {
  const double side = m.extent * kZoomFill;
  for (std::size_t i = 0; i + 1 < m.levels.size(); ++i) {
    const ZoomLevel &a = m.levels[i], &b = m.levels[i + 1];
    if (side > double(b.square.side())) continue;
    const double from = double(a.square.side()),
                 share = std::clamp((side - from) / (double(b.square.side()) - from), 0.0, 1.0);
    m.row = double(a.row) + double(b.row - a.row) * share;
    m.col = double(a.col) + double(b.col - a.col) * share;
    return;
  }
}

}  // namespace

std::optional<EndlessZoomModel> build_endless_zoom(const Session& session) {
  if (!session.shows_endless_zoom()) return std::nullopt;
  const Problem& p = session.problem();
  const EndlessZoomController& zoom = session.endless_zoom();
  EndlessZoomModel m;
  m.t = zoom.t();
  m.moves = zoom.moves();
  m.written = row_of(p).memory.scores_in_hbm;
  m.walk_diagonal = is_causal(p.shape.mask.kind) && p.shape.n_q == p.shape.n_kv;
  m.call_diagonal = session.call().call.is_causal;
  const std::vector<ZoomSquare> squares = zoom.squares();
  m.doublings = doublings(squares);
  m.wall = zoom.wall();
  m.batches = batches_of(m.wall);
  m.tile = build_zoom_tile(session);
  for (const ZoomSquare& square : squares) {
    ZoomLevel level;
    level.square = square;
    level.on_chip = is_on_chip(square.kind);
    level.name = name_of_level(p, square);
    if (square.kind == ZoomSquareKind::Heads) {
      const auto count = std::int64_t(m.wall.count());
      level.bytes = count * m.levels.back().bytes;
      level.sides = fmt::format("{}: {} such squares", heads_text(m.wall), format_count(count));
    } else {
      m.matrix = m.levels.size();
      level.bytes = bytes_of(p, square);
      level.sides = sides_of(square);
      place(level, m.tile, p);
    }
    level.size = format_bytes(level.bytes);
    level.memory = memory_for(device_of(p.machine), level.bytes);
    m.levels.push_back(std::move(level));
  }
  const auto log_bytes = [](const ZoomLevel& level) {
    return std::log2(double(std::max<std::int64_t>(2, level.bytes)));
  };
  for (ZoomLevel& level : m.levels) level.share = log_bytes(level) / log_bytes(m.levels.back());
  m.ticks = ticks_until(m.levels.back().bytes);
  const double first = double(m.levels.front().square.side()), last = double(m.levels.back().square.side());
  m.extent = first * std::pow(last / first, m.t) / kZoomFill;
  place_corner(m);
  constexpr double kWhole = 1 + 1e-9;
  for (std::size_t i = 0; i < m.levels.size(); ++i)
    if (double(m.levels[i].square.side()) <= m.extent * kZoomFill * kWhole) m.at = i;
  m.diagonal = m.levels[m.at].square.kind < ZoomSquareKind::Length ? m.walk_diagonal : m.call_diagonal;
  add_words(m, p);
  return m;
}

void add_texts(ShownTexts& texts, const EndlessZoomModel& m) {
  texts.say("zoom", {m.title, m.scale, m.ticks.back().text, m.figure, m.figure_words, m.figure_detail, m.tile_figure,
                     m.tile_words, m.end_words, m.end_tile});
  for (const ZoomBatches& each : m.batches) texts.say("zoom", each.words);
  texts.say("zoom", {m.tile.low_text, m.tile.high_text});
  for (const ZoomLevel& level : m.levels) texts.say("zoom", {level.name, level.sides, level.size, level.memory});
}

}  // namespace tilewalk
