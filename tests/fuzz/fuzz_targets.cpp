#include "tests/fuzz/fuzz_targets.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "app/cli/open_problem.h"
#include "app/cli/verbs.h"
#include "base/parse.h"
#include "base/shown.h"
#include "core/fields/fields.h"
#include "core/fields/validate.h"
#include "core/problem/mask.h"
#include "dispatch/advice.h"
#include "dispatch/profile/profile.h"
#include "dispatch/recorded_calls.h"
#include "files/npy.h"
#include "files/safetensors.h"
#include "lab/judge/visit_trace.h"
#include "measured/chip_timeline.h"
#include "measured/fast_trace.h"
#include "measured/hardware_traffic.h"
#include "measured/recorded_race.h"
#include "session/command/command_text.h"
#include "session/document/problem_draft.h"
#include "session/document/session_file.h"
#include "tests/fuzz/fuzz_checks.h"
#include "tests/support/tensor_file_helpers.h"
#include "trace/problem_json.h"
#include "trace/recording.h"

namespace tilewalk::fuzz {

using test::parse_npy;
using test::parse_safetensors;
using test::reader_of;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

std::string text_of_bytes(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void told(const Issues& issues) {
  require(!issues.empty(), "a refusal without a reason");
  const std::vector<std::string> lines = lines_of(issues);
  require(lines.size() <= 11, "a refusal of many lines");
  for (const std::string& line : lines)
    require(!line.empty() && line.size() < 10'000 && is_showable(line), "a refusal that is not one line of letters");
}

std::vector<std::string> lines_of_bytes(std::span<const std::byte> bytes) {
  std::vector<std::string> lines;
  const std::string text = text_of_bytes(bytes);
  for (std::string_view rest = text; !rest.empty();) {
    std::string line(take_until(rest, '\n'));
    std::erase(line, '\0');
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

Result<SafetensorsReader> opened(std::span<const std::byte> bytes) {
  return SafetensorsReader::of(bytes_in_memory(bytes), std::int64_t(bytes.size()), "x.safetensors");
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

void arguments(std::span<const std::byte> bytes) {
  static CommandLineParser parser(verbs());
  const std::vector<std::string> words = lines_of_bytes(bytes);
  if (words.size() <= 256) told(parser.parse(words));
}

void flags(std::span<const std::byte> bytes) {
  ProblemArgs args;
  for (const std::string& line : lines_of_bytes(bytes)) {
    std::string_view rest = line;
    const std::string name(take_until(rest, '='));
    if (name == "edit")
      args.edits.push_back(std::string(rest));
    else if (find_field(name) || name == "tiles" || name == "n")
      args.texts[name] = rest;
  }
  args.texts.try_emplace("n", "16");  // without it, presets would be read
  const auto opened = open_problem(args);
  told(opened);
  if (opened) require(validate(opened->document.problem).empty(), "flags: a problem that is none");
}

void fields(std::span<const std::byte> bytes) {
  Draft draft = draft_of(Problem{});
  for (const std::string& line : lines_of_bytes(bytes)) {
    std::string_view rest = line;
    const std::string name(take_until(rest, '='));
    if (find_field(name)) draft[name] = rest;
  }
  const Result<Problem> problem = problem_of(draft);
  told(problem);
  if (!problem) return;
  const Result<Problem> again = problem_of(draft_of(*problem));
  require(again.ok() && *again == *problem, "fields: written and read differs");
}

void call(std::span<const std::byte> bytes) {
  CallWords words;
  for (const std::string& line : lines_of_bytes(bytes)) {
    std::string_view rest = line;
    const std::string name(take_until(rest, '='));
    words[name] = rest;
  }
  const Result<Call> read = call_from(words);
  told(read);
  if (!read) return;
  const Result<Call> again = call_from(changed_fields(*read));
  require(again.ok() && *again == *read, "call: written and read differs");
}

void calls(std::span<const std::byte> bytes) { told(parse_recorded_calls(text_of_bytes(bytes), "x.csv")); }

void rules(std::span<const std::byte> bytes) {
  const Result<RuleTable> table = parse_rule_table(text_of_bytes(bytes), "x.toml");
  told(table);
  if (!table) return;
  Call asked;
  asked.dropout = 0.5, asked.kv_heads = 5, asked.training = true;
  for (const bool on_gpu : {true, false}) {
    asked.on_gpu = on_gpu;
    const WhichAnswer answer = answer_of(asked, *table);
    require(answer.runs || !answer.raised.empty() || table->none_left.empty() || table->none_enabled.empty() ||
                table->none_left_cpu.empty(),
            "rules: nothing runs and nothing is said");
  }
}

void commands(std::span<const std::byte> bytes) {
  const auto read = commands_from(text_of_bytes(bytes));
  told(read);
  if (!read) return;
  for (const Command& command : *read) {
    const std::string text = text_of(command);
    const auto again = command_from(text);
    told(again);
    require(again.ok() && text_of(*again) == text, "commands: written and read differs");
  }
}

void problem(std::span<const std::byte> bytes) {
  const auto parsed = parse_problem_json(text_of_bytes(bytes), "x");
  told(parsed);
  if (!parsed) return;
  const auto again = parse_problem_json(problem_json(*parsed), "x");
  require(again.ok() && *again == *parsed, "problem: written and read differs");
}

void kernel_name(std::span<const std::byte> bytes) {
  for (const std::string& line : lines_of_bytes(bytes)) {
    const DecodedKernel kernel = decode_kernel(line);
    require(!kernel.d || (*kernel.d > 0 && *kernel.d <= 1024), "kernel_name: a head size that no kernel has");
    require(!kernel.tile || (kernel.tile->q_rows > 0 && kernel.tile->keys > 0), "kernel_name: a tile of nothing");
    require(kernel.is_attention() || kernel == DecodedKernel{}, "kernel_name: parts of what is no attention");
    require(as_part_of_attention(line).has_value() == (hint_of(line) == NameHint::Softmax),
            "kernel_name: a softmax that is none");
  }
}

void profile(std::span<const std::byte> bytes) {
  const auto read = read_profile(bytes_in_memory(bytes), std::int64_t(bytes.size()), "x.json");
  told(read);
  if (!read) return;
  KernelTime sum;
  for (const ProfileGroup& group : read->groups) sum.calls += group.time.calls, sum.ns += group.time.ns;
  require(sum == read->attention && sum.ns <= read->gpu_ns(), "profile: groups that do not add up");
  for (const ProfileKernel& kernel : read->kernels)
    require(is_showable(kernel.name), "profile: a name that does not show");
}

void recording(std::span<const std::byte> bytes) {
  const auto file = opened(bytes);
  if (!file) return told(file);
  const auto trace = recording_from(*file, "x.safetensors");
  told(trace);
  if (!trace) return;
  const auto again = recording_from(reader_of(recording_file(*trace), "x.safetensors"), "x.safetensors");
  require(again.ok() && again->problem == trace->problem && again->hashes == trace->hashes,
          "recording: written and read differs");
}

void visit_trace(std::span<const std::byte> bytes) {
  const auto file = opened(bytes);
  if (!file) return told(file);
  const auto trace = visit_trace_from(*file, "x.safetensors");
  told(trace);
  if (!trace) return;
  const Shape& shape = trace->problem.shape;
  double work = double(trace->q.size()) * double(shape.n_kv);
  for (const LabVisit& visit : trace->visits)
    work += double(visit.rows) * double(trace->problem.tiling.bc) * double(shape.d);
  if (work > 1e5) return;
  const JudgeReport report = judge_trace(*trace);
  require(report.passed == (!report.first_wrong && report.complaints.empty() && report.visits_wrong == 0),
          "visit_trace: passed with something wrong");
  require(report.passed || !sentence_of(trace->problem, report).empty(), "visit_trace: failed without a word");
}

void fast_trace(std::span<const std::byte> bytes) {
  const auto file = opened(bytes);
  if (!file) return told(file);
  told(fast_trace_from(*file, "x.safetensors"));
}

void race(std::span<const std::byte> bytes) {
  const auto read = parse_recorded_race(text_of_bytes(bytes), "x.csv");
  told(read);
  if (!read) return;
  for (const RaceRow& row : read->rows) {
    row.note();
    if (row.counts()) read->floors(row), read->share_of_peak(row), read->times_as_fast_as_naive(row);
  }
  const std::string text = race_csv(*read);
  const auto again = parse_recorded_race(text, "x.csv");
  told(again);
  require(again.ok() && race_csv(*again) == text, "race: written and read differs");
}

void traffic(std::span<const std::byte> bytes) {
  const auto read = parse_hardware_traffic(text_of_bytes(bytes), "x.csv");
  told(read);
  if (!read) return;
  for (const HardwareMeasurement& measured : read->measurements)
    require(measured.total().read_bytes >= 0 && read->find(measured.problem), "traffic: a measurement that is lost");
}

void stamps(std::span<const std::byte> bytes) {
  const auto file = parse_chip_timelines(text_of_bytes(bytes), "x.csv");
  told(file);
  if (!file) return;
  for (const ChipRun& run : file->runs) {
    require(run.cycles_per_visit(kChipMultiprocessors) > 0, "stamps: visits that take no time");
    for (const ChipBlock& block : run.blocks) {
      const Timeline t = timeline_of(run, block);
      for (const Segment& s : t.segments)
        require(s.end > s.start && s.lane >= 0 && s.lane < int(t.lanes.size()), "stamps: a piece outside its lane");
      require(phases_of(block).visits >= 0, "stamps: visits");
    }
  }
}

}  // namespace tilewalk::fuzz
