// Which of xFormers' kernels takes a call: those that memory_efficient_attention tries, in its order, each with its own
// checks. Read in xFormers 0.0.35 (xformers/ops/fmha: dispatch.py, flash3.py, flash.py, cutlass.py, common.py at tag
// v0.0.35), not run. Its kernel for the tensor cores of SM 10.0 is left out: it runs only if op= names it.
// Not modelled: the backward pass, which selects a kernel of its own.
#pragma once

#include <string>
#include <vector>

#include "dispatch/call.h"

namespace tilewalk {

enum class XformersKernel { Flash3, Flash2, Cutlass };

struct XformersTry {
  XformersKernel kernel{};
  std::string name;     // "FA-3"
  std::string refuses;  // the first reason, "d 32 at least"; empty: the kernel takes the call
};
std::vector<XformersTry> xformers_tries(const Call&);

}  // namespace tilewalk
