#include "pages/compare/lanes_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "pages/compare/blocks/limiting_work.h"
#include "view/walk/lanes_axis.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr double kTouching = 1e-6;

struct Label {
  std::string whole, brief;
};

// The label is the tile that changes: a thread block that keeps its KV tile visits one Q tile after another.
Label label_of(const Segment& s, bool softmax, bool by_query) {
  switch (s.doing) {
    case Doing::LoadQ: return {"Q", "Q"};
    case Doing::LoadK: return s.kv_tile < 0 ? Label{"K", "K"} : Label{fmt::format("K{}", s.kv_tile), ""};
    case Doing::LoadV: return s.kv_tile < 0 ? Label{"V", "V"} : Label{fmt::format("V{}", s.kv_tile), ""};
    case Doing::LoadState: return {fmt::format("Q{} O{}", s.q_tile, s.q_tile), fmt::format("Q{}", s.q_tile)};
    case Doing::Waiting: return {};
    case Doing::Normalise:
    case Doing::Store: return {name_of(s.doing), ""};
    default: break;
  }
  const std::int64_t tile = by_query ? s.q_tile : s.kv_tile;
  return {fmt::format("{} {}", softmax ? "exp" : name_of(s.doing), tile), fmt::format("{}", tile)};
}

std::string tip_of(const Segment& s, double start, double end, bool softmax, bool by_query) {
  if (s.doing == Doing::Waiting)
    return fmt::format("waiting for {}: {} cycles", reason_of(s.wait), cycles_text(end - start));
  std::string text = softmax ? "softmax: row max, exp, row sum" : name_of(s.doing);
  if (s.q_tile >= 0 && by_query) text += fmt::format(", Q tile {}", s.q_tile);
  if (s.kv_tile >= 0) text += fmt::format(", KV tile {}", s.kv_tile);
  if (s.half >= 0)  // of two or three parts
    text += s.half == 0   ? ", first part of the rows"
            : s.half == 1 ? ", second part of the rows"
                          : ", third part of the rows";
  return text + fmt::format(": cycles {} to {}", cycles_text(start), cycles_text(end));
}

// The boxes of one row, with the softmax segments of a tile joined, or columns where boxes are narrow.
struct RowBuilder {
  const LanesAxis& axis;
  double width_px, box_min_px;
  LanesWindow window;
  std::int64_t at;                         // the step before the cursor; -1 at the start
  bool by_query;                           // boxes are labelled by their Q tiles
  bool only_moves;                         // the lane computes nothing
  std::array<bool, kLaneBoxKinds>& kinds;  // kinds that occur in the row, drawn or folded
  std::vector<LaneBox> boxes{};
  std::array<double, kLaneBoxKinds> column{};  // cycles by kind in the current column
  double column_begin = -1, column_end = 0;
  std::int64_t column_pieces = 0;
  LaneBox lone{};

  double x(double cycles) const { return (axis.at(cycles) / axis.wide() - window.begin) / (window.end - window.begin); }
  bool holds(std::int64_t first, std::int64_t end) const { return at >= first && at < end; }

  void add(const Segment& s, double start, double end, bool softmax, std::int64_t first_step, std::int64_t end_step) {
    LaneBox box;
    box.x0 = std::max(0.0, x(start));
    box.x1 = std::min(1.0, x(end));
    if (box.x1 <= box.x0) return;  // out of view
    box.kind = softmax ? LaneBoxKind::Softmax : kind_of(s.doing);
    if (only_moves && s.doing == Doing::Waiting) box.kind = LaneBoxKind::Idle;
    kinds[std::size_t(box.kind)] = true;
    box.hatched = box.kind == LaneBoxKind::Waiting;
    box.first_step = first_step;
    box.end_step = end_step;
    box.now = holds(first_step, end_step);
    box.tip = tip_of(s, start, end, softmax, by_query);
    const double px = (box.x1 - box.x0) * width_px;
    if (px >= box_min_px) {
      close_column();
      const Label label = label_of(s, softmax, by_query);
      box.label = label.whole, box.short_label = label.brief;
      boxes.push_back(box);
      return;
    }
    const double bucket = std::floor(box.x0 * width_px / box_min_px);
    if (column_pieces > 0 && bucket != column_begin) close_column();
    if (column_pieces == 0) lone = box, column_begin = bucket;
    column[std::size_t(box.kind)] += end - start;
    column_end = box.x1;
    lone.now |= box.now;
    lone.end_step = std::max(lone.end_step, box.end_step);
    ++column_pieces;
  }

