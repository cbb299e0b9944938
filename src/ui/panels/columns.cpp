#include "ui/panels/columns.h"

#include <algorithm>
#include <numeric>

#include "ui/panels/panels.h"

namespace tilewalk {
namespace {

// Splits a heading of two words at its last space: "highest floor".
std::pair<std::string, std::string> halves(const std::string& head) {
  const std::size_t space = head.rfind(' ');
  return space == std::string::npos ? std::pair(std::string(), head)
                                    : std::pair(head.substr(0, space), head.substr(space + 1));
}

}  // namespace

Columns::Columns(const Panel& p, float names, const std::vector<std::string>& heads,
                 const std::vector<const std::vector<std::string>*>& rows)
    : names_(names), line_(std::max(21 * p.s, p.fonts.body.em + 7)) {
  const float gap = 12 * p.s;
  std::vector<float> whole;  // with each heading on one line
  for (std::size_t c = 0; c < heads.size(); ++c) {
    const auto [above, below] = halves(heads[c]);
    float figures = 0;
    for (const auto* cells : rows)
      if (c < cells->size()) figures = std::max(figures, draw::text_width(p.fonts.mono_strong, (*cells)[c]));
    widths_.push_back(
        gap + std::max({figures, draw::text_width(p.fonts.tiny, above), draw::text_width(p.fonts.tiny, below)}));
    whole.push_back(std::max(widths_.back(), gap + draw::text_width(p.fonts.tiny, heads[c])));
  }
  const auto sum = [](const std::vector<float>& all) { return std::accumulate(all.begin(), all.end(), 0.0f); };
  beside_ = names_ + sum(widths_) <= p.width;
  if (!beside_) names_ = 0;
  two_lines_ = names_ + sum(whole) > p.width;
  if (!two_lines_) widths_ = whole;
  const float spare = (p.width - names_ - sum(widths_)) / float(std::max<std::size_t>(1, widths_.size()));
  float x = names_;
  for (float& width : widths_) {
    width += spare;
    rights_.push_back(x += width);
  }
}

float Columns::row_height() const { return beside_ ? line_ : 2 * line_ - 2; }

float Columns::name_middle() const { return line_ / 2; }

void Columns::draw_heads(const UiFrame& f, Panel& p, const std::vector<std::string>& heads) const {
  const float line = 15 * p.e;
  for (std::size_t c = 0; c < heads.size(); ++c) {
    const float right = p.x + rights_[c];
    const auto [above, below] = halves(heads[c]);
    if (two_lines_ && !above.empty()) {
      word_right(f, p.fonts.tiny, right, p.y, p.colours.muted, above);
      word_right(f, p.fonts.tiny, right, p.y + line, p.colours.muted, below);
    } else {
      word_right(f, p.fonts.tiny, right, p.y + (two_lines_ ? line : 0), p.colours.muted, heads[c]);
    }
  }
  p.y += 19 * p.e + (two_lines_ ? line : 0);
}

void Columns::draw_figures(Panel& p, const Font& font, ImU32 colour, const std::vector<std::string>& cells) const {
  const float middle = p.y + (beside_ ? 0.5f : 1.5f) * line_ - (beside_ ? 0 : 2);
  for (std::size_t c = 0; c < cells.size() && c < rights_.size(); ++c)
    draw::text_right(p.list, font, p.x + rights_[c], middle - font.size / 2, colour,
                     draw::elided(font, cells[c], widths_[c]));
}

}  // namespace tilewalk
