// Columns of figures to the right of names: each as wide as its contents, with spare space distributed. A heading takes
// two lines where it is wider than its figures. Where names and figures do not fit side by side, each name is on a line
// of its own, above its figures; only where even that is too narrow are figures shortened.
#pragma once

#include <string>
#include <vector>

#include "ui/panel.h"
#include "ui/ui.h"

namespace tilewalk {

class Columns {
 public:
  // `names`: width of the widest, with the mark before it. Cells of all rows; each row has as many as there are heads.
  Columns(const Panel&, float names, const std::vector<std::string>& heads,
          const std::vector<const std::vector<std::string>*>& rows);

  bool beside() const { return beside_; }  // names and figures share a line
  float names() const { return names_; }   // width for them
  float row_height() const;                // of name and figures together where they do not share a line
  float name_middle() const;               // of the name, from the row's top
  void draw_heads(const UiFrame&, Panel&, const std::vector<std::string>& heads) const;  // moves the pen below
  // Draws the figures of the row at the pen; does not move the pen.
  void draw_figures(Panel&, const Font&, ImU32 colour, const std::vector<std::string>& cells) const;

 private:
  std::vector<float> rights_, widths_;  // from the pen
  float names_ = 0, line_ = 0;
  bool beside_ = true, two_lines_ = false;
};

}  // namespace tilewalk
