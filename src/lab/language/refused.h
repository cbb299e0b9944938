// What C++ and CUDA have beyond the lab's language: each by name, with what to write instead.
#pragma once

#include <string>
#include <string_view>

namespace tilewalk::lab {

// Null where the name is none of these.
const char* instead_of_word(std::string_view name);      // "template", "double", "float4"
const char* instead_of_function(std::string_view name);  // "exp", "__expf", "rsqrtf"

}  // namespace tilewalk::lab
