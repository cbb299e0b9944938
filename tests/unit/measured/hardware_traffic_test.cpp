// Modelled bytes compared with the GPU's own counters: equal, for every measured launch.
#include "measured/hardware_traffic.h"

#include <cmath>
#include <cstdlib>

#include "core/chip/l2_model.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
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
    "end_write_bytes,flush_write_bytes,shared_bytes,time_ns\n";

}  // namespace

TEST_CASE("modelled bytes equal the requested bytes in every launch that a GPU counted") {
  const HardwareTraffic traffic = measured();
  REQUIRE(traffic.gpu == "NVIDIA H200");
  REQUIRE(traffic.measurements.size() > 100);
  std::int64_t launches = 0;
  for (const HardwareMeasurement& m : traffic.measurements) {
    const auto schedule = make_schedule(m.problem);
    INFO(name_of(m.problem.schedule) << " N " << m.problem.shape.n_q << " d " << m.problem.shape.d << " "
                                     << name_of(m.problem.shape.mask) << " " << name_of(m.problem.numerics.dtype));
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

namespace {

struct Compared {
  const Problem& problem;
  const HardwareLaunch& measured;
  const L2Launch& modelled;
};

std::string text_of(const Compared& c) {
  const Problem& p = c.problem;
  return std::string(name_of(p.schedule)) + " launch " + std::to_string(c.measured.launch) + " heads " +
         std::to_string(p.shape.heads) + " N " + std::to_string(p.shape.n_q) + " d " + std::to_string(p.shape.d) + " " +
         name_of(p.shape.mask) + " " + name_of(p.numerics.dtype);
}

// Every measured launch beside the model of a launch with an empty L2.
template <class Visit>
void for_each_launch(Visit visit) {
  L2Options options;
  options.cold_launches = true;
  options.count_instructions = true;
  const HardwareTraffic traffic = measured();
  for (const HardwareMeasurement& m : traffic.measurements) {
    const L2Estimate estimate = estimate_l2(*make_schedule(m.problem), options);
    for (const HardwareLaunch& l : m.launches) visit(Compared{m.problem, l, estimate.launches[std::size_t(l.launch)]});
  }
}

// Bytes written back between the end of a launch and the beginning of the flush, which neither counts.
constexpr double kBetween = 0.75e6;

double own_writes(const HardwareLaunch& l) { return double(most_own_writes(l)); }

// Where thread blocks drift apart, which is not modelled (core/chip/l2_model.h).
bool drifts(const Compared& c) {
  return c.problem.schedule == ScheduleKind::Standard && c.measured.launch == 0 && c.problem.shape.heads == 1 &&
         c.problem.shape.n_q == 16384;
}

}  // namespace

TEST_CASE("the L2 model's DRAM reads are within 10 % of the hardware's in every launch but those known to drift") {
  int drifting = 0;
  for_each_launch([&](const Compared& c) {
    const double modelled = double(c.modelled.dram_total().read_bytes), counted = double(c.measured.dram_read_bytes);
    INFO(text_of(c) << ": modelled " << modelled << ", measured " << counted);
    drifting += drifts(c) ? 1 : 0;
    // For a launch that reads only its own code, a few KiB more or less have other causes than L2.
    CHECK(std::abs(modelled - counted) <= std::max((drifts(c) ? 0.3 : 0.1) * counted, 4096.0));
  });
  REQUIRE(drifting == 3);
}

TEST_CASE("the L2 model's DRAM writes are within 10 % of the hardware's in every launch, once L2 is flushed") {
  int launches = 0, rewritten = 0;
  for_each_launch([&](const Compared& c) {
    const double modelled = double(c.modelled.dram_total().write_bytes),
                 counted = double(c.measured.flushed_write_bytes);
    INFO(text_of(c) << ": modelled " << modelled << ", measured " << counted);
    CHECK(counted - modelled <= 0.1 * counted + own_writes(c.measured));
    CHECK(modelled - counted <= 0.1 * counted + kBetween);
    ++launches;
    rewritten += counted < 0.5 * double(c.measured.write_bytes) && counted > 2e6 ? 1 : 0;
  });
  REQUIRE(launches > 470);
  REQUIRE(rewritten > 10);  // cases where L2 combines repeated writes
}

TEST_CASE("the L2 model's dirty bytes at the end of a launch are near those of the flush after it") {
  int launches = 0, within = 0;
  for_each_launch([&](const Compared& c) {
    const double modelled = double(c.modelled.dram_total().write_bytes - c.modelled.dirty_bytes),
                 counted = double(c.measured.end_write_bytes);
    INFO(text_of(c) << ": modelled " << modelled << ", measured " << counted);
    const double off = counted > modelled ? counted - modelled - own_writes(c.measured) : modelled - counted - kBetween;
    ++launches;
    within += off <= 0.1 * counted ? 1 : 0;
    CHECK(off <= 0.1 * counted + 9e6);                                              // of 63 MB
    CHECK(c.measured.flushed_write_bytes - c.measured.end_write_bytes < 30000000);  // the most dirty bytes ever
  });
  REQUIRE(launches - within <= 10);
}

TEST_CASE("a measurement is found by the fields that decide the traffic, and by no others") {
  const HardwareTraffic traffic = measured();
  Problem p = traffic.measurements.front().problem;
  p.numerics.seed = 99;
  p.numerics.distribution = Distribution::Outliers;
  REQUIRE(traffic.find(p) == &traffic.measurements.front());
  p.shape.d = 63;
  REQUIRE(traffic.find(p) == nullptr);
}

TEST_CASE("a damaged measurement file is refused with its line and column") {
  const std::string good = std::string(kHead) + "standard,0,1,1,1,64,64,64,none,64,64,fp32,1,10,10,10,10,10,10,10,10\n";
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
  refused(",10\n", "\n", "line 6, time_ns");
  refused("# gpu,G\n", "", "on which GPU");
}

TEST_CASE("a measurement file with Windows line ends gives the same data and line numbers") {
  const std::string unix_text =
      std::string(kHead) + "standard,0,1,1,1,64,64,64,none,64,64,fp32,1,10,20,30,40,50,60,70,80\n";
  const auto windows = [](const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return out;
  };
  const Result<HardwareTraffic> want = parse_hardware_traffic(unix_text, "t.csv"),
                                got = parse_hardware_traffic(windows(unix_text), "t.csv");
  INFO((got ? "" : text_of(got.issues())));
  REQUIRE((want.ok() && got.ok()));
  CHECK(got->gpu == "G");
  CHECK(got->driver == "1");
  CHECK(got->tool == "T");
  CHECK(got->date == "2026-01-01");
  REQUIRE(got->measurements.size() == 1);
  CHECK(got->measurements[0].problem == want->measurements[0].problem);
  REQUIRE(got->measurements[0].launches.size() == 1);
  CHECK(got->measurements[0].launches[0].read_bytes == 10);
  CHECK(got->measurements[0].launches[0].time_ns == 80);
  const auto refused = parse_hardware_traffic(windows(unix_text + "standart,0\n"), "t.csv");
  REQUIRE_FALSE(refused.ok());
  CHECK(text_of(refused.issues()).find("line 7, schedule") != std::string::npos);
}

TEST_CASE("figures too large for a sum, invisible characters and a line of a million fields are refused") {
  const auto refusal = [](const std::string& line) {
    const Result<HardwareTraffic> read = parse_hardware_traffic(kHead + line + "\n", "t.csv");
    return read ? "accepted" : text_of(read.issues());
  };
  const std::string row = "flash_v2,0,1,1,1,256,256,64,none,64,64,fp32,1,10,20,30,40,50,60,70,";
  CHECK(refusal(row + "80") == "accepted");
  CHECK(refusal(row + "9223372036854775807").find("time_ns") != std::string::npos);
  CHECK(refusal("\x1b[2J" + row + "80").find("not printable") != std::string::npos);
  CHECK(refusal(std::string(1'000'000, ',')).find("line 6") != std::string::npos);
  CHECK(refusal("#,x\n#x\n" + row + "80") == "accepted");
  CHECK(refusal("flash_v2,0,1,1,1,0,0,0,none,64,64,fp32,1,10,20,30,40,50,60,70,80").find("; ") != std::string::npos);
}
