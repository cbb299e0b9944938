#include "ui/theme.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/ui/headless.h"
#include "ui/draw.h"
#include "ui/font_em.h"
#include "ui/panels/motion/moving.h"

using namespace tilewalk;
using tilewalk::test::contrast;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::use_fonts;

TEST_CASE("text is readable on its background, in both themes") {
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
    for (const ImU32 fill : {p.background, p.raised, p.button, p.track, p.row_mark, p.callout, p.quiet_fill, p.to_do})
      CHECK(contrast(p.faint, fill) >= 4.5);
    for (int id = 0; id < kTensorCount; ++id) {
      const ImU32 fill = hue(p, TensorId(id));
      CHECK(contrast(ink_on(fill), fill) >= 4.5);
    }
  }
}

TEST_CASE("every meaningful line and mark has a contrast of 3:1 with its background, in both themes") {
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
    // Boxes of lanes: on dark by their own colour, on white by the line around them.
    for (const TensorId id : {TensorId::K, TensorId::Q, TensorId::m, TensorId::V, TensorId::O}) {
      const ImU32 fill = hue(p, id), told_by = dark ? fill : mix(fill, p.text, 0.5f);
      CHECK(contrast(told_by, p.raised) >= 3);
      CHECK(contrast(told_by, p.panel) >= 3);
    }
    for (int id = 0; id < kTensorCount; ++id) {  // a tile that is not on chip keeps its name readable
      const ImU32 fill = mix(hue(p, TensorId(id)), p.panel, 0.70f);
      CHECK(contrast(mix(ink_on(fill), fill, 0.25f), fill) >= 4.5);
    }
  }
}

namespace {

// As a share of an em, by the fonts' own tables: Inter's and JetBrains Mono's OS/2 tables, DejaVu's letter H.
constexpr float kCapitalOfEm = 0.727f;

std::vector<const Font*> all_of(const Fonts& f) {
  return {&f.body,        &f.strong,     &f.title,      &f.caption, &f.mono,  &f.mono_small,
          &f.mono_strong, &f.mono_words, &f.mono_large, &f.tiny,    &f.large, &f.figure};
}

}  // namespace

TEST_CASE("no letter's em is smaller than 12 pixels at a text of 100 %, however small the window, in every family") {
  const FontFamilies installed, dejavu{"/no/", "/no/", "/no/", kDejaVu};
  for (const FontFamilies& families : {installed, dejavu})
    for (const auto& [w, h] :
         {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}, std::pair{640, 360}}) {
      INFO(families.sans << ", " << w << "x" << h);
      Headless head(picture_document(), w, h);
      use_fonts(head.theme, automatic_scale(w, h), families);
      REQUIRE(head.theme.fonts.note != "ImGui's own font");
      head.frame();
      for (const Font* font : all_of(head.theme.fonts)) {
        CHECK(font->em >= 12);
        CHECK(capital_height(*font) >= kCapitalOfEm * 12);
        CHECK(capital_height(*font) >= 0.97f * kCapitalOfEm * font->em);
        CHECK(capital_height(*font) <= kCapitalOfEm * font->em + 1.5f);
      }
      const Fonts& f = head.theme.fonts;
      // Every glyph of a mono font is 0.6 em wide.
      for (const Font* font : {&f.mono, &f.mono_small, &f.mono_words, &f.mono_large})
        CHECK(draw::text_width(*font, "0000000000") / 6 == Approx(font->em).epsilon(0.02));
    }
}

TEST_CASE("captions, words and titles differ in size, however small the window") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    Headless head(picture_document(), w, h);
    const Fonts& f = head.theme.fonts;
    CHECK(f.body.em > f.caption.em + 0.5f * head.theme.s);
    CHECK(f.title.em > f.body.em + 2 * head.theme.s);
    CHECK(f.mono_large.em > f.mono.em + 2 * head.theme.s);
  }
}

TEST_CASE("the ems of a line are read from the font itself, and from nothing that is not a font") {
  CHECK(*ems_a_line(std::string(kDejaVu) + "DejaVuSans.ttf") == Approx(1901 / 2048.0 + 483 / 2048.0));
  CHECK_FALSE(ems_a_line("/no/such/font.ttf"));
  CHECK_FALSE(ems_a_line(TILEWALK_SOURCE_DIR "/README.md"));
  CHECK_FALSE(ems_a_line(TILEWALK_SOURCE_DIR));
}

