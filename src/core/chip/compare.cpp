#include "core/chip/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "base/units.h"
#include "core/chip/l2_model.h"
#include "core/schedules/fields/fields.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostSplits = 256;

using Chosen = std::function<bool(const Transfer&)>;

struct Side {
  Problem p;
  std::unique_ptr<const Schedule> schedule;
  std::vector<Transfer> transfers;
  Cost cost;
  Waves waves;
  RunCycles cycles;
  Traffic dram;

  explicit Side(const Problem& problem)
      : p(problem), schedule(make_schedule(problem)), transfers(transfers_of(*schedule)) {
    cost = schedule->totals_before(schedule->step_count()).cost;
    waves = build_waves(p);
    cycles = run_cycles(p, waves);
    dram = estimate_l2(*schedule).dram_total();
  }
  std::string title() const { return title_of(p.schedule); }
  bool scores_in_hbm() const { return row_of(p).memory.scores_in_hbm; }
  double ledger() const { return double(textbook(p).hbm_elements) * p.numerics.element_bytes(); }
  std::int64_t bytes() const {
    const Traffic t = cost.hbm_total();
    return t.read_bytes + t.write_bytes;
  }
  // Visits that fetch O from HBM and put it back rescaled.
  std::int64_t rescales_in_hbm() const {
    for (const Transfer& t : transfers)
      if (t.tensor == TensorId::O && !t.write && t.phase == Phase::LoadQ) return t.times;
    return 0;
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

std::string times_text(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, ratio < 10 ? "%.1f×" : "%.0f×", ratio);
  return text;
}

// "1.8× less", "2.0× more", or "about as much": what `now` is against `before`.
std::string against(double now, double before, const char* less, const char* more, const char* same) {
  if (now <= 0 || before <= 0 || (now / before < 1.05 && before / now < 1.05)) return same;
  return now < before ? times_text(before / now) + " " + less : times_text(now / before) + " " + more;
}

std::string verdict_of(const Side& left, const Side& right) {
  const double slower = right.cycles.total() / std::max(1.0, left.cycles.total());
  const std::string moved = against(double(right.bytes()), double(left.bytes()), "less", "more", "as much");
  const std::string time = against(right.cycles.total(), left.cycles.total(), "less", "more", "as much");
  const bool more_bytes = right.bytes() > left.bytes() * 1.05;
  const std::string sms = std::to_string(right.waves.sms_in_first_wave) + " SMs busy where " + left.title() +
                          " keeps " + std::to_string(left.waves.sms_in_first_wave);
  const bool more_sms = right.waves.sms_in_first_wave > left.waves.sms_in_first_wave,
             fewer_sms = right.waves.sms_in_first_wave < left.waves.sms_in_first_wave;
  const std::string facts = right.title() + " asks global memory for " + moved + " than " + left.title() +
                            " and takes " + time + " modelled time";
  const auto sentence = [&](const std::string& why) {
    std::string text = facts;
    if (const auto at = text.find("as much than"); at != std::string::npos) text.replace(at, 12, "as much as");
    if (slower <= 1.05) return text + why + ".";
    return "Here " + right.title() + " loses: it" + text.substr(right.title().size()) +
           (why.starts_with(": ") ? ", because " + why.substr(2) : why) + ".";
  };
  const std::string rereads = "K and V are read again for each of " + format_count(right.p.q_tiles()) + " Q tiles";
  if (slower > 1.05) {
    if (fewer_sms)
      return sentence(": it keeps only " + std::to_string(right.waves.sms_in_first_wave) + " of " +
                      std::to_string(right.waves.sms) + " SMs busy");
    if (more_bytes && right.rescales_in_hbm() > 0) return sentence(": O goes to HBM and back at every visit");
    if (more_bytes) return sentence(": " + rereads);
    return sentence(": its loads and products wait for each other, where so little is to be done");
  }
  if (left.scores_in_hbm() && right.ledger() > left.ledger() * 1.05)
    return sentence("; by the papers' ledgers, where plain attention reads K and V once, it would lose, with " +
                    against(right.ledger(), left.ledger(), "less", "more", "as much") + " bytes: " + rereads);
  if (slower < 0.95) {
    if (more_sms) return sentence(": it keeps " + sms);
    if (more_bytes && right.dram.read_bytes + right.dram.write_bytes < right.bytes() / 2)
      return sentence(": what it reads again, L2 answers");
    if (left.scores_in_hbm()) return sentence(": S and P never leave the chip");
    return sentence(": its lanes wait less for each other");
  }
  return sentence("");
}

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
  if (why_stages_deadlock(p)) p.tiling.stages = 2;
  const DeviceModel& device = device_of(p.machine);
  if (schedule_row(kind).settings.splits) {
    const std::int64_t blocks = p.shape.batch * p.shape.heads * p.q_tiles();
    p.tiling.splits = std::clamp<std::int64_t>(device.sms / std::max<std::int64_t>(1, blocks), 1,
                                        std::min(kMostSplits, p.kv_tiles()));
  }
  const auto needed = [&] {
    std::int64_t sum = 0;
    for (const Resident& r : peak_residents(p)) sum += r.bytes;
    return sum;
  };
  while (needed() > p.machine.sram_bytes) {
    if (needed() <= device.sram_per_block_bytes)
      p.machine.sram_bytes = needed();
    else if (p.tiling.br == 1 && p.tiling.bc == 1)
      p.machine.sram_bytes = needed();
    else
      (p.tiling.br >= p.tiling.bc ? p.tiling.br : p.tiling.bc) =
          std::max<std::int64_t>(1, (p.tiling.br >= p.tiling.bc ? p.tiling.br : p.tiling.bc) / 2);
  }
  return p;
}

