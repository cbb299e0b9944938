// Where a pointer to shared memory points, as PTX's shared-memory instructions count it.
#pragma once

#include <cstdint>

namespace tilewalk::fast {

__device__ inline uint32_t shared_address(const void* p) { return (uint32_t)__cvta_generic_to_shared(p); }

}  // namespace tilewalk::fast
