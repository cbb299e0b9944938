#include "base/shown.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace tilewalk {
namespace {

struct Letter {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = false;
};

// The first letter of a text that is not empty.
Letter first_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {.bytes = 1, .code = lead, .valid = true};
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf5   ? 4
                            : lead >= 0xe0 && lead < 0xf0 ? 3
                            : lead >= 0xc2 && lead < 0xe0 ? 2
                                                          : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  std::uint32_t code = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = code >= kLeast[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return valid ? Letter{.bytes = bytes, .code = code, .valid = true} : Letter{};
}

struct Range {
  std::uint32_t first, last;
};

bool is_hidden(std::uint32_t code) {
  if (code >= 0x20 && code < 0x7f) return false;
  constexpr Range kHidden[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                               {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                               {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string escape(std::string_view letter, std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  char text[16];
  if (letter.size() == 1)
    std::snprintf(text, sizeof text, "\\x%02x", unsigned(static_cast<unsigned char>(letter[0])));
  else
    std::snprintf(text, sizeof text, "\\u{%x}", unsigned(code));
  return text;
}

// Adds the letters of a text, escaped where `keep` does not let them through.
template <class Keep>
void add_shown(std::string& out, std::string_view text, Keep keep) {
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    const std::string_view bytes = text.substr(0, letter.bytes);
    if (letter.valid && keep(letter.code))
      out += bytes;
    else
      out += escape(bytes, letter.code);
    text.remove_prefix(letter.bytes);
  }
}

bool shows(std::uint32_t code) { return !is_hidden(code); }
bool shows_or_ends(std::uint32_t code) { return code == '\n' || code == '\f' || shows(code); }

}  // namespace

bool is_showable(std::string_view text) {
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (!letter.valid || is_hidden(letter.code)) return false;
    text.remove_prefix(letter.bytes);
  }
  return true;
}

std::string shown(std::string_view text, std::size_t most) {
  constexpr std::string_view kCut = " … ";
  const auto inside = [&](std::size_t at) {  // of a letter
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  std::string_view head = text, tail;
  if (text.size() > most + kCut.size()) {
    std::size_t end = most * 2 / 3, begin = text.size() - most / 3;
    for (int i = 0; i < 3 && inside(end); ++i) --end;
    for (int i = 0; i < 3 && inside(begin); ++i) ++begin;
    head = text.substr(0, end);
    tail = text.substr(begin);
  }
  std::string out;
  add_shown(out, head, shows);
  if (head.size() < text.size()) out += kCut;
  add_shown(out, tail, shows);
  return out;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (!letter.valid) return false;
    text.remove_prefix(letter.bytes);
  }
  return true;
}

std::string as_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.valid)
      out += text.substr(0, letter.bytes);
    else
      out += "\uFFFD";
    text.remove_prefix(letter.bytes);
  }
  return out;
}

std::string shown_lines(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  add_shown(out, text, shows_or_ends);
  return out;
}

}  // namespace tilewalk
