#include "pages/tree/tree_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/contains.h"
#include "base/units.h"
#include "base/words.h"
#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "pages/tree/tree_table.h"
#include "view/problem/race_cell_of.h"
#include "view/words/predict_words.h"
#include "view/words/race_row_text.h"
#include "view/words/units.h"
#include "view/words/walk_times.h"

namespace tilewalk {
namespace {

// It and what it is built on, back to the roots.
std::vector<TreeMember> line_of(TreeMember member) {
  std::vector<TreeMember> out = {member};
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const TreeMember parent : member_row(out[i]).after)
      if (!contains(out, parent)) out.push_back(parent);
  return out;
}

std::string when(const MemberRow& row) { return *row.years ? row.years : std::to_string(row.year); }

const BranchRow& branch_row(TreeBranch branch) { return tree_branches().at(std::size_t(branch)); }

std::string built_on(const MemberRow& row) {
  std::string out;
  for (const TreeMember each : row.after) add_to_list(out, std::string(member_row(each).short_name));
  return out;
}

void place(TreeModel& m, TreeMember chosen) {
  std::vector<int> years;
  for (const MemberRow& row : tree_table())
    if (years.empty() || years.back() != row.year) years.push_back(row.year);
  for (std::size_t i = 0; i < years.size(); ++i)
    m.columns.push_back({std::to_string(years[i]), i > 0 && years[i] > years[i - 1] + 1});

  const std::vector<TreeMember> line = line_of(chosen);
  std::map<std::pair<TreeBranch, int>, int> taken;  // boxes in a lane and a year
  for (const MemberRow& row : tree_table()) {
    const int column = int(std::find(years.begin(), years.end(), row.year) - years.begin());
    std::string tip = fmt::format("{}, {}: {}", row.name, when(row), row.changes);
    if (*row.result) tip += fmt::format("\nPublished: {} ({})", row.result, row.source);
    m.boxes.push_back({.name = row.short_name,
                       .tip = std::move(tip),
                       .column = column,
                       .row = taken[{row.branch, column}]++,
                       .chosen = row.member == chosen,
                       .kin = row.member != chosen && (contains(line, row.member) || contains(row.after, chosen)),
                       .exact = row.exact,
                       .shown_here = row.schedule.has_value(),
                       .choose = {row.member}});
  }
  for (const BranchRow& branch : tree_branches()) {
    TreeLane lane{branch.title, branch.meaning, m.rows, 1};
    for (const auto& [where, count] : taken)
      if (where.first == branch.branch) lane.rows = std::max(lane.rows, count);
    m.rows += lane.rows;
    m.lanes.push_back(std::move(lane));
  }
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const MemberRow& row = tree_table()[i];
    m.boxes[i].row += m.lanes[std::size_t(row.branch)].row;
    for (const TreeMember parent : row.after)
      m.lines.push_back({int(parent), int(i), contains(line, row.member) || parent == chosen});
  }
}

std::optional<TreeOrder> order_of(const MemberRow& row) {
  if (!row.schedule) return std::nullopt;
  Problem p;
  p.schedule = *row.schedule;
  p.shape.mask.kind = MaskKind::None;
  if (row_of(p).walk.block == BlockKind::Split) p.tiling.splits = 2;
  if (!validate(p).empty()) return std::nullopt;
  const std::shared_ptr<const Schedule> schedule = make_schedule(p);
  TreeOrder out{.title = row.short_name, .side = int(p.q_tiles())};
  std::map<std::int64_t, std::vector<std::pair<std::int64_t, std::size_t>>> visits;  // by thread block
  const bool by_head = row_of(p).walk.block == BlockKind::Head;
  for (std::int64_t q = 0; q < p.q_tiles(); ++q)
    for (std::int64_t kv = 0; kv < p.kv_tiles(); ++kv) {
      const TileId tile{0, 0, q, kv};
      const std::int64_t first = schedule->first_step_of_visit(schedule->visit_section(), tile);
      if (first < 0) return std::nullopt;
      visits[by_head ? 0 : schedule->step(first).group].push_back({first, std::size_t(q * p.kv_tiles() + kv)});
    }
  out.block.resize(std::size_t(p.q_tiles() * p.kv_tiles()));
  out.time = out.block;
  out.blocks = int(visits.size());
  int block = 0;
  for (auto& [group, tiles] : visits) {
    std::sort(tiles.begin(), tiles.end());
    int time = 0;
    for (const auto& [first, at] : tiles) out.block[at] = block, out.time[at] = ++time;
    ++block;
  }
  return out;
}

