#include "dispatch/raced_kernel.h"

#include "dispatch/dispatch.h"
#include "dispatch/entry_points.h"

namespace tilewalk {

std::optional<Contender> contender_that_runs(const Call& call, const RuleTable& table) {
  if (!entry_point_answer(call).by_sdpa) return Contender::Eager;
  const std::optional<SdpaBackend> runs = answer_of(call, table).runs;
  return runs ? contender_of(*runs) : std::nullopt;
}

}  // namespace tilewalk
