#include "print/type.h"

#include <cairo-ft.h>

#include <array>
#include <cstdint>

#include "session/font_files.h"

namespace tilewalk {
namespace {

constexpr int kFaces = 3;
constexpr std::uint32_t kMinus = 0x2212;

using Library = std::shared_ptr<FT_LibraryRec_>;

struct OpenedFont {  // as long as cairo holds the face
  Library library;
  FT_Face face = nullptr;
};

void close_font(void* data) {
  OpenedFont* const font = static_cast<OpenedFont*>(data);
  FT_Done_Face(font->face);
  delete font;
}

// The letter that begins there, and past its end. A byte that is no UTF-8 is a letter of its own.
std::uint32_t next_letter(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? std::uint32_t(std::uint8_t(text[i])) : 0u; };
  const std::uint32_t first = byte(at);
  const int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  std::uint32_t letter = more == 3 ? first & 7 : more == 2 ? first & 15 : more == 1 ? first & 31 : first;
  ++at;
  for (int i = 0; i < more && (byte(at) & 0xc0) == 0x80; ++i) letter = letter << 6 | (byte(at++) & 63);
  return letter;
}

cairo_font_options_t* plain_options() {
  cairo_font_options_t* const options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  return options;
}

}  // namespace

struct Type::Fonts {
  struct Font {
    FT_Face glyphs = nullptr;  // owned by the cairo face
    cairo_font_face_t* face = nullptr;
    bool lends_minus = true;
    bool has(std::uint32_t letter) const {
      return !glyphs || ((letter != kMinus || lends_minus) && FT_Get_Char_Index(glyphs, letter) != 0);
    }
  };

  std::array<std::vector<Font>, kFaces> faces;
  cairo_font_options_t* options = plain_options();
  cairo_surface_t* surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, nullptr);
  cairo_t* measuring = cairo_create(surface);

  Fonts() {
    FT_Library opened = nullptr;
    const Library library = FT_Init_FreeType(&opened) == 0 ? Library(opened, FT_Done_FreeType) : Library();
    const auto take = [&](Face face, const std::string& path, bool lends_minus = true) {
      Font font = open_font(library, path);
      font.lends_minus = lends_minus;
      if (font.face) faces[std::size_t(face)].push_back(font);
    };
    const std::string inter = kInter, inter_ttf = kInterTtf, deja_vu = kDejaVu;
    take(Face::Body, inter + "Regular.otf"), take(Face::Body, inter_ttf + "Regular.ttf");
    take(Face::Body, deja_vu + "DejaVuSans.ttf");
    take(Face::Strong, inter + "SemiBold.otf"), take(Face::Strong, inter_ttf + "SemiBold.ttf");
    take(Face::Strong, deja_vu + "DejaVuSans-Bold.ttf");
    take(Face::Mono, std::string(kMono) + "Regular.ttf", false);  // its minus is as short as a hyphen
    take(Face::Mono, deja_vu + "DejaVuSansMono.ttf");
    for (std::vector<Font>& face : faces)
      if (face.empty()) {  // whatever cairo finds
        Font any;
        any.face = cairo_toy_font_face_create("sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
        face.push_back(any);
      }
    cairo_set_font_options(measuring, options);
  }
  static Font open_font(const Library& library, const std::string& path) {
    static const cairo_user_data_key_t kKey{};
    Font font;
    if (!library || FT_New_Face(library.get(), path.c_str(), 0, &font.glyphs) != 0) return {};
    font.face = cairo_ft_font_face_create_for_ft_face(font.glyphs, FT_LOAD_NO_HINTING);
    OpenedFont* const opened = new OpenedFont{library, font.glyphs};
    if (cairo_font_face_set_user_data(font.face, &kKey, opened, close_font) == CAIRO_STATUS_SUCCESS) return font;
    cairo_font_face_destroy(font.face);
    close_font(opened);
    return {};
  }
  ~Fonts() {
    cairo_destroy(measuring);
    cairo_surface_destroy(surface);
    cairo_font_options_destroy(options);
    for (const std::vector<Font>& face : faces)
      for (const Font& font : face) cairo_font_face_destroy(font.face);
  }
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;

  const Font& font_for(Face face, std::uint32_t letter) const {
    for (const Font& font : faces[std::size_t(face)])
      if (font.has(letter)) return font;
    return faces[std::size_t(face)].front();
  }

  // Piece after piece of one font each, with that font set.
  template <class Take>
  void each_run(cairo_t* cr, Face face, double size, const std::string& text, Take take) const {
    cairo_set_font_size(cr, size);
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = begin;
      const Font& font = font_for(face, next_letter(text, end));
      for (std::size_t next = end; end < text.size(); end = next)
        if (&font_for(face, next_letter(text, next)) != &font) break;
      cairo_set_font_face(cr, font.face);
      take(text.substr(begin, end - begin));
      begin = end;
    }
  }
};

Type::Type() : fonts_(std::make_unique<Fonts>()) {}
Type::~Type() = default;

double Type::width(Face face, double size, const std::string& text) const {
  double width = 0;
  fonts_->each_run(fonts_->measuring, face, size, text, [&](const std::string& run) {
    cairo_text_extents_t extents;
    cairo_text_extents(fonts_->measuring, run.c_str(), &extents);
    width += extents.x_advance;
  });
  return width;
}

void Type::show(cairo_t* cr, Face face, double size, double x, double y, const std::string& text) const {
  cairo_set_font_options(cr, fonts_->options);
  cairo_move_to(cr, x, y);
  fonts_->each_run(cr, face, size, text, [&](const std::string& run) { cairo_show_text(cr, run.c_str()); });
}

std::vector<std::string> Type::wrapped(Face face, double size, const std::string& text, double most) const {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, space - at);
    const std::string longer = lines.back().empty() ? word : lines.back() + " " + word;
    if (lines.back().empty() || width(face, size, longer) <= most)
      lines.back() = longer;
    else
      lines.push_back(word);
    at = space + 1;
  }
  return lines;
}

}  // namespace tilewalk
