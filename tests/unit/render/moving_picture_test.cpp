// Films are read back: by giflib, and for APNG chunk by chunk, each frame by libpng.
#include "render/moving_picture.h"

#include <gif_lib.h>
#include <png.h>
#include <zlib.h>

#include <cstring>

#include "render/colour_map.h"
#include "render/film.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"

using namespace tilewalk;

namespace {

using Bytes = std::vector<std::byte>;

ByteSink into(Bytes& all) {
  return [&all](std::span<const std::byte> bytes) -> Result<Done> {
    all.insert(all.end(), bytes.begin(), bytes.end());
    return Done{};
  };
}

// A dark field with a moving square; `colourful`: over a background with more than 256 colours.
Picture scene(int frame, bool colourful) {
  Picture out{64, 40, {}};
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x) {
      const bool square = x >= frame * 5 && x < frame * 5 + 9 && y >= 10 && y < 19;
      const std::uint8_t ground = colourful && y >= 20 ? std::uint8_t(x * 4) : 0x16;
      out.rgb.insert(out.rgb.end(), {std::uint8_t(square ? 0xe6 : ground), std::uint8_t(square ? 0x9f : 0x1a),
                                     std::uint8_t(colourful && y >= 20 ? y * 6 : 0x23)});
    }
  return out;
}

void lay(Picture& over, const PictureRect& at, const std::vector<std::uint8_t>& rgb) {
  for (int y = 0; y < at.height; ++y)
    std::copy_n(rgb.begin() + std::ptrdiff_t(y) * at.width * 3, at.width * 3,
                over.rgb.begin() + (std::ptrdiff_t(at.y + y) * over.width + at.x) * 3);
}

struct ReadFilm {
  std::vector<Picture> frames;
  std::vector<int> milliseconds;
  bool for_ever = false;
};

struct Reading {
  const Bytes& bytes;
  std::size_t at = 0;
};

ReadFilm read_gif(const Bytes& bytes) {
  Reading reading{bytes};
  int error = 0;
  const auto take = [](GifFileType* file, GifByteType* to, int count) {
    Reading& r = *static_cast<Reading*>(file->UserData);
    const int given = int(std::min(std::size_t(count), r.bytes.size() - r.at));
    std::memcpy(to, r.bytes.data() + r.at, std::size_t(given));
    r.at += std::size_t(given);
    return given;
  };
  GifFileType* const file = DGifOpen(&reading, take, &error);
  REQUIRE(file);
  REQUIRE(DGifSlurp(file) == GIF_OK);
  ReadFilm out;
  Picture now{file->SWidth, file->SHeight, std::vector<std::uint8_t>(std::size_t(file->SWidth * file->SHeight * 3))};
  for (int i = 0; i < file->ImageCount; ++i) {
    const SavedImage& image = file->SavedImages[i];
    const GifImageDesc& d = image.ImageDesc;
    REQUIRE(d.ColorMap);
    GraphicsControlBlock control;
    REQUIRE(DGifSavedExtensionToGCB(file, i, &control) == GIF_OK);
    const PictureRect part{d.Left, d.Top, d.Width, d.Height};
    std::vector<std::uint8_t> rgb = cut_out(now, part).rgb;
    for (int p = 0; p < d.Width * d.Height; ++p) {
      if (image.RasterBits[p] == control.TransparentColor) continue;
      const GifColorType& c = d.ColorMap->Colors[image.RasterBits[p]];
      rgb[std::size_t(3 * p)] = c.Red, rgb[std::size_t(3 * p) + 1] = c.Green, rgb[std::size_t(3 * p) + 2] = c.Blue;
    }
    lay(now, part, rgb);
    out.frames.push_back(now);
    out.milliseconds.push_back(control.DelayTime * 10);
    for (int e = 0; e < image.ExtensionBlockCount; ++e)
      if (image.ExtensionBlocks[e].Function == APPLICATION_EXT_FUNC_CODE) out.for_ever = true;
  }
  DGifCloseFile(file, &error);
  return out;
}

std::uint32_t number_at(const Bytes& from, std::size_t at, int bytes = 4) {
  std::uint32_t value = 0;
  for (int i = 0; i < bytes; ++i) value = value << 8 | std::uint32_t(from[at + std::size_t(i)]);
  return value;
}

