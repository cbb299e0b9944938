#include "kernels/host/device_buffers.h"

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::size_t kGuardBytes = 256;  // before and after each buffer
constexpr unsigned char kGuardByte = 0xa5;
constexpr unsigned char kPoisonByte = 0xff;  // NaN in every storage type

}  // namespace

std::int64_t DeviceBuffers::bytes_of(const std::vector<SlotSize>& sizes) {
  std::int64_t sum = 0;
  for (const SlotSize& each : sizes) sum += each.bytes + std::int64_t(2 * kGuardBytes);
  return sum;
}

Result<Done> DeviceBuffers::allocate(const std::vector<SlotSize>& sizes) {
  for (const SlotSize& each : sizes) {
    const Result<void*> base = backend_.allocate(std::size_t(each.bytes) + 2 * kGuardBytes);
    if (!base) return base.issues();
    buffer(each.slot) = {.base = static_cast<unsigned char*>(*base), .bytes = std::size_t(each.bytes)};
  }
  return Done{};
}

void* DeviceBuffers::data(Slot slot) const { return has(slot) ? buffer(slot).base + kGuardBytes : nullptr; }

Result<Done> DeviceBuffers::place(Slot slot, const void* from, std::size_t bytes) {
  if (!has(slot)) return missing(slot);
  if (bytes != buffer(slot).bytes)
    return sentence(std::string("The buffer ") + info_of(slot).label + " has another size than what goes into it");
  return backend_.copy_in(data(slot), from, bytes);
}

Result<Done> DeviceBuffers::clear_outputs() {
  for (const SlotInfo& info : kSlotInfo) {
    if (!has(info.slot) || info.use == SlotUse::Input) continue;
    const Buffer& each = buffer(info.slot);
    const unsigned char start = info.use == SlotUse::Trace ? 0 : kPoisonByte;
    if (Result<Done> done = backend_.fill(each.base, kGuardByte, each.bytes + 2 * kGuardBytes); !done) return done;
    if (Result<Done> done = backend_.fill(data(info.slot), start, each.bytes); !done) return done;
  }
  return Done{};
}

Result<Done> DeviceBuffers::check_guards() {
  std::array<unsigned char, kGuardBytes> band{};
  for (const SlotInfo& info : kSlotInfo) {
    if (!has(info.slot) || info.use == SlotUse::Input) continue;
    const Buffer& each = buffer(info.slot);
    for (const unsigned char* at : {each.base, each.base + kGuardBytes + each.bytes}) {
      if (Result<Done> done = backend_.copy_out(band.data(), at, band.size()); !done) return done;
      if (std::any_of(band.begin(), band.end(), [](unsigned char byte) { return byte != kGuardByte; }))
        return sentence(std::string("The kernel wrote outside ") + info.label);
    }
  }
  return Done{};
}

}  // namespace tilewalk
