// A build without ggml.
#include "tests/bench/ggml_attention.h"

namespace tilewalk {

std::unique_ptr<PreparedAttention> prepare_ggml(const CpuAttention&, GgmlKeys) { return nullptr; }
std::string ggml_name() { return {}; }

}  // namespace tilewalk
