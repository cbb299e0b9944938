// Positions on a printed page: within the margins, complete, and with embedded fonts.
#include "print/layout.h"

#include <cairo.h>
#include <stdlib.h>

#include "core/schedules/registry.h"
#include "print/pages.h"
#include "print/pdf.h"
#include "tests/support/catch.h"
#include "view/print/class_page.h"
#include "view/print/roofline_sheet.h"
#include "view/print/worksheet.h"

using namespace tilewalk;

namespace {

Problem small(ScheduleKind kind, std::int64_t tile, std::int64_t d, Distribution numbers) {
  Problem p;
  p.schedule = kind;
  p.shape.n_q = 24, p.shape.n_kv = 27, p.shape.d = d;  // the last tile is ragged
  p.tiling.br = p.tiling.bc = tile;
  p.numerics.distribution = numbers;
  p.tiling.splits = row_of(p).settings.splits ? 2 : 1;
  p.machine.sram_bytes = 1 << 16;
  return p;
}

std::vector<PrintDocument> documents_of(const Problem& p) {
  const std::shared_ptr<const Schedule> schedule = make_schedule(p);
  const Worksheet made = build_worksheet(schedule, Inputs(p), busiest_q_tile(*schedule));
  return {made.sheet, made.key};
}

struct Extents {
  double left = 0, top = 0, right = 0, bottom = 0;
};

Extents inked(const PrintPage& page, const Type& type) {
  cairo_surface_t* const surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr);
  cairo_t* const cr = cairo_create(surface);
  draw_page(cr, page, type);
  Extents out;
  double width = 0, height = 0;
  cairo_recording_surface_ink_extents(surface, &out.left, &out.top, &width, &height);
  out.right = out.left + width;
  out.bottom = out.top + height;
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
  return out;
}

