// Multiply-adds in registers on the calling thread, after a rest and at the clock that work before them has left.
//
// A processor lowers its clock within microseconds of dense vector work and raises it again in a pause: what a thread
// reaches after a rest is more than what it reaches while it works.
#pragma once

namespace tilewalk::cpu {

enum class Unit { Fp32Fma, Bf16Dot };

double rested_gflops(Unit, double seconds);  // the best of slices of about 0.4 ms, for `seconds`
// The median of slices of about 20 µs, a quarter of a millisecond in all; the first two, in which clock and timer
// settle, are left out. To be called without a pause after the work whose clock is asked for. Both: 0 where the unit is
// missing.
double working_gflops(Unit);

}  // namespace tilewalk::cpu
