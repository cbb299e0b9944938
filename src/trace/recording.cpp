#include "trace/recording.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>

#include "base/parse.h"
#include "base/shown.h"
#include "core/schedules/registry.h"
#include "core/walk/schedule.h"
#include "trace/problem_json.h"
#include "trace/traced.h"

namespace tilewalk {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are kept as they lie in memory");

constexpr const char* kFormat = "tilewalk-trace";
constexpr const char* kVersion = "1";
constexpr const char* kAbout =
    "What an attention kernel had in m, l, alpha, S, P and O (backward: S, P, dP, dS, dQ, dK, dV) after each tile "
    "visit, in "
    "walk order. S, m and L are in log2 units.";

template <class T>
TensorFileEntry entry(const char* name, TensorType type, std::vector<std::int64_t> shape,
                      const std::vector<T>& values) {
  TensorFileEntry out{name, type, std::move(shape), std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

std::int64_t visits_of(const Problem& p) { return make_schedule(p)->visit_counts().visited(); }
std::vector<std::int64_t> per_q_tile(const Problem& p) { return {p.shape.batch, p.shape.heads, p.q_tiles()}; }
std::vector<std::int64_t> per_kv_tile(const Problem& p) { return {p.shape.batch, p.shape.kv_heads, p.kv_tiles()}; }

constexpr const char* kRecordAgain = "Record it again, or restore the file";

class Loader {
 public:
  Loader(const SafetensorsReader& file, const std::string& name) : file_(file), name_(name) {}

  std::string word(const char* key) {
    const auto at = file_.metadata().find(key);
    if (at == file_.metadata().end()) {
      issues.push_back({name_ + ", metadata", "", std::string("lacks the key ") + key, kRecordAgain});
      return {};
    }
    if (!is_showable(at->second))
      issues.push_back({name_ + ", " + key, at->second, "must be one line of letters that show", kRecordAgain});
    return at->second;
  }

  template <class T>
  void array(const char* key, TensorType type, const std::vector<std::int64_t>& shape, std::vector<T>& to) {
    const TensorPlace* const found = file_.find(key);
    if (!found) {
      issues.push_back({name_, "", std::string("lacks the tensor ") + key, kRecordAgain});
    } else if (found->type != type || found->shape != shape) {
      issues.push_back({name_ + ", tensor " + key, std::string(name_of(found->type)) + " " + shape_text(found->shape),
                        std::string("must be ") + name_of(type) + " " + shape_text(shape) + " for its problem",
                        kRecordAgain});
    } else {
      reads_.push_back([this, found, &to] {
        to.resize(std::size_t(found->end - found->begin) / sizeof(T));
        return file_.read(*found, std::as_writable_bytes(std::span(to)));
      });
    }
  }

  // Every array is known by now, and others are refused: only then is memory allocated for them.
  void read() {
    if (issues.empty() && file_.tensors().size() != reads_.size())
      issues.push_back({name_, std::to_string(file_.tensors().size()) + " tensors",
                        "must have " + std::to_string(reads_.size()), kRecordAgain});
    for (const auto& read : reads_) {
      if (!issues.empty()) return;
      if (const Result<Done> done = read(); !done) issues = done.issues();
    }
  }

  Issues issues;

 private:
  const SafetensorsReader& file_;
  std::string name_;
  std::vector<std::function<Result<Done>()>> reads_;
};

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
  return text;
}

}  // namespace

SafetensorsFile recording_file(const Trace& t) {
  SafetensorsFile file;
  const Provenance& from = t.provenance;
  file.metadata = {{"format", kFormat},
                   {"version", kVersion},
                   {"about", kAbout},
                   {"problem", problem_json(t.problem)},
                   {"detail", t.detail == TraceDetail::State ? "state" : "hashes"},
                   {"visits", std::to_string(t.visit_count)},
                   {"inputs_digest", hex(t.inputs_digest)},
                   {"ran_on", from.ran_on},
                   {"gpu", from.gpu},
                   {"driver", from.driver},
                   {"cuda", from.cuda},
                   {"date", from.date},
                   {"kernel_file", from.kernel_file},
                   {"kernel_digest", from.kernel_digest}};
  const Problem& p = t.problem;
  const std::int64_t visits = visits_of(p);
  const std::vector<const TracedRow*> arrays = recorded_arrays(row_of(p));
  if (t.detail == TraceDetail::Hashes) {
    file.tensors = {entry("hashes", TensorType::U64, {visits}, t.hashes),
                    entry("out_hashes", TensorType::U64, per_q_tile(p), t.out_hashes)};
    if (has_kv_results(arrays))
      file.tensors.push_back(entry("kv_hashes", TensorType::U64, per_kv_tile(p), t.kv_hashes));
    return file;
  }
  for (const TracedRow* traced : arrays)
    file.tensors.push_back(
        entry(traced->array, TensorType::F32, recorded_shape(p, visits, *traced), t.*traced->recorded));
  return file;
}

Result<Trace> recording_from(const SafetensorsReader& file, const std::string& name) {
  Loader load(file, name);
  const std::string format = load.word("format");
  if (format != kFormat)
    return Issue{name + ", format", format.empty() ? "nothing" : format, "is not a Tilewalk recording",
                 "Name a file that tilewalk record made"};
  const std::string version = load.word("version");
  if (version != kVersion)
    return Issue{name + ", version", version, "is not the version read here, " + std::string(kVersion),
                 "Read it with the Tilewalk that made it, or record it again"};
  Trace t;
  const Result<Problem> problem = parse_problem_json(load.word("problem"), name);
  if (!problem) return problem.issues();
  t.problem = *problem;
  t.provenance = {load.word("ran_on"), load.word("gpu"),         load.word("driver"),       load.word("cuda"),
                  load.word("date"),   load.word("kernel_file"), load.word("kernel_digest")};
  const std::string detail = load.word("detail"), visits = load.word("visits"), digest = load.word("inputs_digest");
  if (!load.issues.empty()) return load.issues;
  if (t.provenance.ran_on != "gpu" && t.provenance.ran_on != "cpu")
    return Issue{name + ", ran_on", t.provenance.ran_on, "must be gpu or cpu", kRecordAgain};
  if (detail != "state" && detail != "hashes")
    return Issue{name + ", detail", detail, "must be state or hashes", kRecordAgain};
  t.detail = detail == "state" ? TraceDetail::State : TraceDetail::Hashes;
  const std::int64_t needed = visits_of(t.problem);
  if (!put(parse_integer(visits), t.visit_count) || t.visit_count != needed)
    return Issue{name + ", visits", visits, "must be " + std::to_string(needed) + " for its problem", kRecordAgain};
  if (digest.size() != 16 || !put(parse_integer<std::uint64_t>(digest, 16), t.inputs_digest))
    return Issue{name + ", inputs_digest", digest, "must be 16 hexadecimal digits", kRecordAgain};

  const std::vector<const TracedRow*> arrays = recorded_arrays(row_of(t.problem));
  if (t.detail == TraceDetail::Hashes) {
    load.array("hashes", TensorType::U64, {needed}, t.hashes);
    load.array("out_hashes", TensorType::U64, per_q_tile(t.problem), t.out_hashes);
    if (has_kv_results(arrays)) load.array("kv_hashes", TensorType::U64, per_kv_tile(t.problem), t.kv_hashes);
  } else {
    for (const TracedRow* traced : arrays)
      load.array(traced->array, TensorType::F32, recorded_shape(t.problem, needed, *traced), t.*traced->recorded);
  }
  load.read();
  if (!load.issues.empty()) return load.issues;
  return t;
}

Result<Trace> load_recording(const std::string& path) {
  const Result<SafetensorsReader> file = SafetensorsReader::open(path);
  if (!file) return file.issues();
  return recording_from(*file, path);
}

Result<Done> save_recording(const Trace& trace, const std::string& path) {
  return save_safetensors(recording_file(trace), path);
}

Result<Done> save_recording(const Trace& trace, OutputFile& file) {
  return keep(file, safetensors_bytes(recording_file(trace)));
}

std::string recording_name(const Problem& p, TraceDetail detail) {
  Problem canonical = p;
  canonical.machine.device = kDefaultDevice;
  canonical.machine.sram_bytes = 0;
  canonical.numerics.scale = p.scale_value();
  std::uint32_t digest = 2166136261u;  // FNV-1a
  for (unsigned char c : problem_json(canonical)) digest = (digest ^ c) * 16777619u;
  std::string mask = name_of(p.shape.mask);
  std::replace(mask.begin(), mask.end(), ':', '-');
  const std::string length = p.shape.n_q == p.shape.n_kv
                                 ? std::to_string(p.shape.n_q)
                                 : std::to_string(p.shape.n_q) + "x" + std::to_string(p.shape.n_kv);
  const std::string splits = p.tiling.splits > 1 ? std::to_string(p.tiling.splits) + "-splits_" : "";
  return std::string(name_of(p.schedule)) + "_n" + length + "_d" + std::to_string(p.shape.d) + "_" + mask + "_" +
         name_of(p.numerics.dtype) + "_" + std::to_string(p.tiling.br) + "x" + std::to_string(p.tiling.bc) + "_" +
         splits + hex(digest).substr(8) + (detail == TraceDetail::State ? "_state" : "_hashes") + ".safetensors";
}

std::string find_recording(const std::string& folder, const Problem& p) {
  for (TraceDetail detail : {TraceDetail::State, TraceDetail::Hashes}) {
    const std::string path = folder + "/" + recording_name(p, detail);
    std::error_code failed;
    if (std::filesystem::is_regular_file(path, failed)) return path;
  }
  return {};
}

std::vector<std::string> recording_paths(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(folder, failed)) {
    if (file.path().extension() == ".safetensors") paths.push_back(file.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace tilewalk
