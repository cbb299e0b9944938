// Several lambdas as one, for std::visit.
#pragma once

namespace tilewalk {

template <class... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};

template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang below 17 does not deduce it

}  // namespace tilewalk
