#include "view/walk/hardware_model.h"

#include <fmt/format.h>

#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/units.h"

namespace tilewalk {
namespace {

std::string apart_text(std::int64_t modelled, std::int64_t measured) {
  if (modelled == measured) return "equal";
  if (measured == 0) return fmt::format("+{}", format_bytes(modelled));
  const double percent = 100 * (double(modelled) / double(measured) - 1);
  if (std::fabs(percent) >= 1000) return percent > 0 ? "over 10×" : "under 1/10";
  return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::fabs(percent));
}

std::string measured_title(const Problem& p) {
  Problem plain = p;
  plain.numerics.seed = 0;
  const std::string title = problem_title(plain);
  return fmt::format("{} · {}", title_of(p.schedule), title.substr(0, title.rfind(" · seed")));
}

}  // namespace

HardwareModel build_hardware_model(const HardwareTraffic& from, const HardwareComparison& c) {
  HardwareModel model;
  const std::string maker = "NVIDIA ";
  model.exact = c.exact;
  model.card = from.gpu.starts_with(maker) ? from.gpu.substr(maker.size()) : from.gpu;
  model.source = fmt::format("{}, driver {}, {}, by {}", from.gpu, from.driver, from.date, from.tool);
  model.about = c.exact
                    ? "Measured for this very problem."
                    : fmt::format("This problem was not measured. Both columns are of the nearest one that was: {}.",
                                  measured_title(c.problem));
  model.brief = c.exact ? "" : fmt::format("not measured on the {}", model.card);
  model.bytes = c.measured.read_bytes + c.measured.write_bytes;
  const std::int64_t counted = c.asked.read_bytes + c.asked.write_bytes;
  model.label = fmt::format("{}'s counters, {}", model.card, from.date);
  model.text = fmt::format("{} · {}", format_bytes(model.bytes),
                           c.matches() ? "equal" : apart_text(counted, model.bytes) + " modelled");
  const auto line = [&](const char* what, std::int64_t modelled, std::int64_t measured, bool estimate) {
    model.lines.push_back(
        {what, format_count(modelled), format_count(measured), apart_text(modelled, measured), estimate});
  };
  line("asked of HBM, read", c.asked.read_bytes, c.measured.read_bytes, false);
  line("asked of HBM, written", c.asked.write_bytes, c.measured.write_bytes, false);
  line("DRAM, read", c.dram.read_bytes, c.measured.dram_read_bytes, true);
  line("DRAM, written", c.dram.write_bytes, c.measured.flushed_write_bytes, true);
  line("  after a launch's end", c.dirty_bytes, c.measured.flushed_write_bytes - c.measured.end_write_bytes, true);
  model.lines.push_back({"L2", "not modelled", format_count(c.measured.l2_bytes), "", false});
  model.lines.push_back({"shared memory", "not compared", format_count(c.measured.shared_bytes), "", false});
  model.sentence = c.matches() ? "The card was asked for the very bytes that the model counts."
                               : "The card was asked for other bytes than the model counts.";
  return model;
}

}  // namespace tilewalk
