#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "print/layout.h"

namespace tilewalk {
namespace {

constexpr double kDecade = 87, kChartLabel = 7.5, kGutterLeft = 34, kChartGap = 10, kBelow = 24, kAbove = 12;
constexpr double kAboveSlope = 66;
constexpr double kMinor = 0.35, kMajor = 0.8, kDrawn = 1.6, kLowerLine = 1;
constexpr unsigned kMinorInk = 0xb9c2cc, kMajorInk = 0x6f7b87;

class Plotter {
 public:
  Plotter(const PrintChart& chart, double width, const Type& type) : chart_(chart), type_(type) {
    across_ = kDecade * (chart.x_high - chart.x_low);
    down_ = kDecade * (chart.y_high - chart.y_low);
    left_ = std::min(kGutterLeft, std::max(0.0, width - across_));
    out_.gap = kChartGap;
    out_.height = kAbove + down_ + kBelow;
  }

  PrintPiece all() {
    log_grid();
    for (const PrintChart::Line& line : chart_.lines) draw(line);
    for (const PrintChart::Point& point : chart_.points) draw(point);
    return std::move(out_);
  }

 private:
  double x_of(double value) const { return left_ + kDecade * (std::log10(value) - chart_.x_low); }
  double y_of(double value) const { return kAbove + down_ - kDecade * (std::log10(value) - chart_.y_low); }
  void text(double x, double y, const std::string& words, unsigned colour = kGreyInk, Face face = Face::Body) {
    out_.ink.emplace_back(InkText{x, y, face, kChartLabel, words, colour});
  }
  void line(double x0, double y0, double x1, double y1, bool major) {
    out_.ink.emplace_back(InkLine{x0, y0, x1, y1, major ? kMajorInk : kMinorInk, major ? kMajor : kMinor});
  }
  static std::string power(int exponent) {
    return exponent >= 0 ? format_count(std::llround(std::pow(10.0, exponent)))
                         : fmt::format("{:g}", std::pow(10.0, exponent));
  }

  void log_grid() {
    const double bottom = kAbove + down_, right = left_ + across_;
    for (const bool major : {false, true}) {  // the stronger lines lie over the finer ones
      for (int e = chart_.x_low; e <= chart_.x_high; ++e)
        each_line(e, chart_.x_high, major, [&](double at) { line(x_of(at), kAbove, x_of(at), bottom, major); });
      for (int e = chart_.y_low; e <= chart_.y_high; ++e)
        each_line(e, chart_.y_high, major, [&](double at) { line(left_, y_of(at), right, y_of(at), major); });
    }
    for (int e = chart_.x_low; e <= chart_.x_high; ++e) {
      const std::string words = power(e);
      text(x_of(std::pow(10.0, e)) - type_.width(Face::Body, kChartLabel, words) / 2, bottom + 10, words);
      for (const int of : {2, 5})
        if (e < chart_.x_high) small(x_of(of * std::pow(10.0, e)), bottom + 10, of);
    }
    for (int e = chart_.y_low; e <= chart_.y_high; ++e) {
      const std::string words = power(e);
      text(left_ - 4 - type_.width(Face::Body, kChartLabel, words), y_of(std::pow(10.0, e)) + 2.6, words);
      for (const int of : {2, 5})
        if (e < chart_.y_high) small(left_ - 8, y_of(of * std::pow(10.0, e)) + 2.2, of);
    }
    text(right - type_.width(Face::Strong, kChartLabel, chart_.x_title), bottom + 21, chart_.x_title, kBlackInk,
         Face::Strong);
    text(left_, kAbove - 5, chart_.y_title, kBlackInk, Face::Strong);
  }
  void small(double middle, double y, int of) {
    const std::string words = std::to_string(of);
    out_.ink.emplace_back(InkText{middle - type_.width(Face::Body, kChartLabel - 1.5, words) / 2, y, Face::Body,
                                  kChartLabel - 1.5, words, kLineInk});
  }
  template <class Take>
  static void each_line(int exponent, int last, bool major, Take take) {
    const double decade = std::pow(10.0, exponent);
    if (major) return take(decade);
    for (int i = 2; i < 10 && exponent < last; ++i) take(decade * i);
  }

  void draw(const PrintChart::Line& l) {
    out_.ink.emplace_back(
        InkLine{x_of(l.x0), y_of(l.y0), x_of(l.x1), y_of(l.y1), kBlackInk, l.lower ? kLowerLine : kDrawn, l.lower});
    const bool level = l.y0 == l.y1;
    if (!level) return cover(x_of(l.x0) + 8, y_of(l.y0) - kAboveSlope, l.label);
    below_ = std::max(y_of(l.y1) + 2.6, below_ + kChartLabel * 1.15);
    text(x_of(l.x1) + 5, below_, l.label, kBlackInk);
  }
  // Words on the chart's own lines, on white.
  void cover(double x, double y, const std::string& words) {
    const double wide = type_.width(Face::Strong, kChartLabel, words);
    out_.ink.emplace_back(InkBox{x - 1.5, y - kChartLabel, wide + 3, kChartLabel * 1.35, 0xffffff, std::nullopt});
    text(x, y, words, kBlackInk, Face::Strong);
  }

  void draw(const PrintChart::Point& p) {
    const double x = x_of(p.x), y = y_of(p.y);
    out_.ink.emplace_back(InkMark{x, y, 3.2, p.mark});
    cover(x + 7, p.mark == PrintMark::Ring ? y + 7 : y + 2.6, p.label);  // below the sloped line through a ring
  }

  const PrintChart& chart_;
  const Type& type_;
  PrintPiece out_;
  double across_ = 0, down_ = 0, left_ = 0;
  double below_ = 0;  // the last label at the right
};

}  // namespace

PrintPiece lay_out_chart(const PrintChart& chart, double width, const Type& type) {
  return Plotter(chart, width, type).all();
}

}  // namespace tilewalk
