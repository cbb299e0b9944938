// The buffers of a run on one device, found by slot. Each lies between guard bands. Output buffers start as NaN (traces
// as zeros), so that an unwritten element and a byte written outside are both detected.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "kernels/host/backend.h"
#include "kernels/host/slots.h"

namespace tilewalk {

class DeviceBuffers {
 public:
  explicit DeviceBuffers(Backend& backend) : backend_(backend) {}

  static std::int64_t bytes_of(const std::vector<SlotSize>&);  // guards included

  Result<Done> allocate(const std::vector<SlotSize>&);
  bool has(Slot slot) const { return buffer(slot).base != nullptr; }
  void* data(Slot) const;  // null where the run has no such buffer

  Result<Done> place(Slot, const void* from, std::size_t bytes);  // an issue where it is missing or has another size
  Result<Done> clear_outputs();
  Result<Done> check_guards();

  // An issue where the buffer is missing; with `_if_any`, nothing in that case.
  template <class T>
  Result<std::vector<T>> fetch(Slot slot) {
    if (!has(slot)) return missing(slot);
    std::vector<T> values(buffer(slot).bytes / sizeof(T));
    if (Result<Done> done = backend_.copy_out(values.data(), data(slot), buffer(slot).bytes); !done)
      return done.issues();
    return values;
  }
  template <class T>
  Result<std::vector<T>> fetch_if_any(Slot slot) {
    return has(slot) ? fetch<T>(slot) : std::vector<T>();
  }

 private:
  struct Buffer {
    unsigned char* base = nullptr;  // guard, data, guard
    std::size_t bytes = 0;
  };
  static Issue missing(Slot slot) { return sentence(std::string("There is no buffer ") + info_of(slot).label); }
  Buffer& buffer(Slot slot) { return buffers_[std::size_t(slot)]; }
  const Buffer& buffer(Slot slot) const { return buffers_[std::size_t(slot)]; }

  Backend& backend_;
  std::array<Buffer, kSlotCount> buffers_;
};

}  // namespace tilewalk
