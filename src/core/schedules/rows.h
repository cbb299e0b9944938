// The rows that core/schedules/registry lists, and functions that several of them share. Internal to core/schedules.
#pragma once

#include "core/schedules/schedule_row.h"
#include "core/values/row_shares.h"

namespace tilewalk {

#define SCHEDULE(id) extern const ScheduleRow k##id;
#include "core/problem/schedules.inc"
#undef SCHEDULE

SchedulePlan flash_v2_plan(const Problem&);
SchedulePlan flash_v3_plan(const Problem&);  // flash_v4 too: the same steps, on other values

std::unique_ptr<GroupReplay> make_standard_replay(const Schedule&, const Inputs&, RowShare);
std::unique_ptr<GroupReplay> make_flash_v1_replay(const Schedule&, const Inputs&, RowShare);
std::unique_ptr<GroupReplay> make_flash_v2_replay(const Schedule&, const Inputs&, RowShare);
std::unique_ptr<GroupReplay> make_split_kv_replay(const Schedule&, const Inputs&, RowShare);
std::unique_ptr<GroupReplay> make_backward_replay(const Schedule&, const Inputs&, const std::shared_ptr<WorkerPool>&);

// A forward schedule's replay, which divides the rows among the workers of a pool.
template <ShareMaker make>
std::unique_ptr<GroupReplay> by_rows(const Schedule& schedule, const Inputs& inputs,
                                     const std::shared_ptr<WorkerPool>& workers) {
  return share_out_rows(make, schedule, inputs, workers);
}

LaneProgram flash_v1_lanes(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled);
LaneProgram flash_v2_lanes(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled);
LaneProgram flash_v3_lanes(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled);
LaneProgram flash_v4_lanes(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled);
LaneProgram split_kv_lanes(LaneWriter, std::int64_t visits, const std::vector<bool>& rescaled);

// Shared by the flash schedules.
inline constexpr Fault kEveryFault[] = {Fault::ForgetRescaleO, Fault::ForgetRescaleL, Fault::TileMax,
                                        Fault::NoMax,          Fault::InverseRescale, Fault::MaskOffByOne,
                                        Fault::SkipDiagonal,   Fault::RaggedRead};
inline constexpr HbmTensor kOutputOnce[] = {{TensorId::O, Width::Stored, Life::Once},
                                            {TensorId::L, Width::Number, Life::Once},
                                            {TensorId::S, Width::Scores, Life::Never}};
inline constexpr SectionRow kOneWalk[] = {{SectionName::Walk, 48 << 10}};
const char* why_no_flash_v2_kernel(const Problem&);                      // split_kv too
std::int64_t flash_v2_shared_bytes(const Problem&, const DeviceModel&);  // likewise
std::int64_t flash_v3_shared_bytes(const Problem&,
                                   const DeviceModel&);  // flash_v4 too, which keeps O and scores in tensor memory

int capability_of(const Problem&);  // of its GPU: 90 is sm_90; 0: the device table has no such GPU
inline constexpr const char* kFlashV2Source = "flash_fwd_launch_template.h";

}  // namespace tilewalk
