// tilewalk devices: the devices that could run a kernel here.
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "kernels/host/kernel_api.h"
#include "kernels/race/live_race.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Why this kernel does not run here; empty if it does.
std::string missing(const Rung& rung, const DeviceReport& report) {
  if (report.gpus.empty()) return report.reason;
  for (const GpuInfo& gpu : report.gpus)
    if (gpu.sm_major * 10 + gpu.sm_minor >= rung.min_sm) return report.reason;
  return fmt::format("needs sm_{}, and {} is sm_{}{}", rung.min_sm, report.gpus.front().name,
                     report.gpus.front().sm_major, report.gpus.front().sm_minor);
}

// The same for a fast kernel: the first GPU that runs it, else what the first one lacks.
std::string missing(const FastRung& rung, const DeviceReport& report) {
  if (report.gpus.empty()) return report.reason + "; tilewalk race --cpu runs";
  for (const GpuInfo& gpu : report.gpus)
    if (missing_for(rung, gpu).empty()) return "";
  return missing_for(rung, report.gpus.front());
}

}  // namespace

int devices_verb(const CommandLine& line) {
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Problem& p = opened->document.problem;
  const DeviceReport report = probe_devices();
  Json json = {{"driver", report.driver},
               {"cuda", report.cuda},
               {"built_with_cuda", report.built_with_cuda},
               {"reason", report.reason}};
  json["gpus"] = Json::array();
  for (const GpuInfo& gpu : report.gpus)
    json["gpus"].push_back({{"name", gpu.name},
                            {"sm", gpu.sm_major * 10 + gpu.sm_minor},
                            {"memory_bytes", gpu.memory_bytes},
                            {"shared_per_block_bytes", gpu.shared_per_block_bytes}});
  json["rungs"] = Json::array();
  for (const Rung& rung : kernel_registry())
    json["rungs"].push_back({{"number", rung.number},
                             {"file", rung.file},
                             {"schedule", name_of(rung.schedule)},
                             {"idea", rung.idea},
                             {"needs", rung.needs},
                             {"min_sm", rung.min_sm},
                             {"runs", missing(rung, report).empty()},
                             {"missing", missing(rung, report)}});
  json["fast_rungs"] = Json::array();
  for (const FastRung& rung : fast_rungs())
    json["fast_rungs"].push_back({{"number", rung.number},
                                  {"rung", rung.name},
                                  {"idea", rung.idea},
                                  {"needs", rung.needs},
                                  {"min_sm", lowest_sm(rung.kernel)},
                                  {"runs", missing(rung, report).empty()},
                                  {"missing", missing(rung, report)}});
  json["problem"] = {{"shared_bytes", kernel_shared_bytes(p)}, {"shared_sum", kernel_shared_sum(p)}};
  if (line.has("json")) {
    print_json(json);
    return kExitOk;
  }
  say("{}\n", report.built_with_cuda ? "Built with CUDA " + report.cuda + "."
                                     : "Built without CUDA: kernels run as plain C++ on the CPU, for checking only.");
  say("Driver: {}\n", report.driver.empty() ? "none" : report.driver);
  for (const GpuInfo& gpu : report.gpus)
    say("GPU: {}, sm_{}{}, {}, {} of shared memory for one thread block\n", gpu.name, gpu.sm_major, gpu.sm_minor,
        format_bytes(gpu.memory_bytes), format_bytes(gpu.shared_per_block_bytes));
  if (!report.reason.empty()) say("No GPU is used. {}.\n", report.reason);
  // Without a GPU one line above says why nothing runs; a kernel's row then says only what it needs.
  const auto runs = [&](const std::string& lack) -> std::string {
    if (report.gpus.empty()) return "";
    return lack.empty() ? "; runs here" : "; does not run here: " + lack;
  };
  say("\nKernels\n");
  for (const Rung& rung : kernel_registry()) {
    const std::string lack = missing(rung, report);
    say("  {}  {}\n      {}\n      needs {}{}\n", rung.number, rung.file, rung.idea, rung.needs, runs(lack));
  }
  say("\nFast kernels (tilewalk race{})\n", report.gpus.empty() ? "; without a GPU, tilewalk race --cpu runs" : "");
  for (const FastRung& rung : fast_rungs()) {
    const std::string lack = missing(rung, report);
    say("  {}\n      {}\n      needs {}{}\n", rung.name, rung.idea, rung.needs, runs(lack));
  }
  say("\nThis problem ({}) needs {} of shared memory: {}\n", problem_title(p), format_bytes(kernel_shared_bytes(p)),
      kernel_shared_sum(p));
  return kExitOk;
}

}  // namespace tilewalk
