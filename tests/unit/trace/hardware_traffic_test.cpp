// Modelled bytes against the GPU's own counters: equal, for every launch that was measured.
#include "trace/hardware_traffic.h"

#include <cmath>
#include <cstdlib>

#include "core/l2_model.h"
#include "core/schedule.h"
#include "tests/support/catch.h"

using namespace tilewalk;

namespace {

HardwareTraffic measured() {
  Result<HardwareTraffic> loaded =
      load_hardware_traffic(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements/traffic_h200.csv");
  INFO((loaded ? std::string() : text_of(loaded.issues())));
  REQUIRE(loaded.ok());
  return std::move(*loaded);
}

constexpr const char* kHead =
    "# gpu,G\n# driver,1\n# tool,T\n# date,2026-01-01\n"
    "schedule,launch,batch,heads,kv_heads,n_q,n_kv,d,mask,br,bc,dtype,splits,read_bytes,write_bytes,l2_bytes,dram_read_"
    "bytes,"
    "dram_write_bytes,shared_bytes\n";

}  // namespace

TEST_CASE("the bytes modelled equal the bytes asked for in every launch that a GPU counted") {
  const HardwareTraffic traffic = measured();
  REQUIRE(traffic.gpu == "NVIDIA H200");
  REQUIRE(traffic.measurements.size() > 100);
  std::int64_t launches = 0;
  for (const HardwareMeasurement& m : traffic.measurements) {
    const auto schedule = make_schedule(m.problem);
    INFO(name_of(m.problem.schedule) << " N " << m.problem.n_q << " d " << m.problem.d << " " << name_of(m.problem.mask)
                                     << " " << name_of(m.problem.dtype));
    for (const HardwareLaunch& l : m.launches) {
      const Traffic modelled = section_cost(*schedule, l.launch).hbm_total();
      REQUIRE(modelled.read_bytes == l.read_bytes);
      REQUIRE(modelled.write_bytes == l.write_bytes);
      ++launches;
    }
    REQUIRE(int(m.launches.size()) == schedule->section_count());
  }
  REQUIRE(launches > 200);
}

TEST_CASE("the L2 model's DRAM reads come within 10 % of the hardware's in every launch") {
  L2Options options;
  options.cold_launches = true;
  options.count_last_writes = false;
  options.count_instructions = true;
  for (const HardwareMeasurement& m : measured().measurements) {
    const L2Estimate estimate = estimate_l2(*make_schedule(m.problem), options);
    for (const HardwareLaunch& l : m.launches) {
      const double modelled = double(estimate.launches[std::size_t(l.launch)].dram_total().read_bytes);
      INFO(name_of(m.problem.schedule) << " launch " << l.launch << " heads " << m.problem.heads << " N "
                                       << m.problem.n_q << " d " << m.problem.d << " " << name_of(m.problem.mask) << " "
                                       << name_of(m.problem.dtype) << ": modelled " << modelled << ", measured "
                                       << l.dram_read_bytes);
      // Beside a launch that reads nothing but its own code, a few KiB more or less are not a matter of L2.
      CHECK(std::abs(modelled - double(l.dram_read_bytes)) <= std::max(0.1 * double(l.dram_read_bytes), 4096.0));
    }
  }
}

TEST_CASE("a measurement is found by what decides the traffic, and by nothing else") {
  const HardwareTraffic traffic = measured();
  Problem p = traffic.measurements.front().problem;
  p.seed = 99;
  p.distribution = Distribution::Outliers;
  REQUIRE(traffic.find(p) == &traffic.measurements.front());
  p.d = 63;
  REQUIRE(traffic.find(p) == nullptr);
}

TEST_CASE("a damaged measurement file is refused with its line and column") {
  const std::string good = std::string(kHead) + "standard,0,1,1,1,64,64,64,none,64,64,fp32,1,10,10,10,10,10,10\n";
  REQUIRE(parse_hardware_traffic(good, "t.csv").ok());
  const auto refused = [&](const std::string& from, const std::string& to, const std::string& names) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    const Result<HardwareTraffic> got = parse_hardware_traffic(text, "t.csv");
    REQUIRE_FALSE(got.ok());
    INFO(text_of(got.issues()));
    CHECK(text_of(got.issues()).find(names) != std::string::npos);
  };
  refused("standard,0", "standart,0", "line 6, schedule");
  refused("64,64,64,none", "64,64,-1,none", "line 6, d");
  refused("64,64,64,none", "64,64,999,none", "line 6");
  refused("fp32,1,10", "fp32,1,ten", "line 6, read_bytes");
  refused(",10\n", "\n", "line 6, shared_bytes");
  refused("# gpu,G\n", "", "on which GPU");
}