void put_chunk(Bytes& to, const char* name, const Bytes& data) {
  const auto number = [&to](std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) to.push_back(std::byte(value >> shift & 255));
  };
  number(std::uint32_t(data.size()));
  const std::size_t begin = to.size();
  for (int i = 0; i < 4; ++i) to.push_back(std::byte(name[i]));
  to.insert(to.end(), data.begin(), data.end());
  number(std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(&to[begin]), uInt(to.size() - begin))));
}

std::vector<std::uint8_t> unpacked(const Bytes& png, const PictureRect& of) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, png.data(), png.size()));
  image.format = PNG_FORMAT_RGB;
  CHECK(int(image.width) == of.width);
  std::vector<std::uint8_t> rgb(std::size_t(of.width) * std::size_t(of.height) * 3);
  REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
  return rgb;
}

ReadFilm read_apng(const Bytes& bytes) {
  ReadFilm out;
  Picture now;
  Bytes header, rows;
  PictureRect part;
  std::uint32_t sequence = 0, promised = 0;
  const auto lay_frame = [&] {
    if (rows.empty()) return;
    Bytes png(bytes.begin(), bytes.begin() + 8), size = header;
    for (int i = 0; i < 4; ++i) {
      size[std::size_t(i)] = std::byte(part.width >> (24 - 8 * i) & 255);
      size[std::size_t(4 + i)] = std::byte(part.height >> (24 - 8 * i) & 255);
    }
    put_chunk(png, "IHDR", size);
    put_chunk(png, "IDAT", rows);
    put_chunk(png, "IEND", {});
    lay(now, part, unpacked(png, part));
    out.frames.push_back(now);
    rows.clear();
  };
  for (std::size_t at = 8; at < bytes.size();) {
    const std::uint32_t length = number_at(bytes, at);
    const std::string name(reinterpret_cast<const char*>(&bytes[at + 4]), 4);
    const Bytes data(bytes.begin() + std::ptrdiff_t(at) + 8, bytes.begin() + std::ptrdiff_t(at + 8 + length));
    CHECK(number_at(bytes, at + 8 + length) ==
          crc32(0, reinterpret_cast<const Bytef*>(&bytes[at + 4]), uInt(length + 4)));
    if (name == "IHDR") {
      header = data;
      now = {int(number_at(data, 0)), int(number_at(data, 4)), {}};
      now.rgb.resize(std::size_t(now.width * now.height * 3));
    } else if (name == "acTL") {
      promised = number_at(data, 0);
      out.for_ever = number_at(data, 4) == 0;
    } else if (name == "fcTL") {
      lay_frame();
      CHECK(number_at(data, 0) == sequence++);
      part = {int(number_at(data, 12)), int(number_at(data, 16)), int(number_at(data, 4)), int(number_at(data, 8))};
      out.milliseconds.push_back(int(number_at(data, 20, 2) * 1000 / number_at(data, 22, 2)));
    } else if (name == "IDAT") {
      rows.insert(rows.end(), data.begin(), data.end());
    } else if (name == "fdAT") {
      CHECK(number_at(data, 0) == sequence++);
      rows.insert(rows.end(), data.begin() + 4, data.end());
    } else if (name == "IEND") {
      lay_frame();
    }
    at += 12 + length;
  }
  CHECK(promised == out.frames.size());
  return out;
}

int furthest(const Picture& a, const Picture& b) {
  REQUIRE(a.rgb.size() == b.rgb.size());
  int out = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) out = std::max(out, std::abs(int(a.rgb[i]) - int(b.rgb[i])));
  return out;
}

}  // namespace

TEST_CASE("only the changed part of a frame is stored") {
  const Picture a = scene(0, false), b = scene(1, false);
  CHECK(changed_part({}, a) == PictureRect{0, 0, 64, 40});
  CHECK(changed_part(a, a) == PictureRect{0, 0, 1, 1});
  CHECK(changed_part(a, b) == PictureRect{0, 10, 14, 9});
  Picture dot = a;
  dot.rgb[(7 * 64 + 63) * 3 + 2] = 0;
  CHECK(changed_part(a, dot) == PictureRect{63, 7, 1, 1});
}

