// Reads traces; the checker is in fast_trace_check.cpp.
#include "measured/fast_trace.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/parse.h"
#include "base/shown.h"
#include "files/tensor_files.h"
#include "measured/race.h"

namespace tilewalk {
namespace {

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

Result<FastTrace> fast_trace_from(const SafetensorsReader& file, const std::string& name) {
  const auto refused = [&](const std::string& rule) {
    return Issue{name, "", rule, "Record again with kernels/fast/scripts/record_traces.py, or restore the file"};
  };
  const auto word = [&](const char* key) {
    const auto at = file.metadata().find(key);
    return at == file.metadata().end() ? std::string() : at->second;
  };
  if (word("format") != "tilewalk fast trace 1") return refused("is not a trace of a fast kernel");
  for (const char* key : {"kernel", "variant", kCardKey, "date"})
    if (!is_showable(word(key)))
      return refused(std::string("has a word that is more than a line of letters that show: ") + key);
  FastTrace t;
  t.kernel = word("kernel");
  t.variant = word("variant");
  t.gpu = word(kCardKey);
  t.date = word("date");
  t.normalised = word("state") == "normalised";
  const std::string mask = word("mask");
  if (mask != "none" && mask != "causal" && mask != "causal-bottom-right")
    return refused("has the mask '" + mask + "'; it must be none, causal or causal-bottom-right");
  t.mask.kind = mask == "none" ? MaskKind::None : mask == "causal" ? MaskKind::Causal : MaskKind::CausalBottomRight;
  const auto count = [&](const char* key) { return within<std::int64_t>(parse_integer(word(key)), 1, 4096); };
  if (!put(count("keys"), t.keys) || !put(count("rows"), t.rows) ||
      !put(within(parse_real(word("scale")), 0.0), t.scale) || t.scale == 0)
    return refused("needs keys and rows from 1 to 4096 and a scale above 0");

  const TensorPlace* entries[6];
  const char* const names[6] = {"q", "k", "v", "m", "l", "o"};
  for (int i = 0; i < 6; ++i) {
    entries[i] = file.find(names[i]);
    if (!entries[i]) return refused(std::string("has no tensor named ") + names[i]);
    const TensorType type = entries[i]->type;
    const bool fits = i < 3 ? (type == TensorType::BF16 || type == TensorType::F16) && type == entries[0]->type
                            : type == TensorType::F32;
    if (!fits) return refused(std::string("has ") + names[i] + " in a type that is not its own");
  }
  const std::vector<std::int64_t>&q = entries[0]->shape, &k = entries[1]->shape;
  if (q.size() != 4 || k.size() != 4 || *std::min_element(q.begin(), q.end()) < 1 ||
      *std::min_element(k.begin(), k.end()) < 1)
    return refused("needs q and k of shape [batch, heads, n, d]");
  t.bf16 = entries[0]->type == TensorType::BF16;
  t.heads = q[0] * q[1];
  t.n_q = q[2];
  t.n_kv = k[2];
  t.d = q[3];
  if (k[0] != q[0] || q[1] % k[1] != 0 || k[3] != t.d || entries[2]->shape != k)
    return refused("has q, k and v that do not fit each other");
  t.heads_per_kv = q[1] / k[1];
  const std::vector<std::int64_t> sums{t.heads, t.tiles(), t.n_q}, outputs{t.heads, t.tiles(), t.n_q, t.d};
  if (entries[3]->shape != sums || entries[4]->shape != sums || entries[5]->shape != outputs)
    return refused("needs m and l of shape " + shape_text(sums) + " and o of shape " + shape_text(outputs));
  std::vector<float>* const into[6] = {&t.q, &t.k, &t.v, &t.m, &t.l, &t.o};
  for (int i = 0; i < 6; ++i) {
    Result<std::vector<float>> values = read_floats(file.reader(), *entries[i]);
    if (!values) return values.issues();
    *into[i] = std::move(*values);
  }
  if (!all_finite(t.q) || !all_finite(t.k) || !all_finite(t.v)) return refused("has inputs that are not finite");
  return t;
}

Result<FastTrace> load_fast_trace(const std::string& path) {
  const Result<SafetensorsReader> file = SafetensorsReader::open(path);
  if (!file) return file.issues();
  return fast_trace_from(*file, path);
}

std::vector<std::string> fast_trace_paths(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".safetensors") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tilewalk
