#include "core/problem/inputs.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "base/small_float.h"
#include "base/units.h"
#include "core/problem/normal_ops.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kHeadCacheBytes = std::int64_t(64) << 20;
constexpr std::int64_t kChunkRows = 64;
constexpr std::int64_t kCacheBytes =
    4 * kHeadCacheBytes;  // all cached heads: the current Q, K, V and dO never evict each other
constexpr std::size_t kMostHeads = 1 << 16;

std::int64_t row_count(const Problem& p, TensorId id) { return is_by_query(id) ? p.shape.n_q : p.shape.n_kv; }
std::int64_t head_count(const Problem& p, TensorId id) { return is_by_query(id) ? p.shape.heads : p.shape.kv_heads; }

std::uint64_t stream_of(TensorId id) {
  return id == TensorId::Q ? 0 : id == TensorId::K ? 1 : id == TensorId::V ? 2 : 3;
}

double normal_value(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return normal_quantile(uniform_from_bits(random_bits(seed, stream, index)));
}

// out[i] = the tensor's value of index first + i.
void seeded_values(const Problem& p, TensorId id, std::uint64_t first, std::int64_t count, float* out) {
  const std::uint64_t stream = stream_of(id);
  const auto each = [&](auto change) {
    for (std::int64_t i = 0; i < count; ++i) change(first + std::uint64_t(i), out[i]);
  };
  switch (p.numerics.distribution) {
    case Distribution::Normal: return normal_ops().values(p.numerics.seed, stream, first, std::size_t(count), out);
    case Distribution::Uniform:
      return each([&](std::uint64_t index, float& x) {
        x = float(2.0 * uniform_from_bits(random_bits(p.numerics.seed, stream, index)) - 1.0);
      });
    case Distribution::Integers:
      return each(
          [&](std::uint64_t index, float& x) { x = float(int(random_bits(p.numerics.seed, stream, index) % 5) - 2); });
    case Distribution::Outliers:
      normal_ops().values(p.numerics.seed, stream, first, std::size_t(count), out);
      return each([&](std::uint64_t index, float& x) {
        if (random_bits(p.numerics.seed, stream + 16, index) % 1000 != 0) return;
        x = float(normal_value(p.numerics.seed, stream, index) +
                  10.0 * normal_value(p.numerics.seed, stream + 32, index));
      });
  }
}

}  // namespace

InputHead input_head(const Problem& p, TensorId tensor, const HeadId& query_head) {
  return {tensor, query_head.batch, is_by_query(tensor) ? query_head.head : p.shape.kv_head_of(query_head.head)};
}

float round_to(DType dtype, float value) {
  switch (dtype) {
    case DType::Fp32: return value;
    case DType::Fp16: return float_from_fp16(fp16_from_float(value));
    case DType::Bf16: return float_from_bf16(bf16_from_float(value));
  }
  return value;
}

void round_all(DType dtype, float* values, std::int64_t count) {
  if (dtype == DType::Fp16)
    std::transform(values, values + count, values, [](float x) { return float_from_fp16(fp16_from_float(x)); });
  else if (dtype == DType::Bf16)
    std::transform(values, values + count, values, [](float x) { return float_from_bf16(bf16_from_float(x)); });
}

void round_all(DType dtype, std::vector<float>& values) {
  round_all(dtype, values.data(), std::int64_t(values.size()));
}

Inputs::Inputs(const Problem& problem, FileInputs files, std::vector<InputEdit> edits)
    : problem_(problem), files_(std::move(files)), edits_(std::move(edits)) {}

void Inputs::fill(const InputHead& of, std::int64_t begin, std::int64_t count, float* out) const {
  const auto& [id, batch, head] = of;
  const Tensor* file = id == TensorId::Q   ? files_.q.get()
                       : id == TensorId::K ? files_.k.get()
                       : id == TensorId::V ? files_.v.get()
                                           : files_.d_o.get();
  const std::int64_t d = problem_.shape.d, heads = head_count(problem_, id), n = row_count(problem_, id);
  if (file) {
    std::copy_n(file->row(batch, head, begin), count * d, out);
  } else {
    const std::uint64_t first = std::uint64_t(((batch * heads + head) * n + begin) * d);
    seeded_values(problem_, id, first, count * d, out);
  }
  for (const InputEdit& edit : edits_)
    if (edit.tensor == id && edit.batch == batch && edit.head == head && edit.row >= begin && edit.row < begin + count)
      out[(edit.row - begin) * d + edit.col] = edit.value;
  if (problem_.numerics.dtype != DType::Fp32)
    for (std::int64_t i = 0; i < count * d; ++i) out[i] = round_to(problem_.numerics.dtype, out[i]);
}

void Inputs::fill_chunk(Head& kept, std::int64_t chunk) const {
  const std::int64_t first = chunk * kChunkRows,
                     count = std::min(kChunkRows, row_count(problem_, kept.id.tensor) - first);
  fill(kept.id, first, count, kept.values.get() + first * problem_.shape.d);
}

const float* Inputs::rows(const InputHead& of, std::int64_t begin, std::int64_t count,
                          std::vector<float>& scratch) const {
  const std::int64_t d = problem_.shape.d;
  if (row_count(problem_, of.tensor) * d * 4 > kHeadCacheBytes) {
    scratch.resize(std::size_t(count * d));
    fill(of, begin, count, scratch.data());
    return scratch.data();
  }
  Head& kept = keep(of);
  for (std::int64_t chunk = begin / kChunkRows; chunk * kChunkRows < begin + count; ++chunk) {
    if (kept.made[std::size_t(chunk)]) continue;
    fill_chunk(kept, chunk);
    kept.made[std::size_t(chunk)] = true;
  }
  return kept.values.get() + begin * d;
}

