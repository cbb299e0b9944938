#include "session/document/opening.h"

#include <algorithm>
#include <filesystem>

#include "base/shown.h"
#include "core/fields/validate.h"
#include "core/problem/device_model.h"
#include "core/schedules/registry.h"
#include "files/safetensors.h"
#include "lab/judge/visit_trace.h"
#include "trace/recording.h"

namespace tilewalk {
namespace {

// The document of a trace of a person's kernel (lab/judge/visit_trace): its problem and its inputs, at the first visit
// that is wrong, and the judge's verdict in words. A long trace is not judged here, so that no frame waits for it.

constexpr double kMostProductsHere = 4e6;  // multiply-adds that are judged within a frame or two

// The step after which the walk shows the right state of this visit; 0 where the walk has no such visit.
std::int64_t step_of(const Problem& p, const Schedule& schedule, const WrongValue& wrong) {
  if (wrong.at_end) return schedule.step_count();
  if (wrong.q_tile >= p.q_tiles() || wrong.row / p.tiling.br != wrong.q_tile) return 0;
  const std::int64_t first = wrong.q_tile * p.tiling.br;
  const TileRange range =
      visited_kv_tiles(p.shape.band(), first, first + p.q_tile_rows(wrong.q_tile), p.shape.n_kv, p.tiling.bc);
  if (wrong.kv_tile < range.begin || wrong.kv_tile >= range.end) return 0;
  return schedule.end_step_of_visit(
      0, {.batch = wrong.batch, .head = wrong.head, .q_tile = wrong.q_tile, .kv_tile = wrong.kv_tile});
}

bool is_visit_trace(const SafetensorsReader& file) {
  const auto format = file.metadata().find("format");
  return format != file.metadata().end() && format->second == kVisitTraceFormat;
}

Result<WalkedDocument> document_of_trace(const SafetensorsReader& file, const std::string& path) {
  const Result<VisitTrace> trace = visit_trace_from(file, path);
  if (!trace) return trace.issues();
  Document document;
  document.title = shown(std::filesystem::path(path).stem().string());
  document.about = "The problem of a trace of your own kernel.";
  document.paths.q = document.paths.k = document.paths.v = path;
  Problem& p = document.problem;
  p = trace->problem;
  p.numerics.dtype = DType::Fp32;  // as the file has the values
  p.machine.sram_bytes = device_of(p.machine).sram_per_block_bytes;
  const bool own_tiles = validate(p).empty();
  if (!own_tiles) p.tiling.br = p.tiling.bc = 1;
  if (Issues wrong = validate(p); !wrong.empty()) return wrong;
  if (!own_tiles) choose_default_tiles(p);
  std::shared_ptr<const Schedule> schedule = make_schedule(p);
  const Shape& s = p.shape;
  if (double(s.batch * s.heads * s.n_q) * double(s.n_kv) * double(s.d) > kMostProductsHere)
    return WalkedDocument{std::move(document), std::move(schedule),
                          "tilewalk verify --trace judges it; it is too long to be judged here."};
  const JudgeReport report = judge_trace(*trace);
  if (report.first_wrong && own_tiles) document.cursor = step_of(p, *schedule, *report.first_wrong);
  return WalkedDocument{std::move(document), std::move(schedule), sentence_of(trace->problem, report)};
}

std::string shape_of(const Tensor& t) {
  return "[" + std::to_string(t.batch) + ", " + std::to_string(t.heads) + ", " + std::to_string(t.rows) + ", " +
         std::to_string(t.cols) + "]";
}

std::string title_of_file(const std::string& path) { return shown(std::filesystem::path(path).stem().string()); }

Document of_recording(const Problem& problem, const std::string& path) {
  Document document;
  document.title = title_of_file(path);
  document.about = "The problem of a recording.";
  document.problem = problem;
  return document;
}

Result<WalkedDocument> of_tensors(const SafetensorsReader& file, const std::string& path) {
  Document document;
  document.title = title_of_file(path);
  document.about = "Q, K and V from a file.";
  Issues issues;
  for (const InputSlot& slot : kInputSlots) {
    if (file.find(slot.name))
      document.paths.*slot.path = path;
    else if (slot.path != &InputPaths::d_o)
      issues.push_back({path, slot.name, "is missing", "Name three tensors q, k and v, or drop a session"});
  }
  if (!issues.empty()) return issues;
  Problem& p = document.problem;
  read_inputs(document.paths, issues, [&](const InputSlot& slot, const InputTensor& input) {
    const Tensor& t = input.tensor;
    p.shape.batch = t.batch;
    p.shape.d = t.cols;
    (slot.by_query ? p.shape.heads : p.shape.kv_heads) = t.heads;
    (slot.by_query ? p.shape.n_q : p.shape.n_kv) = t.rows;
    p.numerics.dtype = input.dtype;
  });
  if (!issues.empty()) return issues;
  if (!document.paths.d_o.empty()) p.schedule = ScheduleKind::Backward;
  p.machine.sram_bytes = device_of(p.machine).sram_per_block_bytes;
  p.tiling.br = p.tiling.bc = 1;
  if (Issues wrong = validate(p); !wrong.empty()) return wrong;
  choose_default_tiles(p);
  return WalkedDocument{std::move(document), nullptr};
}

// Exchanges rows and heads of a file [batch, rows, heads, d], which was read as [batch, heads, rows, d].
Tensor heads_first(const Tensor& read) {
  Tensor out{.batch = read.batch, .heads = read.rows, .rows = read.heads, .cols = read.cols, .values = {}};
  out.values.resize(read.values.size());
  for (std::int64_t b = 0; b < out.batch; ++b)
    for (std::int64_t h = 0; h < out.heads; ++h)
      for (std::int64_t r = 0; r < out.rows; ++r)
        std::copy_n(read.row(b, r, h), std::size_t(out.cols), out.row(b, h, r));
  return out;
}

}  // namespace

Result<WalkedDocument> document_of_file(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".npy")
    return Issue{path, "", "contains one tensor, and a problem needs Q, K and V",
                 "Give the three on the command line, or put them into one .safetensors file as q, k and v"};
  std::error_code error;
  if (ending != ".toml" && ending != ".safetensors" && std::filesystem::is_regular_file(path, error))
    return Issue{path, "", "is not a kind of file that Tilewalk opens",
                 "Open a session (.toml), a recording or tensors q, k and v (.safetensors), or a profile (.json, "
                 ".json.gz, .csv)"};
  if (ending != ".safetensors") return load_document(path);
  const Result<SafetensorsReader> file = SafetensorsReader::open(path);
  if (!file) return file.issues();
  if (!file->metadata().contains("format")) return of_tensors(*file, path);
  if (is_visit_trace(*file)) return document_of_trace(*file, path);
  const Result<Trace> recorded = recording_from(*file, path);
  if (!recorded) return recorded.issues();
  return WalkedDocument{of_recording(recorded->problem, path), nullptr};
}

