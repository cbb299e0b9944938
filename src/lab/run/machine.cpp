#include "lab/run/machine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/units.h"
#include "lab/language/arithmetic.h"

namespace tilewalk::lab {
namespace {

constexpr std::uint32_t kPoison = 0x7fdeadadu;  // a NaN that no arithmetic on numbers makes
constexpr std::uint32_t kOtherNan = 0x7fffffffu;

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
  std::uint64_t x = state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

Machine::Machine(std::shared_ptr<const Program> program, MachineSetup setup)
    : program_(std::move(program)), setup_(std::move(setup)), random_(setup_.seed) {
  for (std::size_t at = 0; at < program_->tensors.size(); ++at) {
    TensorMemory memory;
    const std::size_t size = std::size_t(program_->tensors[at].size);
    if (at < setup_.inputs.size() && setup_.inputs[at] && setup_.inputs[at]->size() == size)
      memory.input = setup_.inputs[at];
    else {
      memory.words.assign(size, kPoison);
      memory.shadow.assign(size, {});
    }
    tensors_.push_back(std::move(memory));
  }
  if (program_->kernels.empty()) state_ = RunState::Done;
}

RunState Machine::run(std::int64_t most) {
  constexpr std::size_t kWaitingVisits = 64;
  std::int64_t budget = std::min(most, setup_.most_steps - steps_ - start_cost_);
  while (state_ == RunState::More && budget > 0 && visits_.size() < kWaitingVisits) {
    if (block_ < 0 || order_.empty()) {
      budget -= start_block();
      continue;
    }
    if (turn_ >= order_.size()) {
      end_round();
      continue;
    }
    const int thread = order_[turn_];
    if (status_[std::size_t(thread)] != ThreadStatus::Ready) {
      ++turn_;
      continue;
    }
    const std::int64_t before = budget;
    const Stop stop = run_thread(thread, budget);
    steps_ += before - budget;
    totals_.steps = steps_;
    if (stop == Stop::Failed) state_ = RunState::Stopped;
    if (stop == Stop::Waits) ++turn_;
  }
  if (state_ == RunState::More && steps_ + start_cost_ >= setup_.most_steps) {
    const int thread = current_thread();
    report({.kind = FindingKind::StepLimit,
            .at = thread < 0 ? FindingParty{} : party(thread, at_[std::size_t(thread)]),
            .what = "after " + format_count(steps_) + " instructions the run has not ended. It was here.",
            .instead = "Is a loop endless, this one or one around it? If none is, take smaller sizes, or allow more "
                       "steps (lab check --most-steps)."});
    state_ = RunState::Stopped;
  }
  return state_;
}

std::int64_t Machine::start_block() {
  const Kernel& kernel = code();
  if (block_ < 0) {
    block_ = 0;
    launch_epoch_ = epoch_ + 1;
  }
  const std::size_t threads = std::size_t(kernel.threads()), registers = kernel.registers.size();
  registers_.resize(threads * registers);
  const std::int64_t x = block_ % kernel.grid[0], rest = block_ / kernel.grid[0];
  const std::int64_t y = rest % kernel.grid[1], z = rest / kernel.grid[1];
  for (std::size_t thread = 0; thread < threads; ++thread) {
    std::uint64_t* own = registers_.data() + thread * registers;
    std::copy(kernel.registers.begin(), kernel.registers.end(), own);
    const std::int64_t t = std::int64_t(thread);
    own[0] = std::uint64_t(t % kernel.block[0]);
    own[1] = std::uint64_t(t / kernel.block[0] % kernel.block[1]);
    own[2] = std::uint64_t(t / kernel.block[0] / kernel.block[1]);
    own[kBlockIndexRegister] = std::uint64_t(x);
    own[kBlockIndexRegister + 1] = std::uint64_t(y);
    own[kBlockIndexRegister + 2] = std::uint64_t(z);
  }
  at_.assign(threads, 0);
  status_.assign(threads, ThreadStatus::Ready);
  warp_epochs_.assign((threads + 31) / 32, 1);
  shared_.assign(std::size_t(kernel.shared_words), kPoison);
  shared_shadow_.assign(std::size_t(kernel.shared_words), {});
  local_.assign(threads * std::size_t(kernel.local_words), kPoison);
  local_written_.assign(threads * std::size_t(kernel.local_words), 0);
  order_.resize(threads);
  std::iota(order_.begin(), order_.end(), std::uint16_t(0));
  watched_.assign(kernel.objects.size(), 0);
  passed_in_epoch_.assign(threads, 0);
  ordinal_.assign(threads, 0);
  pending_.clear();
  by_visit_.assign(1, {});
  first_ordinal_ = 0;
  if (setup_.bank_conflicts) banks_.start(threads, kernel.code.size());
  next_epoch();
  block_epoch_ = epoch_;
  constexpr std::int64_t kWordsAStep = 16;
  const std::int64_t words = std::int64_t(registers_.size() + shared_.size() * 11 + local_.size() * 2);
  start_cost_ += words / kWordsAStep;
  return words / kWordsAStep;
}

void Machine::end_block() {
  finish_marks();
  if (setup_.bank_conflicts) banks_.barrier();
  for (const RunCounters& rest : by_visit_) totals_.add(rest);
  by_visit_.clear();
  totals_.steps = steps_;
  if (state_ == RunState::Stopped) return;
  order_.clear();
  if (++block_ < code().blocks()) return;
  if (setup_.bank_conflicts) report_conflicts();
  blocks_before_ += code().blocks();
  block_ = -1;
  if (++kernel_ >= program_->kernels.size()) {
    --kernel_;
    state_ = RunState::Done;
  }
}

void Machine::next_epoch() {
  ++epoch_;
  turn_ = 0;
  pending_.clear();
  std::fill(passed_in_epoch_.begin(), passed_in_epoch_.end(), std::uint8_t(0));
  shuffle_order();
}

void Machine::shuffle_order() {
  if (setup_.seed == 0) return;
  for (std::size_t left = order_.size(); left > 1; --left)
    std::swap(order_[left - 1], order_[std::size_t(next_random(random_) % left)]);
}

// Each thread waits or is done.
void Machine::end_round() {
  if (release_warps()) {
    turn_ = 0;
    return;
  }
  if (state_ == RunState::Stopped) return;
  const auto is = [&](ThreadStatus status) { return std::count(status_.begin(), status_.end(), status); };
  const std::int64_t threads = std::int64_t(status_.size()), waiting = is(ThreadStatus::AtBarrier);
  if (is(ThreadStatus::Done) == threads) return end_block();
  const bool one_place = std::adjacent_find(at_.begin(), at_.end(), std::not_equal_to<>()) == at_.end();
  if (waiting == threads && one_place) return release_barrier();
  refuse_barrier();
}

void Machine::release_barrier() {
  finish_marks();
  if (state_ == RunState::Stopped) return;
  for (std::size_t thread = 0; thread < status_.size(); ++thread) {
    status_[thread] = ThreadStatus::Ready;
    ++at_[thread];
  }
  ++by_visit_[std::size_t(ordinal_[0] - first_ordinal_)].barriers;
  if (setup_.bank_conflicts) banks_.barrier();
  next_epoch();
}

ThreadNow Machine::thread_now(int thread) const {
  return {epoch_, block_epoch_, launch_epoch_, std::uint16_t(thread), warp_epochs_[std::size_t(thread) / 32]};
}

std::vector<RunVisit> Machine::take_visits() { return std::exchange(visits_, {}); }

RunCounters Machine::totals() const {
  RunCounters out = totals_;
  for (const RunCounters& each : by_visit_) out.add(each);
  out.steps = steps_;
  return out;
}

double Machine::progress() const {
  std::int64_t all = 0;
  for (const Kernel& each : program_->kernels) all += each.blocks();
  if (state_ != RunState::More) return 1;
  return double(blocks_before_ + std::max<std::int64_t>(block_, 0)) / double(std::max<std::int64_t>(all, 1));
}

std::vector<float> Machine::tensor(std::size_t index) const {
  const TensorMemory& memory = tensors_[index];
  if (memory.input) return *memory.input;
  std::vector<float> out(memory.words.size());
  for (std::size_t at = 0; at < out.size(); ++at) {
    // The poison of another array may have been written here.
    const bool copied = memory.words[at] == kPoison && was_written(index, std::int64_t(at));
    out[at] = exact::float_of(copied ? kOtherNan : memory.words[at]);
  }
  return out;
}

bool Machine::was_written(std::size_t tensor, std::int64_t element) const {
  const TensorMemory& memory = tensors_[tensor];
  return memory.input || memory.shadow[std::size_t(element)].write.epoch != 0;
}

SourcePlace Machine::place_of(int thread) const {
  if (thread < 0 || std::size_t(thread) >= at_.size()) return {};
  const std::size_t at = std::size_t(at_[std::size_t(thread)]);
  return at < code().places.size() ? code().places[at] : SourcePlace{};
}

std::uint64_t Machine::register_of(int thread, int reg) const {
  return registers_[std::size_t(thread) * code().registers.size() + std::size_t(reg)];
}

float Machine::shared_value(const MemoryObject& object, std::int64_t element) const {
  return exact::float_of(shared_[std::size_t(object.offset + element)]);
}

bool Machine::shared_written(const MemoryObject& object, std::int64_t element) const {
  return shared_shadow_[std::size_t(object.offset + element)].write.epoch != 0;
}

std::size_t Machine::bytes() const {
  std::size_t out = sizeof *this + registers_.size() * 8 + shared_.size() * 4 + local_.size() * 5 +
                    shared_shadow_.size() * sizeof(ElementShadow) + output_.size();
  for (const TensorMemory& each : tensors_) out += each.words.size() * 4 + each.shadow.size() * sizeof(ElementShadow);
  return out;
}

}  // namespace tilewalk::lab
