// The type of print-outs: the fonts of the window, read by FreeType and embedded by cairo. A letter that the first font
// of a face lacks comes from the next. Sizes and widths are in points.
#pragma once

#include <cairo.h>

#include <memory>
#include <string>
#include <vector>

namespace tilewalk {

enum class Face { Body, Strong, Mono };

class Type {
 public:
  Type();
  ~Type();
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;

  double width(Face, double size, const std::string& text) const;
  void show(cairo_t*, Face, double size, double x, double y, const std::string& text) const;  // y: of the base line
  // Lines of at most that width, broken between words.
  std::vector<std::string> wrapped(Face, double size, const std::string& text, double width) const;

 private:
  struct Fonts;
  std::unique_ptr<Fonts> fonts_;
};

}  // namespace tilewalk
