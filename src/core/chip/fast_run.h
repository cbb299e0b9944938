// How a fast kernel (kernels/fast) of this project runs a problem: which build, how many thread blocks share a
// multiprocessor, and whether tiles are divided along the keys and joined. The rule is the kernels' own
// (core/problem/build_choice.h), so the model knows a build before anybody has timed it.
// Not modelled: how a launch joins parts (core/predict/launches has its time).
#pragma once

#include <optional>

#include "core/problem/build_choice.h"
#include "core/problem/device_model.h"
#include "core/problem/problem.h"

namespace tilewalk {

// The problem as FA-2's and FA-3's kernels compute it: without a mask, query heads that share K and V are rows of one
// head. Others are returned unchanged.
Problem as_computed(const Problem&);

// The tile of the build that a kernel chooses for the problem, whatever tile the problem has. Precondition: the kernel
// has tiles, and d is at most kLargestFastHead.
FastTile chosen_tile(Contender kernel, const Problem&, const DeviceModel&);

// The build that computes these tiles; none where no kernel of this project runs the problem with them. The problem is
// one of as_computed().
std::optional<fast::BuildChoice> build_of(const Problem&, const DeviceModel&);

}  // namespace tilewalk
