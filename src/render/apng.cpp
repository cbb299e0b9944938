// Debian's libpng writes no APNG, but packs each frame; here the packed rows are put into APNG's own chunks.
#include <zlib.h>

#include <string_view>

#include "render/moving_picture.h"

namespace tilewalk {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t kSignature = 8, kChunkFrame = 12;  // of a chunk: length, name and checksum

void put_number(Bytes& to, std::uint32_t value, int bytes = 4) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) to.push_back(std::byte(value >> shift & 255));
}

std::uint32_t number_at(const Bytes& from, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::uint32_t(from[at + i]);
  return value;
}

void put_chunk(Bytes& to, std::string_view name, std::span<const std::byte> data) {
  put_number(to, std::uint32_t(data.size()));
  const std::size_t begin = to.size();
  for (const char c : name) to.push_back(std::byte(c));
  to.insert(to.end(), data.begin(), data.end());
  put_number(to, std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(&to[begin]), uInt(to.size() - begin))));
}

class Apng final : public MovingPicture {
 public:
  Apng(ByteSink sink, std::int64_t frames) : sink_(std::move(sink)), frames_(frames) {}

  Result<Done> add(const Picture& picture, int milliseconds) override {
    const PictureRect part = changed_part(before_, picture);
    const Bytes png = png_bytes(cut_out(picture, part));
    if (png.empty()) return Issue{"APNG", "", "could not be packed", "Make the picture smaller"};
    Bytes out;
    const bool first = before_.rgb.empty();
    if (first) out.assign(png.begin(), png.begin() + kSignature);
    bool written = false;
    for (std::size_t at = kSignature; at + kChunkFrame <= png.size();) {
      const std::uint32_t length = number_at(png, at);
      const std::string_view name(reinterpret_cast<const char*>(&png[at + 4]), 4);
      const std::span<const std::byte> data(png.data() + at + 8, length);
      if (name == "IDAT" && !written) put_control(out, part, milliseconds);
      written |= name == "IDAT";
      if (name == "IDAT" && !first)
        put_later(out, data);
      else if (first && name != "IEND")
        put_chunk(out, name, data);
      if (first && name == "IHDR") put_count(out);
      at += kChunkFrame + length;
    }
    before_ = picture;
    return sink_(out);
  }

  Result<Done> finish() override {
    Bytes out;
    put_chunk(out, "IEND", {});
    return sink_(out);
  }

 private:
  void put_count(Bytes& out) const {
    Bytes data;
    put_number(data, std::uint32_t(frames_));
    put_number(data, 0);  // without end
    put_chunk(out, "acTL", data);
  }

  void put_control(Bytes& out, const PictureRect& part, int milliseconds) {
    Bytes data;
    put_number(data, sequence_++);
    for (const int side : {part.width, part.height, part.x, part.y}) put_number(data, std::uint32_t(side));
    put_number(data, std::uint32_t(milliseconds), 2);
    put_number(data, 1000, 2);  // of a second
    put_number(data, 0, 2);     // it stays, and the next is laid over it
    put_chunk(out, "fcTL", data);
  }

  void put_later(Bytes& out, std::span<const std::byte> rows) {
    Bytes data;
    put_number(data, sequence_++);
    data.insert(data.end(), rows.begin(), rows.end());
    put_chunk(out, "fdAT", data);
  }

  ByteSink sink_;
  std::int64_t frames_;
  std::uint32_t sequence_ = 0;
  Picture before_;
};

}  // namespace

std::unique_ptr<MovingPicture> make_apng(ByteSink sink, std::int64_t frames) {
  return std::make_unique<Apng>(std::move(sink), frames);
}

}  // namespace tilewalk
