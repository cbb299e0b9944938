// The models of a page, in a type that only the page knows. Copies share the models: unlike std::any it does not
// compile in each source how they are copied.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

namespace tilewalk {

class PageModels {
 public:
  PageModels() = default;  // of no page
  template <class P>
  static PageModels of(P models) {
    PageModels out;
    out.type_ = &typeid(P);
    out.models_ = std::make_shared<P>(std::move(models));
    return out;
  }

  bool empty() const { return !type_; }
  template <class P>
  P* as() const {  // null if they are of another type
    return type_ && *type_ == typeid(P) ? static_cast<P*>(models_.get()) : nullptr;
  }

 private:
  const std::type_info* type_ = nullptr;
  std::shared_ptr<void> models_;
};

}  // namespace tilewalk
