#include "core/predict/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "base/units.h"
#include "core/chip/l2_model.h"
#include "core/predict/run_time.h"
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
  RunTime run;
  Cost cost;
  Traffic dram;

  Side(const Problem& problem, const RunTime& of_it)
      : p(problem), schedule(make_schedule(problem)), transfers(transfers_of(*schedule)), run(of_it) {
    cost = schedule->totals_before(schedule->step_count()).cost;
    dram = estimate_l2(*schedule).dram_total();
  }
  std::string title() const { return run_title(p); }
  const Waves& waves() const { return run.waves; }
  bool scores_in_hbm() const { return row_of(p).memory.scores_in_hbm; }
  double ledger() const { return double(textbook(p).hbm_elements) * p.numerics.element_bytes(); }
  std::int64_t bytes() const {
    const Traffic t = cost.hbm_total();
    return t.read_bytes + t.write_bytes;
  }
  // Visits that read O from HBM and write it back rescaled.
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

bool too_small(const Side& left, const Side& right) { return left.run.by_processor && right.run.by_processor; }

// "takes 41 % less modelled time than FA-2": the table's figure in words.
std::string time_words(const Side& left, const Side& right) {
  const std::string change = change_text(left.run.seconds, right.run.seconds);
  if (change == "same") return "takes the same modelled time as " + left.title();
  if (change.starts_with("−"))
    return "takes " + change.substr(std::string("−").size()) + " less modelled time than " + left.title();
  if (change.starts_with("+")) return "takes " + change.substr(1) + " more modelled time than " + left.title();
  return "takes " + change + " the modelled time of " + left.title();
}

std::string bytes_words(const Side& left, const Side& right) {
  const double ratio = double(right.bytes()) / double(std::max<std::int64_t>(1, left.bytes()));
  if (right.bytes() == left.bytes()) return "asks global memory for as many bytes";
  if (std::fabs(ratio - 1) < 0.05)
    return std::string("asks global memory for slightly ") + (ratio < 1 ? "less" : "more");
  return "asks global memory for " + (ratio < 1 ? times_text(1 / ratio) + " less" : times_text(ratio) + " more");
}

std::string tiles_words(const Problem& p) { return std::to_string(p.tiling.br) + "×" + std::to_string(p.tiling.bc); }

// The reason why the right one is slower; empty where nothing counted or modelled here explains it.
std::string why_slower(const Side& left, const Side& right) {
  const int before = left.waves().sms_in_first_wave, now = right.waves().sms_in_first_wave;
  if (now < before)
    return "it keeps only " + std::to_string(now) + " of " + std::to_string(right.waves().sms) + " SMs busy";
  if (double(right.bytes()) > double(left.bytes()) * 1.05)
    return right.rescales_in_hbm() > 0
               ? "O goes to HBM and back at every visit"
               : "K and V are read again for each of " + format_count(right.p.q_tiles()) + " Q tiles";
  const int more = right.run.launches - left.run.launches;
  if (more > 0 && right.run.seconds - left.run.seconds < 2 * more * kOwnLaunch) return "it launches once more";
  const int beside = right.waves().occupancy.blocks_per_sm, were = left.waves().occupancy.blocks_per_sm;
  if (beside < were)
    return "an SM holds " + std::to_string(beside) + " of its thread blocks at once, by " +
           right.waves().occupancy.limit + ", and " + std::to_string(were) + " of " + left.title() + "'s";
  return "";
}

std::string why_faster(const Side& left, const Side& right) {
  const int before = left.waves().sms_in_first_wave, now = right.waves().sms_in_first_wave;
  if (now > before)
    return "it keeps " + std::to_string(now) + " SMs busy where " + left.title() + " keeps " + std::to_string(before);
  if (right.bytes() > left.bytes() && right.dram.read_bytes + right.dram.write_bytes < right.bytes() / 2)
    return "what it reads again, L2 answers";
  if (left.scores_in_hbm() && !right.scores_in_hbm()) return "S and P never leave the chip";
  if (has_lanes(left.p.schedule) && has_lanes(right.p.schedule)) return "its lanes wait less for each other";
  return "";
}

