// Measuring this machine. The rates are not checked, only that there is a rate, or a reason.
#include "kernels/race/measure_machine.h"

#include "kernels/cpu/memory_read.h"
#include "tests/support/catch.h"
#include "tests/support/no_threads.h"

using namespace tilewalk;

TEST_CASE("the memory measurement reads four times the cache, or nothing where memory is too small") {
  constexpr std::int64_t kMiB = 1 << 20, kGiB = 1 << 30;
  CHECK(cpu::bytes_to_read(480 * kMiB, 64 * kGiB) == 1920 * kMiB);
  CHECK(cpu::bytes_to_read(8 * kMiB, 64 * kGiB) == 512 * kMiB);
  CHECK(cpu::bytes_to_read(0, 64 * kGiB) == 512 * kMiB);
  CHECK(cpu::bytes_to_read(480 * kMiB, 4 * kGiB) == kGiB);  // a quarter of what is free
  CHECK(cpu::bytes_to_read(480 * kMiB, 3 * kGiB) == 0);     // less than twice the cache
  CHECK(cpu::bytes_to_read(8 * kMiB, kGiB / 2) == 0);
  CHECK(cpu::bytes_to_read(0, 0) == 0);
}

TEST_CASE("every thread reads memory, and stops on request") {
  const auto always = [](int) { return true; };
  CHECK(cpu::memory_read_gb_per_s(1, 1 << 16, 2, always) > 0);
  CHECK(cpu::memory_read_gb_per_s(3, (1 << 16) + 24, 2, always) > 0);
  CHECK(cpu::memory_read_gb_per_s(5, 8, 1, always) > 0);
  int asked = 0;
  CHECK(cpu::memory_read_gb_per_s(2, 64 << 20, 1000, [&](int done) { return ++asked, done < 1; }) == 0);
  CHECK(asked < 100);
  CHECK(cpu::memory_read_gb_per_s(1, std::int64_t(1) << 60, 1, always) == 0);
  const test::NoThreads here;
  CHECK(cpu::memory_read_gb_per_s(4, 1 << 16, 1, always) == 0);
}

TEST_CASE("a processor is measured, or there is a reason why not") {
  std::string last;
  double at = -1;
  bool forward = true;
  const ProcessorMeasured found = measure_processor(1, 1, [&](double fraction, const std::string& doing) {
    forward &= fraction >= at && fraction <= 1;
    at = fraction, last = doing;
    return true;
  });
  CHECK(forward);
  CHECK_FALSE(last.empty());
  CAPTURE(found.why_not);
  CHECK(found.processor.has_value() == found.why_not.empty());
  if (found.processor) {
    CHECK(why_no_processor(*found.processor).empty());
    CHECK(found.processor->threads == 1);
  } else {
    CHECK((found.why_not.find("Other programs") != std::string::npos ||
           found.why_not.find("memory") != std::string::npos));
  }
}

TEST_CASE("a stopped measurement gives no result") {
  int asked = 0;
  const ProcessorMeasured found = measure_processor(1, 3, [&](double, const std::string&) { return ++asked < 3; });
  CHECK_FALSE(found.processor);
  CHECK(found.why_not.find("was ended") != std::string::npos);
  CHECK(asked == 3);
  const MeasureEnd end = measure_machine([](double, const std::string&) { return false; });
  CHECK(end.stopped);
  CHECK_FALSE(end.machine.any());
}

TEST_CASE("a machine measured while quiet has points of both kernels under its roofs") {
  const MeasureEnd end = measure_machine();
  CHECK_FALSE(end.stopped);
  CHECK(end.machine.processor.has_value() == end.machine.no_processor.empty());
  if (!end.machine.processor) CHECK(end.machine.raced.empty());
  for (const RaceRow& row : end.machine.raced) {
    CAPTURE(row.rung, row.n);
    CHECK((row.rung == "cpu_naive" || row.rung == "cpu_tiled"));
    CHECK(row.counts());
    CHECK(row.tflops() > 0);
  }
}