LoadedInputs read_inputs(const InputPaths& paths, Issues& issues,
                         const std::function<void(const InputSlot&, const InputTensor&)>& look) {
  LoadedInputs out;
  for (const InputSlot& slot : kInputSlots) {
    const std::string& path = paths.*slot.path;
    if (path.empty()) continue;
    const FileIdentity before = identity_of(path);
    Result<InputTensor> input = load_input_tensor(path, slot.name);
    if (!input) {
      append(issues, input.issues());
      continue;
    }
    if (identity_of(path) != before) issues.push_back({path, "", "changed on disk while it was read", "Open it again"});
    if (paths.rows_first) input->tensor = heads_first(input->tensor);
    look(slot, *input);
    out.tensors.*slot.tensor = std::make_shared<const Tensor>(std::move(input->tensor));
    out.files.push_back({path, before});
  }
  return out;
}

Result<LoadedInputs> load_inputs(const Document& document) {
  const Shape& shape = document.problem.shape;
  const DType dtype = document.problem.numerics.dtype;
  Issues issues;
  LoadedInputs read = read_inputs(document.paths, issues, [&](const InputSlot& slot, const InputTensor& input) {
    const std::string& path = document.paths.*slot.path;
    const Tensor& t = input.tensor;
    if (t.batch != shape.batch || t.heads != (slot.by_query ? shape.heads : shape.kv_heads) ||
        t.rows != (slot.by_query ? shape.n_q : shape.n_kv) || t.cols != shape.d)
      issues.push_back({path, shape_of(t), "does not fit the problem's shape",
                        "Set batch, heads, lengths and d to those of the file"});
    else if (input.dtype != dtype)
      issues.push_back({path, name_of(input.dtype), "is not the problem's dtype, " + std::string(name_of(dtype)),
                        "Set dtype to " + std::string(name_of(input.dtype))});
  });
  if (!issues.empty()) return issues;
  return read;
}

std::vector<std::string> changed_files(const LoadedInputs& read) {
  std::vector<std::string> out;
  for (const ReadFile& file : read.files)
    if (identity_of(file.path) != file.identity) out.push_back(file.path);
  return out;
}

std::vector<Preset> take_presets(Opening& opening, const std::string& root) {
  if (!opening.presets.empty()) return std::move(opening.presets);
  Result<std::vector<Preset>> read = load_presets(root);
  return read ? std::move(*read) : std::vector<Preset>{};
}

Result<Opening> open_document(WalkedDocument walked, const InputLoader& load) {
  Opening opening{std::move(walked.document), std::move(walked.schedule), {}};
  const Document& document = opening.document;
  if (Issues issues = validate(document.problem); !issues.empty()) return issues;
  if (document.paths.any()) {
    if (!load) return Issue{"paths", "", "input files cannot be read here", "Open the session from the command line"};
    Result<LoadedInputs> read = load(document);
    if (!read) return read.issues();
    opening.read = std::move(*read);
  }
  if (Issues issues = check_input_values(opening.read.tensors, document.edits, document.problem.numerics.dtype);
      !issues.empty())
    return issues;
  if (!opening.schedule) opening.schedule = make_schedule(document.problem);
  return opening;
}

}  // namespace tilewalk