void check_margins(const PrintPage& page, PaperSize size, const Type& type) {
  constexpr double kRounding = 1;  // extents are whole points
  const SheetSize sheet = size_of(size);
  const Extents ink = inked(page, type);
  CHECK(ink.left >= kMargin - kRounding);
  CHECK(ink.top >= kMargin - kRounding);
  CHECK(ink.right <= sheet.width - kMargin + kRounding);
  CHECK(ink.bottom <= sheet.height - kMargin + kRounding);
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("nothing is outside the margins, on A4 or Letter, in any schedule") {
  const Type type;
  for (const ScheduleKind kind : all_schedules())
    for (const std::int64_t d : {2, 8})
      for (const PaperSize size : {PaperSize::A4, PaperSize::Letter}) {
        const std::int64_t tile = d == 8 ? 8 : 3;
        const auto pages = lay_out(documents_of(small(kind, tile, d, Distribution::Normal)), size, type);
        CAPTURE(name_of(kind), d, pages.size());
        REQUIRE(pages.size() > 1);
        for (const PrintPage& page : pages) check_margins(page, size, type);
      }
}

TEST_CASE("a roofline to draw is one page, its key another, and a class plan is within the margins") {
  const Type type;
  const RaceTimes races = *load_race_times(TILEWALK_SOURCE_DIR);
  for (const PaperSize size : {PaperSize::A4, PaperSize::Letter}) {
    for (const char* name : {"h200", "a100", "b200"}) {
      const auto set = build_roofline_set({.device = name, .seed = 1, .count = 1, .key = true}, races);
      REQUIRE(set.ok());
      const auto pages = lay_out(*set, size, type);
      CAPTURE(name);
      CHECK(pages.size() == 2);
      for (const PrintPage& page : pages) check_margins(page, size, type);
    }
    for (const char* minutes : {"45", "90"}) {
      const std::vector plan = {build_class_page(*load_class_plan(TILEWALK_SOURCE_DIR, minutes), {})};
      for (const PrintPage& page : lay_out(plan, size, type)) check_margins(page, size, type);
    }
  }
}

TEST_CASE("boxes do not touch each other, the foot or the end of a sheet") {
  const Type type;
  for (const PrintPage& page :
       lay_out(documents_of(small(ScheduleKind::Backward, 8, 8, Distribution::Outliers)), PaperSize::A4, type)) {
    double foot = 0;
    std::vector<InkBox> boxes;
    for (const Ink& ink : page.ink) {
      if (const auto* line = std::get_if<InkLine>(&ink)) foot = std::max(foot, line->y0);
      if (const auto* box = std::get_if<InkBox>(&ink)) boxes.push_back(*box);
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      CHECK(boxes[i].y + boxes[i].height < foot);
      for (std::size_t j = 0; j < i; ++j) {
        const InkBox &a = boxes[i], &b = boxes[j];
        const double across = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
        const double down = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
        CHECK((across < 0.01 || down < 0.01));
      }
    }
  }
}

TEST_CASE("a number fits in its box") {
  const Type type;
  for (const PrintPage& page :
       lay_out(documents_of(small(ScheduleKind::FlashV1, 8, 8, Distribution::Normal)), PaperSize::A4, type)) {
    for (std::size_t i = 0; i + 1 < page.ink.size(); ++i) {
      const auto* box = std::get_if<InkBox>(&page.ink[i]);
      const auto* text = std::get_if<InkText>(&page.ink[i + 1]);
      if (!box || !box->frame || !text || text->face != Face::Mono || text->x < box->x) continue;
      CAPTURE(text->text);
      CHECK(text->x + type.width(text->face, text->size, text->text) <= box->x + box->width);
    }
  }
}

TEST_CASE("page numbers start at 1 in each document") {
  const Type type;
  std::vector<std::string> places;
  for (const PrintPage& page :
       lay_out(documents_of(small(ScheduleKind::FlashV2, 8, 2, Distribution::Integers)), PaperSize::A4, type))
    for (const Ink& ink : page.ink)
      if (const auto* text = std::get_if<InkText>(&ink); text && text->text.find(" · page ") != std::string::npos)
        places.push_back(text->text);
  REQUIRE(places.size() >= 2);
  CHECK(places.front().starts_with("seed 7 · page 1 of "));
  CHECK(places.back().starts_with("key · seed 7 · page "));
}

TEST_CASE("two PDFs of one document are equal where SOURCE_DATE_EPOCH sets their date") {
  const auto documents = documents_of(small(ScheduleKind::FlashV2, 4, 2, Distribution::Normal));
  const auto made_under = [&](const char* seconds) {
    std::string pdf;
    ::setenv("SOURCE_DATE_EPOCH", seconds, 1);
    const auto written = write_pdf(documents, PaperSize::A4, [&](std::span<const std::byte> bytes) -> Result<Done> {
      pdf.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return Done{};
    });
    ::unsetenv("SOURCE_DATE_EPOCH");
    return written.ok() ? pdf : text_of(written.issues());
  };
  const std::string one = made_under("1700000000");
  CHECK(one.find("20231114221320") != std::string::npos);
  CHECK(made_under("1700000000") == one);
  CHECK(made_under("1700000001") != one);
  for (const char* wrong : {"yesterday", "-1", "99999999999999"})
    CHECK(made_under(wrong).find("SOURCE_DATE_EPOCH = ") == 0);
}

TEST_CASE("a PDF contains its pages and its fonts, and a failing writer ends it") {
  const auto documents = documents_of(small(ScheduleKind::FlashV2, 4, 2, Distribution::Normal));
  std::string pdf;
  const auto written = write_pdf(documents, PaperSize::Letter, [&](std::span<const std::byte> bytes) -> Result<Done> {
    pdf.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Done{};
  });
  REQUIRE(written.ok());
  CHECK(pdf.starts_with("%PDF-"));
  CHECK(times(pdf, "/Type /Page") - times(pdf, "/Type /Pages") == written->pages);
  CHECK(times(pdf, "/FontFile") > 0);
  CHECK(times(pdf, "/Type /FontDescriptor") == times(pdf, "/FontFile"));

  const auto full = write_pdf(documents, PaperSize::A4, [](std::span<const std::byte>) -> Result<Done> {
    return Issue{"out", "sheet.pdf", "could not be written: no space left", ""};
  });
  REQUIRE_FALSE(full.ok());
  CHECK(full.issues().front().rule == "could not be written: no space left");
}
