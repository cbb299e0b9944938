// What C++ and CUDA have beyond the lab's language: each by name, with what to write instead.
#pragma once

#include <string_view>

namespace tilewalk::lab {

// Null where the name is none of these.
const char* instead_of_word(std::string_view name);      // "template", "double", "float4"
const char* instead_of_function(std::string_view name);  // "exp", "__expf", "rsqrtf"

const char* instead_in_std(std::string_view name);  // "vector", "max"; of others that std:: is left out

inline constexpr char kWriteFunction[] = "Write a function above the kernel: __device__ float f(float x) { return x; }";

}  // namespace tilewalk::lab
