#include "pages/compare/blocks/warps_visit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/schedules/registry.h"
#include "view/walk/thread_block.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kSimulated = 8;  // visits: the pipeline is full in the middle of them

bool is_load(Doing doing) {
  return doing == Doing::LoadQ || doing == Doing::LoadK || doing == Doing::LoadV || doing == Doing::LoadState;
}
bool is_product(Doing doing) { return doing == Doing::Scores || doing == Doing::Accumulate; }

// Row max, exponentials and row sum of a tile are one softmax.
Doing shown(Doing doing) {
  return doing == Doing::RowMax || doing == Doing::RowSum || doing == Doing::Rescale ? Doing::Exponentiate : doing;
}

// From one tile's scores to the next one's, in the first part of the rows.
std::pair<double, double> one_visit(const Timeline& t) {
  std::vector<double> starts;
  for (const Segment& s : t.segments)
    if (s.doing == Doing::Scores && s.half <= 0) starts.push_back(s.start);
  std::sort(starts.begin(), starts.end());
  if (starts.size() < 2) return {0, t.simulated_cycles};
  const std::size_t from = std::min(starts.size() / 2, starts.size() - 2);
  return {starts[from], starts[from + 1]};
}

WarpWork as_work(const VisitWork& w, double t) {
  WarpWork out{.doing = w.doing, .share = std::clamp((t - w.begin) / (w.end - w.begin), 0.0, 1.0), .label = {}};
  const char* const name = w.doing == Doing::LoadK          ? "K"
                           : w.doing == Doing::LoadV        ? "V"
                           : is_load(w.doing)               ? "Q"
                           : is_product(w.doing)            ? name_of(w.doing)
                           : w.doing == Doing::Exponentiate ? "softmax"
                                                            : name_of(w.doing);
  out.label = w.tile < 0 ? name : fmt::format("{} {}", name, w.tile);
  return out;
}

}  // namespace

WarpsVisit warps_visit(const Schedule& schedule) {
  const Problem& p = schedule.problem();
  const Timeline t = timeline_of(schedule, {0, 0, group_of(p, State{})}, kSimulated);
  WarpsVisit out;
  if (t.lanes.empty() || t.simulated_cycles <= 0) return out;
  const auto [from, to] = one_visit(t);
  out.cycles = to - from;
  const bool by_query = row_of(p).walk.block == BlockKind::Head;
  for (const Segment& s : t.segments) {
    if (s.doing == Doing::Waiting || s.end <= from || s.start >= to || s.end <= s.start) continue;
    const VisitWork work{.begin = (s.start - from) / out.cycles,
                         .end = (s.end - from) / out.cycles,
                         .doing = shown(s.doing),
                         .tile = by_query ? s.q_tile : s.kv_tile,
                         .part = is_load(s.doing) ? -1 : s.half};
    VisitWork* const last = out.work.empty() ? nullptr : &out.work.back();
    if (last && last->doing == work.doing && last->tile == work.tile && last->part == work.part && !is_load(s.doing))
      last->end = std::max(last->end, work.end);
    else
      out.work.push_back(work);
  }
  return out;
}

WarpMoment warp_moment(const WarpsVisit& visit, int part, int parts, double t) {
  WarpMoment out;
  for (const VisitWork& w : visit.work) {
    if (is_load(w.doing) || w.doing == Doing::Store || t < w.begin || t >= w.end) continue;
    if (w.part >= 0 && w.part % std::max(1, parts) != part) continue;
    (is_product(w.doing) ? out.product : out.other) = as_work(w, t);
  }
  return out;
}

WarpWork load_moment(const WarpsVisit& visit, Doing load, double t) {
  for (const VisitWork& w : visit.work)
    if (w.doing == load && t >= w.begin && t < w.end) return as_work(w, t);
  return {.doing = load, .share = 1, .label = {}};
}

}  // namespace tilewalk
