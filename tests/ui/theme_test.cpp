#include "ui/theme.h"

#include "tests/ui/headless.h"
#include "ui/draw.h"

using namespace tilewalk;
using tilewalk::test::contrast;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;

TEST_CASE("text can be read on what it stands on, in both themes") {
  for (const bool dark : {true, false}) {
    const Palette p = palette_of(dark);
    INFO((dark ? "dark" : "light"));
    CHECK(contrast(p.text, p.panel) >= 7);
    CHECK(contrast(p.muted, p.panel) >= 4.5);
    CHECK(contrast(p.faint, p.panel) >= 4.5);
    CHECK(contrast(p.muted, p.panel) >= 1.5 * contrast(p.faint, p.panel));
    CHECK(contrast(p.good, p.good_fill) >= 4.5);
    CHECK(contrast(p.bad, p.bad_fill) >= 4.5);
    CHECK(contrast(p.accent_text, p.accent) >= 4.5);
    CHECK(contrast(p.fresh, p.panel) >= 4.5);
    CHECK(contrast(p.changed, p.panel) >= 4.5);
    CHECK(contrast(p.muted, p.row_mark) >= 4.5);
    CHECK(contrast(p.muted, p.code_mark) >= 4.5);
    for (int id = 0; id < kTensorCount; ++id) {
      const ImU32 fill = hue(p, TensorId(id));
      CHECK(contrast(ink_on(fill), fill) >= 4.5);
    }
  }
}

TEST_CASE("every line and mark that carries a meaning stands out at 3:1 from what it lies on, in both themes") {
  for (const bool dark : {true, false}) {
    const Palette p = palette_of(dark);
    const struct {
      const char* what;
      ImU32 mark, ground;
    } pairs[] = {{"a cell to do", p.cell_line, p.panel},
                 {"a visit to do", p.cell_line, p.panel},
                 {"a visit to do, inside", p.cell_line, p.to_do},
                 {"a tile not yet written", p.cell_line, p.panel},
                 {"a skipped tile's hatching", p.hatch, p.hatch_fill},
                 {"a skipped visit's hatching", p.hatch, p.panel},
                 {"a masked score's dot", p.faint, p.masked},
                 {"a visit done", p.done, p.panel},
                 {"the place now", p.now_line, p.panel},
                 {"the visit now", p.accent, p.panel},
                 {"the cursor on what is to do", p.accent, p.to_do},
                 {"where runs diverge", p.bad, p.panel},
                 {"an equal visit", p.good, p.panel},
                 {"the legend", p.faint, p.panel},
                 {"a bar's end", p.cell_line, p.track}};
    for (const auto& [what, mark, ground] : pairs) {
      INFO((dark ? "dark, " : "light, ") << what << ", " << contrast(mark, ground));
      CHECK(contrast(mark, ground) >= 3);
    }
    for (int id = 0; id < kTensorCount; ++id) {  // a tile that is not on chip keeps its name readable
      const ImU32 fill = mix(hue(p, TensorId(id)), p.panel, 0.70f);
      CHECK(contrast(mix(ink_on(fill), fill, 0.25f), fill) >= 4.5);
    }
  }
}

TEST_CASE("no type is smaller than 12 pixels at a text of 100 %, however small the window") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
    Headless head(picture_document(), w, h);
    const Fonts& f = head.theme.fonts;
    for (const Font* font : {&f.body, &f.strong, &f.title, &f.caption, &f.mono, &f.mono_small, &f.mono_strong, &f.tiny})
      CHECK(font->size >= 12);
  }
}

TEST_CASE("a minus is as wide in figures as a hyphen is not") {
  Document large = picture_document();  // some versions of ImGui round boxes of letters to whole pixels
  large.view.text_scale = kMostTextScale;
  Headless head(large, 3840, 2160);
  const Fonts& f = head.theme.fonts;
  REQUIRE(f.mono_small.size > 60);
  head.frame();
  for (const Font* font : {&f.mono, &f.mono_small, &f.mono_strong, &f.body}) {
    const auto ink = [&](ImWchar c) {
      const ImFontGlyph* glyph = font->font->FindGlyph(c);
      return glyph->X1 - glyph->X0;
    };
    CHECK(ink(0x2212) > 1.2f * ink('-'));
  }
}

TEST_CASE("numbers can be read on every colour of both scales, faded into the panel or not") {
  for (const bool dark : {true, false}) {
    const Palette p = palette_of(dark);
    INFO((dark ? "dark" : "light"));
    double least = 21;
    for (int i = -200; i <= 200; ++i)
      for (const float fade : {0.0f, 0.22f, 0.35f, 0.45f}) {
        const float at = float(i) / 200;
        for (const ImU32 colour : {viridis(std::fabs(at)), diverging(p, at)}) {
          const ImU32 fill = mix(colour, p.panel, fade);
          least = std::min(least, contrast(ink_on(fill), fill));
        }
      }
    CHECK(least >= 4.5);
  }
}

TEST_CASE("lines grow with the interface") {
  for (const auto& [w, h, line] : {std::tuple{1280, 720, 1}, std::tuple{1600, 900, 1}, std::tuple{3840, 2160, 2}}) {
    Headless head(picture_document(), w, h);
    CHECK(draw::hairline() == line);
  }
}

TEST_CASE("a paragraph spaces its words as a line of text does") {
  Headless head(picture_document(), 1280, 720);  // where a space is less than three pixels wide
  head.frame();
  ImGui::NewFrame();
  const auto places = [&](const auto& draw_it) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const int before = list->VtxBuffer.Size;
    draw_it(list);
    std::vector<float> x;
    for (int i = before; i < list->VtxBuffer.Size; ++i) x.push_back(list->VtxBuffer[i].pos.x);
    return x;
  };
  const std::string words = "16 thread blocks an SM at once, by threads";
  const Font& f = head.theme.fonts.tiny;
  const auto line = places([&](ImDrawList* list) { draw::text(list, f, 10, 10, 0xffffffff, words); });
  CHECK(line == places([&](ImDrawList* list) { draw::paragraph(list, f, f, 10, 10, 1000, 0xffffffff, words); }));
  CHECK_FALSE(line.empty());
  ImGui::EndFrame();
}

TEST_CASE("every sign that the screen writes is in every font that may write it") {
  Headless head(picture_document());
  const Fonts& f = head.theme.fonts;
  for (const Font& font : {f.body, f.strong, f.caption, f.tiny, f.mono, f.mono_small, f.mono_strong})
    for (const unsigned c : {0x3b1u, 0x2082u, 0x2113u, 0x2212u, 0x221eu, 0x221au, 0x1d40u, 0xb7u, 0xd7u, 0x2190u,
                             0x2192u, 0x2026u, 0x2014u}) {
      INFO("U+" << std::hex << c);
      CHECK(has_glyph(font, c));
    }
}

TEST_CASE("viridis and the diverging map keep to their ends, and a NaN to neither") {
  CHECK(viridis(0) == viridis(-5));
  CHECK(viridis(1) == viridis(7));
  const Palette p = palette_of(true);
  CHECK(diverging(p, -1) == diverging(p, -9));
  CHECK(diverging(p, std::nanf("")) == diverging(p, 0));
}
