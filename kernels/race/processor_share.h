// Whether others have a part of this machine. Internal to kernels/race.
#pragma once

namespace tilewalk {

double process_clock_ms();  // processor time that this process has used

// Of the processor time that `threads` threads ask for together for `ms` milliseconds, the share they get.
double share_for(int threads, double ms);

}  // namespace tilewalk
