// WebAssembly has no fused multiply-add, and its C library rounds twice among subnormals. This stands in its place.
#include "core/values/fused_lanes.h"

extern "C" float fmaf(float a, float b, float c) { return tilewalk::exact::fused_by_double(a, b, c); }
