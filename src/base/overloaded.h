// Several lambdas as one, for std::visit.
#pragma once

namespace tilewalk {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

}  // namespace tilewalk
