// A pool of threads for the replay: one worker for each processor of the machine, the caller's thread included, and at
// most four, because a Q tile of 64 rows has no more whole vectors to divide. The threads sleep between two calls.
#pragma once

#include <memory>

#include "base/worker_pool.h"

namespace tilewalk {

std::shared_ptr<WorkerPool> make_thread_pool();  // null where the machine has one processor or refuses threads

inline int workers_of(const std::shared_ptr<WorkerPool>& workers) { return workers ? workers->size() : 1; }

}  // namespace tilewalk
