// Membership in a list.
#pragma once

#include <algorithm>
#include <iterator>

namespace tilewalk {

template <class List, class Value>
bool contains(const List& list, const Value& value) {
  return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

}  // namespace tilewalk
