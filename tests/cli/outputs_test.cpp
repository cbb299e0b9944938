// Output files and streams: a bad path is found before any work, no complete file is lost, and the exit code reports
// output that could not be written.
#include <sys/stat.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>

#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "files/tensor_files.h"
#include "measured/recorded_race.h"
#include "tests/support/catch.h"
#include "tests/support/reference_gradients.h"
#include "tests/support/run_program.h"
#include "tests/support/tensor_file_helpers.h"

using namespace tilewalk;
using test::read_text;
using test::reference_gradients;
using test::save_tensor;
using test::tilewalk_says;
using test::write_text;
using Json = nlohmann::json;

namespace {

namespace fs = std::filesystem;

// The exit code of a shell line in which TW is the program.
int exit_of(const std::string& line) {
  const int status = ::system(("TW() { timeout 60 '" TILEWALK_BINARY "' \"$@\"; }; " + line).c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

std::vector<float> values_of(const std::string& path, const std::string& name) {
  const Result<InputTensor> tensor = load_input_tensor(path, name);
  INFO(path << ", " << name);
  REQUIRE(tensor.ok());
  return tensor->tensor.values;
}

double distance(const std::vector<float>& values, const std::vector<double>& exact) {
  REQUIRE(values.size() == exact.size());
  double largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) largest = std::max(largest, std::abs(double(values[i]) - exact[i]));
  return largest;
}

const std::string kRace = "race --cpu --n 64 --d 16 --causal off --threads 1 --csv ";

}  // namespace

TEST_CASE("a backward run gives O and L of its forward pass, and the gradients") {
  test::TemporaryFolder folder;
  Problem p;
  p.shape.n_q = p.shape.n_kv = 6;
  p.shape.d = 3;
  const Inputs inputs(p);
  std::vector<double> o;
  for (std::int64_t row = 0; row < 6; ++row)
    for (const double value : reference_row(inputs, {0, 0, row}).o) o.push_back(value);
  const ReferenceGradients exact = reference_gradients(inputs, 0, 0);
  for (const char* schedule : {"backward", "backward_v1", "backward_standard"}) {
    CAPTURE(schedule);
    const std::string words = "run --mask causal --n 6 --d 3 --schedule " + std::string(schedule);
    const std::string one = folder.file("all.safetensors");
    const auto npy = [&](const char* name) { return folder.file(std::string(name) + ".npy"); };
    test::Said said = tilewalk_says(words + " --no-reference --json --out " + one);
    INFO(said.err);
    REQUIRE(said.exit == 0);
    CHECK(Json::parse(said.out)["gradients"] == Json{{"dq", one}, {"dk", one}, {"dv", one}});
    said = tilewalk_says(words + " --out " + npy("o") + " --lse " + npy("lse") + " --dq " + npy("dq") + " --dk " +
                         npy("dk") + " --dv " + npy("dv"));
    REQUIRE(said.exit == 0);
    CHECK(said.out.find("within FlashAttention's rule") != std::string::npos);
    p.shape.mask.kind = MaskKind::Causal;
    for (const char* name : {"o", "dq", "dk", "dv"}) CHECK(values_of(one, name) == values_of(npy(name), name));
    CHECK(fs::file_size(npy("lse")) > 0);
    const Inputs masked(p);
    const ReferenceGradients gradients = reference_gradients(masked, 0, 0);
    CHECK(distance(values_of(one, "dq"), gradients.dq) < 1e-5);
    CHECK(distance(values_of(one, "dk"), gradients.dk) < 1e-5);
    CHECK(distance(values_of(one, "dv"), gradients.dv) < 1e-5);
    p.shape.mask.kind = MaskKind::None;
    REQUIRE(tilewalk_says("run --n 6 --d 3 --no-reference --out " + npy("z") + " --schedule " + schedule).exit == 0);
    CHECK(distance(values_of(npy("z"), "o"), o) < 1e-5);
  }
  CHECK(tilewalk_says("run --preset backward --out " + folder.file("p.npy")).exit == 0);
  const test::Said forward = tilewalk_says("run --out " + folder.file("f.npy") + " --dq " + folder.file("dq2.npy"));
  CHECK(forward.exit == 2);
  CHECK(forward.err.find("dq = ") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.file("f.npy")));
}

