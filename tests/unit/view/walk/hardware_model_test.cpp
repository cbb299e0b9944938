#include "view/walk/hardware_model.h"

#include "core/schedules/registry.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

HardwareTraffic real() {
  auto loaded = load_hardware_traffic(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/traffic_h200.csv");
  REQUIRE(loaded.ok());
  return std::move(*loaded);
}

Problem measured_problem() {
  Problem p;
  p.shape.n_q = p.shape.n_kv = 4096;
  p.shape.d = p.tiling.br = p.tiling.bc = 64;
  p.shape.mask.kind = MaskKind::Causal;
  p.machine.sram_bytes = 232448;
  return p;
}

}  // namespace

TEST_CASE("a measured problem shows the card, the day, and bytes equal to the schedule's own") {
  const HardwareTraffic traffic = real();
  const Problem p = measured_problem();
  const auto found = compare_with_hardware(traffic, p);
  REQUIRE(found);
  const HardwareModel m = build_hardware_model(traffic, *found);
  CHECK(m.card == "H200");
  CHECK(m.source.find("NVIDIA H200, driver ") == 0);
  CHECK(m.source.find(traffic.date) != std::string::npos);
  CHECK(m.label == "H200's counters, " + traffic.date);
  const auto schedule = make_schedule(p);
  const Traffic own = schedule->totals_before(schedule->step_count()).cost.hbm_total();
  CHECK(m.bytes == own.read_bytes + own.write_bytes);
  CHECK(m.text.find("equal") != std::string::npos);
  REQUIRE(m.lines.size() == 7);
  CHECK(m.lines[0].modelled == m.lines[0].measured);
  CHECK(m.lines[0].apart == "equal");
  CHECK(m.lines[2].estimate);
  CHECK(m.lines[3].what.find("written") != std::string::npos);
  CHECK(m.lines[4].what.find("after") != std::string::npos);
  CHECK(m.lines[4].estimate);
  CHECK(m.lines[5].modelled == "not modelled");
  CHECK_FALSE(m.reasons.empty());
}

TEST_CASE("a problem without a measurement is not compared, and the nearest measured one has its own schedule") {
  const HardwareTraffic traffic = real();
  Problem p = measured_problem();
  p.shape.n_q = p.shape.n_kv = 3000;
  CHECK_FALSE(compare_with_hardware(traffic, p));
  const Problem* near = nearest_measured(traffic, p);
  REQUIRE(near);
  CHECK(near->shape.n_kv == 4096);
  CHECK(near->shape.d == 64);
  CHECK(near->shape.mask.kind == MaskKind::Causal);
  CHECK(near->numerics.dtype == DType::Fp32);
  for (const ScheduleKind kind : {ScheduleKind::Standard, ScheduleKind::FlashV1, ScheduleKind::FlashV4}) {
    p.schedule = kind;
    CHECK(nearest_measured(traffic, p)->schedule == kind);
  }
  CHECK_FALSE(nearest_measured(HardwareTraffic{}, p));
}

TEST_CASE("every difference of every measured problem has its reason") {
  const HardwareTraffic traffic = real();
  int own = 0;
  for (const HardwareMeasurement& measured : traffic.measurements) {
    const HardwareModel m = build_hardware_model(traffic, *compare_with_hardware(traffic, measured.problem));
    std::string reasons;
    for (const std::string& reason : m.reasons) reasons += reason + "\n";
    for (const HardwareLine& line : m.lines) {
      INFO(name_of(measured.problem.schedule)
           << " N " << measured.problem.shape.n_q << ", " << line.what << ": " << line.apart << "\n"
           << reasons);
      if (line.apart == "its own writes") {
        ++own;
        CHECK(reasons.find("Its own writes: ") != std::string::npos);
        continue;
      }
      if (line.apart.empty() || line.apart == "equal" || line.what.starts_with(" ")) continue;
      REQUIRE(line.estimate);
      CHECK(line.apart.size() <= std::string("−9.9 %").size());
      CHECK(reasons.find("within 10 %") != std::string::npos);
    }
  }
  CHECK(own > 100);
}

TEST_CASE("different bytes are given in percent, never as equal") {
  HardwareTraffic traffic = real();
  const Problem p = measured_problem();
  HardwareComparison c = *compare_with_hardware(traffic, p);
  c.measured.read_bytes += c.measured.read_bytes / 10;
  const HardwareModel m = build_hardware_model(traffic, c);
  CHECK(m.lines[0].apart == "−9.1 %");
  CHECK(m.text.find("equal") == std::string::npos);
  CHECK(m.sentence.find("other bytes") != std::string::npos);
}
