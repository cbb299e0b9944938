// Who can be predicted, and who was only ever recorded. The modelled ones are this project's fast kernels with the
// tiles that they take (kernels/fast), and eager: attention as people write it in PyTorch, operation by operation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/predict/backward_kernel.h"
#include "core/predict/operations.h"
#include "core/problem/problem.h"

namespace tilewalk {

struct MethodTile {
  std::int64_t br = 0, bc = 0;
  std::int64_t shared_bytes = 0;  // of a thread block: operands alone; scores and sums are in registers
};

// Modelled as a row of operations or as tiles; a method that has neither was only ever recorded.
struct AttentionMethod {
  const char* id = "";     // as the races spell it: "flash_v2"
  const char* title = "";  // "FA-2"
  std::vector<Operation> (*operations)(const AttentionCall&, const DeviceModel&) = nullptr;
  MethodTile (*tile)(std::int64_t built_d, bool causal, const DeviceModel&) = nullptr;  // kernels/fast, first variant
  KernelCost (*kernels)(const AttentionCall&, const DeviceModel&) = nullptr;  // its walk tells neither time nor DRAM
  std::int64_t (*sections)(const AttentionCall&) = nullptr;  // causal: longest tile first within each; null: one
  double odd_rows = 1;  // times as long where rows of Q, K and V end inside a 32-byte piece
  bool backward = false;
  std::optional<ScheduleKind> schedule{};                                 // where Tilewalk walks it
  double (*paper_s)(const AttentionCall&, const DeviceModel&) = nullptr;  // on paper; null: nobody works it out so
  double (*held_bytes)(const AttentionCall&) = nullptr;                   // beside Q, K, V and O; null: hardly any
  double launch_s = 0;                                                    // what the processor needs for one launch
  int from_capability = 0, to_capability = 999;                           // cards that it was written for

  bool modelled() const { return operations || tile; }
};

const std::vector<AttentionMethod>& attention_methods();
const AttentionMethod* method_named(const std::string& id);  // null: none
const AttentionMethod* kernel_of(ScheduleKind);              // this project's own, which was raced; null: none

// Why the pair does not exist, one sentence; empty where it does: "FA-3's products are made of wgmma, which …".
std::string why_not_there(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

// The problem that a contender walks: its schedule with its kernel's tiles, on the device of the model's name. One of
// operations has no tiles of its own, and takes 64×64. Precondition: it has a schedule; the call is sound and the pair
// exists.
Problem walked_by(const AttentionMethod&, const AttentionCall&, const DeviceModel&);
// The same with d as the kernel computes it: kernels are built for 64, 128 and 256, and a head size between takes the
// next larger build.
Problem built_for(const Problem& walked);
MethodTile tile_of(const AttentionMethod&, const AttentionCall&, const DeviceModel&);

}  // namespace tilewalk
