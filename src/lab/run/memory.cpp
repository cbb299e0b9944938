// Access through pointers, and the record of every access.
#include "lab/language/arithmetic.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

bool Machine::locate(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, int& object,
                     std::int64_t& flat) {
  object = Pointer::object(pointer);
  if (pointer == 0 || object < 0 || std::size_t(object) >= code().objects.size()) {
    report_bounds(kNone, "nullptr", thread, at);
    return false;
  }
  flat = wrapped_sum(Pointer::offset(pointer), index);
  const MemoryObject& memory = code().objects[std::size_t(object)];
  if (std::uint64_t(flat) < std::uint64_t(memory.size)) return true;
  report_bounds(object, memory.name + "[" + std::to_string(flat) + "]", thread, at);
  return false;
}

std::uint32_t Machine::read_word(int object, std::int64_t flat, int thread) const {
  const MemoryObject& memory = code().objects[std::size_t(object)];
  switch (memory.space) {
    case MemorySpace::Global: {
      const TensorMemory& tensor = tensors_[std::size_t(object)];
      return tensor.input ? exact::bits_of((*tensor.input)[std::size_t(flat)]) : tensor.words[std::size_t(flat)];
    }
    case MemorySpace::Shared: return shared_[std::size_t(memory.offset + flat)];
    case MemorySpace::Local: break;
  }
  return local_[std::size_t(thread) * std::size_t(code().local_words) + std::size_t(memory.offset + flat)];
}

bool Machine::load(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, std::uint64_t& out) {
  int object = 0;
  std::int64_t flat = 0;
  if (!locate(pointer, index, thread, at, object, flat)) return false;
  const MemoryObject& memory = code().objects[std::size_t(object)];
  RunCounters& count = by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
  out = int_bits(std::int32_t(read_word(object, flat, thread)));
  if (memory.space == MemorySpace::Local) {
    const std::size_t word = std::size_t(thread) * std::size_t(code().local_words) + std::size_t(memory.offset + flat);
    if (!local_written_[word]) report_unfilled(memory, flat, thread, at);
    return true;
  }
  const bool shared = memory.space == MemorySpace::Shared;
  (shared ? count.shared_read_bytes : count.read_bytes[std::size_t(object)]) += 4;
  if (shared) note_bank(thread, at, memory.offset + flat);
  if (!shared && tensors_[std::size_t(object)].input) return true;
  ElementShadow& shadow = shared ? shared_shadow_[std::size_t(memory.offset + flat)]
                                 : tensors_[std::size_t(object)].shadow[std::size_t(flat)];
  const ThreadNow now = thread_now(thread);
  if (shadow.write.epoch == 0)
    report_unfilled(memory, flat, thread, at);
  else if (now.races_with(shadow.write))
    report_race(memory, flat, shadow.write, true, false, thread, at);
  note_read(shadow, now, at);
  return true;
}

void Machine::note_shared_write(int object, std::int64_t flat, int thread, std::int32_t at) {
  const MemoryObject& memory = code().objects[std::size_t(object)];
  ElementShadow& shadow = memory.space == MemorySpace::Shared ? shared_shadow_[std::size_t(memory.offset + flat)]
                                                              : tensors_[std::size_t(object)].shadow[std::size_t(flat)];
  const ThreadNow now = thread_now(thread);
  if (now.races_with(shadow.write))
    report_race(memory, flat, shadow.write, false, false, thread, at);
  else if (now.races_with(shadow.read))
    report_race(memory, flat, shadow.read, false, true, thread, at);
  else if (now.races_with(shadow.other_read))
    report_race(memory, flat, shadow.other_read, false, true, thread, at);
  shadow.write = now.access(at);
  shadow.atomic = false;
  if (watched_[std::size_t(object)] == epoch_ && passed_in_epoch_[std::size_t(thread)] &&
      !is_known(FindingKind::ChangedAfterMark, at, 0)) [[unlikely]] {
    report({.kind = FindingKind::ChangedAfterMark,
            .at = party(thread, at),
            .element = memory.element_name(flat),
            .what = memory.element_name(flat) + " is changed after visit_done, before the next barrier.",
            .instead = "Write __syncthreads() behind visit_done, or use row_done."});
  }
}