std::int64_t Inputs::make(const InputHead& of, std::int64_t begin, std::int64_t end, WorkerPool& workers,
                          std::int64_t most) const {
  Head& kept = keep(of);
  std::vector<std::int64_t> missing;
  for (std::int64_t chunk = begin / kChunkRows; chunk * kChunkRows < end && std::int64_t(missing.size()) < most;
       ++chunk)
    if (!kept.made[std::size_t(chunk)]) missing.push_back(chunk);
  if (missing.empty()) return 0;
  const std::size_t count = std::size_t(workers.size());
  const std::function<void(int)> part = [&](int worker) {
    for (std::size_t i = std::size_t(worker); i < missing.size(); i += count) fill_chunk(kept, missing[i]);
  };
  workers.run(part);
  for (const std::int64_t chunk : missing) kept.made[std::size_t(chunk)] = true;
  return std::int64_t(missing.size());
}

bool Inputs::keeps_heads() const { return problem_.shape.n_kv * problem_.shape.d * 4 <= kHeadCacheBytes; }

Inputs::Head& Inputs::keep(const InputHead& of) const {
  auto& [by_use, by_place, bytes] = heads_;
  if (const auto found = by_place.find(of); found != by_place.end()) {
    by_use.splice(by_use.begin(), by_use, found->second);
    return *found->second;
  }
  const std::int64_t n = row_count(problem_, of.tensor), size = n * problem_.shape.d;
  LargeArray values;
  while (!by_use.empty() && (bytes + size * 4 > kCacheBytes || by_use.size() == kMostHeads)) {
    Head& oldest = by_use.back();
    if (oldest.size == size) values = std::move(oldest.values);  // memory touched before needs no page faults
    bytes -= oldest.bytes();
    by_place.erase(oldest.id);
    by_use.pop_back();
  }
  if (!values) values = large_array(std::size_t(size));
  by_use.push_front({of, size, std::move(values), std::vector<bool>(std::size_t((n + kChunkRows - 1) / kChunkRows))});
  by_place[of] = by_use.begin();
  bytes += by_use.front().bytes();
  return by_use.front();
}

float Inputs::at(const InputHead& of, std::int64_t row, std::int64_t col) const {
  std::vector<float> scratch;
  return rows(of, row, 1, scratch)[col];
}

Tensor Inputs::whole(TensorId id) const {
  Tensor out{problem_.shape.batch, head_count(problem_, id), row_count(problem_, id), problem_.shape.d, {}};
  out.values.resize(std::size_t(out.size()));
  for (std::int64_t b = 0; b < out.batch; ++b)
    for (std::int64_t h = 0; h < out.heads; ++h) fill({id, b, h}, 0, out.rows, out.row(b, h, 0));
  return out;
}

std::int64_t Inputs::cached_bytes() const { return heads_.bytes; }

Issues check_input_values(const FileInputs& files, const std::vector<InputEdit>& edits, DType dtype) {
  if (edits.size() > kMostEdits)
    return {{"edit", format_count(std::int64_t(edits.size())),
             "are more values than the " + format_count(std::int64_t(kMostEdits)) + " that a session may contain",
             "Put them into a file: --q q.npy"}};
  Issues issues;
  const std::pair<const char*, const Tensor*> named[] = {
      {"q", files.q.get()}, {"k", files.k.get()}, {"v", files.v.get()}, {"do", files.d_o.get()}};
  for (const auto& [name, tensor] : named) {
    if (!tensor) continue;
    const auto bad = std::find_if(tensor->values.begin(), tensor->values.end(),
                                  [&](float x) { return !std::isfinite(round_to(dtype, x)); });
    if (bad == tensor->values.end()) continue;
    std::int64_t at = bad - tensor->values.begin();
    const std::int64_t col = at % tensor->cols, row = at / tensor->cols % tensor->rows;
    const std::int64_t head = at / (tensor->cols * tensor->rows) % tensor->heads,
                       batch = at / (tensor->cols * tensor->rows * tensor->heads);
    const std::string place = std::string(name) + "[" + std::to_string(batch) + ", " + std::to_string(head) + ", " +
                              std::to_string(row) + ", " + std::to_string(col) + "]";
    if (std::isfinite(*bad))
      issues.push_back({place, format_float(*bad),
                        std::string("must be finite, and in ") + name_of(dtype) + " it is infinite",
                        "Make it smaller, or set dtype to fp32"});
    else
      issues.push_back({place,
                        std::isnan(*bad) ? "nan"
                        : *bad > 0       ? "inf"
                                         : "-inf",
                        "must be finite", "Replace it; softmax of it has no meaning"});
  }
  for (const InputEdit& edit : edits) {
    if (std::isfinite(round_to(dtype, edit.value))) continue;
    const std::string place = std::string(name_of(edit.tensor)) + "[" + std::to_string(edit.batch) + ", " +
                              std::to_string(edit.head) + ", " + std::to_string(edit.row) + ", " +
                              std::to_string(edit.col) + "]";
    if (std::isfinite(edit.value))
      issues.push_back({place, format_float(edit.value),
                        std::string("must be finite, and in ") + name_of(dtype) + " it is infinite",
                        "Type a smaller number, or set dtype to fp32"});
    else
      issues.push_back({place,
                        std::isnan(edit.value) ? "nan"
                        : edit.value > 0       ? "inf"
                                               : "-inf",
                        "must be finite", "Type a plain number"});
  }
  return issues;
}

}  // namespace tilewalk
