#include "core/schedules/registry.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "core/walk/schedule.h"
#include "kernels/host/kernel_api.h"
#include "kernels/host/passes.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

namespace fs = std::filesystem;

fs::path kernel_folder() { return fs::path(TILEWALK_SOURCE_DIR) / "kernels"; }

}  // namespace

TEST_CASE("each schedule has exactly one kernel, numbered in order, with a file of that number, an idea and a digest") {
  std::set<std::string> digests;
  std::multiset<ScheduleKind> schedules;
  std::set<std::string> files;
  int number = 0;
  for (const Rung& rung : kernel_registry()) {
    INFO(rung.file);
    REQUIRE(rung.number == ++number);
    REQUIRE(rung.file.substr(0, 3) == (number < 10 ? "0" : "") + std::to_string(number) + "_");
    REQUIRE(fs::is_regular_file(kernel_folder() / rung.file));
    REQUIRE_FALSE(rung.idea.empty());
    REQUIRE(rung.idea.back() != '.');
    REQUIRE(rung.digest.size() == 64);
    REQUIRE(rung.digest.find_first_not_of("0123456789abcdef") == std::string::npos);
    REQUIRE(&rung_for(rung.schedule) == &rung);
    schedules.insert(rung.schedule);
    digests.insert(rung.digest);
    files.insert(rung.file);
  }
  REQUIRE(digests.size() == kernel_registry().size());
  REQUIRE(schedules == std::multiset<ScheduleKind>(all_schedules().begin(), all_schedules().end()));

  std::set<std::string> there;
  for (const auto& entry : fs::directory_iterator(kernel_folder()))
    if (entry.path().extension() == ".cu") there.insert(entry.path().filename().string());
  REQUIRE(files == there);
}

TEST_CASE("the README has a row for each rung, in order, and it names the rung's file") {
  std::ifstream readme(kernel_folder() / "README.md");
  auto rung = kernel_registry().begin();
  for (std::string line; std::getline(readme, line) && rung != kernel_registry().end();)
    if (line.starts_with("| " + std::to_string(rung->number) + " | `" + rung->file + "` |")) ++rung;
  INFO((rung == kernel_registry().end() ? std::string() : rung->file));
  REQUIRE(rung == kernel_registry().end());
}

TEST_CASE("a kernel's launches have thread blocks, and those of a backward pass come after its forward pass") {
  for (ScheduleKind kind : all_schedules()) {
    Problem p;
    p.schedule = kind;
    const std::vector<PassPlan> passes = passes_of(p);
    INFO(name_of(kind));
    REQUIRE_FALSE(passes.empty());
    REQUIRE_FALSE(passes.back().forward);
    REQUIRE(passes.front().forward == is_backward(kind));
    REQUIRE(std::is_sorted(passes.begin(), passes.end(), [](auto& a, auto& b) { return a.forward > b.forward; }));
    for (const PassPlan& pass : passes) REQUIRE(pass.blocks > 0);
  }
}

TEST_CASE("every phase of a schedule has a tag in its kernel, so that the source panel can light its lines") {
  static const std::vector<std::string> names = {
      "LoadQ",        "LoadKV",    "LoadK",        "Scores",     "Mask",     "StoreS",       "LoadS",        "RowMax",
      "LoadSAgain",   "Rescale",   "Exponentiate", "RowSum",     "Divide",   "StoreP",       "LoadL",        "LoadPV",
      "Accumulate",   "Normalise", "Store",        "Initialise", "LoadO",    "StorePartial", "LoadPartials", "MergeMax",
      "MergeWeights", "MergeO",    "LoadOutputs",  "RowDot",     "StoreD",   "LoadRows",     "GradV",        "GradP",
      "GradS",        "GradQ",     "StoreDQ",      "GradK",      "StoreDKV", "LoadDQ",       "ScaleDQ",      "LoadPDO",
      "StoreDV",      "LoadDO",    "LoadV",        "StoreDP",    "LoadPDP",  "LoadPDPAgain", "StoreDS",      "LoadDSK",
      "LoadDSQ",      "StoreDK"};
  REQUIRE(int(names.size()) == kPhaseCount);
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    std::stringstream text;
    text << std::ifstream(std::string(TILEWALK_SOURCE_DIR) + "/kernels/" + rung_for(kind).file).rdbuf();
    for (std::int64_t sram : {std::int64_t(1) << 16, std::int64_t(130)}) {
      Problem p;
      p.schedule = kind;
      p.shape.n_kv = 40;
      p.machine.sram_bytes = sram;
      const auto schedule = make_schedule(p);
      for (std::int64_t k = 0; k < schedule->step_count(); ++k) {
        const std::string name = names[std::size_t(schedule->step(k).phase)];
        INFO(rung_for(kind).file << " " << name);
        REQUIRE((text.str().find("[" + name + "]") != std::string::npos ||
                 text.str().find("[" + name + ", ") != std::string::npos ||
                 text.str().find(", " + name + "]") != std::string::npos));
      }
    }
  }
}

TEST_CASE("the kernels request the shared memory that the machine model counts, and flash_v2 alpha beside it") {
  Problem p;
  REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes() + 4 * p.tiling.br);
  REQUIRE(make_schedule(p)->sram_peak_bytes() == 352);
  REQUIRE(kernel_shared_sum(p) == "Q 64 B + K 64 B + V 64 B + S and P 64 B + O 64 B + m, l and alpha 48 B = 368 B");
  p.schedule = ScheduleKind::FlashV1;  // the tile's max and the two weights beside it
  REQUIRE(make_schedule(p)->sram_peak_bytes() == 352);
  REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes() + 12 * p.tiling.br);
  p.schedule = ScheduleKind::SplitKv;
  REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes() + 4 * p.tiling.br);
  p.schedule = ScheduleKind::FlashV4;  // in this teaching form without the circular buffer, and with S, P and O in it
  REQUIRE(kernel_shared_bytes(p) == 368);
  p.schedule = ScheduleKind::FlashV3;  // the model assumes S, P and O in registers
  REQUIRE(kernel_shared_sum(p) ==
          "Q 64 B + K and V in 4 stages 256 B + S and P 64 B + O 64 B + m, l and alpha 48 B = 496 B");
  p.schedule = ScheduleKind::Backward;
  REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes());
  for (ScheduleKind kind : {ScheduleKind::BackwardV1, ScheduleKind::BackwardStandard, ScheduleKind::Standard}) {
    p.schedule = kind;
    REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes());
  }
  p.tiling.br = 1000;  // taller than the problem
  REQUIRE(kernel_shared_bytes(p) == make_schedule(p)->sram_peak_bytes());
}

TEST_CASE("without a usable GPU, probing and running say why in a sentence") {
  const DeviceReport report = probe_devices();
  if (report.reason.empty()) return test::skip("there is a GPU here");
  const KernelOutcome outcome = run_kernel(Runner::Gpu, Inputs(Problem{}), std::nullopt);
  REQUIRE_FALSE(outcome.result.has_value());
  REQUIRE(outcome.failure->kind == KernelFailure::Kind::NoDevice);
  REQUIRE(outcome.failure->text == report.reason);
  REQUIRE(report.gpus.empty());
}
