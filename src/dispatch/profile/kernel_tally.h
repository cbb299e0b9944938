// Adds up the kernels of a profile, name by name. Names beyond kMostNames are decoded each time and counted in their
// groups only, so that a file of ever new names does not take ever more memory. Internal to dispatch/profile.
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

  // False where there would be more than 292 years.
  bool add_kernel(std::string_view name, KernelTime);
  bool add_copy(KernelTime);
  void add_operator(std::string_view name);  // of PyTorch; others than those of attention are passed over
  void no_times() { timed_ = false; }
  bool empty() const { return total_.calls == 0; }
  Profile profile(ProfileFormat) const;

 private:
  struct Named {
    DecodedKernel decoded;
    NameHint hint;  // None where it is known
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
  std::map<Key, KernelTime> softmax_;  // which group it is of, where it is attention's
  KernelTime total_, others_, copies_, unknown_;
  SdpaCalls operators_{};
  bool timed_ = true;
};

}  // namespace tilewalk
