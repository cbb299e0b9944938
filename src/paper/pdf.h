// A print-out as a PDF, its fonts embedded as subsets. The bytes are handed on piece by piece as cairo makes them.
#pragma once

#include <span>

#include "base/result.h"
#include "files/output_file.h"
#include "paper/paper_size.h"
#include "view/paper/document.h"

namespace tilewalk {

struct PdfSummary {
  std::size_t pages = 0;
};
Result<PdfSummary> write_pdf(std::span<const PaperDocument>, PaperSize, const ByteSink&);

}  // namespace tilewalk
