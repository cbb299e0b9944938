// What a problem gives to a kernel of the lab: its constants, its tensors and their values.
#pragma once

#include <vector>

#include "core/problem/problem.h"
#include "lab/language/compile.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

// BATCH HEADS KV_HEADS N_Q N_KV D BR BC THREADS, CAUSAL, SCALE and SCALE_LOG2 (the ladder's c); the tensors Q, K, V,
// O, L, for the backward pass also dO, dQ, dK, dV.
CompileSetup compile_setup(const Problem&, std::int64_t threads, bool backward = false);

// Values in the shapes of the problem, contiguous. d_o and what the forward pass left (o, l) are for the backward pass.
struct LabInputs {
  std::vector<float> q, k, v;
  std::vector<float> d_o, o, l;  // l: natural log
};
// The inputs of a backward pass: Q, K, V and dO from the seed; O and L of a forward pass in float64, rounded once.
LabInputs gradient_inputs(const Problem&);
MachineSetup machine_setup(const Problem&, const Program&, const LabInputs&);

MarkShape mark_shape(const Problem&);

// Faults of a problem that the lab does not run: masks other than none and causal, 16-bit types, sizes past 2^24.
Issues check_lab_problem(const Problem&, std::int64_t threads);

}  // namespace tilewalk::lab
