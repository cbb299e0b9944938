// Hands for work that falls into parts which know nothing of each other. core starts no threads: who opens a replay may
// lend it a crew, and whether its hands are threads, and how many, is the lender's affair.
#pragma once

#include <functional>

namespace tilewalk {

class Crew {
 public:
  virtual ~Crew() = default;
  virtual int hands() const = 0;
  // Calls part(0) … part(hands() - 1), perhaps at the same time, and returns when all have returned. Throws the first
  // exception of a part, after all parts have returned. No part may call run.
  virtual void run(const std::function<void(int hand)>& part) = 0;
};

}  // namespace tilewalk
