// A print-out as a PDF, its fonts embedded as subsets. The bytes are handed on piece by piece as cairo makes them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "base/result.h"
#include "paper/layout.h"

namespace tilewalk {

using PdfSink = std::function<Result<Done>(std::span<const std::byte>)>;  // its first issue ends the PDF

struct PdfSummary {
  std::size_t pages = 0;
};
Result<PdfSummary> write_pdf(std::span<const PaperDocument>, PaperSize, const PdfSink&);

}  // namespace tilewalk
