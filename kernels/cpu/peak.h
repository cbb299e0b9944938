// Multiply-adds in registers on the calling thread, after a rest, or at the clock that earlier work left.
//
// A processor lowers its clock within microseconds of dense vector work and raises it again in a pause: after a rest, a
// thread reaches more than while it works.
#pragma once

namespace tilewalk::cpu {

enum class Unit { Fp32Fma, Bf16Dot };

double rested_gflops(Unit, double seconds);  // the best slice of about 0.4 ms within `seconds`
// The median of slices of about 20 µs, a quarter of a millisecond in all, without the first two, in which clock and
// timer settle. Call it without a pause after the work whose clock is measured. Both functions return 0 where the CPU
// lacks the unit.
double working_gflops(Unit);

}  // namespace tilewalk::cpu