// The same for every member that shows one schedule; an empty one where it cannot be drawn.
const TreeOrder& loop_of(ScheduleKind kind) {
  static const std::map<ScheduleKind, TreeOrder> known = [] {
    std::map<ScheduleKind, TreeOrder> out;
    for (const MemberRow& row : tree_table())
      if (row.schedule && !out.contains(*row.schedule)) out[*row.schedule] = order_of(row).value_or(TreeOrder{});
    return out;
  }();
  return known.at(kind);
}

const TreeOverlap& known_overlap(ScheduleKind kind) {
  static std::map<ScheduleKind, TreeOverlap> known;
  const auto at = known.find(kind);
  return at != known.end() ? at->second : known.emplace(kind, overlap_of(kind)).first->second;
}

// The chosen member's order of tile visits, after that of its first parent with another one.
void add_orders(TreeModel& m, const MemberRow& row) {
  std::optional<TreeOrder> own = order_of(row);
  if (!own) return;
  for (const TreeMember parent : row.after)
    if (std::optional<TreeOrder> before = order_of(member_row(parent));
        before && m.orders.empty() && (before->block != own->block || before->time != own->time))
      m.orders.push_back(std::move(*before));
  m.orders.push_back(std::move(*own));
  m.orders_note = "Numbers: a thread block's visits in turn. A colour: one thread block.";
}

void add_ways(TreeModel& m) {
  std::vector<RoutedBox> places;
  for (const TreeBox& box : m.boxes) places.push_back({box.column, box.row});
  std::vector<RoutedEdge> edges;
  for (const TreeLine& line : m.lines) edges.push_back({line.from, line.to});
  m.edges = route_edges(places, edges, int(m.columns.size()), m.rows);
  std::vector<ScheduleKind> seen;
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const MemberRow& row = tree_table()[i];
    if (!row.schedule) continue;
    const auto at = std::find(seen.begin(), seen.end(), *row.schedule);
    m.boxes[i].loop = int(at - seen.begin());
    if (at != seen.end()) continue;
    seen.push_back(*row.schedule);
    m.loops.push_back(loop_of(*row.schedule));
  }
}

std::string few_blocks(const MemberRow& row, const RaceCell& cell, const DeviceModel& device) {
  return row.schedule ? few_blocks(*row.schedule, std::int64_t(cell.batch) * cell.heads, device) : "";
}

// ". PyTorch FLASH: 3.71 ms": the recorded times of PyTorch's kernels of the same generation. Empty without one.
std::string pytorch_fact(Contender who, const RaceTimes& times, const RaceCell& cell) {
  std::string out;
  for (const ContenderRow& each : kContenders) {
    if (each.who == who || each.by != RunBy::PyTorch || each.backward) continue;
    if (each.generation == 0 || each.generation != contender_row(who).generation) continue;
    if (const std::optional<double> ms = times.ms_of(each.who, cell))
      out += fmt::format(". {}: {}", rung_title(each.word), ms_text(*ms));
  }
  return out;
}

// What was recorded here of the chosen one: beside naive, and beside those that it is built on, of one call.
std::string recorded_fact(const MemberRow& row, const RaceTimes& times, const RaceCell& cell, double naive) {
  const std::optional<double> ms = row.raced_as ? times.ms_of(*row.raced_as, cell) : std::nullopt;
  if (!ms || *ms <= 0) return "";
  const DeviceModel& device = device_of(times.device);
  std::string out =  // of the call that the tree's key names
      fmt::format("{} takes {}, {} as fast as naive, {}", rung_title(word_of(*row.raced_as)), ms_text(*ms),
                  times_text_of(naive / *ms), ms_text(naive));
  if (const std::string why = few_blocks(row, cell, device); !why.empty()) out += "; " + why;
  for (const TreeMember parent : row.after) {
    const MemberRow& before = member_row(parent);
    const std::optional<double> then = before.raced_as ? times.ms_of(*before.raced_as, cell) : std::nullopt;
    if (!then || *then <= 0) continue;
    out += fmt::format(". {} as fast as {} here, {}", times_text_of(*then / *ms), before.short_name, ms_text(*then));
    if (const std::string why = few_blocks(before, cell, device); !why.empty()) out += ", where " + why;
  }
  return out + pytorch_fact(*row.raced_as, times, cell) + ".";
}

