#include "ui/theme.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "ui/font_em.h"
#include "view/hues.h"

namespace tilewalk {
namespace {

constexpr ImU32 rgb(unsigned hex) { return IM_COL32((hex >> 16) & 255, (hex >> 8) & 255, hex & 255, 255); }

// The characters on screen: ASCII, Latin-1 for hand-made parts, Greek, and the signs in use.
constexpr ImWchar kText[] = {0x20,   0x7e,   0xa0,   0xff,   0x391,  0x3c9,  0x1d40, 0x1d40, 0x2013, 0x2014, 0x2018,
                             0x201d, 0x2022, 0x2022, 0x2026, 0x2026, 0x2082, 0x2082, 0x2113, 0x2113, 0x2190, 0x2193,
                             0x2212, 0x2212, 0x221a, 0x221a, 0x221e, 0x221e, 0x2248, 0x2248, 0x2264, 0x2265, 0x25b2,
                             0x25b2, 0x25bc, 0x25bc, 0x2713, 0x2713, 0x2717, 0x2717, 0};

// JetBrains Mono's minus is as short as a hyphen, so the other monospaced font supplies it.
constexpr ImWchar kTextOfMono[] = {0x20,   0x7e,   0xa0,   0xff,   0x391,  0x3c9,  0x1d40, 0x1d40, 0x2013, 0x2014,
                                   0x2018, 0x201d, 0x2022, 0x2022, 0x2026, 0x2026, 0x2082, 0x2082, 0x2113, 0x2113,
                                   0x2190, 0x2193, 0x221a, 0x221a, 0x221e, 0x221e, 0x2248, 0x2248, 0x2264, 0x2265,
                                   0x25b2, 0x25b2, 0x25bc, 0x25bc, 0x2713, 0x2713, 0x2717, 0x2717, 0};

constexpr ImWchar kTextOfFigure[] = {0x20, 0x7e, 0xd7, 0xd7, 0x2026, 0x2026, 0x2212, 0x2212, 0};

constexpr ImWchar kTextOfWin[] = {0x20, 0x20, 0x2b, 0x39, 0xd7, 0xd7, 0};

// A line is a whole number of pixels, as some versions of Dear ImGui round it; never below the minimum em.
float line_of(float ems_a_line, float em, float least) {
  return std::max(std::ceil(least * ems_a_line - 0.01f), std::round(em * ems_a_line));
}

struct FontFile {
  std::string path;
  const ImWchar* signs;
};

// Loads the first readable font, merged with the last one for missing signs, at the same em.
Font load(const std::vector<FontFile>& files, float em, float least, std::string& note) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  for (const FontFile& file : files) {
    const std::optional<float> ems = ems_a_line(file.path);
    if (!ems) continue;
    Font font{nullptr, line_of(*ems, em, least)};
    font.em = font.size / *ems;
    font.font = add_font(atlas, file.path.c_str(), font.size, file.signs, false);
    if (!font.font) continue;
    const std::string& last = files.back().path;
    if (const auto ems_of_last = ems_a_line(last); ems_of_last && last != file.path)
      add_font(atlas, last.c_str(), font.em * *ems_of_last, files.back().signs, true);
    return font;
  }
  note = "ImGui's own font";
  const float size = std::max(std::round(em), std::ceil(least));  // line height equals the em
  return {add_default_font(atlas, size), size, size};
}

}  // namespace

