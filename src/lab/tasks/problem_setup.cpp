#include "lab/tasks/problem_setup.h"

#include <algorithm>
#include <iterator>

#include "core/witness/reference.h"

namespace tilewalk::lab {
namespace {

MemoryObject tensor_row(const char* name, std::int64_t size, bool is_const) {
  return {.name = name, .space = MemorySpace::Global, .dims = {size}, .size = size, .is_const = is_const};
}

}  // namespace

CompileSetup compile_setup(const Problem& p, std::int64_t threads, bool backward) {
  const Shape& shape = p.shape;
  CompileSetup out;
  const std::pair<const char*, std::int64_t> whole[] = {
      {"BATCH", shape.batch}, {"HEADS", shape.heads}, {"KV_HEADS", shape.kv_heads},
      {"N_Q", shape.n_q},     {"N_KV", shape.n_kv},   {"D", shape.d},
      {"BR", p.tiling.br},    {"BC", p.tiling.bc},    {"THREADS", threads}};
  for (const auto& [name, value] : whole) out.constants.push_back({.name = name, .integer = value});
  out.constants.push_back({.name = "CAUSAL", .type = BaseType::Bool, .integer = shape.mask.kind == MaskKind::Causal});
  out.constants.push_back({.name = "SCALE", .type = BaseType::Float, .value = float(p.scale_value())});
  out.constants.push_back({.name = "SCALE_LOG2", .type = BaseType::Float, .value = p.score_factor()});
  const std::int64_t of_q = shape.batch * shape.heads * shape.n_q * shape.d;
  const std::int64_t of_k = shape.batch * shape.kv_heads * shape.n_kv * shape.d;
  const std::int64_t of_l = shape.batch * shape.heads * shape.n_q;
  out.tensors = {tensor_row("Q", of_q, true), tensor_row("K", of_k, true), tensor_row("V", of_k, true),
                 tensor_row("O", of_q, backward), tensor_row("L", of_l, backward)};
  if (backward)
    for (const MemoryObject& each : {tensor_row("dO", of_q, true), tensor_row("dQ", of_q, false),
                                     tensor_row("dK", of_k, false), tensor_row("dV", of_k, false)})
      out.tensors.push_back(each);
  return out;
}

MarkShape mark_shape(const Problem& p) {
  return {p.shape.batch, p.shape.heads, p.shape.n_q, p.shape.n_kv, p.shape.d, p.tiling.br, p.tiling.bc};
}

MachineSetup machine_setup(const Problem& p, const Program& program, const LabInputs& inputs) {
  MachineSetup out;
  out.shape = mark_shape(p);
  for (const MemoryObject& each : program.tensors) {
    const std::pair<const char*, const std::vector<float>*> rows[] = {
        {"Q", &inputs.q}, {"K", &inputs.k}, {"V", &inputs.v}, {"O", &inputs.o}, {"L", &inputs.l}, {"dO", &inputs.d_o}};
    std::shared_ptr<const std::vector<float>> values;
    for (const auto& [name, from] : rows)
      if (each.name == name && each.is_const && std::int64_t(from->size()) >= each.size)
        values = std::make_shared<const std::vector<float>>(from->begin(), from->begin() + each.size);
    out.inputs.push_back(values);
  }
  return out;
}

LabInputs gradient_inputs(const Problem& p) {
  const Inputs inputs(p);
  const Shape& s = p.shape;
  LabInputs out{.q = inputs.whole(TensorId::Q).values,
                .k = inputs.whole(TensorId::K).values,
                .v = inputs.whole(TensorId::V).values,
                .d_o = inputs.whole(TensorId::dO).values,
                .o = {},
                .l = {}};
  for (std::int64_t batch = 0; batch < s.batch; ++batch)
    for (std::int64_t head = 0; head < s.heads; ++head)
      for (std::int64_t row = 0; row < s.n_q; ++row) {
        const ReferenceRow reference = reference_row(inputs, {batch, head, row});
        for (const double o : reference.o) out.o.push_back(float(o));
        out.l.push_back(float(reference.lse));
      }
  return out;
}

Issues check_lab_problem(const Problem& p, std::int64_t threads) {
  Issues out;
  const auto need = [&](bool holds, const char* field, const std::string& value, const char* rule,
                        const char* try_this) {
    if (!holds) out.push_back({field, value, rule, try_this});
  };
  const Shape& shape = p.shape;
  need(shape.mask.kind == MaskKind::None || shape.mask.kind == MaskKind::Causal, "mask", name_of(shape.mask),
       "must be none or causal in the lab", "Try --mask causal");
  need(p.numerics.dtype == DType::Fp32, "dtype", name_of(p.numerics.dtype), "must be fp32 in the lab",
       "Try --dtype fp32");
  need(threads >= 1 && threads <= kMostThreads, "threads", std::to_string(threads), "must be from 1 to 1024", "Try 64");
  std::int64_t most = 1;
  for (const std::int64_t size : {shape.batch, shape.heads, std::max(shape.n_q, shape.n_kv), shape.d}) {
    need(size >= 1 && size <= kMostElements / most, "n", std::to_string(size),
         "makes a tensor of more than 16,777,216 values", "Try --n 64");
    if (!out.empty()) break;
    most *= size;
  }
  return out;
}

}  // namespace tilewalk::lab