// Recorded times of naive attention over those of each member, of one call.
void add_factors(TreeModel& m, TreeMember chosen, const RaceTimes* times, const Call& call, const Call& usual) {
  for (std::size_t i = 0; i < m.boxes.size(); ++i) m.boxes[i].factor.text = tree_table()[i].brief;
  if (!times) return;
  RaceCell cell = race_cell_of(call);
  if (!times->ms_of(Contender::Naive, cell)) cell = race_cell_of(usual);
  const std::optional<double> naive = times->ms_of(Contender::Naive, cell);
  if (!naive) return;
  m.recorded = recorded_fact(member_row(chosen), *times, cell, *naive);
  double most = 0;
  for (std::size_t i = 0; i < m.boxes.size(); ++i) {
    const std::optional<Contender> who = tree_table()[i].raced_as;
    const std::optional<double> ms = who ? times->ms_of(*who, cell) : std::nullopt;
    if (!ms || *ms <= 0) continue;
    TreeFactor& factor = m.boxes[i].factor;
    factor.times = *naive / *ms;
    factor.text = fmt::format("{:.{}f}×", factor.times, factor.times < 10 ? 1 : 0);
    m.boxes[i].tip +=
        fmt::format("\nRecorded: {} times naive attention's speed, {} for {}.",
                    factor.text.substr(0, factor.text.size() - std::string("×").size()), ms_text(*ms), ms_text(*naive));
    most = std::max(most, factor.times);
    const std::string why = few_blocks(tree_table()[i], cell, device_of(times->device));
    if (why.empty()) continue;
    m.boxes[i].tip += " Here " + why + ".";
    if (factor.times >= 1) continue;
    TreeBox& box = m.boxes[i];
    factor.text += " here";  // else a reader takes it for what was published
    box.published = fmt::format("published {}", tree_table()[i].brief);
    box.slower = fmt::format("{}: {} of {} SMs busy", factor.text, std::int64_t(cell.batch) * cell.heads,
                             device_of(times->device).sms);
  }
  for (TreeBox& box : m.boxes) box.factor.share = most > 0 ? box.factor.times / most : 0;
  m.naive_share = most > 0 ? 1 / most : 0;
  m.raced =
      fmt::format("speed over naive, recorded on an {}: N {}, d {}, {} × {} heads, {}", device_of(times->device).title,
                  format_count(cell.n), cell.d, cell.batch, cell.heads, cell.causal ? "causal" : "no mask");
}

void describe(TreeModel& m, const MemberRow& row) {
  m.name = fmt::format("{}, {}", row.name, when(row));
  m.changes = row.changes;
  const auto fact = [&](const char* title, std::string text) {
    if (!text.empty()) m.facts.push_back({title, std::move(text)});
  };
  fact("what it changed", branch_row(row.branch).title);
  fact("built on", built_on(row));
  fact("result", row.exact ? "exact, but for rounding" + (*row.exact_note ? fmt::format("; {}", row.exact_note) : "")
                           : "approximate");
  fact("runs on", row.runs_on);
  fact("published", row.result);
  fact("recorded here", m.recorded);
  fact("source", row.source);
  add_orders(m, row);
  if (!row.schedule) return;
  m.overlap = known_overlap(*row.schedule);
  m.show = fmt::format("Walk {}", title_of(*row.schedule));
  m.commands = {SetSchedule{*row.schedule}, ShowPage{Page::Walk}};
}

}  // namespace

TreeModel build_tree_model(TreeMember chosen, const RaceTimes* times, const Call& call, const Call& usual) {
  TreeModel m;
  place(m, chosen);
  add_ways(m);
  add_factors(m, chosen, times, call, usual);
  describe(m, member_row(chosen));
  return m;
}

}  // namespace tilewalk
