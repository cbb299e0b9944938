#include "paper/pdf.h"

#include <cairo-pdf.h>

#include "paper/pages.h"

namespace tilewalk {
namespace {

struct Stream {
  const ByteSink& sink;
  Issues issues;
};

cairo_status_t take(void* closure, const unsigned char* bytes, unsigned int count) {
  Stream& stream = *static_cast<Stream*>(closure);
  if (!stream.issues.empty()) return CAIRO_STATUS_WRITE_ERROR;
  const Result<Done> taken = stream.sink(std::as_bytes(std::span(bytes, count)));
  if (taken) return CAIRO_STATUS_SUCCESS;
  stream.issues = taken.issues();
  return CAIRO_STATUS_WRITE_ERROR;
}

}  // namespace

Result<PdfSummary> write_pdf(std::span<const PaperDocument> documents, PaperSize size, const ByteSink& sink) {
  const Type type;
  const std::vector<PaperPage> pages = lay_out(documents, size, type);
  const SheetSize sheet = size_of(size);
  Stream stream{sink, {}};
  cairo_surface_t* const surface = cairo_pdf_surface_create_for_stream(take, &stream, sheet.width, sheet.height);
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);  // which any printer reads
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Tilewalk");
  if (!documents.empty())
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, documents.front().title.c_str());
  cairo_t* const cr = cairo_create(surface);
  for (const PaperPage& page : pages) {
    draw_page(cr, page, type);
    cairo_show_page(cr);
  }
  const cairo_status_t drawn = cairo_status(cr);
  cairo_destroy(cr);
  cairo_surface_finish(surface);
  const cairo_status_t written = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (!stream.issues.empty()) return stream.issues;
  const cairo_status_t status = drawn != CAIRO_STATUS_SUCCESS ? drawn : written;
  if (status != CAIRO_STATUS_SUCCESS)
    return Issue{"print-out", "", std::string("cairo could not draw it: ") + cairo_status_to_string(status), ""};
  return PdfSummary{pages.size()};
}

}  // namespace tilewalk