TEST_CASE("grouped heads and 16 bits keep the shape of each tensor") {
  test::TemporaryFolder folder;
  const std::string path = folder.file("all.safetensors");
  REQUIRE(
      tilewalk_says("run --schedule backward --heads 4 --kv-heads 2 --n-q 5 --n-kv 9 --d 8 --dtype bf16 --out " + path)
          .exit == 0);
  const auto shape = [&](const char* name) {
    const Result<InputTensor> t = load_input_tensor(path, name);
    REQUIRE(t.ok());
    CHECK(t->dtype == DType::Bf16);
    return std::vector{t->tensor.batch, t->tensor.heads, t->tensor.rows, t->tensor.cols};
  };
  CHECK(shape("o") == std::vector<std::int64_t>{1, 4, 5, 8});
  CHECK(shape("dq") == std::vector<std::int64_t>{1, 4, 5, 8});
  CHECK(shape("dk") == std::vector<std::int64_t>{1, 2, 9, 8});
  CHECK(shape("dv") == std::vector<std::int64_t>{1, 2, 9, 8});
}

TEST_CASE("a distance beyond the rule is a divergence") {
  test::TemporaryFolder folder;
  const std::string out = " --out " + folder.file("o.npy");
  CHECK(tilewalk_says("run" + out).exit == 0);
  const test::Said wrong = tilewalk_says("run --fault forget-rescale-o" + out);
  CHECK(wrong.exit == 1);
  CHECK(wrong.out.find("beyond FlashAttention's rule") != std::string::npos);
  CHECK(tilewalk_says("run --json --fault forget-rescale-o" + out).exit == 1);
}

// Sixteen rows of four values, where naive attention happens to be nearer to float64 than its roundings allow.
TEST_CASE("tiny gradients are checked by the rule, and only a wrong one is a divergence") {
  test::TemporaryFolder folder;
  const std::string words = "run --schedule backward --n 16 --d 4 --br 4 --bc 4 --mask causal --seed 24 --out " +
                            folder.file("all.safetensors");
  const test::Said right = tilewalk_says(words);
  CHECK(right.exit == 0);
  CHECK(right.out.find("within FlashAttention's rule") != std::string::npos);
  CHECK(right.out.find("at most twice that and ") != std::string::npos);
  const test::Said wrong = tilewalk_says(words + " --fault mask-off-by-one");
  INFO(wrong.out + wrong.err);
  CHECK(wrong.exit == 1);
  CHECK(wrong.out.find("beyond FlashAttention's rule") != std::string::npos);
}

TEST_CASE("either all outputs of a run are written or none, each to its own file") {
  test::TemporaryFolder folder;
  fs::create_directory(folder.file("folder.npy"));
  write_text(folder.file("old.npy"), "old");
  const auto refused = [&](const std::string& words, const std::string& part) {
    const test::Said said = tilewalk_says("run " + words);
    CAPTURE(words, said.err);
    CHECK(said.exit == 2);
    CHECK(said.err.find(part) != std::string::npos);
  };
  const std::string old = folder.file("old.npy");
  refused("--out " + old + " --lse " + old, "is the file that out goes to");
  refused("--out " + old + " --lse " + folder.file("folder.npy"), "is a folder");
  refused("--schedule backward --out " + old + " --dq " + folder.file("a.npy") + " --dk " + folder.file("a.npy"),
          "is the file that dq goes to");
  CHECK(read_text(old) == "old");
  CHECK(names_in(folder.path()) == std::set<std::string>{"folder.npy", "old.npy"});
  REQUIRE(tilewalk_says("run --n 4 --d 4 --out " + old).exit == 0);
  const std::string values = read_text(old);
  refused("--q " + old + " --out " + old, "is the file that q is read from");
  CHECK(exit_of("TW run --n 4 --d 4 --out " + old + " >" + old + " 2>/dev/null") == 2);
}

TEST_CASE("a race's table is opened before the race, and only a finished race replaces a finished one") {
  test::TemporaryFolder folder;
  const std::string csv = folder.file("race.csv");
  REQUIRE(tilewalk_says(kRace + csv).exit == 0);
  const std::string finished = read_text(csv);
  REQUIRE(parse_recorded_race(finished, csv).ok());
  for (const std::string& bad :
       {std::string("/nonexistent/x.csv"), folder.file("race.csv/x.csv"), folder.file("x.txt")}) {
    const test::Said said = tilewalk_says(kRace + bad, "timeout 5");
    CHECK(said.exit == 2);
    CHECK(said.out.empty());
  }
  const std::string longer = "TW race --cpu --n 2048,3000,4096 --d 64,128 --threads 1 --csv " + csv;
  CHECK(exit_of("timeout --foreground -s INT 3 '" TILEWALK_BINARY "'" + longer.substr(2) + " >/dev/null 2>" +
                folder.file("said")) != 0);
  CHECK(read_text(csv) == finished);
  for (const std::string& name : names_in(folder.path())) {
    if (name == "race.csv" || name == "said") continue;
    CHECK(name == "race.partial.csv");
    CHECK(load_recorded_race(folder.file(name)).ok());
    CHECK(read_text(folder.file("said")).find(name) != std::string::npos);
  }
}

