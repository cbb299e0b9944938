// Bank conflicts of shared memory. It has 32 banks, and word w lies in bank w modulo 32. The threads of a warp access
// it together, by one instruction; different words of one bank take a turn each, and one word that several threads read
// takes one turn.
//
// The machine runs threads one after the other, so accesses are logged and matched afterwards: the k-th access of each
// thread of a warp by one instruction, between two barriers, counts as one access of the warp.
// Not modelled: accesses wider than a word; lanes that diverge and meet again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewalk::lab {

struct BankTurns {
  std::int64_t accesses = 0, turns = 0;  // of warps; without conflicts they are equal
  std::int64_t most = 0;                 // turns of one access
  std::int32_t at = 0;                   // the instruction that needs most
};

class BankLog {
 public:
  // For a block of so many threads and a kernel of so many instructions; forgets what is open. Counts nothing where the
  // two multiply to more than 2^24.
  void start(std::size_t threads, std::size_t instructions);
  void access(int thread, std::int32_t at, std::int64_t word);
  void barrier();  // matches what was logged since the last one
  const BankTurns& turns() const { return turns_; }

 private:
  struct Access {
    std::uint64_t key = 0;  // warp, instruction, which access of the thread
    std::int32_t at = 0;
    std::int64_t word = 0;
  };
  std::size_t instructions_ = 0;
  std::vector<std::uint32_t> count_;  // of accesses, by thread and instruction
  std::vector<Access> log_;
  BankTurns turns_;
};

}  // namespace tilewalk::lab
