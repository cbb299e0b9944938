// One value of each type, made at its first use: pages and panels keep theirs in a struct that names none of
// them. A type belongs to one owner. Copies share the values that were made before: unlike std::any this does not
// compile in each source how they are copied.
#pragma once

#include <map>
#include <memory>
#include <typeindex>

namespace tilewalk {

class ByType {
 public:
  template <class T>
  T& of() {
    std::shared_ptr<void>& value = values_[typeid(T)];
    if (!value) value = std::make_shared<T>();
    return *static_cast<T*>(value.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> values_;
};

}  // namespace tilewalk
