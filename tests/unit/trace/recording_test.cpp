// Traces as files: a saved trace is loaded unchanged, and damaged or foreign files are refused with a sentence.
#include "trace/recording.h"

#include <unistd.h>

#include <filesystem>
#include <set>

#include "base/units.h"
#include "kernels/host/kernel_api.h"
#include "tests/support/catch.h"
#include "tests/support/random_problem.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tensor_file_helpers.h"
#include "trace/problem_json.h"
#include "trace/verify.h"

using namespace tilewalk;
using test::reader_of;

namespace {

Trace named_trace(const Problem& p, TraceDetail detail) {
  KernelOutcome outcome = run_kernel(Runner::Cpu, Inputs(p), detail);
  REQUIRE(outcome.result.has_value());
  Trace trace = std::move(*outcome.result->trace);
  trace.provenance.gpu = "a card, \"quoted\"";
  trace.provenance.driver = "580.1";
  trace.provenance.cuda = "13.0";
  return trace;
}

std::string first_issue(const SafetensorsFile& file) {
  const Result<Trace> loaded = recording_from(reader_of(file, "x.safetensors"), "x.safetensors");
  REQUIRE_FALSE(loaded.ok());
  return text_of(loaded.issues());
}

}  // namespace

TEST_CASE("a loaded recording equals the saved one, bit for bit") {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("tilewalk_recording_test_" + std::to_string(getpid()))).string();
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Problem p = test::random_problem(seed);
    if (!has_kernel(p.schedule)) continue;
    INFO(test::as_text(p));
    const Trace trace = named_trace(p, seed % 2 ? TraceDetail::State : TraceDetail::Hashes);
    REQUIRE(save_recording(trace, path).ok());
    const Result<Trace> loaded = load_recording(path);
    INFO((loaded.ok() ? std::string() : text_of(loaded.issues())));
    REQUIRE(loaded.ok());
    REQUIRE(loaded->problem == trace.problem);
    REQUIRE(safetensors_bytes(recording_file(*loaded)) == safetensors_bytes(recording_file(trace)));
    REQUIRE(
        verify(make_schedule(p), Inputs(p), std::make_shared<Trace>(*loaded), {rung_for(p.schedule).digest}).verdict ==
        Verdict::Equal);
  }
  std::filesystem::remove(path);
}

TEST_CASE("a file that is not a recording, or is damaged, is refused with the place") {
  const SafetensorsFile right = recording_file(named_trace(Problem{}, TraceDetail::State));
  REQUIRE(recording_from(reader_of(right, "x"), "x").ok());
  const auto with = [&](const char* key, const char* value) {
    SafetensorsFile file = right;
    file.metadata[key] = value;
    return first_issue(file);
  };
  REQUIRE(with("format", "pt").find("is not a Tilewalk recording") != std::string::npos);
  REQUIRE(with("version", "2").find("version") != std::string::npos);
  REQUIRE(with("visits", "11").find("must be 16") != std::string::npos);
  REQUIRE(with("visits", "16 ").find("visits") != std::string::npos);
  REQUIRE(with("inputs_digest", "12").find("hexadecimal") != std::string::npos);
  REQUIRE(with("detail", "all").find("state or hashes") != std::string::npos);
  REQUIRE(with("ran_on", "tpu").find("gpu or cpu") != std::string::npos);
  REQUIRE(with("problem", "{").find("JSON") != std::string::npos);
  for (const auto& [key, value] : right.metadata) {
    if (key == "about") continue;
    SafetensorsFile file = right;
    file.metadata.erase(key);
    REQUIRE_FALSE(recording_from(reader_of(file, "x"), "x").ok());
  }
  SafetensorsFile file = right;
  file.tensors.pop_back();
  REQUIRE(first_issue(file).find("lacks the tensor") != std::string::npos);
  file = right;
  file.tensors[0].shape = {4, 16};
  REQUIRE(first_issue(file).find("must be F32 [16, 4]") != std::string::npos);
  file = right;
  file.tensors[0].type = TensorType::I32;
  REQUIRE(first_issue(file).find("I32") != std::string::npos);
  file = right;
  file.tensors.push_back({"extra", TensorType::U8, {0}, {}});
  REQUIRE(first_issue(file).find("tensors") != std::string::npos);
}

TEST_CASE("a problem converted to JSON and back is equal") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Problem p = test::random_problem(seed);
    if (seed % 3 == 0) p.numerics.scale = 0.1 + double(seed) / 7;
    if (seed % 5 == 0) p.numerics.seed = ~std::uint64_t(0) - seed;
    const Result<Problem> back = parse_problem_json(problem_json(p), "x");
    INFO(problem_json(p));
    REQUIRE(back.ok());
    REQUIRE(*back == p);
  }
}

TEST_CASE("recordings name a field that is younger than they are only where it was set") {
  Problem p;
  p.schedule = ScheduleKind::Standard;
  p.numerics.dtype = DType::Bf16;
  const std::string wide = problem_json(p), name = recording_name(p, TraceDetail::State);
  CHECK(wide.find("narrow") == std::string::npos);
  CHECK(parse_problem_json(wide, "x").ok());
  p.numerics.narrow_scores = true;
  CHECK(problem_json(p).find("\"narrow_scores\":true") != std::string::npos);
  CHECK(recording_name(p, TraceDetail::State) != name);
}

