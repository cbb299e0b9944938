// Sends random input: keys, clicks, wheel and letters anywhere, commands with good and bad arguments, news of
// background work, sizes and scales of the window. All of it follows from its seed.
#pragma once

#include "tests/support/random_problem.h"
#include "tests/ui/headless.h"

namespace tilewalk::test {

class Monkey {
 public:
  Monkey(Headless& head, std::uint64_t seed) : head_(head), draw_(seed) {}
  void act();

 private:
  int pick(int below) { return int(draw_.upto(0, below - 1)); }
  std::int64_t number();  // small, or about as large as lengths go, or negative
  std::string typed();    // text for a text field
  template <class E>
  E one_of(int count) {
    return E(pick(count));
  }
  void press();
  void resize();
  Command command();  // with arguments
  Command of_a_file();
  Command news();  // of background work
  RaceNews race_news();
  MeasureNews measure_news();

  Headless& head_;
  Draw draw_;
};

}  // namespace tilewalk::test
