// The methods of attention that have a prediction, and those that have recorded times only. The modelled ones are this
// project's fast kernels with their tiles (core/problem/fast_kernels), and eager: attention as people write it in
// PyTorch, operation by operation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/backward_kernel.h"
#include "core/predict/operations.h"
#include "core/problem/contender.h"
#include "core/problem/fast_kernels.h"
#include "core/problem/problem.h"

namespace tilewalk {

// Modelled as a list of operations or as tiles; a method that is neither has recorded times only.
struct AttentionMethod {
  Contender who{};
  const char* id = word_of(who);      // as the races spell it: "flash_v2"
  const char* title = title_of(who);  // "FA-2"
  std::vector<Operation> (*operations)(const AttentionCall&, const DeviceModel&) = nullptr;
  KernelCost (*kernels)(const AttentionCall&,
                        const DeviceModel&) = nullptr;  // its walk gives neither time nor DRAM bytes
  bool backward = contender_row(who).backward;
  std::optional<ScheduleKind> schedule{};  // the schedule by which Tilewalk walks it; eager's operations have none
  double (*pencil_s)(const AttentionCall&,
                     const DeviceModel&) = nullptr;       // by the pencil method; null: it has no formula there
  double (*extra_bytes)(const AttentionCall&) = nullptr;  // memory beside Q, K, V and O; null: hardly any
  double launch_s = 0;                                    // processor time for one launch
  int from_capability = 0;                                // for kernels of others: the lowest compute capability

  bool has_kernel() const { return contender_row(who).by == RunBy::Tilewalk; }  // kernels/fast, first variant
  bool tiled() const { return has_kernel() && !operations; }
  bool modelled() const { return operations || has_kernel(); }
};

const std::vector<AttentionMethod>& attention_methods();
const AttentionMethod* method_named(const std::string& id);  // null: none
const AttentionMethod* fast_method_of(ScheduleKind);         // whose fast kernel has this schedule, forward; null: none
const AttentionMethod& method_of(Contender);  // for contenders on a GPU; throws std::logic_error for a processor's

// True if its products use the instruction that all cards since Ampere have, not Hopper's own.
bool by_mma_sync(const AttentionMethod&);

// Why the method cannot run this call on this card, one sentence; empty where it can: "FA-3 is made of Hopper's own
// instructions (wgmma, sm_90), and A100 80 GB SXM is sm_80".
std::string why_not_there(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// The problem that a contender walks: its schedule with its kernel's tiles, on the device of the model's name. A method
// made of operations has no tiles, and gets 64×64, all of the card's shared memory and S in the call's type, as its
// products write it. Precondition: it has a schedule, the call is valid and the method
// can run it on the card.
Problem walked_by(const AttentionMethod&, const AttentionCall&, const DeviceModel&);
// The tile of the build that runs the call there. Precondition: the method is tiled, and can run it.
FastTile tile_of(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// The call that a problem describes, in 16 bits. None for what no prediction covers: different lengths of Q and K, a
// mask other than none or causal, fp32.
std::optional<AttentionCall> call_of(const Problem&);
// The method whose kernel does this problem's work tile by tile: same call, tiles and lanes. Null where no kernel here
// does. Standard attention always gives null: vendors' libraries choose the tiles of naive and eager.
const AttentionMethod* contender_of(const Problem&, const DeviceModel&);

}  // namespace tilewalk
