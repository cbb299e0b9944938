// The replay of a Q tile by several workers. The rows of a Q tile know nothing of each other in any forward schedule,
// so each worker replays some of them over the same visits, and the state is theirs put together: the same bits. Inputs
// are not safe for two threads, so the rows of K and V that a slice of work reads are made first (by all workers, in
// parts that do not meet) and lent. Internal to core.
#pragma once

#include "base/worker_pool.h"
#include "core/values/group_replay.h"

namespace tilewalk {

// Makes the replay of one hand's rows.
using ShareMaker = std::unique_ptr<GroupReplay> (*)(const Schedule&, const Inputs&, RowShare);

// The replay of a forward schedule, by a worker pool where there is one and the heads are small enough for Inputs to
// keep.
std::unique_ptr<GroupReplay> share_out_rows(ShareMaker, const Schedule&, const Inputs&,
                                            const std::shared_ptr<WorkerPool>&);

}  // namespace tilewalk
