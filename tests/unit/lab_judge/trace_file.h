// A trace of a TiledKernel's run, laid out as assets/lab/trace/README.md says.
#pragma once

#include "base/units.h"
#include "files/safetensors.h"
#include "tests/unit/lab_judge/tiled_kernel.h"

namespace tilewalk::test {

template <class T>
TensorFileEntry trace_tensor(const char* name, TensorType type, std::vector<std::int64_t> shape,
                             const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {name, type, std::move(shape), {bytes.begin(), bytes.end()}};
}

inline SafetensorsFile trace_file(const Problem& p, Base base, const ExposingInputs& in,
                                  const TiledKernel::Result& run) {
  const Shape& s = p.shape;
  std::vector<std::int64_t> marks;
  std::vector<float> m, l, o;
  for (const LabVisit& v : run.visits) {
    marks.insert(marks.end(), {v.batch, v.head, v.q_tile, v.kv_tile, v.first_row, v.rows, v.first_key, v.keys,
                               v.thread_block, v.lines.visit});
    m.insert(m.end(), v.m.begin(), v.m.end());
    l.insert(l.end(), v.l.begin(), v.l.end());
    o.insert(o.end(), v.o.begin(), v.o.end());
  }
  const auto rows = std::int64_t(m.size());
  const std::vector<std::int64_t> of_q = {s.batch, s.heads, s.n_q, s.d}, of_k = {s.batch, s.kv_heads, s.n_kv, s.d};
  SafetensorsFile file;
  file.metadata = {{"format", "tilewalk-visits"},
                   {"version", "1"},
                   {"base", base == Base::Two ? "2" : "e"},
                   {"lse_base", "e"},
                   {"mask", name_of(s.mask)},
                   {"scale", format_number(p.scale_value())},
                   {"dtype", name_of(p.numerics.dtype)},
                   {"columns", "batch head q_tile kv_tile first_row rows first_key keys thread_block line"}};
  file.tensors = {trace_tensor("q", TensorType::F32, of_q, in.q),
                  trace_tensor("k", TensorType::F32, of_k, in.k),
                  trace_tensor("v", TensorType::F32, of_k, in.v),
                  trace_tensor("visits", TensorType::I64, {std::int64_t(run.visits.size()), 10}, marks),
                  trace_tensor("m", TensorType::F32, {rows}, m),
                  trace_tensor("l", TensorType::F32, {rows}, l),
                  trace_tensor("o", TensorType::F32, {rows, s.d}, o),
                  trace_tensor("out_o", TensorType::F32, of_q, run.o),
                  trace_tensor("out_lse", TensorType::F32, {s.batch, s.heads, s.n_q}, run.l)};
  return file;
}

}  // namespace tilewalk::test