TEST_CASE("ending a race by a signal, or closing its terminal, keeps the finished rows") {
  for (const char* signal : {"TERM", "HUP"}) {
    test::TemporaryFolder folder;
    CAPTURE(signal);
    // Ends at the first progress of the second row, however slow the machine is.
    const std::string race = "'" TILEWALK_BINARY "' race --cpu --n 64,8192 --d 64 --causal off --threads 1 --csv '" +
                             folder.file("race.csv") + "'";
    const int exit = exit_of(race + " >/dev/null 2>'" + folder.file("said") + "' & race=$!; sleep 5; kill -" + signal +
                             " $race; wait $race");
    const std::string said = read_text(folder.file("said"));
    CAPTURE(said);
    CHECK(exit == (std::string(signal) == "TERM" ? 143 : 129));
    CHECK_FALSE(fs::exists(folder.file("race.csv")));
    for (const std::string& name : names_in(folder.path())) {
      if (name == "said") continue;
      CHECK(name == "race.partial.csv");
      CHECK(load_recorded_race(folder.file(name)).ok());
    }
  }
}

TEST_CASE("values that are not finite are reported with their cause, with or without a reference") {
  test::TemporaryFolder folder;
  const auto said = [&](const std::string& words) {
    const test::Said out = tilewalk_says("run --n 6 --d 3 " + words + " --out '" + folder.file("e.safetensors") + "'");
    CAPTURE(words, out.out, out.err);
    CHECK(out.exit == 1);
    return out.err;
  };
  const std::string scores = "--edit V:0:0:3:1=3.4e38 --edit Q:0:0:1:1=3e38 --edit K:0:0:1:1=3e38";
  for (const char* more : {" --no-reference", ""})
    CHECK(said(scores + more) ==
          "tilewalk: O and L are not finite: scores pass 3.4e38, the largest number of fp32. Make Q, K or the scale "
          "smaller\n");
  const std::string gradients = said("--schedule backward --dtype fp16 --edit dO:0:0:0:0=60000 --edit V:0:0:0:0=60000");
  CHECK(gradients.find("dQ and dK are not finite: values of dS pass 65,504, the largest number of fp16") !=
        std::string::npos);
  CHECK(gradients.find("softmax") == std::string::npos);
  CHECK(said("--fault no-max --dtype fp16 --edit Q:0:0:0:0=90 --edit K:0:0:0:0=90").find("The mistake does it") !=
        std::string::npos);
  CHECK(tilewalk_says("run --n 6 --d 3 --mask window:0:0 --n-q 9 --n-kv 3 --no-reference --out '" +
                      folder.file("l.npy") + "'")
            .err.find("not finite") == std::string::npos);
}

TEST_CASE("a threshold too large for fp16 is refused, with the reason") {
  test::TemporaryFolder folder;
  const std::string words = "run --schedule flash_v4 --n 64 --d 16 --scale 2 --seed 1 --out ";
  const std::string npy = folder.file("o.npy"), safetensors = folder.file("o.safetensors");
  const test::Said said = tilewalk_says(words + npy + " --threshold 17 --dtype fp16");
  CHECK(said.exit == 2);
  CHECK(said.err ==
        "tilewalk: threshold = 17: must be at most 15 in fp16: P grows to 2^threshold, and fp16 ends at 65,504, below "
        "2^16. Try 8, as FlashAttention-4 does, or --dtype bf16\n");
  CHECK(tilewalk_says(words + npy + " --threshold 15 --dtype fp16").exit == 0);
  CHECK(tilewalk_says(words + safetensors + " --threshold 64 --dtype bf16").exit == 0);
}

