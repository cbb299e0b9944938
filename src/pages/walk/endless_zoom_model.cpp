#include "pages/walk/endless_zoom_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

std::string sides_of(const ZoomSquare& square) {
  return fmt::format("{} × {}", format_count(square.rows), format_count(square.cols));
}

std::int64_t bytes_of(const Problem& p, const ZoomSquare& square) {
  Problem as_long = p;
  as_long.shape.n_kv = square.cols;
  return square.rows * bytes_a_row(as_long, Width::Scores);
}

std::string name_of_level(const Problem& p, const ZoomSquare& square) {
  switch (square.kind) {
    case ZoomSquareKind::Tile: return "This walk's tile";
    case ZoomSquareKind::KernelTile: return fmt::format("Tile of a fast {}", kernel_of_zoom(p).title);
    case ZoomSquareKind::Walk: return "This walk";
    case ZoomSquareKind::Length: break;
  }
  return "N " + format_count(square.rows);
}

std::string memory_for(const DeviceModel& device, std::int64_t bytes) {
  if (bytes <= device.sram_per_block_bytes) return "fits in SRAM";
  if (bytes <= device.l2_bytes) return "fits in L2";
  if (double(bytes) <= device.hbm_gb * 1e9) return "fits in HBM, and in no smaller memory";
  return "fits in no memory";
}

// One byte is at 0, `last` at 1, on a logarithmic axis.
std::vector<ZoomTick> ticks_until(std::int64_t last) {
  constexpr const char* kUnits[] = {"1 B", "1 KiB", "1 MiB", "1 GiB", "1 TiB", "1 PiB"};
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

void add_words(EndlessZoomModel& m, const Problem& p) {
  const ZoomLevel &at = m.levels[m.at], &tile = largest_tile(m);
  const DeviceModel& device = device_of(p.machine);
  m.title = fmt::format("From {} to {} scores", m.levels.front().sides, m.levels.back().sides);
  m.scale =
      "The scores S of one head, to scale. All squares share row 0 and column 0. Each mark above the bars is 1,024 "
      "times the one before.";
  m.figure = at.size;
  m.figure_words = at.on_chip  ? "exist on chip at a time"
                   : m.written ? "of scores are written and read back"
                               : "of scores never exist";
  m.figure_detail = fmt::format("{}, in fp32: on an {} that {}.", at.sides, device.title, at.memory);
  if (at.on_chip) m.figure_detail = fmt::format("{}, in fp32: one at a time in each thread block.", at.sides);
  if (m.at > 0) {
    const ZoomLevel& before = m.levels[m.at - 1];
    m.figure_detail += fmt::format(" {:.3g} times the scores of {}.", double(at.bytes) / double(before.bytes),
                                   before.square.kind == ZoomSquareKind::Walk ? "this walk" : before.name);
  }
  if (at.on_chip) return;
  const double share = double(at.bytes) / double(tile.bytes);
  m.tile_figure = tile.size;
  m.tile_words = fmt::format("exist at a time in a thread block: one {} tile, 1 / {} of them", tile.sides,
                             format_count(std::int64_t(std::llround(share))));
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
  m.diagonal = is_causal(p.shape.mask.kind) && p.shape.n_q == p.shape.n_kv;
  const std::vector<ZoomSquare> squares = zoom.squares();
  m.doublings = doublings(squares);
  for (const ZoomSquare& square : squares) {
    ZoomLevel level;
    level.square = square;
    level.bytes = bytes_of(p, square);
    level.on_chip = square.kind == ZoomSquareKind::Tile || square.kind == ZoomSquareKind::KernelTile;
    level.name = name_of_level(p, square);
    level.sides = sides_of(square);
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
  constexpr double kWhole = 1 + 1e-9;
  for (std::size_t i = 0; i < m.levels.size(); ++i)
    if (double(m.levels[i].square.side()) <= m.extent * kZoomFill * kWhole) m.at = i;
  add_words(m, p);
  return m;
}

void add_texts(ShownTexts& texts, const EndlessZoomModel& m) {
  texts.say("zoom", {m.title, m.scale, m.ticks.back().text, m.figure, m.figure_words, m.figure_detail, m.tile_figure,
                     m.tile_words});
  for (const ZoomLevel& level : m.levels) texts.say("zoom", {level.name, level.sides, level.size, level.memory});
}

}  // namespace tilewalk
