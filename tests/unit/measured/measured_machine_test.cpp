// This machine's measured rates, as a file: it is read back, and a damaged one is refused.
#include "measured/measured_machine.h"

#include "core/problem/device_model.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

MeasuredMachine both() {
  MeasuredMachine out;
  out.date = "2026-11-23";
  out.processor = Processor{.name = "Some \"CPU\", AVX3",
                            .threads = 16,
                            .read_gb_per_s = 123.5,
                            .fp32_tflops = 3.25,
                            .bf16_tflops = 0,
                            .cache_bytes = 1 << 25};
  RaceRow row;
  row.rung = row.contender = "cpu_tiled";
  row.dtype = "fp32";
  row.n = 2048, row.d = 64, row.heads = 2, row.batch = 1;
  row.extra_bytes = 1 << 20;
  row.ms = {1.5, 1.625, 1.75};
  out.raced = {row};
  out.card = MeasuredCard{"NVIDIA H200", 4275, 811};
  return out;
}

}  // namespace

TEST_CASE("a measured machine is read back the same, whole and in part", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("state/machine.toml");
  CHECK(*load_machine(path) == MeasuredMachine{});
  MeasuredMachine machine = both();
  REQUIRE(save_machine(machine, std::move(*open_user_file(path))).ok());
  CHECK(*load_machine(path) == machine);
  machine.card.reset();
  machine.no_card = "no \"GPU\" here";
  REQUIRE(save_machine(machine, std::move(*open_user_file(path))).ok());
  CHECK(*load_machine(path) == machine);
  machine.processor.reset();
  machine.raced.clear();
  machine.no_processor = "others ran";
  REQUIRE(save_machine(machine, std::move(*open_user_file(path))).ok());
  CHECK(*load_machine(path) == machine);
  CHECK_FALSE(machine.any());
  machine.date = "2026-11-24 " + std::string(389, 'a');  // the longest allowed text
  CHECK(*parse_machine(machine_text(machine), "machine.toml") == machine);
}

TEST_CASE("a measurement of another version is renamed, and only the file for a new one is opened", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("machine.toml");
  test::write_text(path, "warp = 9\n");
  const auto kept = save_machine(both(), std::move(*open_user_file(path)));
  REQUIRE(kept.ok());
  CHECK(test::read_text(kept->aside) == "warp = 9\n");
  CHECK(*load_machine(path) == both());
  CHECK_FALSE(open_user_file(folder.path()).ok());
  CHECK_FALSE(open_user_file("").ok());
}

TEST_CASE("a damaged file of a measured machine is refused, and says where", "[unit]") {
  const auto why = [](const std::string& text) {
    const auto read = parse_machine(text, "m.toml");
    REQUIRE_FALSE(read.ok());
    return text_of(read.issues());
  };
  const std::string sound = "[processor]\nname = \"x\"\nthreads = 2\nread_gb_per_s = 10.0\nfp32_tflops = 1.0\n";
  REQUIRE(parse_machine(sound, "m.toml").ok());
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    return text.replace(text.find(from), from.size(), to);
  };
  CHECK(holds(why(with("threads = 2", "threads = 0")), "line 3"));
  CHECK(holds(why(with("threads = 2", "threads = 99999999999")), "must be from 1 to 4,096"));
  CHECK(holds(why(with("10.0", "0.0")), "read_gb_per_s"));
  CHECK(holds(why(with("10.0", "-1.0")), "read_gb_per_s"));
  CHECK(holds(why(with("10.0", "nan")), "read_gb_per_s"));
  CHECK(holds(why(with("10.0", "1e9")), "read_gb_per_s"));
  CHECK(holds(why(with("\"x\"", "\"\"")), "must be 1 to 200 printable characters"));
  CHECK(holds(why(with("fp32_tflops", "fp64_tflops")), "is not a key"));
  CHECK(holds(why("[card]\nname = \"x\"\ncopy_gb_per_s = 1.0\n"), "product_tflops"));
  CHECK(holds(why("[card]\nname = \"" + std::string(500, 'x') + "\"\ncopy_gb_per_s = 1.0\nproduct_tflops = 1.0\n"),
              "at most 400 letters"));
  const std::string raced = "[[raced]]\nrung = \"cpu_naive\"\nn = 64\nd = 8\nheads = 1\nms = [1.5, 2]\n";
  const auto raced_with = [&](const std::string& from, const std::string& to) {
    std::string text = raced;
    return text.replace(text.find(from), from.size(), to);
  };
  REQUIRE(parse_machine(raced, "m.toml").ok());
  CHECK(parse_machine(raced, "m.toml")->raced.front().median_ms() == 1.75);
  CHECK(holds(why(raced_with("naive", "fast")), "must be one of cpu_naive, cpu_tiled"));
  CHECK(holds(why(raced_with("n = 64", "n = 0")), "line 3"));
  for (const char* ms : {"[]", "3", "[1.5, \"x\"]", "[1.5, 0]", "[1.5, -1]", "[nan]", "[inf]"})
    CHECK(holds(why(raced_with("[1.5, 2]", ms)), "must be 1 to 64 numbers above 0"));
  CHECK(holds(why(raced_with("heads = 1\n", "")), "must have n, d, heads and ms"));
  CHECK(holds(why("raced = 3\n"), "must be tables"));
  CHECK(holds(why("date = 3\n"), "must be text"));
  CHECK(holds(why("a = 1\n"), "is not a key"));
  CHECK_FALSE(parse_machine("[", "m.toml").ok());
}

TEST_CASE("a card is found in the device table by its driver's name", "[unit]") {
  const auto like = [](const char* name) {
    const DeviceModel* const found = device_like(name);
    return found ? found->name : std::string("none");
  };
  CHECK(like("NVIDIA H200") == "h200");
  CHECK(like("NVIDIA H100 80GB HBM3") == "h100");
  CHECK(like("NVIDIA A100-SXM4-80GB") == "a100");
  CHECK(like("NVIDIA GeForce RTX 4090") == "rtx4090");
  CHECK(like("Tesla T4") == "t4");
  CHECK(like("NVIDIA RTX A6000") == "a6000");
  CHECK(like("NVIDIA A100-SXM4-40GB") == "a100-40gb");
  CHECK(like("NVIDIA H100 PCIe") == "h100-pcie");
  CHECK(like("NVIDIA RTX A4000") == "none");
  CHECK(like("") == "none");
}
