// What a program says to Nsight Compute run with --profile-from-start off: which launches to watch; and a flush, which
// reads a buffer many times as large as any L2, so that all that was dirty in L2 has been written to DRAM and none of
// the program's own data is left there. Built without CUDA nothing happens.
#pragma once

namespace tilewalk {

void start_profiling();
void stop_profiling();
bool flush_l2();  // a launch of its own, named flush_l2; false if the GPU failed

}  // namespace tilewalk
