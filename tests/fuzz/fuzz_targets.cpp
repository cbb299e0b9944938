#include "tests/fuzz/fuzz_targets.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/cli/verbs.h"
#include "core/problem/mask.h"
#include "session/session_file.h"
#include "measured/chip_timeline.h"
#include "measured/fast_trace.h"
#include "files/npy.h"
#include "trace/problem_json.h"
#include "trace/recording.h"
#include "files/safetensors.h"

namespace tilewalk::fuzz {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

std::string text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
void told(const Result<T>& result) {
  require(result.ok() || (!result.issues().empty() && !result.issues().front().text().empty()),
          "a refusal without a reason");
}

}  // namespace

void npy(std::span<const std::byte> bytes) {
  const auto entry = parse_npy(bytes, "x.npy");
  told(entry);
  if (!entry) return;
  const auto again = parse_npy(npy_bytes(*entry), "x.npy");
  require(again.ok() && *again == *entry, "npy: written and read differs");
}

void safetensors(std::span<const std::byte> bytes) {
  const auto file = parse_safetensors(bytes, "x.safetensors");
  told(file);
  if (!file) return;
  const auto again = parse_safetensors(safetensors_bytes(*file), "x.safetensors");
  require(again.ok() && again->metadata == file->metadata && again->tensors.size() == file->tensors.size(),
          "safetensors: written and read differs");
  told(recording_from(*file, "x.safetensors"));
  told(fast_trace_from(*file, "x.safetensors"));
}

void session(std::span<const std::byte> bytes) {
  const auto document = parse_document(text_of_bytes(bytes), "x.toml");
  told(document);
  if (!document) return;
  const auto again = parse_document(document_text(*document), "x.toml");
  require(again.ok() && *again == *document, "session: written and read differs");
}

void mask(std::span<const std::byte> bytes) {
  const auto parsed = mask_from(text_of_bytes(bytes));
  if (!parsed) return;
  require(mask_from(name_of(*parsed)) == parsed, "mask: written and read differs");
  if (parsed->left < (1ll << 32) && parsed->right < (1ll << 32))
    require(visible_pairs(parsed->band(7, 5), 7, 5) <= 35, "mask: more pairs than there are");
}

// Words are separated by line ends. Nothing is opened: paths are only text here.
void arguments(std::span<const std::byte> bytes) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text_of_bytes(bytes)) {
    if (c == '\n')
      words.push_back(std::move(word)), word.clear();
    else if (c != '\0')
      word += c;
  }
  if (!word.empty()) words.push_back(word);
  if (words.size() > 64) return;
  told(parse_command_line(words, verbs()));
}

void problem(std::span<const std::byte> bytes) {
  const auto parsed = parse_problem_json(text_of_bytes(bytes), "x");
  told(parsed);
  if (!parsed) return;
  const auto again = parse_problem_json(problem_json(*parsed), "x");
  require(again.ok() && *again == *parsed, "problem: written and read differs");
}

void recording(std::span<const std::byte> bytes) {
  const auto file = parse_safetensors(bytes, "x.safetensors");
  if (!file) return told(file);
  const auto trace = recording_from(*file, "x.safetensors");
  told(trace);
  if (!trace) return;
  const auto again = recording_from(recording_file(*trace), "x.safetensors");
  require(again.ok() && again->problem == trace->problem && again->hashes == trace->hashes,
          "recording: written and read differs");
}

void stamps(std::span<const std::byte> bytes) {
  const auto file = parse_chip_timelines(text_of_bytes(bytes), "x.csv");
  told(file);
  if (!file) return;
  for (const ChipRun& run : file->runs)
    for (const ChipBlock& block : run.blocks) {
      const Timeline t = timeline_of(run, block);
      for (const Segment& s : t.segments)
        require(s.end > s.start && s.lane >= 0 && s.lane < int(t.lanes.size()), "stamps: a piece outside its lane");
      require(phases_of(block).visits >= 0, "stamps: visits");
    }
}

}  // namespace tilewalk::fuzz
