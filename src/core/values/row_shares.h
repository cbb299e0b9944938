// The replay of a Q tile by several workers. In every forward schedule the rows of a Q tile are independent, so each
// worker replays some of them over the same visits; together they give the state, with the same bits. Inputs is not
// thread-safe, so the rows of K and V that a slice of work reads are generated first (by all workers, in separate
// parts) and lent. Internal to core.
#pragma once

#include "base/worker_pool.h"
#include "core/values/group_replay.h"

namespace tilewalk {

// Creates the replay of one worker's rows.
using ShareMaker = std::unique_ptr<GroupReplay> (*)(const Schedule&, const Inputs&, RowShare);

// The replay of a forward schedule: by a worker pool where there is one and the heads are small enough for Inputs to
// cache.
std::unique_ptr<GroupReplay> share_out_rows(ShareMaker, const Schedule&, const Inputs&,
                                            const std::shared_ptr<WorkerPool>&);

}  // namespace tilewalk
