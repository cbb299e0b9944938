// The address of a pointer to shared memory in the form that PTX's shared-memory instructions use.
#pragma once

#include <cstdint>

namespace tilewalk::fast {

__device__ inline uint32_t shared_address(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }

}  // namespace tilewalk::fast