TEST_CASE("small right results are not divergences, nor are those of constant and of very large values") {
  test::TemporaryFolder folder;
  const std::string out = " --out " + folder.file("o.npy"), file = folder.file("v.npy");
  const auto run = [&](const std::string& words) { return tilewalk_says("run " + words + out); };
  CHECK(run("--n-q 1 --n-kv 64 --d 4 --seed 104").exit == 0);
  for (const float value : {0.3f, 1e30f, 1e-30f}) {
    std::vector<float> v(256, value);
    for (std::size_t i = 0; value != 0.3f && i < v.size(); ++i) v[i] *= float(i * i % 7) - 2.5f;
    REQUIRE(save_tensor(file, "v", v, {1, 1, 64, 4}, DType::Fp32));
    for (int seed = 1; seed <= 20; ++seed) {
      const test::Said said = run("--n-q 1 --n-kv 64 --d 4 --v " + file + " --seed " + std::to_string(seed));
      CAPTURE(value, seed, said.out, said.err);
      CHECK(said.exit == 0);
    }
  }
  const test::Said wrong = run("--n-q 8 --n-kv 64 --d 4 --bc 8 --fault forget-rescale-o --v " + file);  // of 1e-30
  CHECK(wrong.exit == 1);
  CHECK(wrong.out.find("beyond FlashAttention's rule") != std::string::npos);
}

TEST_CASE("the name of a file is printed as visible characters") {
  test::TemporaryFolder folder;
  const test::Said said =
      tilewalk_says("run --n 4 --d 4 --out \"$(printf '" + folder.path() + "/a\\nb\\033[31m.npy')\"");
  CAPTURE(said.out, said.err);
  REQUIRE(said.exit == 0);
  CHECK(said.out.find("a\\nb\\x1b[31m.npy") != std::string::npos);
  CHECK(said.out.find('\033') == std::string::npos);
}

TEST_CASE("a table may go into a pipe, or be the only output on stdout") {
  test::TemporaryFolder folder;
  const std::string stream = folder.file("stdout");  // like /dev/stdout, which a faulty program could replace
  fs::create_symlink("/proc/self/fd/1", stream);
  REQUIRE(exit_of("TW " + kRace + stream + " 2>/dev/null >" + folder.file("out.csv")) == 0);
  CHECK(load_recorded_race(folder.file("out.csv")).ok());
  REQUIRE(exit_of("TW " + kRace + stream + " 2>/dev/null | cat >" + folder.file("piped.csv")) == 0);
  CHECK(load_recorded_race(folder.file("piped.csv")).ok());
  CHECK(tilewalk_says(kRace + stream + " --json").exit == 2);
  CHECK(fs::is_symlink(stream));
}

TEST_CASE("a picture is written to a .png file, never over a device or a foreign file") {
  test::TemporaryFolder folder;
  REQUIRE(::mkfifo(folder.file("n.png").c_str(), 0600) == 0);
  write_text(folder.file("x.png.part"), "a stranger's");
  for (const char* name : {"n.png", "x.jpg", "x"})
    CHECK(tilewalk_says("render --size 320x320 --out " + folder.file(name), "timeout 20").exit == 2);
  CHECK(fs::is_fifo(folder.file("n.png")));
  if (tilewalk_says("render --size 320x320 --out " + folder.file("x.png")).exit != 0)
    return test::skip("no picture can be drawn here");
  CHECK(read_text(folder.file("x.png")).starts_with("\x89PNG"));
  CHECK(read_text(folder.file("x.png.part")) == "a stranger's");
  CHECK(names_in(folder.path()) == std::set<std::string>{"n.png", "x.png", "x.png.part"});
}

TEST_CASE("the exit code reports that stdout could not be written, for every verb") {
  for (const char* words : {"--help", "--version", "replay --help", "replay", "replay --json", "replay --walk",
                            "counters", "counters --json", "verify --recorded", "verify --recorded --json", "devices",
                            "race --recorded --n 1024", "race --recorded --json", "race --timeline --d 128 --n 8192"}) {
    CAPTURE(words);
    CHECK(exit_of("TW " + std::string(words) + " >/dev/full 2>/dev/null") == 4);
    CHECK(exit_of("TW " + std::string(words) + " >&- 2>/dev/null") == 4);
    CHECK(exit_of("TW " + std::string(words) + " >/dev/full 2>/dev/full") == 4);
  }
  test::TemporaryFolder folder;
  CHECK(exit_of("TW counters >/dev/full 2>" + folder.file("said")) == 4);
  CHECK(read_text(folder.file("said")).find("stdout could not be written: No space left") != std::string::npos);
}

