#include "app/export/counters_csv.h"

#include <fmt/format.h>

#include "app/export/text_out.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kAskEvery = 4096;  // steps

std::string place(std::int64_t tile) { return tile < 0 ? "" : std::to_string(tile); }

}  // namespace

Issues why_no_counters_csv(const Schedule& schedule) {
  if (schedule.step_count() <= kMostCsvSteps) return {};
  return {{"csv", format_count(schedule.step_count()) + " steps",
           fmt::format("must be at most {}: a line each", format_count(kMostCsvSteps)),
           "Take a smaller --n or larger tiles, or ask for totals by --at"}};
}

Result<bool> write_counters_csv(const Schedule& schedule, const ByteSink& sink,
                                const std::function<bool(double)>& go_on) {
  const std::int64_t steps = schedule.step_count();
  const Cost whole = schedule.totals_before(steps).cost;
  std::vector<std::size_t> touched;
  for (std::size_t i = 0; i < whole.hbm.size(); ++i)
    if (whole.hbm[i] != Traffic{}) touched.push_back(i);

  TextOut out(sink);
  std::string line = "step,pass,phase,batch,head,q_tile,kv_tile,tile_class";
  for (const std::size_t i : touched) line += fmt::format(",{0}_read_bytes,{0}_write_bytes", kTensorNames[i]);
  line += ",hbm_read_bytes,hbm_write_bytes,sram_read_bytes,sram_write_bytes,matmul_flops,exp_flops,other_flops\n";
  out.put(line);
  Cost cost;
  for (std::int64_t k = 0; k < steps; ++k) {
    if (k % kAskEvery == 0 && !go_on(double(k) / double(steps))) return false;
    const Step step = schedule.step(k);
    cost += schedule.cost_of(step);
    line = fmt::format("{},{},{},{},{},{},{},{}", k + 1, step.section + 1, name_of(step.phase), step.batch, step.head,
                       place(step.q_tile), place(step.kv_tile), step.in_visit() ? name_of(step.tile_class) : "");
    for (const std::size_t i : touched) line += fmt::format(",{},{}", cost.hbm[i].read_bytes, cost.hbm[i].write_bytes);
    const Traffic total = cost.hbm_total();
    line += fmt::format(",{},{},{},{},{},{},{}\n", total.read_bytes, total.write_bytes, cost.sram.read_bytes,
                        cost.sram.write_bytes, cost.matmul, cost.exp, cost.other);
    if (!out.put(line)) break;
  }
  if (const Result<Done> done = out.finish(); !done) return done.issues();
  return true;
}

}  // namespace tilewalk
