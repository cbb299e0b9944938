#include "paper/pages.h"

#include "base/overloaded.h"

namespace tilewalk {
namespace {

constexpr double kHairline = 0.6;

void set_colour(cairo_t* cr, unsigned rgb) {
  cairo_set_source_rgb(cr, double(rgb >> 16 & 255) / 255, double(rgb >> 8 & 255) / 255, double(rgb & 255) / 255);
}

}  // namespace

void draw_page(cairo_t* cr, const PaperPage& page, const Type& type) {
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
                          [&](const InkLine& line) {
                            set_colour(cr, line.colour);
                            cairo_move_to(cr, line.x0, line.y0);
                            cairo_line_to(cr, line.x1, line.y1);
                            cairo_stroke(cr);
                          }},
               ink);
}

}  // namespace tilewalk