TEST_CASE("a closed stderr does not change the exit code, and no message goes into a file") {
  for (const char* stderr_is : {"2>&-", "2>/dev/full", "2>&- >&- <&-"})
    CHECK(exit_of(std::string("TW replay --n 0 ") + stderr_is) == 2);
  test::TemporaryFolder folder;
  REQUIRE(exit_of("TW run --n 4 --d 4 --no-reference --out " + folder.file("a.npy") + " >/dev/null") == 0);
  CHECK(exit_of("TW run --n 4 --d 4 --no-reference --out " + folder.file("b.npy") + " >&- 2>&- <&-") == 4);
  CHECK(read_text(folder.file("a.npy")) == read_text(folder.file("b.npy")));
}

TEST_CASE("a file beyond the size limit is an error, and leaves nothing") {
  test::TemporaryFolder folder;
  const std::string out = folder.file("o.npy");
  write_text(out, "old");
  CHECK(exit_of("ulimit -f 8; TW run --n 256 --d 64 --no-reference --out " + out + " >/dev/null 2>&1") == 2);
  CHECK(read_text(out) == "old");
  CHECK(names_in(folder.path()) == std::set<std::string>{"o.npy"});
}

TEST_CASE("counters and lanes are written to files of their own, whole or not at all") {
  test::TemporaryFolder folder;
  const std::string csv = folder.file("steps.csv"), lanes = folder.file("lanes.json");
  const test::Said said = tilewalk_says("counters --preset fa3 --json --csv " + csv + " --perfetto " + lanes);
  REQUIRE(said.exit == 0);
  CHECK(Json::parse(said.out)["csv"] == csv);
  const std::string table = read_text(csv);
  CHECK(std::count(table.begin(), table.end(), '\n') == Json::parse(said.out)["step_count"].get<std::int64_t>() + 1);
  CHECK(Json::parse(read_text(lanes))["traceEvents"].size() > 10);
  const std::string chip = folder.file("chip.json");
  REQUIRE(tilewalk_says("race --timeline --d 128 --n 8192 --perfetto " + chip).exit == 0);
  CHECK(Json::parse(read_text(chip))["traceEvents"].size() > 100);
  fs::remove(csv);
  CHECK(tilewalk_says("counters --schedule standard --csv " + csv + " --perfetto " + folder.file("x.json")).exit == 2);
  CHECK(tilewalk_says("counters --csv " + folder.file("x.txt")).exit == 2);
  CHECK(tilewalk_says("counters --preset huge --csv " + csv).exit == 2);
  CHECK(tilewalk_says("race --recorded --perfetto " + folder.file("x.json")).exit == 2);
  CHECK(names_in(folder.path()) == std::set<std::string>{"chip.json", "lanes.json"});
}

TEST_CASE("run reads flash-attn's order of dimensions, and says where a file looks like it") {
  const test::TemporaryFolder folder;
  const std::string wide = "'" + folder.file("wide.npy") + "'", out = "'" + folder.file("o.npy") + "'";
  REQUIRE(tilewalk_says("run --n 4 --heads 32 --d 8 --out " + wide).exit == 0);  // [1, 32, 4, 8]
  const std::string files = "run --q " + wide + " --k " + wide + " --v " + wide + " --out " + out;
  const test::Said plain = tilewalk_says(files), other = tilewalk_says(files + " --layout bshd");
  REQUIRE(plain.exit == 0);
  CHECK(plain.out.find("32 heads of 4 rows") != std::string::npos);
  CHECK(plain.out.find("--layout bshd") != std::string::npos);
  REQUIRE(other.exit == 0);
  CHECK(other.out.find("--layout bshd") == std::string::npos);
  CHECK(tilewalk_says(files + " --layout hbsd").exit == 2);
  CHECK(tilewalk_says("run --n 4 --layout bshd --out " + out).exit == 2);
  const std::string one_query = "'" + folder.file("one.npy") + "'", keys = "'" + folder.file("keys.npy") + "'";
  REQUIRE(tilewalk_says("run --n-q 1 --n-kv 64 --heads 8 --d 8 --out " + one_query).exit == 0);
  REQUIRE(tilewalk_says("run --n 64 --heads 8 --d 8 --out " + keys).exit == 0);
  const test::Said decoding = tilewalk_says("run --q " + one_query + " --k " + keys + " --v " + keys + " --out " + out);
  REQUIRE(decoding.exit == 0);
  CHECK(decoding.out.find("--layout") == std::string::npos);
}
