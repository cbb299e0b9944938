// Adds up the kernels of a profile, name by name. Names beyond kMostNames are decoded each time and counted only in
// their groups, so that a file with ever new names uses bounded memory. Internal to dispatch/profile.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "dispatch/profile/profile.h"

namespace tilewalk {

class KernelTally {
 public:
  static constexpr std::size_t kMostNames = 20'000, kMostNameBytes = 16 << 20;

  // False if the sum would exceed 292 years.
  bool add_kernel(std::string_view name, KernelTime);
  bool add_copy(KernelTime);
  // Counts PyTorch's operators of attention; ignores others.
  void add_operator(std::string_view name, std::int64_t calls = 1);
  void no_times() { timed_ = false; }
  bool empty() const { return total_.calls == 0; }
  Profile profile(ProfileFormat) const;

 private:
  struct Named {
    DecodedKernel decoded;
    NameHint hint;  // None where the kernel is known
    KernelTime time;
  };
  struct Key {
    KernelFamily family;
    int pass;  // -1: none
    auto operator<=>(const Key&) const = default;
  };
  bool add(KernelTime& to, KernelTime);
  static Named read(const std::string& name);
  KernelTime& place_of(const Named&);
  bool softmax_is_attention() const;
  void put_groups(Profile&) const;
  void put_kernels(Profile&) const;

  std::unordered_map<std::string, Named> names_;
  std::size_t name_bytes_ = 0;
  std::map<Key, KernelTime> groups_;
  std::map<Key, KernelTime> softmax_;  // by the group that a softmax belongs to if it is attention's
  KernelTime total_, others_, copies_, unknown_;
  SdpaCalls operators_{};
  bool timed_ = true;
};

}  // namespace tilewalk
