// WebAssembly has no fused multiply-add, and its C library rounds subnormal results twice. This replaces that function.
#include "core/values/fused_lanes.h"

extern "C" float fmaf(float a, float b, float c) { return tilewalk::exact::fused_by_double(a, b, c); }
