// Runs a compiled program: thread block by thread block, each thread up to the next barrier, threads in an order that a
// seed decides. The machine is a value: a copy is a checkpoint, and the same program, tensors and seed give the same
// run, step by step. A step is one instruction of one thread.
//
// Not modelled: blocks that run at the same time (races between blocks are found all the same), time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "lab/language/program.h"
#include "lab/run/bank_log.h"
#include "lab/run/counters.h"
#include "lab/run/finding.h"
#include "lab/run/shadow.h"
#include "lab/run/visit.h"

namespace tilewalk::lab {

// The shape of the problem, so far as marks need it.
struct MarkShape {
  std::int64_t batch = 1, heads = 1, n_q = 0, n_kv = 0, d = 0, br = 0, bc = 0;
};

struct MachineSetup {
  // A tensor of the program each, in its order; null: an output or scratch, which starts unwritten. A tensor of the
  // wrong size counts as unwritten.
  std::vector<std::shared_ptr<const std::vector<float>>> inputs;
  MarkShape shape;
  std::uint64_t seed = 0;  // 0: threads run in increasing order
  std::int64_t most_steps = 1'000'000'000;
  std::size_t most_output = 64 * 1024;  // bytes of printf
  std::size_t most_findings = 50;
  bool bank_conflicts = false;  // counted, at half the speed
};

enum class RunState { More, Done, Stopped };  // Stopped: by a finding

enum class ThreadStatus : std::uint8_t { Ready, AtBarrier, AtWarpBarrier, AtShuffle, Done };

class Machine {
 public:
  Machine(std::shared_ptr<const Program>, MachineSetup);

  // Runs up to `most` steps further; fewer where visits wait to be taken.
  RunState run(std::int64_t most);
  RunState state() const { return state_; }

  std::vector<RunVisit> take_visits();  // since the last call
  const std::vector<Finding>& findings() const { return findings_; }
  const BankTurns& bank_turns() const { return banks_.turns(); }
  const std::string& output() const { return output_; }  // of printf
  bool output_cut() const { return output_cut_; }
  RunCounters totals() const;  // of all threads so far
  std::int64_t steps() const { return steps_; }
  double progress() const;  // by thread blocks, 0 to 1

  // A tensor's words as floats; whether an element was written.
  std::vector<float> tensor(std::size_t index) const;
  bool was_written(std::size_t tensor, std::int64_t element) const;

  // The place now, for walks. Precondition: state() is More and steps() > 0.
  std::size_t kernel() const { return kernel_; }
  std::int64_t block() const { return block_; }
  int current_thread() const { return turn_ < order_.size() ? order_[turn_] : -1; }
  SourcePlace place_of(int thread) const;
  std::int32_t instruction_of(int thread) const { return at_[std::size_t(thread)]; }
  int threads() const { return int(status_.size()); }
  std::size_t bytes() const;  // that a copy needs
  std::uint64_t register_of(int thread, int reg) const;
  float shared_value(const MemoryObject&, std::int64_t element) const;
  bool shared_written(const MemoryObject&, std::int64_t element) const;
  const Program& program() const { return *program_; }

 private:
  struct Pending {  // a mark that some threads have passed
    std::int32_t at = 0;
    std::uint64_t arguments[5] = {};
    std::int64_t passed = 0;
    int first_thread = 0;
    std::int64_t ordinal = 0;
    bool done = false;
  };
  struct TensorMemory {
    std::shared_ptr<const std::vector<float>> input;
    std::vector<std::uint32_t> words;
    std::vector<ElementShadow> shadow;
  };
  enum class Stop { Budget, Waits, Failed };

  const Kernel& code() const { return program_->kernels[kernel_]; }
  std::int64_t start_block();  // returns what it costs, in steps
  void end_block();
  void shuffle_order();
  void end_round();
  bool release_warps();
  bool release_warp(int first, int end);
  void exchange(int first, int end, std::uint32_t mask);
  void release_barrier();
  void refuse_barrier();
  void next_epoch();
  ThreadNow thread_now(int thread) const;

