// NumPy's .npy format, versions 1 to 3: one array, little-endian fp32 or fp16, C order. Everything else (Fortran order,
// big-endian, float64, bfloat16 saved as raw bytes, objects) is refused with the reason and what to do; so are a
// truncated file, bytes after the array and a shape that overflows. Nothing is allocated from an unchecked length.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/opened_file.h"
#include "files/tensor_entry.h"

namespace tilewalk {

// `name` stands for the file in messages.
Result<TensorPlace> parse_npy_header(std::span<const std::byte> first_bytes, std::int64_t file_bytes,
                                     const std::string& name);
Result<TensorPlace> find_in_npy(const OpenedFile&, const std::string& name);  // reads no more than its header

// Precondition: type F32 or F16, and the entry's invariant.
std::vector<std::byte> npy_bytes(const TensorFileEntry&);

}  // namespace tilewalk
