// A crew of threads for the replay: as many hands as the machine has processors, the caller's among them, and no more
// than four, since a Q tile of 64 rows has no more whole vectors to give. Between two calls the threads sleep.
#pragma once

#include <memory>

#include "base/crew.h"

namespace tilewalk {

std::shared_ptr<Crew> make_thread_crew();  // null where the machine has one processor or grants no threads

inline int hands_of(const std::shared_ptr<Crew>& crew) { return crew ? crew->hands() : 1; }

}  // namespace tilewalk
