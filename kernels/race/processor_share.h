// Measures whether other programs use this machine. Internal to kernels/race.
#pragma once

namespace tilewalk {

double process_clock_ms();  // processor time that this process has used

// The share of processor time that `threads` threads get when they run together for `ms` milliseconds.
double share_for(int threads, double ms);

}  // namespace tilewalk
