// Which schedule of Tilewalk shows a backend's kernel, with the kernel's tile where it is known, and its generation of
// FlashAttention. The schedule of a kernel decides its generation, not its authors: cuDNN's kernel on Hopper overlaps
// as FA-3 does, and so does a kernel for Hopper in FA-4's package. Unknown parts are left out: there is a tile, a
// generation or a schedule only where the kernel's launch was read in its source or recorded. Forward only.
#pragma once

#include <optional>
#include <string>

#include "core/problem/problem.h"
#include "dispatch/call.h"
#include "dispatch/flash_launch.h"
#include "dispatch/kernel/kernel_name.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

struct KernelSchedule {
  std::optional<ScheduleKind> schedule{};  // none: not known
  std::optional<std::int64_t> br{}, bc{};  // none: not known
  std::string tile_source{};
  std::optional<bool> split_kv{};        // true if thread blocks divide a row's keys; none: not known
  std::optional<std::int64_t> splits{};  // the number of splits, where it is known
  std::string generation{};              // "FA-2"; empty for eager attention, and where it is not known
  std::string sentence{};                // what the kernel is
  std::string unknown{};                 // what is not known about it, and why; empty: nothing
  bool bottom_right = false;  // is_causal lets the last query see the last key; else the first sees the first
};

KernelSchedule kernel_schedule(const Call&, const RuleTable&, SdpaBackend);

// Kernels of packages. Without a version, the newest that was read.
KernelSchedule shown_eager();
KernelSchedule shown_flash1(const Call&);
KernelSchedule shown_flash2(const Call&, std::optional<Version>);
KernelSchedule shown_flash3(const Call&);
KernelSchedule shown_flash4(const Call&);
KernelSchedule shown_xformers(const Call&);
KernelSchedule shown_flex(const Call&);

// A walk, and its description: "FA-2 with that kernel's tiles, 128×64".
struct KernelWalk {
  Problem problem;
  std::string words;
};
// The call as a problem that the window walks: its shapes, mask and schedule, with the kernel's tile or, where that is
// not known, a default one; the description says which. A kernel keeps scores and sums in registers, which count as
// SRAM here, so SRAM may be larger than the card's; the description says that too. None: no schedule here shows it.
std::optional<KernelWalk> kernel_walk(const Call&, const KernelSchedule&);
// The schedule that a kernel's name implies, in the same way, on a few tiles.
std::optional<Problem> problem_of(const DecodedKernel& kernel);

}  // namespace tilewalk
