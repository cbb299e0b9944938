// What the arithmetic of a step reads at t.
#include "base/words.h"
#include "view/motion/arithmetic.h"

namespace tilewalk {

std::string ArithmeticLine::at(double t) const {
  if (!is_printed(t)) return "";
  if (is_product()) return of || by ? text + " · " + factor : text + " " + factor;
  return result.empty() || !span.has_landed(t) ? text : text + " = " + result;
}

std::string Arithmetic::title_at(double t) const {
  for (const ArithmeticBar& bar : bars)
    if (bar.span.is_under_way(t)) return bar.title;
  return title;
}

std::string Arithmetic::on_one_line(double t) const {
  std::string out;
  bool product = false;
  for (const ArithmeticLine& line : lines) {
    if (line.aside || !line.is_printed(t)) continue;
    if (line.is_product()) {
      add_to_list(out, line.of || line.by ? line.text + "·" + line.factor : line.at(t), product ? " + " : ";  ");
    } else if (product && line.text == "Σ") {
      if (line.span.has_landed(t)) out += " = " + line.result;
    } else {
      add_to_list(out, line.at(t), ";  ");
    }
    product = line.is_product();
  }
  return out;
}

}  // namespace tilewalk
