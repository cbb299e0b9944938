// An OpenGL 3.3 core context with no window and no display, by EGL: on a GPU where there is one, else in software.
// Current on the thread that made it until it is destroyed.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace tilewalk {

class OffscreenContext {
 public:
  static Result<std::unique_ptr<OffscreenContext>> create();
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  std::string renderer() const;  // "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  OffscreenContext() = default;
  void* display_ = nullptr;
  void* context_ = nullptr;
  void* surface_ = nullptr;
};

}  // namespace tilewalk
