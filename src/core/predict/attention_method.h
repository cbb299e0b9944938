// Who can be predicted, and who was only ever recorded. The modelled ones are this project's fast kernels with the
// tiles that they take (core/problem/fast_kernels), and eager: attention as people write it in PyTorch, operation by
// operation.
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

// Modelled as a row of operations or as tiles; a method that is neither was only ever recorded.
struct AttentionMethod {
  Contender who{};
  const char* id = word_of(who);      // as the races spell it: "flash_v2"
  const char* title = title_of(who);  // "FA-2"
  std::vector<Operation> (*operations)(const AttentionCall&, const DeviceModel&) = nullptr;
  KernelCost (*kernels)(const AttentionCall&, const DeviceModel&) = nullptr;  // its walk tells neither time nor DRAM
  bool backward = contender_row(who).backward;
  std::optional<ScheduleKind> schedule{};                                 // where Tilewalk walks it
  double (*paper_s)(const AttentionCall&, const DeviceModel&) = nullptr;  // on paper; null: nobody works it out so
  double (*held_bytes)(const AttentionCall&) = nullptr;                   // beside Q, K, V and O; null: hardly any
  double launch_s = 0;                                                    // what the processor needs for one launch
  int from_capability = 0;                                                // of others' kernels

  bool has_kernel() const { return contender_row(who).by == RunBy::Tilewalk; }  // kernels/fast, first variant
  bool tiled() const { return has_kernel() && !operations; }
  bool modelled() const { return operations || has_kernel(); }
};

const std::vector<AttentionMethod>& attention_methods();
const AttentionMethod* method_named(const std::string& id);  // null: none
const AttentionMethod& method_of(Contender);                 // of a GPU; throws std::logic_error for a processor's

// Its products' instruction is the one that all cards since Ampere have, and not Hopper's own.
bool by_mma_sync(const AttentionMethod&);

// Why the pair does not exist, one sentence; empty where it does: "FA-3 is made of Hopper's own instructions (wgmma,
// sm_90), and A100 80 GB SXM is sm_80".
std::string why_not_there(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// The problem that a contender walks: its schedule with its kernel's tiles, on the device of the model's name. One of
// operations has no tiles of its own, and takes 64×64. Precondition: it has a schedule; the call is sound and the pair
// exists.
Problem walked_by(const AttentionMethod&, const AttentionCall&, const DeviceModel&);
FastTile tile_of(const AttentionMethod&, const AttentionCall&, const DeviceModel&);  // precondition: it is tiled

// The call that a problem is, in 16 bits; none where it is no call that can be predicted: other lengths of Q than of K,
// another mask than none or a causal one, fp32.
std::optional<AttentionCall> call_of(const Problem&);
// Whose work a walked problem is, tile by tile: that kernel's call, tiles and lanes. Null: nobody's here, and standard
// attention is nobody's: it walks S in fp32, which naive and eager keep in 16 bits.
const AttentionMethod* contender_of(const Problem&, const DeviceModel&);

// What the processor needs before a launch of this project's kernels, and the time between two launches of a stream.
// Measured alone (operations_h200_2026-11-22.csv, parts_h200_2026-11-22.csv), on that machine.
inline constexpr double kOwnLaunch = 17.9e-6, kBetweenLaunches = 4.6e-6;

}  // namespace tilewalk
