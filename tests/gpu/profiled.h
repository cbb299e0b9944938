// Controls Nsight Compute run with --profile-from-start off: which launches it profiles; and a flush, which reads a
// buffer many times as large as any L2, so that all dirty bytes of L2 are written to DRAM and none of the program's own
// data is left there. Without CUDA in the build nothing happens.
#pragma once

namespace tilewalk {

void start_profiling();
void stop_profiling();
bool flush_l2();  // a launch of its own, named flush_l2; false if the GPU failed

}  // namespace tilewalk
