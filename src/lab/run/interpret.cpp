// The loop over instructions. One switch; rare instructions have functions.
#include "lab/language/arithmetic.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {
namespace {

bool is_finite(float x) { return (exact::bits_of(x) & 0x7f800000u) != 0x7f800000u; }
bool is_nan(float x) { return x != x; }

// True if the operation made what its operands were not.
bool is_made(float result, float a, float b, float c) {
  if (is_nan(result)) return !is_nan(a) && !is_nan(b) && !is_nan(c);
  return is_finite(a) && is_finite(b) && is_finite(c);
}

}  // namespace

#define INT(name) std::int64_t(r[i.name])
#define FLOAT(name) float_in(r[i.name])
#define SET(value) r[i.a] = std::uint64_t(value)
// Sets a float, and looks whether it is the first NaN or infinity.
#define SET_FLOAT(value, x, y, z)                                       \
  {                                                                     \
    const float x_ = x, y_ = y, z_ = z, is_ = value;                    \
    r[i.a] = bits_in(is_);                                              \
    if (!is_finite(is_)) [[unlikely]]                                   \
      if (is_made(is_, x_, y_, z_)) report_not_finite(is_, thread, at); \
  }
#define JUMP_IF(condition) \
  if (condition) at = i.imm - 1

Machine::Stop Machine::run_thread(int thread, std::int64_t& budget) {
  const Kernel& kernel = code();
  const Instruction* const instructions = kernel.code.data();
  const MemoryObject* const objects = kernel.objects.data();
  std::uint64_t* const r = registers_.data() + std::size_t(thread) * kernel.registers.size();
  const std::size_t local = std::size_t(thread) * std::size_t(kernel.local_words);
  std::int32_t at = at_[std::size_t(thread)];
  ThreadNow now = thread_now(thread);
  RunCounters* count = &by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
  std::int64_t left = budget;

  const auto stopped = [&](Stop stop) {
    at_[std::size_t(thread)] = at;
    budget = left;
    return stop;
  };
  const auto waits = [&](ThreadStatus status) {
    status_[std::size_t(thread)] = status;
    return stopped(Stop::Waits);
  };
  const auto out_of_bounds = [&](const MemoryObject& object, std::int64_t x, std::int64_t y, bool two) {
    report_bounds(int(&object - objects),
                  object.name + "[" + std::to_string(x) + "]" + (two ? "[" + std::to_string(y) + "]" : ""), thread, at);
    return stopped(Stop::Failed);
  };
  const auto load_shared = [&](const Instruction& i, const MemoryObject& object, std::int64_t flat) {
    ElementShadow& shadow = shared_shadow_[std::size_t(object.offset + flat)];
    count->shared_read_bytes += 4;
    note_bank(thread, at, object.offset + flat);
    if (shadow.write.epoch == 0) [[unlikely]]
      report_unfilled(object, flat, thread, at);
    else if (shadow.write.epoch == now.epoch && shadow.write.thread != thread) [[unlikely]]
      if (now.races_with(shadow.write)) report_race(object, flat, shadow.write, true, false, thread, at);
    note_read(shadow, now, at);
    r[i.a] = int_bits(std::int32_t(shared_[std::size_t(object.offset + flat)]));
  };
  const auto store_shared = [&](const Instruction& i, const MemoryObject& object, std::int64_t flat) {
    count->shared_write_bytes += 4;
    note_bank(thread, at, object.offset + flat);
    shared_[std::size_t(object.offset + flat)] = std::uint32_t(r[i.a]);
    note_shared_write(int(&object - objects), flat, thread, at);
  };
  const auto load_local = [&](const Instruction& i, const MemoryObject& object, std::int64_t flat) {
    const std::size_t word = local + std::size_t(object.offset + flat);
    if (!local_written_[word]) [[unlikely]]
      report_unfilled(object, flat, thread, at);
    r[i.a] = int_bits(std::int32_t(local_[word]));
  };
  const auto store_local = [&](const Instruction& i, const MemoryObject& object, std::int64_t flat) {
    const std::size_t word = local + std::size_t(object.offset + flat);
    local_[word] = std::uint32_t(r[i.a]);
    local_written_[word] = 1;
  };
  // An index of one or two numbers; runs `access` with the element, or ends.
#define ACCESS1(access)                                              \
  {                                                                  \
    const MemoryObject& object = objects[i.imm];                     \
    const std::int64_t x = INT(b);                                   \
    if (std::uint64_t(x) >= std::uint64_t(object.size)) [[unlikely]] \
      return out_of_bounds(object, x, 0, false);                     \
    access(i, object, x);                                            \
  }
#define ACCESS2(access)                                                                                        \
  {                                                                                                            \
    const MemoryObject& object = objects[i.imm];                                                               \
    const std::int64_t x = INT(b), y = INT(c), *dims = object.dims.data();                                     \
    if (std::uint64_t(x) >= std::uint64_t(dims[0]) || std::uint64_t(y) >= std::uint64_t(dims[1])) [[unlikely]] \
      return out_of_bounds(object, x, y, true);                                                                \
    access(i, object, x* dims[1] + y);                                                                         \
  }

  for (; left > 0; ++at) {
    const Instruction i = instructions[at];
    --left;
    switch (i.op) {
      case Op::Move: r[i.a] = r[i.b]; break;
      case Op::AddI: r[i.a] = int_bits(wrapped_sum(INT(b), INT(c))); break;
      case Op::SubI: r[i.a] = int_bits(wrapped_difference(INT(b), INT(c))); break;
      case Op::MulI: r[i.a] = int_bits(wrapped_product(INT(b), INT(c))); break;
      case Op::AddU: r[i.a] = unsigned_bits(wrapped_sum(INT(b), INT(c))); break;
      case Op::SubU: r[i.a] = unsigned_bits(wrapped_difference(INT(b), INT(c))); break;
      case Op::MulU: r[i.a] = unsigned_bits(wrapped_product(INT(b), INT(c))); break;
      case Op::AddL: SET(wrapped_sum(INT(b), INT(c))); break;
      case Op::SubL: SET(wrapped_difference(INT(b), INT(c))); break;
      case Op::MulL: SET(wrapped_product(INT(b), INT(c))); break;
      case Op::DivI:
      case Op::DivL:
      case Op::RemI:
      case Op::RemL: {
        if (INT(c) == 0) [[unlikely]] {
          report({.kind = FindingKind::DivisionByZero,
                  .at = party(thread, at),
                  .what = "a whole number is divided by zero."});
          return stopped(Stop::Failed);
        }
        const bool divides = i.op == Op::DivI || i.op == Op::DivL;
        const std::int64_t is = divides ? quotient(INT(b), INT(c)) : remainder_of(INT(b), INT(c));
        r[i.a] = i.op == Op::DivI ? int_bits(is) : std::uint64_t(is);
        break;
      }
      case Op::ShlI: r[i.a] = int_bits(shifted_left(INT(b), INT(c) & 31)); break;
      case Op::ShlU: r[i.a] = unsigned_bits(shifted_left(INT(b), INT(c) & 31)); break;
      case Op::ShlL: SET(shifted_left(INT(b), INT(c) & 63)); break;
      case Op::ShrI: SET(INT(b) >> (INT(c) & 31)); break;
      case Op::ShrL: SET(INT(b) >> (INT(c) & 63)); break;
      case Op::And: r[i.a] = r[i.b] & r[i.c]; break;
      case Op::Or: r[i.a] = r[i.b] | r[i.c]; break;
      case Op::Xor: r[i.a] = r[i.b] ^ r[i.c]; break;
      case Op::Less: SET(INT(b) < INT(c)); break;
      case Op::LessEqual: SET(INT(b) <= INT(c)); break;
      case Op::Equal: SET(r[i.b] == r[i.c]); break;
      case Op::NotEqual: SET(r[i.b] != r[i.c]); break;
      case Op::Min: SET(INT(b) < INT(c) ? INT(b) : INT(c)); break;
      case Op::Max: SET(INT(b) < INT(c) ? INT(c) : INT(b)); break;
      case Op::AddF: ++count->additions; SET_FLOAT(x_ + y_, FLOAT(b), FLOAT(c), 0) break;
      case Op::SubF: ++count->additions; SET_FLOAT(x_ - y_, FLOAT(b), FLOAT(c), 0) break;
      case Op::MulF: ++count->products; SET_FLOAT(x_ * y_, FLOAT(b), FLOAT(c), 0) break;
      case Op::DivF: ++count->divisions; SET_FLOAT(x_ / y_, FLOAT(b), FLOAT(c), 0) break;
      case Op::Fma: ++count->fused; SET_FLOAT(exact::fma32(x_, y_, z_), FLOAT(b), FLOAT(c), float_in(r[i.imm])) break;
      case Op::MinF:
        ++count->comparisons;
        r[i.a] = bits_in(min_of(FLOAT(b), FLOAT(c)));
        break;
      case Op::MaxF:
        ++count->comparisons;
        r[i.a] = bits_in(max_of(FLOAT(b), FLOAT(c)));
        break;
      case Op::LessF:
        ++count->comparisons;
        SET(FLOAT(b) < FLOAT(c));
        break;
      case Op::LessEqualF:
        ++count->comparisons;
        SET(FLOAT(b) <= FLOAT(c));
        break;
      case Op::EqualF:
        ++count->comparisons;
        SET(FLOAT(b) == FLOAT(c));
        break;
      case Op::NotEqualF:
        ++count->comparisons;
        SET(FLOAT(b) != FLOAT(c));
        break;
      case Op::NegF: r[i.a] = bits_in(-FLOAT(b)); break;
      case Op::AbsF: r[i.a] = r[i.b] & 0x7fffffffu; break;
      case Op::Exp2: ++count->exponentials; SET_FLOAT(exact::exp2f_exact(x_), FLOAT(b), 0, 0) break;
      case Op::Exp: ++count->exponentials; SET_FLOAT(exp_of(x_), FLOAT(b), 0, 0) break;
      case Op::Log2: ++count->logarithms; SET_FLOAT(exact::log2f_exact(x_), FLOAT(b), 0, 0) break;
      case Op::Log: ++count->logarithms; SET_FLOAT(log_of(x_), FLOAT(b), 0, 0) break;
      case Op::Sqrt: ++count->roots; SET_FLOAT(std::sqrt(x_), FLOAT(b), 0, 0) break;
      case Op::ToFloat: r[i.a] = bits_in(float(INT(b))); break;
      case Op::FloatToI: SET(int_of(FLOAT(b))); break;
      case Op::FloatToU: SET(unsigned_of(FLOAT(b))); break;
      case Op::FloatToL: SET(long_of(FLOAT(b))); break;
      case Op::WrapI: r[i.a] = int_bits(INT(b)); break;
      case Op::WrapU: r[i.a] = unsigned_bits(INT(b)); break;
      case Op::ToBool: SET(r[i.b] != 0); break;
      case Op::ToBoolF: SET(FLOAT(b) != 0); break;
      case Op::Jump: at = i.imm - 1; break;
      case Op::JumpTrue: JUMP_IF(r[i.a] != 0); break;
      case Op::JumpFalse: JUMP_IF(r[i.a] == 0); break;
      case Op::JumpLess: JUMP_IF(INT(a) < INT(b)); break;
      case Op::JumpNotLess: JUMP_IF(!(INT(a) < INT(b))); break;
      case Op::JumpLessEqual: JUMP_IF(INT(a) <= INT(b)); break;
      case Op::JumpNotLessEqual: JUMP_IF(!(INT(a) <= INT(b))); break;
      case Op::JumpEqual: JUMP_IF(r[i.a] == r[i.b]); break;
      case Op::JumpNotEqual: JUMP_IF(r[i.a] != r[i.b]); break;
      case Op::JumpLessF:
        ++count->comparisons;
        JUMP_IF(FLOAT(a) < FLOAT(b));
        break;
      case Op::JumpNotLessF:
        ++count->comparisons;
        JUMP_IF(!(FLOAT(a) < FLOAT(b)));
        break;
      case Op::JumpLessEqualF:
        ++count->comparisons;
        JUMP_IF(FLOAT(a) <= FLOAT(b));
        break;
      case Op::JumpNotLessEqualF:
        ++count->comparisons;
        JUMP_IF(!(FLOAT(a) <= FLOAT(b)));
        break;
      case Op::JumpEqualF:
        ++count->comparisons;
        JUMP_IF(FLOAT(a) == FLOAT(b));
        break;
      case Op::JumpNotEqualF:
        ++count->comparisons;
        JUMP_IF(FLOAT(a) != FLOAT(b));
        break;
      case Op::LoadShared1: ACCESS1(load_shared) break;
      case Op::LoadShared2: ACCESS2(load_shared) break;
      case Op::StoreShared1: ACCESS1(store_shared) break;
      case Op::StoreShared2: ACCESS2(store_shared) break;
      case Op::LoadLocal1: ACCESS1(load_local) break;
      case Op::LoadLocal2: ACCESS2(load_local) break;
      case Op::StoreLocal1: ACCESS1(store_local) break;
      case Op::StoreLocal2: ACCESS2(store_local) break;
      case Op::Load:
        if (!load(r[i.b], INT(c), thread, at, r[i.a])) return stopped(Stop::Failed);
        break;
      case Op::Store:
        if (!store(r[i.b], INT(c), thread, at, r[i.a])) return stopped(Stop::Failed);
        break;
      case Op::Index: {
        const MemoryObject& object = objects[i.imm / 8];
        const std::int64_t size = object.dims[std::size_t(i.imm % 8)], x = INT(c);
        if (std::uint64_t(x) >= std::uint64_t(size)) [[unlikely]] {
          report_bounds(i.imm / 8, object.name + ", index " + std::to_string(i.imm % 8 + 1) + " = " + std::to_string(x),
                        thread, at);
          return stopped(Stop::Failed);
        }
        SET(INT(b) * size + x);
        break;
      }
      case Op::MovePointer: {
        const std::int64_t offset = wrapped_sum(Pointer::offset(r[i.b]), INT(c));
        if (r[i.b] == 0 || offset < -kMostElements || offset > 2 * kMostElements) [[unlikely]] {
          report_bounds(Pointer::object(r[i.b]), r[i.b] ? "a pointer" : "nullptr", thread, at);
          return stopped(Stop::Failed);
        }
        r[i.a] = Pointer::to(Pointer::object(r[i.b]), offset);
        break;
      }
      case Op::PointerDifference: SET(Pointer::offset(r[i.b]) - Pointer::offset(r[i.c])); break;
      case Op::ForgetLocal: {
        const MemoryObject& object = objects[i.imm];
        const auto first = local_written_.begin() + std::ptrdiff_t(local) + object.offset;
        std::fill(first, first + object.size, std::uint8_t(0));
        left -= std::min(left, object.size / 64);
        break;
      }
      case Op::CheckSet:
        if (r[i.a] == 0) [[unlikely]]
          report_unfilled(kernel.unset_names[std::size_t(i.imm)], thread, at);
        break;
      case Op::AtomicAdd:
        at_[std::size_t(thread)] = at;
        if (!add_atomically(i, thread, at)) return stopped(Stop::Failed);
        break;
      case Op::Barrier: return waits(ThreadStatus::AtBarrier);
      case Op::WarpBarrier: return waits(ThreadStatus::AtWarpBarrier);
      case Op::Shuffle: return waits(ThreadStatus::AtShuffle);
      case Op::VisitDone:
        pass_mark(i, thread, at);
        if (state_ == RunState::Stopped) return stopped(Stop::Failed);
        count = &by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
        break;
      case Op::RowDone:
        if (!pass_row(i, thread, at)) return stopped(Stop::Failed);
        count = &by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
        break;
      case Op::Print: print(i, thread); break;
      case Op::Return: return waits(ThreadStatus::Done);
    }
  }
  return stopped(Stop::Budget);
}

}  // namespace tilewalk::lab