  void close_column() {
    if (column_pieces == 0) return;
    if (column_pieces > 1) {
      lone.folded = true;
      lone.kind = LaneBoxKind(std::max_element(column.begin(), column.end()) - column.begin());
      lone.hatched = lone.kind == LaneBoxKind::Waiting;
      lone.tip = fmt::format("{} pieces of work: zoom in", column_pieces);
    }
    lone.x1 = column_end;
    boxes.push_back(lone);
    column.fill(0);
    column_pieces = 0;
  }
};

bool is_softmax(Doing d) {
  return d == Doing::RowMax || d == Doing::Rescale || d == Doing::Exponentiate || d == Doing::RowSum;
}

// until: the end of the picture's own work, so that no wait of another picture is folded in the empty space after it.
std::vector<LaneFold> folds_of(const LanesAxis& axis, double until, LanesWindow window) {
  std::vector<LaneFold> out;
  const auto x = [&](double cycles) {
    return (axis.at(cycles) / axis.wide() - window.begin) / (window.end - window.begin);
  };
  for (const FoldedWait& wait : axis.waits()) {
    LaneFold fold{.x0 = x(wait.start), .x1 = x(wait.end)};
    if (wait.start >= until || fold.x1 <= 0 || fold.x0 >= 1) continue;
    const std::string cycles = cycles_text(wait.end - wait.start);
    fold.labels = {cycles + " cycles waiting", cycles + " cycles", cycles};
    out.push_back(std::move(fold));
  }
  return out;
}

// Tile visits whose first product begins before the end of the axis.
std::int64_t visits_drawn(const Timeline& t, double until) {
  std::set<std::pair<std::int64_t, std::int64_t>> tiles;
  for (const Segment& s : t.segments)
    if (s.doing == Doing::Scores && s.start < until) tiles.insert({s.q_tile, s.kv_tile});
  return std::int64_t(tiles.size());
}

// Round cycles, also within folded waits, where they are closer together; and between them finer ones where work is
// stretched.
TickedAxis cycles_axis(const LanesAxis& axis, LanesWindow window) {
  constexpr int kFiner = 2;
  constexpr double kApart = 0.06;  // of the drawn axis, for a figure
  const double first = window.begin * axis.wide(), last = window.end * axis.wide();
  const double from = axis.cycles_at(first), to = axis.cycles_at(last);
  TickedAxis out{.unit = "cycles", .ticks = {}};
  for (const int finer : axis.waits().empty() ? std::vector{1} : std::vector{1, kFiner})
    for (AxisTick tick : ticked_axis(from, to, out.unit, kMostTicks * finer).ticks) {
      tick.at = (axis.at(from + tick.at * (to - from)) - first) / (last - first);
      const auto near = [&](const AxisTick& each) { return std::fabs(each.at - tick.at) < kApart; };
      const bool at_unit = first > 0 && tick.at < kApart / 2;  // the unit is left of the axis
      if (!at_unit && std::none_of(out.ticks.begin(), out.ticks.end(), near)) out.ticks.push_back(std::move(tick));
    }
  std::sort(out.ticks.begin(), out.ticks.end(), [](const AxisTick& a, const AxisTick& b) { return a.at < b.at; });
  return out;
}

