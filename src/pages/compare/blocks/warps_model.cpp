#include "pages/compare/blocks/warps_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "base/divide.h"
#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/walk/thread_block.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kWarpgroupRows = 64;  // of an instruction by which a warpgroup multiplies

// Who divides the rows in split-Q: the warps, or the consumer warpgroups of a schedule that multiplies by these, which
// read an operand from shared memory once for all of their warps.
// FA-4's softmax warpgroups divide them, and other warps multiply, correct O, load and store.
struct Dividers {
  int count = 4;
  bool groups = false, roles = false;
  const char* one() const { return groups ? "warpgroup" : "warp"; }
  std::string name(int at) const { return fmt::format("{} {}", roles ? "softmax" : one(), at); }
};

Dividers dividers_of(const Problem& p, WarpScheme scheme, std::int64_t rows, int warps) {
  const ScheduleRow& row = row_of(p);
  if (scheme == WarpScheme::SplitQ && row.chip.softmax_warpgroups > 0)
    return {int(std::min<std::int64_t>(row.chip.softmax_warpgroups, rows)), true, true};
  const bool consumers = row.chip.products_by == ProductBy::Warpgroup && row.released.tile;
  if (scheme != WarpScheme::SplitQ || !consumers) return {warps};
  return {int(std::max<std::int64_t>(1, ceil_div(rows, kWarpgroupRows))), true};
}

std::string title_of(const ScheduleRow& row, WarpScheme scheme, const Dividers& by) {
  if (scheme == WarpScheme::SplitK) return "FA-1 · keys divided: split-K";
  if (by.roles) return std::string(row.identity.title) + " · rows divided: warps by role";
  return std::string(by.groups ? row.identity.title : "FA-2") + " · rows divided: split-Q";
}

std::string range_text(const char* what, std::int64_t begin, std::int64_t end) {
  return end - begin == 1 ? fmt::format("{} {}", what, begin) : fmt::format("{}s {} to {}", what, begin, end - 1);
}

// The part of the first warp; the last one may have less.
std::string owns_text(const WarpSlice& s, const Dividers& by, std::int64_t rows, std::int64_t cols) {
  const auto share = [](std::int64_t part, std::int64_t all, const char* what) {
    return part == all ? fmt::format("all {} {}", format_count(all), what)
                       : fmt::format("{} of {} {}", format_count(part), format_count(all), what);
  };
  return fmt::format("each {}{}: {}, {}", by.roles ? "softmax " : "", by.one(),
                     share(s.row_end - s.row_begin, rows, "rows"), share(s.col_end - s.col_begin, cols, "keys"));
}

// The problem whose tile a scheme divides.
Problem problem_by(WarpScheme scheme, const Problem& now, const Problem* baseline, const UnderSchedule& under) {
  if (baseline && !divides_so(now.schedule, scheme) && divides_so(baseline->schedule, scheme)) return *baseline;
  const std::optional<ScheduleKind> kind = schedule_by(scheme, now.schedule);
  return kind && *kind != now.schedule ? under(*kind) : now;
}

std::string sentence_of(const WarpVisit& visit, const Dividers& by) {
  if (by.roles)
    return "Each softmax warpgroup has whole rows, one thread a row. One MMA warp multiplies for both; a correction "
           "warpgroup rescales O in tensor memory; a load warp and a store warp move tiles. Not modelled here: bytes "
           "of tensor memory.";
  if (by.groups)
    return fmt::format(
        "Every warpgroup has whole rows, 16 of its 64 for each of its four warps: maxima, sums and O stay with it. {} "
        "read K and V; a producer loads them for all.",
        by.count == 1 ? "It alone" : "All " + std::to_string(by.count));
  if (visit.exchange == Traffic{})
    return fmt::format(
        "Every warp has whole rows: maxima, sums and O stay with it, and no warp waits for another. The price: all {} "
        "read K and V.",
        by.count);
  return fmt::format(
      "No warp knows a whole row: maxima, sums and {} parts of O cross shared memory, behind {} barriers, at each "
      "visit.",
      by.count, visit.barriers.size());
}

// Cycles with and without ping-pong; none where the schedule has no such option, or cannot run without it.
std::optional<Removal> ping_pong_of(const Problem& p) {
  TimelineOptions options;
  options.group = group_of(p, State{});
  for (const Removal& each : what_it_removes(p, options))
    if (each.option == LaneOption::PingPong && !each.refused && each.cycles_off > 0) return each;
  return std::nullopt;
}

int saved_percent(const Removal& r) { return int(std::lround(100 * (1 - r.cycles_on / r.cycles_off))); }

std::string saved_words(const Removal& r) {
  const int saved = saved_percent(r);
  return saved == 0 ? "saves nothing" : fmt::format("{} {} %", saved > 0 ? "saves" : "costs", std::abs(saved));
}

std::string cycles_words(const Removal& r) {
  if (saved_percent(r) == 0) return cycles_text(r.cycles_on) + " cycles with and without it";
  return fmt::format("{} cycles, not {}", cycles_text(r.cycles_on), cycles_text(r.cycles_off));
}

