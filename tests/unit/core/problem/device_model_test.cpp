// The table of GPUs: names, aliases, stand-ins, and the required figures of a row.
#include "core/problem/device_model.h"

#include <algorithm>

#include "base/nearest.h"
#include "tests/support/catch.h"
#include "tests/support/well_written.h"

using namespace tilewalk;

namespace {

std::string row_named(const std::string& name) {
  const std::optional<DeviceModel> found = device_named(name);
  return found ? found->name : "none";
}

}  // namespace

TEST_CASE("every name, title and alias of the device table leads to its own row, and is unique", "[unit]") {
  std::vector<std::string> seen;
  const auto once = [&](const std::string& name) {
    CAPTURE(name);
    CHECK(std::none_of(seen.begin(), seen.end(), [&](const std::string& other) { return spelled_alike(name, other); }));
    seen.push_back(name);
  };
  for (const DeviceModel& device : device_models()) {
    CAPTURE(device.name);
    CHECK(row_named(device.name) == device.name);
    CHECK(row_named(device.title) == device.name);
    CHECK(row_named("NVIDIA " + device.title) == device.name);
    CHECK(stand_in_sentence(device.title).empty());
    once(device.name);
    for (const DeviceAlias& alias : device.aliases) {
      CAPTURE(alias.name);
      CHECK(row_named(alias.name) == device.name);
      once(alias.name);
      const std::string sentence = stand_in_sentence(alias.name);
      CHECK(sentence.empty() == !alias.card);
      if (!alias.card) continue;
      CHECK(row_named(alias.card) == device.name);
      CHECK(sentence.find(alias.card) == 0);
      CHECK(sentence.find(device.title) != std::string::npos);
    }
  }
}

TEST_CASE("GPUs are found as people write them", "[unit]") {
  const std::pair<const char*, const char*> written[] = {
      {"v100", "v100"},       {"Tesla V100", "v100"},  {"T4", "t4"},
      {"rtx3080", "rtx3080"}, {"RTX 3080", "rtx3080"}, {"3080", "rtx3080"},
      {"a10", "a10"},         {"a30", "a30"},          {"a40", "a40"},
      {"a6000", "a6000"},     {"RTX A6000", "a6000"},  {"l4", "l4"},
      {"l40s", "l40s"},       {"4090", "rtx4090"},     {"NVIDIA GeForce RTX 4090", "rtx4090"},
      {"h20", "h20"},         {"gh200", "gh200"},      {"H100-SXM", "h100"},
      {"b200", "b200"},       {"gb200", "gb200"},      {"b300", "b300"},
      {"rtx5090", "rtx5090"}, {"dgx-spark", "gb10"},   {"a100-40gb", "a100-40gb"},
      {"rtx3070", "rtx3080"}, {"gb300", "b300"},       {"h800", "h100"},
      {"sm_86", "none"},      {"h300", "none"},        {"", "none"}};
  for (const auto& [name, row] : written) {
    CAPTURE(name);
    CHECK(row_named(name) == row);
  }
  CHECK(stand_in_sentence("3070") ==
        "GeForce RTX 3070 has no figures of its own in the device table: those of the GeForce RTX 3080, which has the "
        "same compute capability (8.6), stand in");
}

TEST_CASE("a GPU without a row is refused with a reason for its kind", "[unit]") {
  const auto rule = [](const char* name) { return no_such_device("device", name).rule; };
  for (const char* name : {"mi300x", "MI250", "rx7900xtx", "Radeon VII", "gfx942"})
    CHECK(rule(name).starts_with("is a GPU of AMD: "));
  for (const char* name : {"m3", "M4 Max", "m1ultra", "Apple M2", "mps"})
    CHECK(rule(name).starts_with("is a GPU of Apple: "));
  CHECK(rule("gaudi3").starts_with("is a GPU of Intel: "));
  for (const char* name : {"p100", "GTX 1080 Ti", "m40", "k80"})
    CHECK(rule(name).starts_with("is older than tensor cores"));
  for (const char* name : {"h300", "mini", "", "x"}) CHECK(rule(name) == "is not in the device table");
  for (const char* name : {"mi300x", "m3", "p100", "h300"}) {
    const Issue issue = no_such_device("device", name, ", or cpu");
    CHECK(issue.suggestion == "Try one of " + device_names() + ", or cpu");
    CHECK(test::slip_in(issue.text()) == "");
  }
}

TEST_CASE("the memory of a card that reports none has as many GiB as its data sheet has GB", "[unit]") {
  CHECK(memory_words(*device_named("a100")) == "80.0 GiB that A100 80 GB SXM has by its data sheet");
  CHECK(memory_words(*device_named("rtx4090")) == "24.0 GiB that GeForce RTX 4090 has by its data sheet");
  CHECK(memory_words(*device_named("h200")) == "140 GiB that H200 reports (data sheet: 141 GB)");
}

TEST_CASE("every row of the device table has every figure that the models read", "[unit]") {
  for (const DeviceModel& d : device_models()) {
    CAPTURE(d.name);
    for (const double figure :
         {double(d.sms), double(d.sram_per_block_bytes), double(d.sram_per_sm_bytes), double(d.l2_bytes), d.hbm_gb,
          d.hbm_gb_per_s, d.fp32_tflops, d.matrix16_tflops, d.clock_ghz, double(d.matrix16_flop_per_cycle),
          double(d.exp_per_cycle), double(d.fp32_lanes), d.l2_bytes_per_cycle, double(d.l2_latency_cycles),
          double(d.dram_latency_cycles), double(d.threads_per_sm), double(d.compute_capability), d.mma_sync_share})
      CHECK(figure > 0);
    CHECK((d.product_tflops > 0) == (d.product_from != RateFrom::DataSheet));
    CHECK((d.copy_gb_per_s > 0) == (d.copy_from != RateFrom::DataSheet));
    CHECK(d.product_tflops <= d.matrix16_tflops);
    CHECK((d.wide_tflops == 0 || (d.wide_tflops > d.product_tflops && d.wide_tflops <= d.matrix16_tflops)));
    // A data sheet's GB of memory are GiB; what a card reports is a little less.
    const double sheet = d.hbm_gb * double(1 << 30);
    CHECK(d.memory_bytes() <= sheet);
    CHECK(d.memory_bytes() >= (d.reported_memory_bytes > 0 ? 0.98 : 1) * sheet);
  }
}

TEST_CASE("a compute capability alone leads to the first of its rows, or of the next lower ones", "[unit]") {
  for (const DeviceModel& device : device_models())
    CHECK(device_of_capability(device.compute_capability).compute_capability == device.compute_capability);
  CHECK(device_of_capability(80).name == "a100");
  CHECK(device_of_capability(86).name == "rtx3090");
  CHECK(device_of_capability(87).compute_capability == 86);
  CHECK(device_of_capability(90).name == "h100");
  CHECK(device_of_capability(101).name == "b200");
  CHECK(device_of_capability(129).name == "gb10");
  CHECK(device_of_capability(50).name == "v100");
}
