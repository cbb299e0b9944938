// A program of two GLSL files from shaders/. A file that is missing, does not compile or does not link gives an Issue
// with the compiler's own words. Needs a current context.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace tilewalk {

class ShaderProgram {
 public:
  static Result<std::unique_ptr<ShaderProgram>> load(const std::string& vertex_path, const std::string& fragment_path);
  ~ShaderProgram();
  ShaderProgram(const ShaderProgram&) = delete;
  ShaderProgram& operator=(const ShaderProgram&) = delete;
  void use() const;
  int uniform(const char* name) const;  // −1 if the program has none of that name

 private:
  ShaderProgram() = default;
  unsigned name_ = 0;
};

}  // namespace tilewalk