// The first sentence alone has the figure: a low panel shows no more.
std::string gain_of(const Problem& p) {
  const std::optional<Removal> here = ping_pong_of(p);
  if (!here) return "";
  std::string text = fmt::format("Ping-pong (one warpgroup's products beside another's softmax) {} by the model: {}.",
                                 saved_words(*here), cycles_words(*here));
  Problem plain = p;
  plain.lanes.overlap = false;
  if (const std::optional<Removal> without = p.lanes.overlap ? ping_pong_of(plain) : std::nullopt)
    text +=
        fmt::format(" Without overlap inside each warpgroup it {}: {}.", saved_words(*without), cycles_words(*without));
  return text;
}

}  // namespace

std::string words_at(const WarpsSide& side, double t) {
  const std::vector<VisitWork>& work = side.visit.work;
  const bool alike = std::none_of(work.begin(), work.end(), [](const VisitWork& w) { return w.part >= 0; });
  std::string text = alike ? fmt::format("all {} warps", side.rects.size()) : "warpgroups";
  for (std::size_t i = 0; i < side.rects.size(); ++i) {
    const WarpMoment at = warp_moment(side.visit, int(i), int(side.rects.size()), t);
    std::string doing = at.product.label;
    if (!at.other.label.empty()) add_to_list(doing, at.other.label, " and ");
    if (doing.empty()) doing = "waits";
    if (alike) return text + ": " + doing;
    text += fmt::format("{}{} {}", i == 0 ? ": " : " · ", i, doing);
  }
  return text;
}

WarpsModel build_warps_model(const Schedule& now, const Problem* baseline, const UnderSchedule& under, int warps) {
  WarpsModel model;
  for (const WarpScheme scheme : {WarpScheme::SplitK, WarpScheme::SplitQ}) {
    const std::shared_ptr<const Schedule> schedule = make_schedule(problem_by(scheme, now.problem(), baseline, under));
    const Problem& p = schedule->problem();
    const std::int64_t rows = std::min(p.tiling.br, p.shape.n_q), cols = std::min(p.tiling.bc, p.shape.n_kv);
    const Dividers by = dividers_of(p, scheme, rows, warps);
    const WarpVisit visit = warp_visit(scheme, rows, cols, p.shape.d, p.numerics.element_bytes(), by.count);
    const WarpTotals totals = warp_totals(*schedule, scheme, by.count);
    WarpsSide side;
    side.scheme = scheme;
    if (by.roles) side.way = "in tensor memory";
    side.parts = by.count, side.by_warpgroups = by.groups;
    side.totals = totals;
    side.title = title_of(row_of(p), scheme, by);
    side.owns = owns_text(visit.slices.front(), by, rows, cols);
    side.now = divides_so(now.problem().schedule, scheme);
    side.reduces = visit.exchange != Traffic{};
    for (std::size_t w = 0; w < visit.slices.size(); ++w) {
      const WarpSlice& s = visit.slices[w];
      if (s.row_begin == s.row_end || s.col_begin == s.col_end) continue;
      side.rects.push_back({int(w), double(s.col_begin) / double(cols), double(s.row_begin) / double(rows),
                            double(s.col_end) / double(cols), double(s.row_end) / double(rows), by.name(int(w)),
                            fmt::format("{}: {}, {}", by.name(int(w)), range_text("row", s.row_begin, s.row_end),
                                        range_text("key", s.col_begin, s.col_end))});
    }
    side.exchange = side.reduces
                        ? fmt::format("{} written, {} read between warps, a visit",
                                      format_bytes(visit.exchange.write_bytes), format_bytes(visit.exchange.read_bytes))
                        : fmt::format("nothing passes between {}s", by.one());
    side.operands =
        fmt::format("{} of Q, K and V read from shared memory, a visit", format_bytes(visit.operands.read_bytes));
    side.barriers =
        visit.barriers.empty() ? "no barrier to add up O" : fmt::format("{} barriers a visit", visit.barriers.size());
    side.barrier_reasons = visit.barriers;
    side.price = visit.barriers.empty()
                     ? "0 B to add up O"
                     : fmt::format("{}, {} barriers", format_bytes(visit.exchange.bytes()), visit.barriers.size());
    side.figure = format_bytes(totals.exchange.bytes());
    side.whole_run = fmt::format("between {}s in the whole run, {} to add up O", by.one(),
                                 totals.barriers == 0 ? "no barrier" : format_count(totals.barriers) + " barriers");
    side.sentence = sentence_of(visit, by);
    side.visit = warps_visit(*schedule);
    if (by.groups && !by.roles) side.gain = gain_of(p);
    if (scheme == WarpScheme::SplitK)
      model.sentence = fmt::format(
          "With keys split over {} warps, no warp knows a whole row: {} cross shared memory at each visit, behind {} "
          "barriers. With rows split, nothing crosses.",
          warps, format_bytes(visit.exchange.bytes()), visit.barriers.size());
    model.sides.push_back(std::move(side));
  }
  const WarpsSide &keys = model.sides[0], &rows = model.sides[1];
  model.figure = keys.figure;
  const auto name_of = [](const WarpsSide& side) { return side.title.substr(0, side.title.find(" · ")); };
  model.headline = fmt::format("{}'s warps exchange {} to add up O, at {} barriers; {}'s exchange none.", name_of(keys),
                               model.figure, format_count(keys.totals.barriers), name_of(rows));
  return model;
}

WarpsModel build_warps_model(const Schedule& now, int warps) {
  return build_warps_model(
      now, nullptr, [&](ScheduleKind kind) { return compared_under(now.problem(), kind); }, warps);
}

}  // namespace tilewalk