LanesPicture picture_of(const LanesSource& source, const LanesAxis& axis, std::int64_t cursor, double width_px,
                        double box_min_px, LanesWindow window, std::array<bool, kLaneBoxKinds>& kinds) {
  const Timeline& t = *source.timeline;
  const bool by_query = row_of(*source.problem).walk.block == BlockKind::Head;
  LanesPicture out;
  out.cycles_text = short_cycles(t.cycles) + " cycles";
  out.cycles_tip = "One thread block: " + cycles_text(t.cycles) + " modelled cycles";
  out.folds = folds_of(axis, t.simulated_cycles, window);
  const bool cut = t.cycles > axis.end() + kTouching;
  out.goes_on = window.cut || (cut && window.end > 1 - kTouching);
  const double until = window.cut ? axis.cycles_at(window.end * axis.wide()) : axis.end();
  if (cut || window.cut)
    out.note = fmt::format("drawn to cycle {}, in visit {} of {}", cycles_text(until),
                           format_count(visits_drawn(t, until)), format_count(t.visits));
  for (int lane = 0; lane < int(t.lanes.size()); ++lane)
    for (int row = 0; row < (t.lanes[std::size_t(lane)].two_rows ? 2 : 1); ++row) {
      RowBuilder builder{axis, width_px, box_min_px, window, cursor - 1, by_query, only_moves_tiles(t, lane), kinds};
      std::vector<const Segment*> own;
      for (const Segment& s : t.segments)
        if (s.lane == lane && s.row == row && s.end > s.start && s.start < axis.end()) own.push_back(&s);
      for (std::size_t i = 0; i < own.size();) {
        const Segment& s = *own[i];
        std::size_t next = i + 1;
        double end = s.end;
        std::int64_t first = s.first_step, last = s.end_step;
        bool exponentials = s.doing == Doing::Exponentiate;
        if (is_softmax(s.doing))
          for (; next < own.size() && is_softmax(own[next]->doing) && own[next]->kv_tile == s.kv_tile &&
                 own[next]->q_tile == s.q_tile && own[next]->half == s.half && own[next]->start <= end + kTouching;
               ++next) {
            end = own[next]->end;
            first = std::min(first, own[next]->first_step);
            last = std::max(last, own[next]->end_step);
            exponentials |= own[next]->doing == Doing::Exponentiate;
          }
        builder.add(s, s.start, end, exponentials, first, last);
        if (cursor - 1 >= first && cursor - 1 < last) out.cursor = std::max(out.cursor, builder.x(end));
        i = next;
      }
      builder.close_column();
      out.rows.push_back({row == 0 ? t.lanes[std::size_t(lane)].name : "", std::move(builder.boxes)});
    }
  if (out.cursor < 0 || out.cursor > 1) out.cursor = -1;  // out of view
  return out;
}

std::string why_of(const Problem& now, const Problem& then) {
  if (now.lanes.ping_pong && !then.lanes.ping_pong)
    return "While consumer 0 multiplies, consumer 1 exponentiates: the tensor cores wait less. ";
  if (now.lanes.overlap && !then.lanes.overlap)
    return "Inside each consumer P·V of one tile runs beside the softmax of the next. ";
  if (now.lanes.warp_specialised && !then.lanes.warp_specialised)
    return "A producer refills the buffer while the consumers work. ";
  if (now.tiling.stages != then.tiling.stages)
    return fmt::format("The buffer has {} stages where it had {}. ", now.tiling.stages, then.tiling.stages);
  if (now.lanes.exp2_share != then.lanes.exp2_share)
    return "Part of the exponentials run on the fp32 lanes, beside the exponential unit. ";
  if (now.tiling.rescale_threshold != then.tiling.rescale_threshold)
    return "O is corrected only where a max grew beyond the threshold. ";
  return "";
}

}  // namespace

