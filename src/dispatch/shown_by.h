// Which schedule of Tilewalk shows what a backend does, with the tiles of its kernel where they are known, and which
// generation of FlashAttention that is. A backend's kernel is of a generation by its schedule, not by its authors:
// cuDNN's on Hopper overlaps as FA-3 does. Not modelled: split-KV, which some kernels take for few query rows.
#pragma once

#include <optional>
#include <string>

#include "core/problem/problem.h"
#include "dispatch/call.h"
#include "dispatch/kernel/kernel_name.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

struct ShownBy {
  std::optional<ScheduleKind> schedule{};
  std::optional<std::int64_t> br{}, bc{};  // none: not known
  std::string tile_source{};
  std::string generation{};  // "FA-2"; empty for eager attention
  std::string sentence{};    // what the kernel is
};

ShownBy shown_by(const Call&, const RuleTable&, SdpaBackend);

ShownBy shown_by_generation(const Call&, int generation);  // 1 to 4: a released FlashAttention
ShownBy shown_eager();

// The call as a problem that the window walks: its shapes, mask and schedule, cut to what a walk may be.
std::optional<Problem> problem_of(const Call&, const ShownBy&);
// The schedule that the name of a kernel tells of, with the kernel's own tile and head size where it tells them, on a
// few tiles. A kernel holds parts of a tile in registers that are SRAM here, so SRAM may be more than a card has.
std::optional<Problem> problem_of(const DecodedKernel&);

}  // namespace tilewalk
