// Reads Q, K, V from files and writes results to files. The ending of the name selects the format: .npy or
// .safetensors.
// Shapes [batch, heads, n, d], [heads, n, d] or [n, d]; missing dimensions are 1. In safetensors the tensor has the
// requested name ("q", "k", "v"). Values are returned as fp32, with their type in the file.
// Not checked here: that values are finite (core/problem/inputs) and that the shapes of Q, K and V agree
// (core/problem/problem).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/problem.h"
#include "core/problem/tensor.h"
#include "files/opened_file.h"
#include "files/output_file.h"
#include "files/tensor_entry.h"

namespace tilewalk {

struct InputTensor {
  Tensor tensor;
  DType dtype = DType::Fp32;
};

Result<InputTensor> load_input_tensor(const std::string& path, const std::string& name);

// The values of a tensor of F32, F16 or BF16, piece by piece: uses no memory beyond the result.
Result<std::vector<float>> read_floats(const ReadBytes&, const TensorPlace&);

struct NamedTensor {
  std::string name;
  std::vector<float> values;
  std::vector<std::int64_t> shape;  // its product is values.size()
  DType dtype = DType::Fp32;        // the dtype to which the values are rounded
};

bool holds_many_tensors(const std::string& path);  // false for .npy, which has a single tensor
// An output file for tensors of this type; .npy has no bf16: that is an Issue.
Result<OutputRequest> tensor_request(const std::string& field, const std::string& path, DType);
// Precondition: the file was opened for the tensors' type, and can hold many tensors if there are several.
Result<Done> write_tensors(OutputFile&, const std::vector<NamedTensor>&);

}  // namespace tilewalk
