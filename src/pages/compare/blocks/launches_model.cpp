#include "pages/compare/blocks/launches_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

struct LaunchesSide {
  const Schedule& schedule;
  const Problem& p;
  Cost cost;

  explicit LaunchesSide(const Schedule& s) : schedule(s), p(s.problem()), cost(s.totals_before(s.step_count()).cost) {}
  std::string title() const { return title_of(p.schedule); }
  std::int64_t bytes() const { return cost.hbm_total().bytes(); }
};

double longest_launch_of(const LaunchesSide& side) {
  double longest = 0;
  for (int section = 0; section < side.schedule.section_count(); ++section) {
    longest = std::max(longest, double(section_cost(side.schedule, section).hbm_total().bytes()));
  }
  return longest;
}

std::string sentence_of(const Problem& p) {
  if (row_of(p).memory.scores_in_hbm)
    return "Each launch waits for the one before: P, dP and dS are in HBM between them.";
  return "In the walk a thread block takes a KV head: K, V, dK and dV stay on chip, and dQ travels.";
}

LaunchesModel model_of(const LaunchesSide& side, double longest, double longest_launch) {
  LaunchesModel out;
  out.title = fmt::format("{} · {} launches", side.title(), side.schedule.section_count());
  out.traffic = traffic_bar(side.title(), side.cost, longest);
  for (int section = 0; section < side.schedule.section_count(); ++section) {
    const Cost cost = section_cost(side.schedule, section);
    const Traffic bytes = cost.hbm_total();
    out.lines.push_back({fmt::format("{} {}", section + 1, name_of(side.schedule.section_name(section))),
                         format_count(launch_blocks(side.schedule, section)), format_bytes(bytes.read_bytes),
                         format_bytes(bytes.write_bytes), format_flops(cost.matmul),
                         traffic_bar("", cost, longest_launch)});
  }
  out.sentence = sentence_of(side.p);
  return out;
}

std::string verdict_of(const LaunchesSide& left, const LaunchesSide& right) {
  const std::string bytes = bytes_against(double(left.bytes()), double(right.bytes()));
  const std::string text = fmt::format("{} asks global memory for {} {} {}", right.title(), bytes,
                                       bytes.ends_with("much") ? "as" : "than", left.title());
  const double change = double(right.cost.matmul) / double(left.cost.matmul) - 1, percent = 100 * std::fabs(change);
  if (change == 0) return text + ", and multiplies as much.";
  const bool again = change > 0 && !row_of(right.p).memory.scores_in_hbm;
  return text + fmt::format(". Its products take {:.{}f} % {} FLOPs{}.", percent, percent < 10 ? 1 : 0,
                            change > 0 ? "more" : "fewer", again ? ": it makes S again rather than read P" : "");
}

struct RowOfTensors {
  const char* id;
  const char* names;
  std::vector<TensorId> ids;
};

const RowOfTensors kRows[] = {{"q", "Q", {TensorId::Q}},
                              {"kv", "K, V", {TensorId::K, TensorId::V}},
                              {"o", "O, dO", {TensorId::O, TensorId::dO}},
                              {"rows", "m, ℓ, L, D", {TensorId::m, TensorId::l, TensorId::L, TensorId::D}},
                              {"s", "S, P", {TensorId::S, TensorId::P}},
                              {"ds", "dP, dS", {TensorId::dP, TensorId::dS}},
                              {"dq", "dQ", {TensorId::dQ}},
                              {"dkv", "dK, dV", {TensorId::dK, TensorId::dV}}};

}  // namespace

std::int64_t launch_blocks(const Schedule& schedule, int section) {
  const Problem& p = schedule.problem();
  const std::int64_t heads = p.shape.batch * p.shape.heads, kv_heads = p.shape.batch * p.shape.kv_heads;
  switch (schedule.section_name(section)) {
    case SectionName::Softmax:
    case SectionName::GradS: return heads * p.shape.n_q;  // one for each row
    case SectionName::Walk:
      if (schedule.section(section).shares_heads) return kv_heads;
      if (schedule.kv_outside(section)) return heads;
      return heads * p.q_tiles() * (schedule.section(section).splits ? p.tiling.splits : 1);
    default: return schedule.kv_outside(section) ? kv_heads * p.kv_tiles() : heads * p.q_tiles();
  }
}

LaunchesPair build_launches(const Schedule& left, const Schedule& right) {
  const LaunchesSide a(left), b(right);
  const double longest = double(std::max(a.bytes(), b.bytes()));
  const double longest_launch = std::max(longest_launch_of(a), longest_launch_of(b));
  LaunchesPair out{model_of(a, longest, longest_launch), model_of(b, longest, longest_launch), {}};
  for (int i = 0; i < kTensorCount; ++i) {
    const auto moves = [i](const Cost& cost) { return cost.hbm[std::size_t(i)] != Traffic{}; };
    if (moves(a.cost) || moves(b.cost)) out.legend.push_back(TensorId(i));
  }
  return out;
}

BackwardComparison build_backward_comparison(const Schedule& left, const Schedule& right) {
  const LaunchesSide a(left), b(right);
  BackwardComparison out;
  out.figures.left = a.p, out.figures.right = b.p, out.words.verdict = verdict_of(a, b);
  const auto add = [&](std::string id, std::string title, CompareUnit unit, double l, double r) -> CompareRow& {
    out.words.titles.push_back(std::move(title));
    return out.figures.rows.emplace_back(CompareRow{.id = std::move(id), .unit = unit, .left = l, .right = r});
  };
  const std::vector<Transfer> moved_a = transfers_of(a.schedule), moved_b = transfers_of(b.schedule);
  for (const RowOfTensors& group : kRows) {
    const auto is_any = [&](TensorId id) {
      return std::find(group.ids.begin(), group.ids.end(), id) != group.ids.end();
    };
    Traffic l, r;
    for (int i = 0; i < kTensorCount; ++i)
      if (is_any(TensorId(i))) l += a.cost.of(TensorId(i)), r += b.cost.of(TensorId(i));
    if (l == Traffic{} && r == Traffic{}) continue;
    const bool reads = l.read_bytes + r.read_bytes > 0, writes = l.write_bytes + r.write_bytes > 0;
    CompareRow& row = add(group.id,
                          group.names + std::string(reads && writes ? " read and written"
                                                    : reads         ? " read"
                                                                    : " written"),
                          CompareUnit::Bytes, double(l.bytes()), double(r.bytes()));
    const auto of_it = [&](const std::vector<Transfer>& all) {
      std::vector<Transfer> some;
      std::copy_if(all.begin(), all.end(), std::back_inserter(some),
                   [&](const Transfer& t) { return is_any(t.tensor); });
      return some;
    };
    row.left_transfers = of_it(moved_a), row.right_transfers = of_it(moved_b);
  }
  add("hbm", "all of global memory", CompareUnit::Bytes, double(a.bytes()), double(b.bytes()));
  add("flops", "FLOPs in products", CompareUnit::Operations, double(a.cost.matmul), double(b.cost.matmul));
  add("exp", "exponentials", CompareUnit::Count, double(a.cost.exp), double(b.cost.exp));
  add("other", "other FLOPs", CompareUnit::Operations, double(a.cost.other), double(b.cost.other));
  return out;
}

}  // namespace tilewalk