std::string lane_settings(const Problem& p) {
  std::string text;
  const auto add = [&](const std::string& word) { add_to_list(text, word); };
  const ScheduleSettings& settings = row_of(p).settings;
  if (!settings.stages) return title_of(p.schedule);
  if (settings.warp_roles) {
    if (p.lanes.warp_specialised) add("warp specialisation");
    if (p.lanes.ping_pong) add("ping-pong");
    if (p.lanes.overlap) add("overlap inside a warpgroup");
    if (text.empty()) text = "no optimisation";
  }
  if (settings.rescale_threshold)
    add(p.tiling.rescale_threshold > 0 ? fmt::format("rescale beyond {:g}", p.tiling.rescale_threshold)
                                       : "rescale always");
  if (settings.exp2_share) add(fmt::format("{:.0f} % polynomial exp2", p.lanes.exp2_share * 100));
  return text + " · " + counted(p.tiling.stages, "stage");
}

std::string named_settings(const Problem& p) {
  const std::string title = title_of(p.schedule), settings = lane_settings(p);
  return settings == title ? title : title + ", " + settings;
}

std::vector<LaneSwitch> lane_switches(const std::vector<Removal>& removals) {
  std::vector<LaneSwitch> out;
  for (const Removal& r : removals) {
    LaneSwitch s{r.option, title_of(r.option), r.on, r.refused, ""};
    if (r.refused)
      s.saves = "the other setting deadlocks";
    else if (r.cycles_off > 0) {
      const double saved = 100 * (1 - r.cycles_on / r.cycles_off);
      s.saves = std::fabs(saved) < 0.5 ? "saves nothing here"
                : saved > 0            ? fmt::format("saves {:.0f} %", saved)
                                       : fmt::format("costs {:.0f} %", -saved);
    }
    out.push_back(std::move(s));
  }
  return out;
}

LanesModel build_lanes_model(const LanesSource& now, const std::optional<LanesSource>& pinned,
                             const std::vector<Removal>& removals, std::int64_t cursor, double width_px,
                             double box_min_px, LanesWindow window) {
  LanesModel model;
  const Timeline& t = *now.timeline;
  if (t.lanes.empty()) {
    model.empty_note =
        has_lanes(now.problem->schedule)
            ? t.deadlock ? "These lanes wait for each other for ever." : "This thread block visits no tile."
            : "This schedule's launches are plain kernels; FA-1, FA-2, FA-3 and FA-4 have lanes.";
    return model;
  }
  const bool both = pinned && !pinned->timeline->lanes.empty();
  std::vector<const Timeline*> timelines = {&t};
  if (both) timelines.push_back(pinned->timeline);
  const LanesAxis axis(timelines, window.folds);
  std::array<bool, kLaneBoxKinds> seen{};
  if (both) {
    model.pictures.push_back(picture_of(*pinned, axis, pinned->cursor, width_px, box_min_px, window, seen));
    model.pictures.back().title = "Pinned: " + lane_settings(*pinned->problem);
  }
  model.pictures.push_back(picture_of(now, axis, cursor, width_px, box_min_px, window, seen));
  model.pictures.back().title = "Now: " + lane_settings(*now.problem);

  model.switches = lane_switches(removals);
  const std::pair<LaneBoxKind, const char*> names[] = {
      {LaneBoxKind::Load, "load"},      {LaneBoxKind::Scores, "QKᵀ"},        {LaneBoxKind::Softmax, "softmax"},
      {LaneBoxKind::Accumulate, "P·V"}, {LaneBoxKind::Rescale, "rescale O"}, {LaneBoxKind::Normalise, "divide O by ℓ"},
      {LaneBoxKind::Store, "store"},    {LaneBoxKind::Waiting, "waiting"}};
  for (const auto& [kind, name] : names)
    if (seen[std::size_t(kind)]) model.legend.push_back({kind, name});

  model.cycles = cycles_axis(axis, window);

  // The saving is a figure of the whole run: one thread block does not show how many run at once.
  model.sentence = (both ? why_of(*now.problem, *pinned->problem) : "") + limiting_work(*now.problem, t);
  return model;
}

}  // namespace tilewalk
