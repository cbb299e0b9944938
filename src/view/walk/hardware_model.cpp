#include "view/walk/hardware_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "view/walk/verify_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr const char* kOwnWrites = "its own writes";

std::string apart_text(std::int64_t modelled, std::int64_t measured) {
  if (modelled == measured) return "equal";
  if (measured == 0) return fmt::format("+{}", format_bytes(modelled));
  const double percent = 100 * (double(modelled) / double(measured) - 1);
  if (std::fabs(percent) >= 1000) return percent > 0 ? "over 10×" : "under 1/10";
  return fmt::format("{}{:.1f} %", percent < 0 ? "−" : "+", std::fabs(percent));
}

// Compares the bytes that DRAM wrote with the model's: a surplus may be the GPU's own writes.
std::string writes_apart(std::int64_t modelled, std::int64_t measured, std::int64_t own) {
  const bool by_its_own = modelled < measured && measured - modelled <= own;
  return by_its_own ? kOwnWrites : apart_text(modelled, measured);
}

std::vector<std::string> reasons_of(const HardwareComparison& c, const std::vector<HardwareLine>& lines) {
  std::vector<std::string> reasons = {
      "DRAM figures are estimates, by rules of what L2 lets through; they come within 10 %."};
  if (std::any_of(lines.begin(), lines.end(), [](const HardwareLine& line) { return line.apart == kOwnWrites; }))
    reasons.push_back(
        fmt::format("Its own writes: while a kernel runs, and when L2 is emptied after it, the GPU also "
                    "writes what no kernel asked for; here up to {}.",
                    format_bytes(c.most_own_bytes)));
  return reasons;
}

}  // namespace

HardwareModel build_hardware_model(const HardwareTraffic& from, const HardwareComparison& c) {
  HardwareModel model;
  model.card = short_gpu(from.gpu);
  model.source = fmt::format("{}, driver {}, {}, by {}", from.gpu, from.driver, from.date, from.tool);
  model.bytes = c.measured.read_bytes + c.measured.write_bytes;
  const std::int64_t counted = c.asked.bytes();
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
  const auto writes = [&](const char* what, std::int64_t modelled, std::int64_t measured) {
    model.lines.push_back({what, format_count(modelled), format_count(measured),
                           writes_apart(modelled, measured, c.most_own_bytes), true});
  };
  writes("DRAM, written", c.dram.write_bytes, c.measured.flushed_write_bytes);
  writes("  after a launch's end", c.dirty_bytes, c.measured.flushed_write_bytes - c.measured.end_write_bytes);
  model.lines.push_back({"L2", "not modelled", format_count(c.measured.l2_bytes), "", false});
  model.lines.push_back({"shared memory", "not compared", format_count(c.measured.shared_bytes), "", false});
  model.sentence = c.matches() ? "The GPU was asked for the very bytes that the model counts."
                               : "The GPU was asked for other bytes than the model counts.";
  model.reasons = reasons_of(c, model.lines);
  return model;
}

}  // namespace tilewalk
