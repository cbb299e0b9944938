// Fonts that are drawn once a scale for all tests of a program: drawing their letters takes longer than most tests. A
// test uses them and never load_fonts, which would clear what other tests use.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "ui/theme.h"

namespace tilewalk::test {

#if IMGUI_VERSION_NUM >= 19200  // draws letters when they are used, into the context's own atlas

inline void create_context() { ImGui::CreateContext(); }

inline void use_fonts(Theme& theme, float scale, const FontFamilies& families = {}) {
  load_fonts(theme, scale, families);
  build_atlas(*ImGui::GetIO().Fonts);
}

#else

struct KeptFonts {
  ImFontAtlas atlas;
  Fonts fonts;
  float s = 1, e = 1;
};

// A context that owns no atlas: use_fonts gives it one.
inline void create_context() {
  static ImFontAtlas empty;
  ImGui::CreateContext(&empty);
}

inline void use_fonts(Theme& theme, float scale, const FontFamilies& families = {}) {
  static std::map<std::pair<float, std::string>, std::unique_ptr<KeptFonts> > all;
  std::unique_ptr<KeptFonts>& kept = all[{scale, families.sans + families.mono + families.fallback}];
  const bool first = !kept;
  if (first) kept = std::make_unique<KeptFonts>();
  ImGui::GetIO().Fonts = &kept->atlas;
  if (first) {
    load_fonts(theme, scale, families);
    build_atlas(kept->atlas);
    kept->atlas.ClearTexData();  // only places in the texture are needed
    kept->fonts = theme.fonts, kept->s = theme.s, kept->e = theme.e;
  }
  theme.fonts = kept->fonts, theme.s = kept->s, theme.e = kept->e;
}

#endif

}  // namespace tilewalk::test