std::string verdict_of(const Side& left, const Side& right) {
  std::string bytes = bytes_words(left, right);
  if (left.p.tiling.br != right.p.tiling.br || left.p.tiling.bc != right.p.tiling.bc)
    bytes += " (tiles " + tiles_words(right.p) + ", and " + tiles_words(left.p) + " of " + left.title() + ")";
  std::string ledger;
  if (left.scores_in_hbm() && right.ledger() > left.ledger() * 1.05)
    ledger = "; by the papers' ledgers, where naive attention reads K and V once, it would lose, with " +
             times_text(right.ledger() / left.ledger()) + " more bytes: K and V are read again for each of " +
             format_count(right.p.q_tiles()) + " Q tiles";
  if (too_small(left, right))
    return "Too small to tell which is faster: the processor's launches, " +
           std::to_string(std::lround(kOwnLaunch * 1e6)) + " µs each, may take longer than the GPU. " + right.title() +
           " " + bytes + (bytes.ends_with("bytes") ? " as " : " than ") + left.title() + ledger + ".";
  const double slower = right.run.seconds / left.run.seconds;
  const std::string facts = time_words(left, right) + " and " + bytes;
  if (slower > 1.05) {
    const std::string why = why_slower(left, right);
    return "Here " + right.title() + " loses: it " + facts + (why.empty() ? "" : ", because " + why) + ".";
  }
  if (!ledger.empty()) return right.title() + " " + facts + ledger + ".";
  const std::string why = slower < 0.95 ? why_faster(left, right) : "";
  return right.title() + " " + facts + (why.empty() ? "" : ": " + why) + ".";
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

std::string change_text(double left, double right) {
  if (left == right) return "same";
  if (left <= 0 || right <= 0) return "";
  const double ratio = right / left, part = std::fabs(ratio - 1);
  const char* sign = ratio < 1 ? "−" : "+";
  char text[32];
  if (ratio >= 1.995) return times_text(ratio);
  if (part < 0.0005) return std::string(sign) + "<0.1 %";
  std::snprintf(text, sizeof text, "%s%.*f %%", sign, part < 0.1 ? 1 : 0, part * 100);
  return text;
}

std::string run_title(const Problem& p) {
  const bool wide = row_of(p).memory.scores_in_hbm && !row_of(p).family.backward && p.numerics.dtype != DType::Fp32;
  return std::string(title_of(p.schedule)) + (wide ? " (S in fp32)" : "");
}

Comparison build_comparison(const Problem& left, const Problem& right) {
  return build_comparison(left, right, run_time(left), run_time(right));
}

Comparison build_comparison(const Problem& left_problem, const Problem& right_problem, const RunTime& of_left,
                            const RunTime& of_right) {
  const Side left(left_problem, of_left), right(right_problem, of_right);
  Comparison out{.left = left.p,
                 .right = right.p,
                 .rows = {},
                 .left_sms = left.waves().sms,
                 .right_sms = right.waves().sms,
                 .left_ms = left.run.seconds * 1e3,
                 .right_ms = right.run.seconds * 1e3,
                 .verdict = verdict_of(left, right),
                 .too_small = too_small(left, right)};
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
  figure("sms", "SMs busy, first wave", CompareUnit::OfSms, left.waves().sms_in_first_wave,
         right.waves().sms_in_first_wave, false, true);
  figure("matmul", "FLOPs in products", CompareUnit::Operations, double(left.cost.matmul), double(right.cost.matmul),
         false);
  figure("exp", "exponentials", CompareUnit::Count, double(left.cost.exp), double(right.cost.exp), false);
  figure("flops", "other FLOPs", CompareUnit::Operations, double(left.cost.other), double(right.cost.other), false);
  figure("time", "modelled time", CompareUnit::Milliseconds, out.left_ms, out.right_ms, true);
  return out;
}

}  // namespace tilewalk