bool Machine::store(std::uint64_t pointer, std::int64_t index, int thread, std::int32_t at, std::uint64_t value) {
  int object = 0;
  std::int64_t flat = 0;
  if (!locate(pointer, index, thread, at, object, flat)) return false;
  const MemoryObject& memory = code().objects[std::size_t(object)];
  RunCounters& count = by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
  if (memory.space == MemorySpace::Local) {
    const std::size_t word = std::size_t(thread) * std::size_t(code().local_words) + std::size_t(memory.offset + flat);
    local_[word] = std::uint32_t(value);
    local_written_[word] = 1;
    return true;
  }
  if (memory.space == MemorySpace::Shared) {
    count.shared_write_bytes += 4;
    note_bank(thread, at, memory.offset + flat);
    shared_[std::size_t(memory.offset + flat)] = std::uint32_t(value);
  } else {
    TensorMemory& tensor = tensors_[std::size_t(object)];
    if (tensor.input) {
      report_bounds(object, memory.name + ", which is const", thread, at);
      return false;
    }
    count.write_bytes[std::size_t(object)] += 4;
    tensor.words[std::size_t(flat)] = std::uint32_t(value);
  }
  note_shared_write(object, flat, thread, at);
  return true;
}

bool Machine::add_atomically(const Instruction& i, int thread, std::int32_t at) {
  std::uint64_t* const r = registers_.data() + std::size_t(thread) * code().registers.size();
  int object = 0;
  std::int64_t flat = 0;
  if (!locate(r[i.b], 0, thread, at, object, flat)) return false;
  const MemoryObject& memory = code().objects[std::size_t(object)];
  if (memory.space == MemorySpace::Local ||
      (memory.space == MemorySpace::Global && tensors_[std::size_t(object)].input)) {
    report_bounds(object, memory.name + ", which is not shared or global memory to be written", thread, at);
    return false;
  }
  const bool shared = memory.space == MemorySpace::Shared;
  ElementShadow& shadow = shared ? shared_shadow_[std::size_t(memory.offset + flat)]
                                 : tensors_[std::size_t(object)].shadow[std::size_t(flat)];
  std::uint32_t& word =
      shared ? shared_[std::size_t(memory.offset + flat)] : tensors_[std::size_t(object)].words[std::size_t(flat)];
  RunCounters& count = by_visit_[std::size_t(ordinal_[std::size_t(thread)] - first_ordinal_)];
  (shared ? count.shared_read_bytes : count.read_bytes[std::size_t(object)]) += 4;
  (shared ? count.shared_write_bytes : count.write_bytes[std::size_t(object)]) += 4;
  const ThreadNow now = thread_now(thread);
  if (shadow.write.epoch == 0)
    report_unfilled(memory, flat, thread, at);
  else if (!shadow.atomic && now.races_with(shadow.write))
    report_race(memory, flat, shadow.write, false, false, thread, at);
  for (const MemoryAccess& reader : {shadow.read, shadow.other_read})
    if (now.races_with(reader)) report_race(memory, flat, reader, false, true, thread, at);
  const bool is_float = i.imm != 0;
  if (is_float && shadow.atomic && now.races_with(shadow.write) && !warned_atomics_) {
    warned_atomics_ = true;
    report({.kind = FindingKind::AtomicOrder,
            .at = party(thread, at),
            .element = memory.element_name(flat),
            .what = "several threads add to " + memory.element_name(flat) + ", and their order decides its bits."});
  }
  const std::uint32_t old = word;
  if (is_float) {
    ++count.additions;
    word = exact::bits_of(exact::float_of(old) + float_in(r[i.c]));
  } else {
    word = old + std::uint32_t(r[i.c]);
  }
  shadow.write = now.access(at);
  shadow.atomic = true;
  r[i.a] = memory.element == BaseType::Unsigned ? std::uint64_t(old) : int_bits(std::int32_t(old));
  return true;
}

}  // namespace tilewalk::lab
