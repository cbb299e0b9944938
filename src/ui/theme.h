// Colours, fonts and sizes. Hues are fixed (Okabe–Ito): Q sky blue, K orange, V green, O purple, m and ℓ yellow;
// viridis for magnitude, a blue–grey–red map for sign. Dark and light themes share them. Lengths are multiples of `s`,
// the scale of the interface times that of the text. Sizes of type are in ems (ui/font_em.h); there are five: captions
// and small figures, figures, words, the title, and the figure that a page is about.
#pragma once

#include <string>

#include "core/problem/tensor.h"
#include "session/font_files.h"
#include "ui/imgui_compat.h"

namespace tilewalk {

inline constexpr float kLeastScale = 0.85f;  // of the interface, for any size of window
inline constexpr float kScrollBar = 10;      // its width, before scaling

struct TypeSize {  // ems in pixels at scale 1; and the minimum at a text of 100 %, for any size of window
  float em, least;
};
inline constexpr TypeSize kSmall{12, 12}, kFigures{13, 12}, kWords{14, 13}, kLarge{18, 16}, kFigure{34, 24},
    kWin{80, 40};
float em_of(const TypeSize&, float scale);
float letters_of(float scale);  // factor of words over the design: the scale, but at least the minimum

struct Palette {
  ImU32 background, panel, raised, border, track;  // raised: boxes within a panel
  ImU32 text, muted, faint;
  ImU32 accent, accent_text, button, button_hover, button_text, tab;
  ImU32 row_line, row_mark, code_mark, callout;
  ImU32 good, good_fill, bad, bad_fill, warn, warn_fill, quiet_fill;
  ImU32 done, to_do, hatch, hatch_fill, cell_line, masked,
      now_line;   // lines: contrast at least 3:1 on their background
  ImU32 changed;  // α below 1
  ImU32 fresh;    // numbers that this visit computed
  bool dark;
};

struct Fonts {
  Font body, strong, title, caption, mono, mono_small, mono_strong, mono_words, mono_large, tiny, large;
  Font figure;       // the one figure that a page is about: Latin letters, digits and a few signs alone
  Font win;          // how many times fewer or faster, as the largest figure of a page: digits and × alone
  std::string note;  // the families that were found
};

struct FontFamilies {  // beginnings of paths, as in session/font_files.h; the last one's signs stand in for missing
                       // ones
  std::string sans = kInter, sans_ttf = kInterTtf, mono = kMono, fallback = kDejaVu;
};

struct Theme {
  Palette colours;
  Fonts fonts;
  float s = 1;  // pixels of one design pixel
  float e = 1;  // the same for lengths that follow the size of words
  float pad() const { return 14 * s; }
};

Palette palette_of(bool dark);
// Loads fonts for a scale into the current context's atlas (clearing it) and sets ImGui's style.
void load_fonts(Theme&, float scale, const FontFamilies& = {});
void apply_style(const Theme&);

ImU32 hue(const Palette&, TensorId);
ImU32 hue_of_generation(const Palette&, int);  // of FlashAttention, 1 to 3; else that of naive attention
ImU32 mix(ImU32 a, ImU32 b, float share_of_b);
ImU32 with_alpha(ImU32 colour, float alpha);
ImU32 viridis(float at);                    // 0 to 1
ImU32 diverging(const Palette&, float at);  // −1 to 1
ImU32 ink_on(ImU32 fill);                   // black or white, whichever has more contrast

}  // namespace tilewalk