Comparison build_comparison(const Problem& left_problem, const Problem& right_problem) {
  const Side left(left_problem), right(right_problem);
  Comparison out{left.p, right.p, {}, left.waves.sms, right.waves.sms, verdict_of(left, right)};
  const auto bytes = [&](const char* id, const char* title, const Chosen& chosen, bool always = true) {
    CompareRow row{id,
                   title,
                   CompareUnit::Bytes,
                   0,
                   0,
                   false,
                   false,
                   choose(left.transfers, chosen),
                   choose(right.transfers, chosen)};
    row.left = bytes_of(row.left_transfers);
    row.right = bytes_of(row.right_transfers);
    if (always || row.left > 0 || row.right > 0) out.rows.push_back(std::move(row));
  };
  const auto figure = [&](const char* id, const char* title, CompareUnit unit, double l, double r, bool modelled,
                          bool more_is_better = false) {
    out.rows.push_back({id, title, unit, l, r, more_is_better, modelled, {}, {}});
  };
  using enum TensorId;
  bytes("kv-read", "K, V read", [](const Transfer& t) { return is_any(t.tensor, {K, V}) && !t.write; });
  bytes("qo", "Q, O read and written", [](const Transfer& t) { return is_any(t.tensor, {Q, O}); });
  bytes("stats", "m, ℓ, L", [](const Transfer& t) { return is_any(t.tensor, {m, l, L}); });
  bytes(
      "sp", "S, P",
      [](const Transfer& t) {
        return is_any(t.tensor, {S, P});
      },
      false);
  bytes(
      "other", "other tensors",
      [](const Transfer& t) {
        return !is_any(t.tensor, {K, V, Q, O, m, l, L, S, P}) || (is_any(t.tensor, {K, V}) && t.write);
      },
      false);
  bytes("all", "all of global memory", [](const Transfer&) { return true; });
  figure("dram", "of all, from and to DRAM", CompareUnit::Bytes, double(left.dram.read_bytes + left.dram.write_bytes),
         double(right.dram.read_bytes + right.dram.write_bytes), true);
  figure("ledger", "by the papers' ledgers, no mask", CompareUnit::Bytes, left.ledger(), right.ledger(), true);
  figure("rescales", "rescales of O kept in HBM", CompareUnit::YesNo, double(left.rescales_in_hbm()),
         double(right.rescales_in_hbm()), false);
  const Chosen rescaled = [](const Transfer& t) {
    return t.tensor == O && (t.phase == Phase::LoadQ || t.phase == Phase::Store);
  };
  if (left.rescales_in_hbm() > 0) out.rows.back().left_transfers = choose(left.transfers, rescaled);
  if (right.rescales_in_hbm() > 0) out.rows.back().right_transfers = choose(right.transfers, rescaled);
  figure("sms", "SMs busy, first wave", CompareUnit::OfSms, left.waves.sms_in_first_wave, right.waves.sms_in_first_wave,
         false, true);
  figure("matmul", "FLOPs in products", CompareUnit::Operations, double(left.cost.matmul), double(right.cost.matmul),
         false);
  figure("exp", "exponentials", CompareUnit::Count, double(left.cost.exp), double(right.cost.exp), false);
  figure("flops", "other FLOPs", CompareUnit::Operations, double(left.cost.other), double(right.cost.other), false);
  figure("cycles", "modelled time", CompareUnit::Cycles, left.cycles.total(), right.cycles.total(), true);
  return out;
}

}  // namespace tilewalk