Palette palette_of(bool dark) {
  Palette p{};
  p.dark = dark;
  if (dark) {
    p.background = rgb(0x0e1117), p.panel = rgb(0x161a23), p.raised = rgb(0x12161f), p.border = rgb(0x262c3a),
    p.track = rgb(0x0e1117);
    p.text = rgb(0xe6e9f0), p.muted = rgb(0xadb6c8), p.faint = rgb(0x8791a7);
    p.accent = rgb(0x7aa2ff), p.accent_text = rgb(0x0e1117), p.button = rgb(0x222a3b), p.button_hover = rgb(0x2d374d),
    p.button_text = rgb(0xe6e9f0), p.tab = rgb(0x2a3550);
    p.row_line = rgb(0x222836), p.row_mark = rgb(0x1f2636), p.code_mark = rgb(0x2a3550), p.callout = rgb(0x1b2233);
    p.good = rgb(0x4fd6a8), p.good_fill = rgb(0x10241f), p.bad = rgb(0xff8a73), p.bad_fill = rgb(0x33191a),
    p.warn = rgb(0xe6b450), p.warn_fill = rgb(0x2b2413), p.quiet_fill = rgb(0x1b202d);
    p.done = rgb(0x4f6ab0), p.to_do = rgb(0x1d2330), p.hatch = rgb(0x626b7f), p.hatch_fill = rgb(0x171b25),
    p.cell_line = rgb(0x677187), p.masked = rgb(0x1c212d), p.now_line = rgb(0xffffff);
    p.changed = rgb(0xff9a6e), p.fresh = rgb(0xf0e442);
  } else {
    p.background = rgb(0xe9ecf2), p.panel = rgb(0xffffff), p.raised = rgb(0xf5f7fb), p.border = rgb(0xd2d8e3),
    p.track = rgb(0xe6eaf1);
    p.text = rgb(0x171c27), p.muted = rgb(0x424c61), p.faint = rgb(0x5d687f);
    p.accent = rgb(0x2f5fd0), p.accent_text = rgb(0xffffff), p.button = rgb(0xe6eaf3), p.button_hover = rgb(0xd7deec),
    p.button_text = rgb(0x171c27), p.tab = rgb(0xd3dffa);
    p.row_line = rgb(0xe3e7ef), p.row_mark = rgb(0xeaf0fd), p.code_mark = rgb(0xdbe6ff), p.callout = rgb(0xf0f4fd);
    p.good = rgb(0x0b6b4d), p.good_fill = rgb(0xdff5ec), p.bad = rgb(0xa8271b), p.bad_fill = rgb(0xfde8e4),
    p.warn = rgb(0x7d5600), p.warn_fill = rgb(0xfdf1d6), p.quiet_fill = rgb(0xeef0f5);
    p.done = rgb(0x6f90de), p.to_do = rgb(0xf0f3f8), p.hatch = rgb(0x8790a2), p.hatch_fill = rgb(0xf8f9fb),
    p.cell_line = rgb(0x7b8498), p.masked = rgb(0xe9ecf2), p.now_line = rgb(0x101420);
    p.changed = rgb(0xb23c00), p.fresh = rgb(0x7a6500);
  }
  return p;
}

float em_of(const TypeSize& type, float scale) {
  return std::max(type.em * scale, type.least * std::min(1.0f, scale / kLeastScale));
}

float letters_of(float scale) { return em_of(kWords, scale) / kWords.em; }

void load_fonts(Theme& theme, float scale, const FontFamilies& from) {
  theme.s = scale, theme.e = letters_of(scale);
  ImGui::GetIO().Fonts->Clear();
  Fonts& f = theme.fonts;
  f = {};
  f.note = "Inter and JetBrains Mono";
  const auto sans = [&](const std::string& weight, const char* fallback, const TypeSize& type,
                        const ImWchar* signs = kText) {
    return load({{from.sans + weight + ".otf", signs},
                 {from.sans_ttf + weight + ".ttf", signs},
                 {from.fallback + fallback, signs}},
                em_of(type, scale), type.least * std::min(1.0f, scale / kLeastScale), f.note);
  };
  const auto mono = [&](const std::string& weight, const char* fallback, const TypeSize& type) {
    return load({{from.mono + weight + ".ttf", kTextOfMono}, {from.fallback + fallback, kText}}, em_of(type, scale),
                type.least * std::min(1.0f, scale / kLeastScale), f.note);
  };
  f.body = sans("Regular", "DejaVuSans.ttf", kWords);
  f.strong = sans("SemiBold", "DejaVuSans-Bold.ttf", kWords);
  f.title = sans("Bold", "DejaVuSans-Bold.ttf", kLarge);
  f.caption = sans("SemiBold", "DejaVuSans-Bold.ttf", kSmall);
  f.tiny = sans("Medium", "DejaVuSans.ttf", kSmall);
  f.large = sans("Regular", "DejaVuSans.ttf", kLarge);
  f.mono = mono("Regular", "DejaVuSansMono.ttf", kFigures);
  f.mono_strong = mono("Bold", "DejaVuSansMono-Bold.ttf", kFigures);
  f.mono_small = mono("Regular", "DejaVuSansMono.ttf", kSmall);
  f.figure = sans("Bold", "DejaVuSans-Bold.ttf", kFigure, kTextOfFigure);
  f.win = sans("Bold", "DejaVuSans-Bold.ttf", kWin, kTextOfWin);
  f.mono_words = mono("Regular", "DejaVuSansMono.ttf", kWords);
  f.mono_large = mono("Regular", "DejaVuSansMono.ttf", kLarge);
}

