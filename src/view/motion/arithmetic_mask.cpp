// What the mask does to each row of a tile: the keys that the row may see, and how many of the tile's scores close.
#include <fmt/format.h>

#include <algorithm>

#include "base/words.h"
#include "view/motion/arithmetic.h"
#include "view/motion/motion.h"
#include "view/words/units.h"

namespace tilewalk {

Arithmetic mask_arithmetic(const Problem& p, const Step& step) {
  constexpr std::int64_t kMostRows = 4;
  Arithmetic out;
  if (step.rows() > kMostRows || step.cols() > kMostRows) return out;
  const Band band = p.shape.band();
  out.title = capitalized(mask_title(p)) + " mask";
  std::int64_t closed = 0;
  for (std::int64_t row = step.row_begin; row < step.row_end; ++row) {
    const std::int64_t first = band.first_col(row), end = band.end_col(row, p.shape.n_kv);
    const std::int64_t open = std::max<std::int64_t>(0, std::min(end, step.col_end) - std::max(first, step.col_begin));
    const std::string sees = end <= first ? fmt::format("row {} sees no key", row)
                                          : fmt::format("row {} sees keys {} to {}", row, first, end - 1);
    closed += step.cols() - open;
    out.lines.push_back({.text = sees + (open == step.cols() ? ": all stay"
                                         : open == 0         ? ": all close"
                                                             : fmt::format(": {} close", step.cols() - open)),
                         .aside = true,
                         .span = mask_row_span(step, row)});
  }
  if (closed > 0 || out.lines.empty()) return out;
  const Span all{out.lines.front().span.begin, out.lines.back().span.end};
  out.lines = {{.text = fmt::format("all {} scores stay", step.rows() * step.cols()), .aside = true, .span = all}};
  return out;
}

}  // namespace tilewalk