  // interpret.cpp
  Stop run_thread(int thread, std::int64_t& budget);

  // memory.cpp: false where the run ends
  bool load(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, std::uint64_t& out);
  bool store(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, std::uint64_t value);
  bool add_atomically(const Instruction&, int thread, std::int32_t at);
  bool locate(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, int& object, std::int64_t& flat);
  std::uint32_t read_word(int object, std::int64_t flat, int thread) const;
  void note_bank(int thread, std::int32_t at, std::int64_t word) {
    if (setup_.bank_conflicts) banks_.access(thread, at, word);
  }
  void note_shared_write(int object, std::int64_t flat, int thread, std::int32_t at);

  // marks.cpp
  void pass_mark(const Instruction&, int thread, std::int32_t at);
  bool pass_row(const Instruction&, int thread, std::int32_t at);
  bool finish_mark(Pending&);
  void finish_marks();
  bool read_state(RunVisit&, const std::uint64_t* pointers, bool has_m, bool has_l, int thread, std::int32_t at);
  void emit_visit(RunVisit, std::int64_t ordinal);

  // report.cpp
  void report(Finding);
  FindingParty party(int thread, std::int32_t at) const;
  FindingParty party(const MemoryAccess&) const;
  void report_bounds(int object, const std::string& element, int thread, std::int32_t at);
  void report_unfilled(const std::string& name, int thread, std::int32_t at);
  void report_unfilled(const MemoryObject&, std::int64_t element, int thread, std::int32_t at);
  bool is_known(FindingKind, std::int32_t at, std::int32_t other_at);
  void report_race(const MemoryObject&, std::int64_t element, const MemoryAccess& other, bool reads, bool other_reads,
                   int thread, std::int32_t at);
  void report_not_finite(float value, int thread, std::int32_t at);
  void report_conflicts();
  void print(const Instruction&, int thread);

  std::shared_ptr<const Program> program_;
  MachineSetup setup_;
  RunState state_ = RunState::More;
  std::vector<TensorMemory> tensors_;

  std::size_t kernel_ = 0;
  std::int64_t block_ = -1;         // of the kernel; -1: none has started
  std::int64_t blocks_before_ = 0;  // of earlier kernels
  std::vector<std::uint64_t> registers_;
  std::vector<std::int32_t> at_;  // a thread's next instruction
  std::vector<ThreadStatus> status_;
  std::vector<std::uint16_t> warp_epochs_;
  std::vector<std::uint32_t> shared_, local_;
  std::vector<ElementShadow> shared_shadow_;
  std::vector<std::uint8_t> local_written_;
  std::vector<std::uint16_t> order_;
  std::size_t turn_ = 0;
  std::uint64_t random_ = 0;
  std::uint32_t epoch_ = 0, block_epoch_ = 0, launch_epoch_ = 0;

  std::vector<Pending> pending_;
  std::vector<std::uint8_t> passed_in_epoch_;  // a thread has passed a mark since the last barrier
  std::vector<std::uint32_t> watched_;         // of an object: the epoch in which a mark showed it
  std::vector<std::int64_t> ordinal_;          // of a thread: marks passed in this block
  std::deque<RunCounters> by_visit_;           // from ordinal first_ordinal_ on
  std::int64_t first_ordinal_ = 0;
  RunCounters totals_;

  BankLog banks_;
  std::vector<RunVisit> visits_;
  std::vector<Finding> findings_;
  struct Known {
    FindingKind kind{};
    std::size_t kernel = 0;
    std::int32_t at = 0, other_at = 0;
    bool operator==(const Known&) const = default;
  };
  std::vector<Known> known_;  // so that a finding made a million times is put into words once
  std::string output_;
  bool output_cut_ = false, found_nan_ = false, found_infinity_ = false, warned_atomics_ = false;
  std::int64_t steps_ = 0;
  std::int64_t start_cost_ = 0;  // of starting blocks, in steps: counts for the limit
};

}  // namespace tilewalk::lab
