// One value of each type, made when it is first asked for: pages and panels keep theirs in a struct that names none of
// them. A type belongs to one owner.
#pragma once

#include <any>
#include <map>
#include <typeindex>

namespace tilewalk {

class ByType {
 public:
  template <class T>
  T& of() {
    std::any& value = values_[typeid(T)];
    if (!value.has_value()) value.emplace<T>();
    return *std::any_cast<T>(&value);
  }

 private:
  std::map<std::type_index, std::any> values_;
};

}  // namespace tilewalk
