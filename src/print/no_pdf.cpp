// Stands in for pdf.cpp in a build for the browser, which has no cairo.
#include "print/pdf.h"

namespace tilewalk {

Result<PdfSummary> write_pdf(std::span<const PrintDocument>, PaperSize, const ByteSink&,
                             const std::function<void(double)>&) {
  return Issue{"PDF", "", "is not made in the browser",
               "--text gives the same in words; the desktop's program makes PDFs"};
}

}  // namespace tilewalk