TEST_CASE("problem JSON is read strictly") {
  const std::string right = problem_json(Problem{});
  const auto refused = [](const std::string& text) { return !parse_problem_json(text, "x").ok(); };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = right;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  REQUIRE_FALSE(refused(right));
  REQUIRE(refused(""));
  REQUIRE(refused("[]"));
  REQUIRE(refused(right + "x"));
  REQUIRE(refused(with("\"d\":4", "\"d\":-1")));
  REQUIRE(refused(with("\"d\":4", "\"d\":4.5")));
  REQUIRE(refused(with("\"d\":4", "\"d\":\"4\"")));
  REQUIRE(refused(with("\"d\":4", "\"d\":18446744073709551615")));
  REQUIRE(refused(with("\"d\":4", "\"dd\":4")));
  REQUIRE(refused(with("\"d\":4", "\"d\":4,\"more\":1")));
  REQUIRE(refused(with("\"seed\":7", "\"seed\":-7")));
  REQUIRE(refused(with("\"flash_v2\"", "\"flash_v9\"")));
  REQUIRE(refused(with("\"sram_bytes\":1024", "\"sram_bytes\":10")));
  REQUIRE(refused(std::string(kMaxProblemJson + 1, ' ')));
}

TEST_CASE("problem JSON of ten thousand levels is refused without harm") {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text = "{\"batch\": ";
    for (int i = 0; i < 10'000; ++i) text += open;
    const Result<Problem> cut = parse_problem_json(text, "x");
    REQUIRE_FALSE(cut.ok());
    CHECK(text_of(cut.issues()).find("plain values") != std::string::npos);
  }
  std::string whole =
      "{\"schedule\": \"flash_v2\", \"batch\": " + std::string(30'000, '[') + std::string(30'000, ']') + "}";
  CHECK_FALSE(parse_problem_json(whole, "x").ok());
}

TEST_CASE("a recording with text that would control a terminal is refused") {
  SafetensorsFile file = recording_file(named_trace(Problem{}, TraceDetail::State));
  file.metadata["gpu"] = "NVIDIA H200\n\x1b[32mequal";
  CHECK(first_issue(file).find("must be one line") != std::string::npos);
  CHECK(first_issue(file).find('\x1b') == std::string::npos);
}

TEST_CASE("recordings of problems with different values have different names") {
  Problem p;
  const std::string name = recording_name(p, TraceDetail::State);
  REQUIRE(name.starts_with("flash_v2_n16_d4_none_fp32_4x4_"));
  REQUIRE(name.ends_with("_state.safetensors"));
  REQUIRE(recording_name(p, TraceDetail::Hashes) != name);
  Problem other = p;
  other.numerics.seed = 8;
  REQUIRE(recording_name(other, TraceDetail::State) != name);
  Problem same = p;
  same.machine.device = "a100-80";
  same.machine.sram_bytes *= 2;
  same.fault = Fault::NoMax;
  same.numerics.scale = 0.5;
  REQUIRE(same_values(p, same));
  REQUIRE(recording_name(same, TraceDetail::State) == name);
}

TEST_CASE("shipped recordings come from the current kernels, from a GPU, and the README counts and dates them") {
  const std::vector<std::string> paths = recording_paths(std::string(TILEWALK_SOURCE_DIR) + "/assets/recordings");
  if (paths.empty()) return test::skip("no recordings ship yet");
  std::int64_t visits = 0;
  std::set<std::string> dates;
  for (const std::string& path : paths) {
    INFO(path);
    const Result<Trace> trace = load_recording(path);
    INFO((trace.ok() ? std::string() : text_of(trace.issues())));
    REQUIRE(trace.ok());
    REQUIRE(trace->provenance.ran_on == "gpu");
    REQUIRE(trace->provenance.kernel_digest == rung_for(trace->problem.schedule).digest);
    REQUIRE(std::filesystem::path(path).filename().string() == recording_name(trace->problem, trace->detail));
    REQUIRE(find_recording(std::string(TILEWALK_SOURCE_DIR) + "/assets/recordings", trace->problem) != "");
    visits += trace->visit_count;
    dates.insert(trace->provenance.date);
  }
  const std::string readme = test::read_text(TILEWALK_SOURCE_DIR "/README.md");
  CHECK(readme.find("holds " + format_count(std::int64_t(paths.size())) + " runs") != std::string::npos);
  CHECK(readme.find(format_count(visits) + " tile visits") != std::string::npos);
  for (const std::string& date : dates) CHECK(readme.find(date) != std::string::npos);
}

TEST_CASE("shipped recordings equal the replay in every bit") {
  constexpr std::int64_t kVisitsAtMost = 300;  // `tilewalk verify --recorded --all` checks larger ones
  for (const std::string& path : recording_paths(std::string(TILEWALK_SOURCE_DIR) + "/assets/recordings")) {
    Result<Trace> trace = load_recording(path);
    REQUIRE(trace.ok());
    if (trace->visit_count > kVisitsAtMost) continue;
    const Problem p = trace->problem;
    const CheckReport report =
        verify(make_schedule(p), Inputs(p), std::make_shared<Trace>(std::move(*trace)), {rung_for(p.schedule).digest});
    INFO(path << ": " << sentence_of(report));
    REQUIRE(report.verdict == Verdict::Equal);
  }
}