TEST_CASE("few colours stay exact, and of many the most used stay exact") {
  const Picture few = scene(2, false);
  const IndexedPicture exact = with_few_colours(few.rgb);
  CHECK(exact.colours.size() == 2);
  for (std::size_t i = 0; i < exact.pixels.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) CHECK(exact.colours[exact.pixels[i]][c] == few.rgb[i * 3 + c]);
  const Picture many = scene(2, true);
  const IndexedPicture near = with_few_colours(many.rgb);
  CHECK(near.colours.size() <= 256);
  CHECK(near.colours[near.pixels[0]] == Rgb{0x16, 0x1a, 0x23});
}

TEST_CASE("a GIF read back has its frames, their times, and their colours as near as 256 allow") {
  for (const bool colourful : {false, true}) {
    Bytes bytes;
    const auto gif = make_gif(into(bytes));
    // the fourth frame does not change
    for (int i = 0; i < 5; ++i) REQUIRE(gif->add(scene(i == 3 ? 2 : i, colourful), i == 1 ? 50 : 700).ok());
    REQUIRE(gif->finish().ok());
    const ReadFilm film = read_gif(bytes);
    REQUIRE(film.frames.size() == 5);
    CHECK(film.for_ever);
    CHECK(film.milliseconds == std::vector<int>{700, 50, 700, 700, 700});
    for (int i = 0; i < 5; ++i)
      CHECK(furthest(film.frames[std::size_t(i)], scene(i == 3 ? 2 : i, colourful)) <= (colourful ? 24 : 0));
  }
}

TEST_CASE("an APNG read back has exactly the same frames") {
  Bytes bytes;
  const auto apng = make_apng(into(bytes), 5);
  for (int i = 0; i < 5; ++i) REQUIRE(apng->add(scene(i, true), i == 4 ? 1000 : 250).ok());
  REQUIRE(apng->finish().ok());
  const ReadFilm film = read_apng(bytes);
  REQUIRE(film.frames.size() == 5);
  CHECK(film.for_ever);
  CHECK(film.milliseconds == std::vector<int>{250, 250, 250, 250, 1000});
  for (int i = 0; i < 5; ++i) CHECK(film.frames[std::size_t(i)].rgb == scene(i, true).rgb);
}

TEST_CASE("a film replaces its target when it is complete; for a sequence, all pictures or none") {
  test::TemporaryFolder folder;
  const auto there = [&](const char* name) { return std::filesystem::exists(folder.file(name)); };
  {
    auto film = Film::open({.field = "out", .path = folder.file("a.gif"), .frames = 2});
    REQUIRE(film.ok());
    REQUIRE((*film)->add(scene(0, false), 100).ok());
    CHECK_FALSE(there("a.gif"));
  }
  CHECK(std::filesystem::is_empty(folder.path()));
  auto film = Film::open({.field = "out", .path = folder.file("%02d.png"), .frames = 2});
  REQUIRE(film.ok());
  REQUIRE((*film)->add(scene(0, false), 100).ok());
  CHECK_FALSE(there("01.png"));
  REQUIRE((*film)->add(scene(1, false), 100).ok());
  CHECK_FALSE(there("01.png"));
  REQUIRE((*film)->finish().ok());
  CHECK(there("01.png"));
  CHECK(there("02.png"));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
  std::filesystem::create_directory(folder.file("03.png"));
  const std::string before = test::read_text(folder.file("01.png"));
  CHECK_FALSE(Film::open({.field = "out", .path = folder.file("%02d.png"), .frames = 3}).ok());
  CHECK(test::read_text(folder.file("01.png")) == before);
}

TEST_CASE("an impossible film is refused before any frame") {
  test::TemporaryFolder folder;
  const auto refused = [&](const char* name, std::int64_t frames) {
    return !Film::open({.field = "out", .path = folder.file(name), .frames = frames}).ok();
  };
  CHECK_FALSE(refused("a.apng", 1));
  CHECK(refused("a.webp", 1));
  CHECK(refused("a.gif", 0));
  CHECK(refused("a.gif", kMostFrames + 1));
  CHECK(refused("%04d.png", kMostPictures + 1));
  CHECK(refused("%d.png", 1));
  CHECK(refused("%04d-%04d.png", 1));
  CHECK(refused("nowhere/%04d.png", 1));
}