void apply_style(const Theme& theme) {
  const Palette& p = theme.colours;
  ImGuiStyle style;
  const float s = theme.s;
  style.WindowPadding = ImVec2(std::round(14 * s), std::round(12 * s));  // fractions would make pop-ups scroll
  style.FramePadding = ImVec2(9 * s, 5 * s);
  style.ItemSpacing = ImVec2(8 * s, 6 * s);
  style.WindowRounding = 9 * s;
  style.PopupRounding = 9 * s;
  style.FrameRounding = 5 * s;
  style.ChildRounding = 6 * s;
  style.ScrollbarSize = kScrollBar * s;
  style.ScrollbarRounding = 5 * s;
  style.GrabMinSize = 16 * s;
  style.WindowBorderSize = style.PopupBorderSize = style.FrameBorderSize = std::max(1.0f, std::floor(s + 0.3f));
  style.WindowMinSize = ImVec2(16, 16);
  style.AntiAliasedLinesUseTex = true;
  const auto set = [&style](ImGuiCol id, ImU32 colour) { style.Colors[id] = ImGui::ColorConvertU32ToFloat4(colour); };
  for (int i = 0; i < ImGuiCol_COUNT; ++i) set(i, p.button);
  set(ImGuiCol_Text, p.text);
  set(ImGuiCol_TextDisabled, p.faint);
  set(ImGuiCol_TextSelectedBg, with_alpha(p.accent, 0.4f));
  set(ImGuiCol_WindowBg, p.panel);
  set(ImGuiCol_ChildBg, with_alpha(p.panel, 0));
  set(ImGuiCol_PopupBg, p.panel);
  set(ImGuiCol_Border, p.border);
  set(ImGuiCol_BorderShadow, 0);
  set(ImGuiCol_FrameBg, p.raised);
  set(ImGuiCol_FrameBgHovered, p.button);
  set(ImGuiCol_FrameBgActive, p.button);
  set(ImGuiCol_ScrollbarBg, 0);
  set(ImGuiCol_ScrollbarGrab, p.button_hover);
  set(ImGuiCol_ScrollbarGrabHovered, p.faint);
  set(ImGuiCol_ScrollbarGrabActive, p.faint);
  set(ImGuiCol_ButtonHovered, p.button_hover);
  set(ImGuiCol_ButtonActive, p.button_hover);
  set(ImGuiCol_Header, p.tab);
  set(ImGuiCol_HeaderHovered, p.button_hover);
  set(ImGuiCol_HeaderActive, p.tab);
  set(ImGuiCol_CheckMark, p.accent);
  set(ImGuiCol_NavHighlight, p.accent);
  set(ImGuiCol_ModalWindowDimBg, p.dark ? IM_COL32(0, 0, 0, 150) : IM_COL32(20, 25, 40, 90));
  set(ImGuiCol_Separator, p.border);
  ImGui::GetStyle() = style;
}

ImU32 hue(const Palette&, TensorId id) { return rgb(hue_of(id)); }

ImU32 mix(ImU32 a, ImU32 b, float t) {
  const auto channel = [&](int shift) {
    const float x = float((a >> shift) & 255), y = float((b >> shift) & 255);
    return ImU32(std::clamp(x + (y - x) * t + 0.5f, 0.0f, 255.0f)) << shift;
  };
  return channel(0) | channel(8) | channel(16) | channel(24);
}

ImU32 with_alpha(ImU32 colour, float alpha) {
  return (colour & 0x00ffffffu) | (ImU32(std::lround(std::clamp(alpha, 0.0f, 1.0f) * 255)) << 24);
}

ImU32 hue_of_generation(const Palette& c, int generation) {
  switch (generation) {
    case 1: return c.changed;
    case 2: return c.accent;
    case 3: return c.good;
    default: return c.muted;
  }
}

ImU32 viridis(float at) {
  static constexpr std::array<unsigned, 9> kStops = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                                     0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
  if (!(at >= 0)) at = 0;
  const float place = std::min(at, 1.0f) * float(kStops.size() - 1);
  const std::size_t i = std::min(std::size_t(place), kStops.size() - 2);
  return mix(rgb(kStops[i]), rgb(kStops[i + 1]), place - float(i));
}

ImU32 diverging(const Palette& p, float at) {
  if (!(at >= -1)) at = at != at ? 0 : -1;
  const float size = std::min(1.0f, std::fabs(at));
  const ImU32 middle = p.dark ? rgb(0x2a303d) : rgb(0xeef0f4);
  const ImU32 blue = p.dark ? rgb(0x2b6cb8) : rgb(0x4a8fd6), red = p.dark ? rgb(0xb2182b) : rgb(0xe0634f);
  return mix(middle, at < 0 ? blue : red, std::pow(size, 0.8f));
}

ImU32 ink_on(ImU32 fill) {
  const auto linear = [](ImU32 channel) {
    const float v = float(channel & 255) / 255;
    return v <= 0.03928f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  };
  // Relative luminance as in WCAG; at 0.1825 both inks have the same contrast, 4.5.
  const float luminance = 0.2126f * linear(fill) + 0.7152f * linear(fill >> 8) + 0.0722f * linear(fill >> 16);
  return luminance > 0.1825f ? rgb(0x040509) : rgb(0xffffff);
}

}  // namespace tilewalk
