// A call in one line, as the header writes it and as people do: "H100 · bf16 · 4×32/8 heads · N 8,192 · d 128 ·
// causal", "h100 4x32/8 8192 d128 causal".
#pragma once

#include <optional>
#include <string_view>

#include "dispatch/call.h"

namespace tilewalk {

// The fields that the line names. None where a word of it is not of a call, or where it names fewer than two fields.
std::optional<CallWords> typed_call(std::string_view line);

}  // namespace tilewalk
