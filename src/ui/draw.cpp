#include "ui/draw.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <iterator>

namespace tilewalk::draw {
namespace {

// Next character of UTF-8 text, as a view.
std::string_view next_character(std::string_view rest) {
  std::size_t n = 1;
  while (n < rest.size() && (static_cast<unsigned char>(rest[n]) & 0xc0) == 0x80) ++n;
  return rest.substr(0, n);
}

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

// True if capitals would change the meaning: m is not M, √d not √D, dO not DO, 03_flash_v2.cu another file.
bool keeps_its_case(std::string_view word) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    letters += is_small(c) || is_capital(c);
    if (c == '_' || static_cast<unsigned char>(c) == 0xe2) return true;
    if (i > 0 && is_capital(c) && is_small(word[i - 1])) return true;
  }
  return letters == 1 && word != "a" && word != "A";
}

std::string upper(std::string_view value) {
  std::string out(value);
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = std::min(out.find(' ', at), out.size());
    if (!keeps_its_case(std::string_view(out).substr(at, end - at)))
      for (std::size_t i = at; i < end; ++i)
        if (is_small(out[i])) out[i] = char(out[i] - 'a' + 'A');
    at = end + 1;
  }
  return out;
}

struct Word {
  std::string_view body, raised, tail;  // "α = e" "−0.52−2.46" "."
};

float caption_spacing(const Theme& theme) { return 0.5f * theme.s; }

}  // namespace

float text_width(const Font& f, std::string_view value) {
  if (value.empty()) return 0;
  return f.font->CalcTextSizeA(f.size, FLT_MAX, 0, value.data(), value.data() + value.size()).x;
}

