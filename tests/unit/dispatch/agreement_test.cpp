// The evaluator compared with PyTorch's answers for random calls, on GPUs and on a CPU:
// assets/measurements/dispatch_*.csv.
#include <filesystem>

#include "tests/unit/dispatch/tables.h"

using namespace tilewalk;
using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> recorded_files() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(std::string(TILEWALK_SOURCE_DIR) + "/assets/measurements"))
    if (entry.path().filename().string().starts_with("dispatch_")) out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

RecordedCalls recorded(const std::string& path) {
  Result<RecordedCalls> read = parse_recorded_calls(text_of_file(path), fs::path(path).filename().string());
  INFO((read ? std::string() : text_of(read.issues())));
  REQUIRE(read.ok());
  return std::move(*read);
}

std::string said(std::optional<SdpaBackend> backend) { return backend ? torch_name(*backend) : "none"; }

std::string place_in(const std::string& text) {  // "sdp_utils.cpp:180" of "cuda/sdp_utils.cpp:180" and "… words"
  const std::string first = text.substr(0, text.find(' '));
  return first.substr(first.rfind('/') + 1);
}

}  // namespace

TEST_CASE("every recorded call has PyTorch's choice, refusals and error") {
  std::int64_t calls = 0, ran = 0, verdicts = 0, places = 0;
  REQUIRE(recorded_files().size() >= 3);
  for (const std::string& path : recorded_files()) {
    for (const RecordedCall& one : recorded(path).calls) {
      CAPTURE(path, one.number, command_line_of(one.call), one.error);
      const WhichAnswer answer = answer_of(one.call, table(one.call.torch));
      ++calls;
      CHECK(said(answer.picked) == one.choice);
      if (!answer.picked) CHECK(answer.raised == one.error);
      if (!one.ran.empty()) {
        ++ran;
        CHECK(said(answer.runs) == one.ran);
        CHECK(answer.raised == one.error);
      }
      if (!one.call.on_gpu) continue;  // can_use_* are only about GPUs
      for (const auto& [backend, can] : one.can_use) {
        const BackendAnswer* own = answer.of(backend);
        REQUIRE(own);
        CAPTURE(name_of(backend), one.why.at(backend));
        ++verdicts;
        CHECK(own->allowed == (can == "yes"));
        if (own->allowed || one.why.at(backend).empty()) continue;
        ++places;  // the exact line of PyTorch's source that refused
        REQUIRE(own->failed());
        CHECK(place_in(own->failed()->rule->source) == place_in(one.why.at(backend)));
      }
    }
  }
  CHECK(calls >= 1800);
  CHECK(ran >= 1000);
  CHECK(verdicts >= 3600);
  CHECK(places >= 1500);
}
