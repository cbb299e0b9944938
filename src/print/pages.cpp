#include "print/pages.h"

#include <numbers>

#include "base/overloaded.h"

namespace tilewalk {
namespace {

constexpr double kHairline = 0.6, kMarkLine = 1.2, kDash = 3;

void set_colour(cairo_t* cr, unsigned rgb) {
  cairo_set_source_rgb(cr, double(rgb >> 16 & 255) / 255, double(rgb >> 8 & 255) / 255, double(rgb & 255) / 255);
}

void draw_line(cairo_t* cr, const InkLine& line) {
  set_colour(cr, line.colour);
  cairo_set_line_width(cr, line.width);
  if (line.dashed) cairo_set_dash(cr, &kDash, 1, 0);
  cairo_move_to(cr, line.x0, line.y0);
  cairo_line_to(cr, line.x1, line.y1);
  cairo_stroke(cr);
  cairo_set_dash(cr, nullptr, 0, 0);
  cairo_set_line_width(cr, kHairline);
}

void draw_mark(cairo_t* cr, const InkMark& mark) {
  const double r = mark.radius;
  cairo_new_path(cr);
  switch (mark.mark) {
    case PrintMark::Ring: cairo_arc(cr, mark.x, mark.y, r, 0, 2 * std::numbers::pi); break;
    case PrintMark::Square: cairo_rectangle(cr, mark.x - r, mark.y - r, 2 * r, 2 * r); break;
    case PrintMark::Triangle:
      cairo_move_to(cr, mark.x, mark.y - r * 1.2);
      cairo_line_to(cr, mark.x + r * 1.1, mark.y + r * 0.8);
      cairo_line_to(cr, mark.x - r * 1.1, mark.y + r * 0.8);
      cairo_close_path(cr);
      break;
  }
  cairo_set_source_rgb(cr, 1, 1, 1);
  cairo_fill_preserve(cr);
  set_colour(cr, kBlackInk);
  cairo_set_line_width(cr, kMarkLine);
  cairo_stroke(cr);
  cairo_set_line_width(cr, kHairline);
}

}  // namespace

void draw_page(cairo_t* cr, const PrintPage& page, const Type& type) {
  cairo_set_line_width(cr, kHairline);
  for (const Ink& ink : page.ink)
    std::visit(Overloaded{[&](const InkText& text) {
                            set_colour(cr, text.colour);
                            type.show(cr, text.face, text.size, text.x, text.y, text.text);
                          },
                          [&](const InkBox& box) {
                            cairo_rectangle(cr, box.x, box.y, box.width, box.height);
                            if (box.fill) set_colour(cr, *box.fill), cairo_fill_preserve(cr);
                            if (box.frame) set_colour(cr, *box.frame), cairo_stroke_preserve(cr);
                            cairo_new_path(cr);
                          },
                          [&](const InkLine& line) { draw_line(cr, line); },
                          [&](const InkMark& mark) { draw_mark(cr, mark); }},
               ink);
}

}  // namespace tilewalk