float widest_line(const Font& font, std::string_view text) {
  float widest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    widest = std::max(widest, text_width(font, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return widest;
}

float leading(const Font& f) { return std::round(f.em * 1.45f); }

void text(ImDrawList* list, const Font& f, float x, float y, ImU32 colour, std::string_view value) {
  if (value.empty()) return;
  list->AddText(f.font, f.size, ImVec2(std::floor(x), std::floor(y)), colour, value.data(),
                value.data() + value.size());
}

void text_right(ImDrawList* list, const Font& f, float right, float y, ImU32 colour, std::string_view value) {
  text(list, f, right - text_width(f, value), y, colour, value);
}

void text_in(ImDrawList* list, const Font& f, const Rect& r, ImU32 colour, std::string_view value) {
  text(list, f, (r.x0 + r.x1 - text_width(f, value)) / 2, (r.y0 + r.y1 - f.size) / 2, colour, value);
}

const Font* font_that_fits(std::initializer_list<const Font*> fonts, std::string_view value, float width,
                           float height) {
  for (const Font* font : fonts)
    if (font->em <= height && text_width(*font, value) <= width) return font;
  return nullptr;
}

Font fitted(const Font& largest, const Font& least, std::string_view value, float width) {
  float by = width / std::max(1.0f, text_width(largest, value));
  if (by >= 1) return largest;
  by *= 0.99f;  // else a paragraph of this width wraps by a rounding error
  return largest.em * by > least.em ? Font{largest.font, largest.size * by, largest.em * by} : least;
}

std::string elided(const Font& f, std::string_view value, float width) {
  if (text_width(f, value) <= width) return std::string(value);
  const float dots = text_width(f, "…");
  std::size_t end = 0;
  float used = 0;
  while (end < value.size()) {
    const std::string_view c = next_character(value.substr(end));
    used += text_width(f, c);
    if (used + dots > width) break;
    end += c.size();
  }
  while (end > 0 && value[end - 1] == ' ') --end;
  return std::string(value.substr(0, end)) + "…";
}

float caption_width(const Theme& theme, std::string_view value) {
  const std::string capitals = upper(value);
  float whole = 0;
  for (std::string_view rest = capitals; !rest.empty(); rest.remove_prefix(next_character(rest).size()))
    whole += text_width(theme.fonts.caption, next_character(rest)) + caption_spacing(theme);
  return whole;
}

float caption(ImDrawList* list, const Theme& theme, float x, float y, std::string_view value, float width) {
  const std::string capitals = upper(value);
  const Font& f = theme.fonts.caption;
  const float spacing = caption_spacing(theme), start = x, dots = text_width(f, "…");
  const float end = caption_width(theme, value) > width + 1 ? x + width - dots : 1e9f;
  for (std::string_view rest = capitals; !rest.empty();) {
    const std::string_view c = next_character(rest);
    const float w = text_width(f, c);
    if (x + w > end) {
      text(list, f, x, y, theme.colours.muted, "…");
      x += dots;
      break;
    }
    text(list, f, x, y, theme.colours.muted, c);
    x += w + spacing;
    rest.remove_prefix(c.size());
  }
  return x - start;
}

namespace {

constexpr float kRaised = 0.8f;      // of the letters beside it
constexpr float kLeastRaised = 9.0;  // design pixels

Font shrunk_exponent(const Font& raised, const Font& beside) {
  const float em = std::min(raised.em, std::max(kRaised * beside.em, kLeastRaised * hairline()));
  return {raised.font, raised.size * em / raised.em, em};
}

}  // namespace

float line_width(const Font& f, const Font& largest, std::string_view value) {
  const Font raised = shrunk_exponent(largest, f);
  const std::size_t open = value.find("^("), close = value.find(')', std::min(open, value.size()));
  if (close == std::string_view::npos) return text_width(f, value);
  return text_width(f, value.substr(0, open)) + text_width(raised, value.substr(open + 2, close - open - 2)) +
         line_width(f, largest, value.substr(close + 1));
}

namespace {

bool is_unit(std::string_view word) {
  while (!word.empty() && std::string_view(".,;:)").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  constexpr std::string_view kUnits[] = {"s",   "ms",  "µs",   "B",    "KiB",   "MiB",   "GiB",
                                         "TiB", "GHz", "TB/s", "GB/s", "GFLOP", "TFLOP", "TFLOP/s",
                                         "%",   "KB",  "MB",   "GB",   "cycles"};
  return std::find(std::begin(kUnits), std::end(kUnits), word) != std::end(kUnits);
}

// The word that stays on the line of the word before it, which ends at `end`: the unit of a number, or the last of a
// line, which else were alone on the next one. Empty: none.
std::string_view word_that_stays(std::string_view value, std::size_t end) {
  const std::size_t from = std::min(value.find_first_not_of(' ', end), value.size());
  const std::size_t to = std::min(value.find_first_of(" \n", from), value.size());
  const std::string_view word = value.substr(from, to - from), after = value.substr(to, value.find('\n', to) - to);
  const bool last = after.find_first_not_of(' ') == std::string_view::npos;
  const bool of_number = end > 0 && value[end - 1] >= '0' && value[end - 1] <= '9' && is_unit(word);
  return last || of_number ? word : std::string_view();
}

}  // namespace

float paragraph(ImDrawList* list, const Font& f, const Font& largest, float x0, float y, float width, ImU32 usual,
                std::string_view value, const std::vector<Tint>& tints) {
  const Font raised = shrunk_exponent(largest, f);
  ImU32 colour = usual;
  const float line = leading(f), space = text_width(f, " ");
  float x = x0;
  const float top = y;
  // Words of a line are drawn as one text: each single text would start at a whole pixel, so the spaces would vary.
  std::string run;
  float run_x = x0;
  const auto flush = [&] {
    if (list) text(list, f, run_x, y, colour, run);
    run.clear();
  };
  for (std::size_t at = 0; at < value.size();) {
    if (value[at] == '\n') {
      flush();
      x = x0;
      y += line;
      ++at;
      continue;
    }
    if (value[at] == ' ') {
      ++at;
      continue;
    }
    const auto tint =
        std::find_if(tints.begin(), tints.end(), [&](const Tint& t) { return at >= t.begin && at < t.end; });
    const ImU32 wanted = tint == tints.end() ? usual : tint->colour;
    if (wanted != colour) {
      flush();
      colour = wanted;
    }
    std::size_t end = at;
    Word word;
    std::size_t open = std::string_view::npos;
    while (end < value.size() && value[end] != ' ' && value[end] != '\n') {
      const std::size_t close = value.substr(end, 2) == "^(" ? value.find(')', end) : std::string_view::npos;
      if (close != std::string_view::npos) {  // an exponent without its closing sign is plain text
        open = end;
        word.body = value.substr(at, open - at);
        word.raised = value.substr(open + 2, close - open - 2);
        end = close + 1;
        at = end;  // the tail begins here
        while (end < value.size() && value[end] != ' ' && value[end] != '\n') ++end;
        word.tail = value.substr(at, end - at);
        break;
      }
      ++end;
    }
    if (word.raised.empty()) word.body = value.substr(at, end - at);
    const float w = text_width(f, word.body) + text_width(raised, word.raised) + text_width(f, word.tail);
    const bool is_awaited = list && tint != tints.end() && tint->empty_box;
    const float right = x0 + width;
    bool wraps = x + w > right;
    if (const std::string_view next = x > x0 && !wraps ? word_that_stays(value, end) : ""; !next.empty()) {
      const float both = w + space + text_width(f, next);
      wraps = x + both > right && both <= width;
    }
    if (x > x0 && wraps) {
      flush();
      x = x0;
      y += line;
    }
    if (is_awaited) {
      const std::size_t letters = word.body.find_last_not_of(".,;:") + 1;
      box(list, {x - 1, y + 0.1f * f.em, x + text_width(f, word.body.substr(0, letters)) + 1, y + 1.1f * f.em}, 0,
          0.15f * f.em, tint->empty_box);
    }
    if (run.empty())
      run_x = x;
    else
      run += ' ';
    run += word.body;
    if (!word.raised.empty()) {
      flush();
      run_x = x + text_width(f, word.body) + text_width(raised, word.raised);
      if (list) text(list, raised, x + text_width(f, word.body), y - f.em * 0.27f, colour, word.raised);
      run = word.tail;
    }
    x += w + space;
    at = end;
  }
  flush();
  return y - top + line;
}

float hairline() { return ImGui::GetStyle().FrameBorderSize; }

void box(ImDrawList* list, const Rect& r, ImU32 fill, float rounding, ImU32 border, float thickness) {
  if (r.x1 <= r.x0 || r.y1 <= r.y0) return;
  if (fill >> 24) list->AddRectFilled(r.min(), r.max(), fill, rounding);
  if (border >> 24) list->AddRect(r.min(), r.max(), border, rounding, 0, thickness);
}

void specks(ImDrawList* list, const Rect& r, ImU32 fill, float gone) {
  constexpr int kSide = 3;
  const float wide = r.width() / kSide, high = r.height() / kSide, fall = gone * r.height() * 0.6f;
  for (int i = 0; i < kSide * kSide; ++i) {
    if (float((i * 5) % 9) < gone * 9) continue;
    const float x = r.x0 + float(i % kSide) * wide, y = r.y0 + float(i / kSide) * high + fall;
    const float inset = gone * std::min(wide, high) * 0.4f;
    list->AddRectFilled(ImVec2(x + inset, y + inset), ImVec2(x + wide - inset, y + high - inset),
                        with_alpha(fill, 1 - 0.7f * gone));
  }
}

void dashed(ImDrawList* list, const Rect& r, ImU32 colour, const Dashes& by) {
  const float right = r.x1 - by.corner, low = r.y1 - by.corner;
  for (float y = r.y0 + by.corner; y < low; y += 2 * by.length)
    for (const float x : {r.x0, r.x1})
      list->AddLine(ImVec2(x, y), ImVec2(x, std::min(y + by.length, low)), colour, by.thickness);
  for (float x = r.x0 + by.corner; x < right && !by.sides_alone; x += 2 * by.length)
    for (const float y : {r.y0, r.y1})
      list->AddLine(ImVec2(x, y), ImVec2(std::min(x + by.length, right), y), colour, by.thickness);
}

void hatch(ImDrawList* list, const Rect& r, ImU32 colour, float spacing, float thickness) {
  if (r.width() < 2 || r.height() < 2) return;
  list->PushClipRect(r.min(), r.max(), true);
  // The pattern is fixed to the screen, so neighbouring hatches join.
  const float first = std::floor((r.x0 + r.y0) / spacing) * spacing;
  for (float c = first; c < r.x1 + r.y1; c += spacing)
    list->AddLine(ImVec2(c - r.y0, r.y0), ImVec2(c - r.y1, r.y1), colour, thickness);
  list->PopClipRect();
}

void sign(ImDrawList* list, Sign what, const Rect& r, ImU32 colour, float scale) {
  const float cx = std::floor((r.x0 + r.x1) / 2), cy = std::floor((r.y0 + r.y1) / 2), h = 6 * scale;
  const auto right = [&](float x, float size) {
    list->AddTriangleFilled({x - size * 0.8f, cy - size}, {x + size, cy}, {x - size * 0.8f, cy + size}, colour);
  };
  const auto left = [&](float x, float size) {
    list->AddTriangleFilled({x + size * 0.8f, cy - size}, {x + size * 0.8f, cy + size}, {x - size, cy}, colour);
  };
  const auto bar = [&](float x, float half = 1.1f) {
    list->AddRectFilled({x - half * scale, cy - h}, {x + half * scale, cy + h}, colour);
  };
  switch (what) {
    case Sign::Play: right(cx, h); break;
    case Sign::Pause: bar(cx - 3.2f * scale, 1.8f), bar(cx + 3.2f * scale, 1.8f); break;
    case Sign::StepForward: right(cx - 2 * scale, h), bar(cx + 5.5f * scale); break;
    case Sign::StepBack: left(cx + 2 * scale, h), bar(cx - 5.5f * scale); break;
    case Sign::First: left(cx + 5 * scale, h * 0.85f), left(cx - 2 * scale, h * 0.85f), bar(cx - 8 * scale); break;
    case Sign::Last: right(cx - 5 * scale, h * 0.85f), right(cx + 2 * scale, h * 0.85f), bar(cx + 8 * scale); break;
    case Sign::Check: {
      const ImVec2 points[3] = {
          {cx - 4.5f * scale, cy}, {cx - 1.2f * scale, cy + 3.4f * scale}, {cx + 4.8f * scale, cy - 4 * scale}};
      list->AddPolyline(points, 3, colour, 0, 1.9f * scale);
      break;
    }
    case Sign::Cross:
      list->AddLine({cx - 4 * scale, cy - 4 * scale}, {cx + 4 * scale, cy + 4 * scale}, colour, 1.9f * scale);
      list->AddLine({cx - 4 * scale, cy + 4 * scale}, {cx + 4 * scale, cy - 4 * scale}, colour, 1.9f * scale);
      break;
    case Sign::Dash:
      list->AddRectFilled({cx - 4 * scale, cy - 0.8f * scale}, {cx + 4 * scale, cy + 0.8f * scale}, colour);
      break;
    case Sign::Ring: list->AddCircle({cx, cy}, 4.2f * scale, colour, 16, 1.6f * scale); break;
    case Sign::Dot: list->AddCircleFilled({cx, cy}, 3.4f * scale, colour, 12); break;
    case Sign::Alert:  // an exclamation mark
      list->AddRectFilled({cx - 1.1f * scale, cy - 5 * scale}, {cx + 1.1f * scale, cy + 1.5f * scale}, colour);
      list->AddRectFilled({cx - 1.1f * scale, cy + 3 * scale}, {cx + 1.1f * scale, cy + 5.2f * scale}, colour);
      break;
    case Sign::Down:
      list->AddTriangleFilled({cx - 4 * scale, cy - 3 * scale}, {cx + 4 * scale, cy - 3 * scale}, {cx, cy + 4 * scale},
                              colour);
      break;
    case Sign::Up:
      list->AddTriangleFilled({cx - 4 * scale, cy + 3 * scale}, {cx, cy - 4 * scale}, {cx + 4 * scale, cy + 3 * scale},
                              colour);
      break;
  }
}

}  // namespace tilewalk::draw
