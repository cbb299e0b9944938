#include "print/pdf.h"

#include <cairo-pdf.h>

#include <cstdlib>
#include <ctime>
#include <optional>
#include <string>

#include "base/parse.h"
#include "print/pages.h"

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

// Empty where SOURCE_DATE_EPOCH is not set.
Result<std::string> creation_date() {
  constexpr std::int64_t kYear9999 = 253'402'300'799;
  const char* const text = std::getenv("SOURCE_DATE_EPOCH");
  if (!text || !*text) return std::string();
  const std::optional<std::int64_t> seconds = within<std::int64_t>(parse_integer(text), 0, kYear9999);
  if (!seconds)
    return Issue{"SOURCE_DATE_EPOCH", text, "must be whole seconds since 1970, up to the year 9999", "Unset it"};
  const std::time_t time = std::time_t(*seconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  char date[40];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return std::string(date);
}

}  // namespace

Result<PdfSummary> write_pdf(std::span<const PrintDocument> documents, PaperSize size, const ByteSink& sink,
                             const std::function<void(double)>& on_page) {
  const Result<std::string> date = creation_date();
  if (!date) return date.issues();
  const Type type;
  const std::vector<PrintPage> pages = lay_out(documents, size, type);
  const SheetSize sheet = size_of(size);
  Stream stream{sink, {}};
  cairo_surface_t* const surface = cairo_pdf_surface_create_for_stream(take, &stream, sheet.width, sheet.height);
  cairo_pdf_surface_restrict_to_version(surface, CAIRO_PDF_VERSION_1_4);  // which any printer reads
  cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Tilewalk");
  if (!date->empty()) cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, date->c_str());
  if (!documents.empty())
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, documents.front().title.c_str());
  cairo_t* const cr = cairo_create(surface);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (on_page) on_page(double(i) / double(pages.size()));
    draw_page(cr, pages[i], type);
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