TEST_CASE("a minus has the width of a digit, and a hyphen has not") {
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

TEST_CASE("numbers are readable on every colour of both scales, faded into the panel or not") {
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

TEST_CASE("what a step leaves alone, what it moves and what it names is readable, in both themes") {
  for (const bool dark : {true, false}) {
    const Palette p = palette_of(dark);
    INFO((dark ? "dark" : "light"));
    const auto is_readable = [&](ImU32 cell) {
      const auto [fill, ink] = look_of_cell(p, cell, true);
      CHECK(contrast(ink, fill) >= 4.5);
    };
    for (int i = -20; i <= 20; ++i) is_readable(diverging(p, float(i) / 20));
    for (int id = 0; id < kTensorCount; ++id) {
      INFO("tensor " << id);
      is_readable(mix(hue(p, TensorId(id)), p.panel, 0.75f));
      for (const ImU32 ground : {p.panel, p.raised, p.callout})
        CHECK(contrast(letters_of(p, TensorId(id)), ground) >= 4.5);
    }
    for (const ImU32 chip : {p.fresh, p.changed, p.accent}) CHECK(contrast(ink_on(chip), chip) >= 4.5);
    for (const ImU32 ground : {p.raised, p.callout, p.row_mark, p.button}) {
      CHECK(contrast(p.muted, ground) >= 4.5);
      CHECK(contrast(p.fresh, ground) >= 4.5);
      CHECK(contrast(p.changed, ground) >= 4.5);
    }
  }
}

TEST_CASE("lines scale with the interface") {
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
  // The width of a single line equals the computed width, with exponents too.
  const Font& large = head.theme.fonts.body;
  const auto width = [&](std::string_view text) { return draw::line_width(f, large, text); };
  CHECK(width(words) == draw::text_width(f, words));
  const float raised = width("P = e^(S − m) · 2^(x)y") - draw::text_width(f, "P = e · 2y"),
              share = raised / draw::text_width(large, "S − mx");
  CHECK(share * large.em < 0.85f * f.em);  // smaller than the letters beside it, and legible
  CHECK(share * large.em >= 0.75f * f.em);
  CHECK(share * large.em >= 8.9f * head.theme.s);
  CHECK(width("e^(open") == draw::text_width(f, "e^(open"));
  ImGui::EndFrame();
}

TEST_CASE("a number that is awaited has an empty box as wide as itself, and moves no other word") {
  Headless head(picture_document(), 1600, 900);
  head.frame();
  ImGui::NewFrame();
  const Font& f = head.theme.fonts.body;
  const std::string words = "so m becomes 0.92, and", before = "so m becomes ", number = "0.92";
  const ImU32 ink = IM_COL32(255, 255, 255, 255), outline = IM_COL32(255, 0, 0, 255);
  const auto drawn_in = [&](ImU32 colour, const std::vector<draw::Tint>& tints) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const int first = list->VtxBuffer.Size;
    draw::paragraph(list, f, f, 10, 10, 1000, ink, words, tints);
    draw::Rect all{1e9f, 1e9f, -1e9f, -1e9f};
    for (int i = first; i < list->VtxBuffer.Size; ++i) {
      const ImDrawVert& v = list->VtxBuffer[i];
      if ((v.col & 0xffffff) == (colour & 0xffffff)) all = all.joined({v.pos.x, v.pos.y, v.pos.x, v.pos.y});
    }
    return all;
  };
  const std::vector<draw::Tint> waits = {{before.size(), before.size() + number.size(), 0, outline}};
  const draw::Rect box = drawn_in(outline, waits);
  CHECK(box.x0 == Approx(10 + draw::text_width(f, before)).margin(3));
  CHECK(box.width() == Approx(draw::text_width(f, number)).margin(5));
  CHECK(drawn_in(ink, waits).x1 == Approx(drawn_in(ink, {}).x1).margin(0.5));
  ImGui::EndFrame();
}

TEST_CASE("every character on the screen is in every font that may write it") {
  Headless head(picture_document());
  const Fonts& f = head.theme.fonts;
  for (const Font& font : {f.body, f.strong, f.caption, f.tiny, f.mono, f.mono_small, f.mono_strong})
    for (const unsigned c : {0x3b1u, 0x2082u, 0x2113u, 0x2212u, 0x221eu, 0x221au, 0x1d40u, 0xb7u, 0xd7u, 0x2190u,
                             0x2192u, 0x2026u, 0x2014u}) {
      INFO("U+" << std::hex << c);
      CHECK(has_glyph(font, c));
    }
}

TEST_CASE("viridis and the diverging map clamp to their ends, and NaN has neither colour") {
  CHECK(viridis(0) == viridis(-5));
  CHECK(viridis(1) == viridis(7));
  const Palette p = palette_of(true);
  CHECK(diverging(p, -1) == diverging(p, -9));
  CHECK(diverging(p, std::nanf("")) == diverging(p, 0));
}

TEST_CASE("a paragraph leaves neither its last word nor a unit alone on a line") {
  Headless head(picture_document());
  head.frame();
  ImGui::NewFrame();
  const Font& f = head.theme.fonts.body;
  // The words of each line, by the letters that are drawn there.
  const auto letters_a_line = [&](const std::string& words, const std::string& first) {
    ImDrawList* list = ImGui::GetForegroundDrawList();
    const int before = list->VtxBuffer.Size;
    const float width = draw::text_width(f, first) + 1;
    const float high = draw::paragraph(list, f, f, 10, 10, width, 0xffffffff, words);
    CHECK(high == draw::paragraph(nullptr, f, f, 10, 10, width, 0xffffffff, words));
    std::vector<int> out(std::size_t(std::lround(high / draw::leading(f))), 0);
    for (int i = before; i < list->VtxBuffer.Size; i += 4)
      ++out[std::size_t((list->VtxBuffer[i].pos.y - 10) / draw::leading(f))];
    return out;
  };
  CHECK(letters_a_line("one two three four", "one two three") == std::vector{6, 9});
  CHECK(letters_a_line("it takes us 3.71 ms in all", "it takes us 3.71") == std::vector{9, 11});
  CHECK(letters_a_line("it takes us 3.71 in a year", "it takes us 3.71") == std::vector{13, 7});
  CHECK(letters_a_line("one\nand two three four\nfive", "and two three") == std::vector{3, 6, 9, 4});
  CHECK(letters_a_line("a verylongwordthatfills", "verylongwordthatfills") == std::vector{1, 21});
  ImGui::EndFrame();
}

TEST_CASE("a truncated exponent is drawn as plain text") {
  Headless head(picture_document());
  const Font& f = head.theme.fonts.body;
  for (const char* cut : {"^(", "S = QK^(…", "^(a b", "e^(x) and ^("})
    CHECK(draw::paragraph(nullptr, f, f, 0, 0, 1000, 0, cut) == draw::leading(f));
}

namespace {

bool has_sign(const Font& font, unsigned sign) {
#if IMGUI_VERSION_NUM >= 19200
  return font.font->IsGlyphInFont(ImWchar(sign));
#else
  return font.font->FindGlyphNoFallback(ImWchar(sign)) != nullptr;
#endif
}

// The signs of two and three bytes in a file's lines, without comments.
void add_signs(const std::string& path, std::set<unsigned>& out) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.size(), line.find("//")));
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const auto byte = [&](std::size_t at) { return unsigned((unsigned char)line[at]); };
      if (byte(i) >> 5 == 6) out.insert((byte(i) & 31) << 6 | (byte(i + 1) & 63));
      if (byte(i) >> 4 == 14 && i + 2 < line.size())
        out.insert((byte(i) & 15) << 12 | (byte(i + 1) & 63) << 6 | (byte(i + 2) & 63));
    }
  }
}

}  // namespace

TEST_CASE("the fonts have every sign that the sources and the lessons contain") {
  const std::set<unsigned> in_links_only = {0x2424, 0x2bc};  // they replace a line feed and a quote in a link
  std::set<unsigned> signs;
  for (const char* folder : {"/src", "/assets/lessons"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(TILEWALK_SOURCE_DIR) + folder))
      if (const auto kind = entry.path().extension(); kind == ".cpp" || kind == ".h" || kind == ".md")
        add_signs(entry.path().string(), signs);
  REQUIRE(signs.contains(0x2248));  // about equal
  const Headless head(picture_document(), 1600, 900);
  const Fonts& f = head.theme.fonts;
  for (const unsigned sign : signs) {
    if (in_links_only.contains(sign)) continue;
    CAPTURE(sign);
    for (const Font* font : {&f.body, &f.strong, &f.title, &f.caption, &f.tiny, &f.large, &f.mono, &f.mono_large})
      CHECK(has_sign(*font, sign));
  }
}
