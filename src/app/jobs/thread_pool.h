// A pool of threads for the replay: one worker for each processor of the machine, the caller's thread among them, and
// at most four, since a Q tile of 64 rows has no more whole vectors to share. Between two calls the threads sleep.
#pragma once

#include <memory>

#include "base/worker_pool.h"

namespace tilewalk {

std::shared_ptr<WorkerPool> make_thread_pool();  // null where the machine has one processor or grants no threads

inline int workers_of(const std::shared_ptr<WorkerPool>& workers) { return workers ? workers->size() : 1; }

}  // namespace tilewalk
