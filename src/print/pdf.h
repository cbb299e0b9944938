// A print-out as a PDF, its fonts embedded as subsets. The bytes are handed on piece by piece as cairo makes them.
// The creation date is now, or what SOURCE_DATE_EPOCH says (reproducible-builds.org): then equal documents give equal
// bytes.
#pragma once

#include <functional>
#include <span>

#include "base/result.h"
#include "files/output_file.h"
#include "print/paper_size.h"
#include "view/print/document.h"

namespace tilewalk {

struct PdfSummary {
  std::size_t pages = 0;
};
// Calls `on_page` with the fraction that is drawn.
Result<PdfSummary> write_pdf(std::span<const PrintDocument>, PaperSize, const ByteSink&,
                             const std::function<void(double)>& on_page = {});

}  // namespace tilewalk
