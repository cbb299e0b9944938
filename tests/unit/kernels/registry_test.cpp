#include <fstream>
#include <set>
#include <sstream>

#include "core/walk/schedule.h"
#include "kernels/kernel_api.h"
#include "tests/support/catch.h"

using namespace tilewalk;

TEST_CASE("a schedule has at most one kernel, whose file starts with its number, is there, and has a digest") {
    std::set<std::string> digests;
  for (ScheduleKind kind : all_schedules()) {
    if (!has_kernel(kind)) continue;
    const Rung& rung = rung_for(kind);
    REQUIRE(rung.schedule == kind);
    REQUIRE(std::stoi(rung.file) == rung.number);
    REQUIRE(rung.digest.size() == 64);
    REQUIRE(rung.digest.find_first_not_of("0123456789abcdef") == std::string::npos);
    digests.insert(rung.digest);
    REQUIRE(std::ifstream(std::string(TILEWALK_SOURCE_DIR) + "/kernels/" + rung.file).good());
  }
  REQUIRE(digests.size() == kernel_registry().size());
}

TEST_CASE("every phase of a schedule has a tag in its kernel, so that the source panel can light its lines") {
  static const std::vector<std::string> names = {
      "LoadQ",        "LoadKV",       "LoadK",      "Scores",       "Mask",   "StoreS",     "LoadS",
      "RowMax",       "LoadSAgain",   "Rescale",    "Exponentiate", "RowSum", "Divide",     "StoreP",
      "LoadL",        "LoadPV",       "Accumulate", "Normalise",    "Store",  "Initialise", "LoadO",
      "StorePartial", "LoadPartials", "MergeMax",   "MergeWeights", "MergeO",
      "LoadOutputs",  "RowDot",       "StoreD",     "LoadRows",     "GradV",  "GradP",      "GradS",
      "GradQ",        "StoreDQ",      "GradK",      "StoreDKV",     "LoadDQ", "ScaleDQ",    "LoadPDO",
      "StoreDV",      "LoadDO",       "LoadV",      "StoreDP",      "LoadPDP", "LoadPDPAgain", "StoreDS",
      "LoadDSK",      "LoadDSQ",      "StoreDK"};
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

TEST_CASE("the kernels ask for the shared memory that the machine model counts, and flash_v2 for alpha beside it") {
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
  p.schedule = ScheduleKind::FlashV3;  // the model holds S, P and O in registers
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
