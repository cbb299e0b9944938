#include "core/predict/compare.h"

#include <algorithm>
#include <functional>

#include "core/fields/fields.h"
#include "core/predict/dram_bytes.h"
#include "core/predict/run_time.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostSplits = 256;

using Chosen = std::function<bool(const Transfer&)>;

// Visits that fetch O from HBM and put it back rescaled.
std::int64_t rescales_in_hbm(const std::vector<Transfer>& transfers) {
  for (const Transfer& t : transfers)
    if (t.tensor == TensorId::O && !t.write && t.phase == Phase::LoadQ) return t.times;
  return 0;
}

struct Side {
  const Problem& p;
  std::vector<Transfer> transfers;
  Cost cost;
  ComparedRun run;

  Side(const Schedule& schedule, const RunTime& time)
      : p(schedule.problem()),
        transfers(transfers_of(schedule)),
        cost(schedule.totals_before(schedule.step_count()).cost) {
    run = {.time = time,
           .hbm_bytes = cost.hbm_total().bytes(),
           .dram_bytes = modelled_dram_bytes(schedule),
           .ledger_bytes = double(textbook(p).hbm_elements) * p.numerics.element_bytes(),
           .rescales_in_hbm = rescales_in_hbm(transfers)};
  }
};

std::vector<Transfer> choose(const std::vector<Transfer>& all, const Chosen& chosen) {
  std::vector<Transfer> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out), chosen);
  return out;
}

double bytes_of(const std::vector<Transfer>& all) {
  double sum = 0;
  for (const Transfer& t : all) sum += double(t.bytes);
  return sum;
}

bool is_any(TensorId id, std::initializer_list<TensorId> of) { return std::find(of.begin(), of.end(), id) != of.end(); }

}  // namespace

Issues why_not_comparable(const Problem& a, const Problem& b) {
  Issues issues;
  for (const Field& field : fields()) {
    const std::string name = field.name;
    if ((field.group == FieldGroup::Shape || name == "dtype" || name == "device") && !field.same(a, b))
      issues.push_back(
          {name, field.text(a) + " and " + field.text(b), "must be the same on both sides", "Pin this problem again"});
  }
  return issues;
}

Problem under_schedule(const Problem& from, ScheduleKind kind) {
  Problem p = from;
  p.schedule = kind;
  p.fault = Fault::None;
  p.tiling.splits = 1;
  p.numerics.narrow_scores = p.numerics.narrow_scores && may_have_narrow_scores(p);
  if (why_stages_deadlock(p)) p.tiling.stages = 2;
  const DeviceModel& device = device_of(p.machine);
  if (schedule_row(kind).settings.splits) {
    const std::int64_t blocks = p.shape.batch * p.shape.heads * p.q_tiles();
    p.tiling.splits = std::clamp<std::int64_t>(device.sms / std::max<std::int64_t>(1, blocks), 1,
                                               std::min(kMostSplits, p.kv_tiles()));
  }
  const auto needed = [&] { return peak_bytes(p); };
  // Br decides how often K and V are read again; in FA-1, Bc decides how often Q and O are.
  constexpr std::int64_t kFewRows = 16;
  const bool by_keys = schedule_row(kind).walk.block == BlockKind::Head;
  std::int64_t& harmless = by_keys ? p.tiling.br : p.tiling.bc;
  while (needed() > p.machine.sram_bytes) {
    if (needed() <= device.sram_per_block_bytes)
      p.machine.sram_bytes = needed();
    else if (p.tiling.br == 1 && p.tiling.bc == 1)
      p.machine.sram_bytes = needed();
    else if (harmless > kFewRows)
      harmless = std::max(kFewRows, harmless / 2);
    else
      (p.tiling.br >= p.tiling.bc ? p.tiling.br : p.tiling.bc) /= 2;
  }
  return p;
}

Comparison build_comparison(const Schedule& of_left, const Schedule& of_right, const RunTime& left_time,
                            const RunTime& right_time) {
  const Side left(of_left, left_time), right(of_right, right_time);
  Comparison out{.left = left.p, .right = right.p, .rows = {}, .left_run = left.run, .right_run = right.run};
  const auto bytes = [&](const char* id, const Chosen& chosen, bool always = true) {
    CompareRow row{
        .id = id, .left_transfers = choose(left.transfers, chosen), .right_transfers = choose(right.transfers, chosen)};
    row.left = bytes_of(row.left_transfers);
    row.right = bytes_of(row.right_transfers);
    if (always || row.left > 0 || row.right > 0) out.rows.push_back(std::move(row));
  };
  const auto figure = [&](const char* id, CompareUnit unit, double l, double r, bool modelled,
                          bool more_is_better = false) {
    out.rows.push_back({id, unit, l, r, more_is_better, modelled});
  };
  using enum TensorId;
  bytes("kv-read", [](const Transfer& t) { return is_any(t.tensor, {K, V}) && !t.write; });
  bytes("qo", [](const Transfer& t) { return is_any(t.tensor, {Q, O}); });
  bytes("stats", [](const Transfer& t) { return is_any(t.tensor, {m, l, L}); });
  bytes(
      "sp",
      [](const Transfer& t) {
        return is_any(t.tensor, {S, P});
      },
      false);
  bytes(
      "other",
      [](const Transfer& t) {
        return !is_any(t.tensor, {K, V, Q, O, m, l, L, S, P}) || (is_any(t.tensor, {K, V}) && t.write);
      },
      false);
  bytes("all", [](const Transfer&) { return true; });
  figure("dram", CompareUnit::Bytes, double(left.run.dram_bytes), double(right.run.dram_bytes), true);
  figure("ledger", CompareUnit::Bytes, left.run.ledger_bytes, right.run.ledger_bytes, true);
  figure("rescales", CompareUnit::YesNo, double(left.run.rescales_in_hbm), double(right.run.rescales_in_hbm), false);
  const Chosen rescaled = [](const Transfer& t) {
    return t.tensor == O && (t.phase == Phase::LoadQ || t.phase == Phase::Store);
  };
  if (left.run.rescales_in_hbm > 0) out.rows.back().left_transfers = choose(left.transfers, rescaled);
  if (right.run.rescales_in_hbm > 0) out.rows.back().right_transfers = choose(right.transfers, rescaled);
  figure("sms", CompareUnit::OfSms, left.run.time.waves.sms_in_first_wave, right.run.time.waves.sms_in_first_wave,
         false, true);
  figure("matmul", CompareUnit::Operations, double(left.cost.matmul), double(right.cost.matmul), false);
  figure("exp", CompareUnit::Count, double(left.cost.exp), double(right.cost.exp), false);
  figure("flops", CompareUnit::Operations, double(left.cost.other), double(right.cost.other), false);
  figure("time", CompareUnit::Milliseconds, out.left_run.ms(), out.right_run.ms(), true);
  return out;
}

}  // namespace tilewalk
