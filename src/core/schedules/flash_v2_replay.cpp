#include "core/schedules/flash_v2_replay.h"

#include "core/schedules/rows.h"

namespace tilewalk {

std::unique_ptr<GroupReplay> make_flash_v2_replay(const Schedule& schedule, const Inputs& inputs, RowShare share) {
  return std::make_unique<FlashV2Replay>(schedule, inputs, share);
}

}  // namespace tilewalk
