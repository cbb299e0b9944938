// Workers for work whose parts are independent of each other. core starts no threads: the caller may give a replay a
// pool, and decides whether its workers are threads, and how many.
#pragma once

#include <functional>

namespace tilewalk {

class WorkerPool {
 public:
  virtual ~WorkerPool() = default;
  virtual int size() const = 0;
  // Calls part(0) … part(size() - 1), perhaps at the same time, and returns when all have returned. Throws the first
  // exception of a part, after all parts have returned. No part may call run.
  virtual void run(const std::function<void(int worker)>& part) = 0;
};

}  // namespace tilewalk
