// Q, K, V from files and results to files. The format is told by the name: .npy or .safetensors.
// Shapes [batch, heads, n, d], [heads, n, d] or [n, d]; what is missing is 1. In safetensors the tensor goes by the
// name asked for ("q", "k", "v"). Values come as fp32 beside the type they had in the file.
// Not checked here: that values are finite (core/problem/inputs) and that Q, K and V fit each other
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

// The values of a tensor of F32, F16 or BF16, piece by piece: it takes their memory and no more.
Result<std::vector<float>> read_floats(const ReadBytes&, const TensorPlace&);

struct NamedTensor {
  std::string name;
  std::vector<float> values;
  std::vector<std::int64_t> shape;  // its product is values.size()
  DType dtype = DType::Fp32;        // what the values are rounded to
};

bool holds_many_tensors(const std::string& path);  // or a single one, as .npy does
// A wish for a file of tensors of this type; .npy has no bf16: that is an Issue.
Result<OutputWish> tensor_wish(const std::string& field, const std::string& path, DType);
// Precondition: the file was wished for with the tensors' type, and is one of many tensors if there are several.
Result<Done> write_tensors(OutputFile&, const std::vector<NamedTensor>&);

}  // namespace tilewalk
