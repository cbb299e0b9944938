// visit_done and row_done: marks that show a state. They are no barriers: a state is read once the last thread of the
// block has passed the mark, or at the next barrier if some threads do not pass it.
#include <algorithm>

#include "lab/language/arithmetic.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

void Machine::pass_mark(const Instruction& i, int thread, std::int32_t at) {
  const std::uint64_t* const r = registers_.data() + std::size_t(thread) * code().registers.size() + i.a;
  const auto same = [&](const Pending& each) {
    return each.at == at && std::equal(r, r + 5, each.arguments) && each.ordinal == ordinal_[std::size_t(thread)];
  };
  auto found = std::find_if(pending_.begin(), pending_.end(), same);
  if (found == pending_.end()) {
    Pending next{.at = at, .first_thread = thread, .ordinal = ordinal_[std::size_t(thread)]};
    std::copy(r, r + 5, next.arguments);
    pending_.push_back(next);
    found = pending_.end() - 1;
    for (int pointer = 2; pointer < 5; ++pointer) {
      const int object = Pointer::object(r[pointer]);
      if (object >= 0 && std::size_t(object) < watched_.size()) watched_[std::size_t(object)] = epoch_;
    }
  }
  passed_in_epoch_[std::size_t(thread)] = 1;
  std::int64_t& ordinal = ordinal_[std::size_t(thread)];
  if (std::size_t(++ordinal - first_ordinal_) >= by_visit_.size()) by_visit_.emplace_back();
  const auto done = std::count(status_.begin(), status_.end(), ThreadStatus::Done);
  if (++found->passed + done == std::int64_t(status_.size())) finish_mark(*found);
}

void Machine::finish_marks() {
  for (Pending& each : pending_)
    if (!each.done && !finish_mark(each)) break;
}

bool Machine::finish_mark(Pending& mark) {
  mark.done = true;
  const MarkShape& shape = setup_.shape;
  RunVisit visit;
  visit.q_tile = std::int64_t(mark.arguments[0]);
  visit.kv_tile = std::int64_t(mark.arguments[1]);
  const std::int64_t q_tiles = (shape.n_q + shape.br - 1) / shape.br, kv_tiles = (shape.n_kv + shape.bc - 1) / shape.bc;
  if (visit.q_tile < 0 || visit.q_tile >= q_tiles || visit.kv_tile < 0 || visit.kv_tile >= kv_tiles) {
    report({.kind = FindingKind::BadMark,
            .at = party(mark.first_thread, mark.at),
            .what = "visit_done names Q tile " + std::to_string(visit.q_tile) + " and KV tile " +
                    std::to_string(visit.kv_tile) + ". The Q tiles are 0 to " + std::to_string(q_tiles - 1) +
                    ", the KV tiles 0 to " + std::to_string(kv_tiles - 1) + "."});
    state_ = RunState::Stopped;
    return false;
  }
  visit.first_row = visit.q_tile * shape.br;
  visit.rows = std::min(shape.br, shape.n_q - visit.first_row);
  const bool has_m = mark.arguments[2] != 0, has_l = mark.arguments[3] != 0;
  if (!read_state(visit, mark.arguments + 2, has_m, has_l, mark.first_thread, mark.at)) {
    state_ = RunState::Stopped;
    return false;
  }
  emit_visit(std::move(visit), mark.ordinal);
  return true;
}

// Reads rows of m, l and o, from shared, global or (for one row) local memory.
bool Machine::read_state(RunVisit& visit, const std::uint64_t* pointers, bool has_m, bool has_l, int thread,
                         std::int32_t at) {
  const auto read = [&](std::uint64_t pointer, std::int64_t cols, std::int64_t stride, std::vector<float>& out) {
    for (std::int64_t row = 0; row < visit.rows; ++row)
      for (std::int64_t x = 0; x < cols; ++x) {
        int object = 0;
        std::int64_t flat = 0;
        if (!locate(pointer, row * stride + x, thread, at, object, flat)) return false;
        out.push_back(exact::float_of(read_word(object, flat, thread)));
      }
    return true;
  };
  if (has_m && !visit.of_row && !read(pointers[0], 1, 1, visit.m)) return false;
  if (has_l && !visit.of_row && !read(pointers[1], 1, 1, visit.l)) return false;
  if (pointers[2] != 0) {
    const int object = Pointer::object(pointers[2]);
    std::int64_t stride = setup_.shape.d;
    if (object >= 0 && std::size_t(object) < code().objects.size()) {
      const MemoryObject& memory = code().objects[std::size_t(object)];
      if (memory.dims.size() > 1) stride = memory.dims.back();  // a padded row
    }
    if (!read(pointers[2], setup_.shape.d, stride, visit.o)) return false;
  }
  visit.place = code().places[std::size_t(at)];
  return true;
}

bool Machine::pass_row(const Instruction& i, int thread, std::int32_t at) {
  const std::uint64_t* const r = registers_.data() + std::size_t(thread) * code().registers.size() + i.a;
  const MarkShape& shape = setup_.shape;
  RunVisit visit;
  visit.of_row = true;
  visit.thread = thread;
  visit.first_row = std::int64_t(r[0]);
  visit.kv_tile = std::int64_t(r[1]);
  visit.rows = 1;
  if (visit.first_row < 0 || visit.first_row >= shape.n_q || visit.kv_tile < 0 ||
      visit.kv_tile >= (shape.n_kv + shape.bc - 1) / shape.bc) {
    report({.kind = FindingKind::BadMark,
            .at = party(thread, at),
            .what = "row_done names row " + std::to_string(visit.first_row) + " and KV tile " +
                    std::to_string(visit.kv_tile) + ", which the problem does not have."});
    return false;
  }
  visit.q_tile = visit.first_row / shape.br;
  if (i.b) visit.m.push_back(float_in(r[2]));
  if (i.c) visit.l.push_back(float_in(r[3]));
  if (!read_state(visit, r + 2, i.b != 0, i.c != 0, thread, at)) return false;
  emit_visit(std::move(visit), kNone);
  return true;
}

// After a mark of all rows every thread counts as past it, and its cost is complete.
void Machine::emit_visit(RunVisit visit, std::int64_t ordinal) {
  const Kernel& kernel = code();
  visit.thread_block = blocks_before_ + block_;
  visit.head = block_ / kernel.grid[0] % kernel.grid[1] % std::max<std::int64_t>(setup_.shape.heads, 1);
  visit.batch = block_ / kernel.grid[0] / kernel.grid[1] % std::max<std::int64_t>(setup_.shape.batch, 1);
  visit.step = steps_;
  if (!visit.of_row) {
    for (std::int64_t& each : ordinal_) each = std::max(each, ordinal + 1);
    while (first_ordinal_ <= ordinal && by_visit_.size() > 1) {
      visit.counters.add(by_visit_.front());
      totals_.add(by_visit_.front());
      by_visit_.pop_front();
      ++first_ordinal_;
    }
  }
  visits_.push_back(std::move(visit));
}

}  // namespace tilewalk::lab
