// Facts of the problem: its sizes, tiles, traffic, FLOPs, memory, and the card.
#include <algorithm>

#include "core/fields/fields.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "session/lesson/fact_family.h"

namespace tilewalk {

namespace {

FactWords schedule_words() {
  FactWords out = {"this"};
  for (const ScheduleKind kind : all_schedules()) out.push_back(name_of(kind));
  return out;
}
FactWords traffic_words() {
  FactWords out = {"total", "read", "write"};
  for (const char* name : kTensorNames) out.push_back(name);
  return out;
}
FactWords directions() { return {"read", "write", "total"}; }

Problem under(const AskedFact& asked, const std::string& schedule) {
  Problem p = asked.problem;
  if (schedule == "this") return p;
  p.schedule = *schedule_from(schedule);
  p.fault = Fault::None;
  return p;
}

Figure traffic_of(const Cost& cost, const std::string& what, const std::string& direction) {
  for (int i = 0; i < kTensorCount; ++i)
    if (what == kTensorNames[std::size_t(i)]) return direction_figure(cost.of(TensorId(i)), direction);
  return direction_figure(cost.hbm_total(), what);
}

// A length or a count of the problem, by its field's name.
Result<Figure> count(const AskedFact& asked) {
  std::string field = asked.word(0) == "n" ? "n-q" : asked.word(0);
  std::replace(field.begin(), field.end(), '_', '-');
  return Figure::of(*find_field(field)->number(asked.problem), Counts::Whole);
}

Result<Figure> tiles(const AskedFact& asked) {
  const Problem& p = asked.problem;
  const std::string& what = asked.word(1);
  if (what == "q") return whole_figure(p.q_tiles());
  if (what == "kv") return whole_figure(p.kv_tiles());
  if (what == "all") return whole_figure(p.q_tiles() * p.kv_tiles() * p.shape.batch * p.shape.heads);
  const VisitCounts counts = make_schedule(p)->visit_counts();
  if (what == "full") return whole_figure(counts.full);
  if (what == "partial") return whole_figure(counts.partial);
  if (what == "skipped") return whole_figure(counts.skipped);
  return whole_figure(counts.visited());
}

Result<Figure> traffic(const AskedFact& asked) {
  const Cost cost = whole_run_cost(under(asked, asked.word(1)));
  return traffic_of(cost, asked.word(2), asked.path.words.size() > 3 ? asked.word(3) : "total");
}

Result<Figure> flop_count(const AskedFact& asked) {
  const Cost cost = whole_run_cost(under(asked, asked.word(1)));
  const std::string& what = asked.word(2);
  return flops_figure(what == "matmul" ? cost.matmul : what == "exp" ? cost.exp : cost.other);
}

Result<Figure> device(const AskedFact& asked) {
  const DeviceModel& device = device_of(asked.problem.machine);
  const std::string& what = asked.word(1);
  if (what == "name") return Figure::word(device.title);
  if (what == "sms") return whole_figure(device.sms);
  if (what == "hbm") return bytes_figure(std::int64_t(device.memory_bytes()));
  if (what == "hbm_rate") return bytes_figure(std::int64_t(device.hbm_gb_per_s * 1e9));
  if (what == "l2") return bytes_figure(device.l2_bytes);
  if (what == "sram") return bytes_figure(std::int64_t(device.sram_bytes()));
  if (what == "sram_per_sm") return bytes_figure(device.sram_per_sm_bytes);
  if (what == "sram_per_block") return bytes_figure(device.sram_per_block_bytes);
  if (what == "sram_rate") return bytes_figure(std::int64_t(device.sram_gb_per_s() * 1e9));
  if (what == "flops16") return Figure::of(device.matrix16_tflops * 1e12, Counts::Flops);
  return Figure::of(device.fp32_tflops * 1e12, Counts::Flops);
}

}  // namespace

Figure direction_figure(const Traffic& traffic, const std::string& direction) {
  if (direction == "read") return bytes_figure(traffic.read_bytes);
  if (direction == "write") return bytes_figure(traffic.write_bytes);
  return bytes_figure(traffic.bytes());
}

std::vector<FactFamily> problem_facts() {
  return {
      {.names = {"n", "n_q", "n_kv", "d", "batch", "heads", "kv_heads", "br", "bc"},
       .of_problem = true,
       .figure = count},
      {.names = {"scale"},
       .of_problem = true,
       .figure = [](const AskedFact& a) -> Result<Figure> { return Figure::of(a.problem.scale_value()); }},
      {.names = {"element_bytes"},
       .of_problem = true,
       .figure = [](const AskedFact& a) -> Result<Figure> { return whole_figure(a.problem.numerics.element_bytes()); }},
      {.names = {"sram"},
       .of_problem = true,
       .figure = [](const AskedFact& a) -> Result<Figure> { return bytes_figure(a.problem.machine.sram_bytes); }},
      {.names = {"tiles"},
       .second = {"q", "kv", "all", "full", "partial", "skipped", "visited"},
       .of_problem = true,
       .figure = tiles},
      {.names = {"traffic"},
       .second = schedule_words(),
       .third = traffic_words(),
       .fourth = directions(),
       .of_problem = true,
       .figure = traffic},
      {.names = {"flops"},
       .second = schedule_words(),
       .third = {"matmul", "exp", "other"},
       .of_problem = true,
       .figure = flop_count},
      {.names = {"needs"},
       .second = schedule_words(),
       .of_problem = true,
       .figure = [](const AskedFact& a) -> Result<Figure> { return bytes_figure(peak_bytes(under(a, a.word(1)))); }},
      {.names = {"blocks"},
       .second = schedule_words(),
       .of_problem = true,
       .figure = [](const AskedFact& a) -> Result<Figure> { return whole_figure(thread_blocks(under(a, a.word(1)))); }},
      {.names = {"device"},
       .second = {"name", "sms", "hbm", "hbm_rate", "l2", "sram", "sram_per_sm", "sram_per_block", "sram_rate",
                  "flops16", "flops32"},
       .of_problem = true,
       .figure = device},
  };
}

}  // namespace tilewalk
