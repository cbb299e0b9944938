// Which schedule of Tilewalk shows what a backend does, with the tiles of its kernel where they are known, and which
// generation of FlashAttention that is. A kernel is of a generation by its schedule, not by its authors: cuDNN's on
// Hopper overlaps as FA-3 does, and FA-4's package has a kernel for Hopper that does. What cannot be known is left out:
// a tile, a generation or a schedule is told only where the kernel's launch was read or recorded. Forward alone.
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
  std::optional<bool> split_kv{};        // whether thread blocks share out a row's keys; none: not known
  std::optional<std::int64_t> splits{};  // how many do, where that is known
  std::string generation{};              // "FA-2"; empty for eager attention, and where it is not known
  std::string sentence{};                // what the kernel is
  std::string unknown{};                 // what of it is not known, and why; empty: nothing
};

KernelSchedule kernel_schedule(const Call&, const RuleTable&, SdpaBackend);

// Kernels of packages. A version that is not given is the newest that was read.
KernelSchedule shown_eager();
KernelSchedule shown_flash1(const Call&);
KernelSchedule shown_flash2(const Call&, std::optional<Version>);
KernelSchedule shown_flash3(const Call&);
KernelSchedule shown_flash4(const Call&);
KernelSchedule shown_xformers(const Call&);
KernelSchedule shown_flex(const Call&);

// A walk, and what it is: "FA-2 with that kernel's tiles, 128×64".
struct KernelWalk {
  Problem problem;
  std::string words;
};
// The call as a problem that the window walks: its shapes, mask and schedule, with the kernel's tile or, where that is
// not known, one of the walk's own; the words say which. A kernel holds scores and sums in registers, which are SRAM
// here, so SRAM may be more than the card has; the words say that too. None: nothing here shows it.
std::optional<KernelWalk> kernel_walk(const Call&, const KernelSchedule&);
// The schedule that the name of a kernel tells of, likewise, on a few tiles.
std::optional<Problem> problem_of(const DecodedKernel& kernel);

}  // namespace tilewalk
