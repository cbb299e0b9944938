#include "dispatch/profile/byte_source.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

namespace tilewalk {
namespace {
constexpr std::size_t kBlock = 256 << 10;
}

struct ByteSource::Inflater {
  z_stream stream{};
  std::string out = std::string(kBlock, '\0');
  std::int64_t unpacked = 0;
  bool between = false;  // one member has ended, and another may follow
  Inflater() { inflateInit2(&stream, 16 + MAX_WBITS); }
  ~Inflater() { inflateEnd(&stream); }
};

ByteSource::ByteSource(ReadBytes read, std::int64_t size, std::string name)
    : read_(std::move(read)), size_(size), name_(std::move(name)) {
  const std::string_view first = from_file();
  if (first.size() > 1 && first.starts_with("\x1f\x8b")) inflater_ = std::make_unique<Inflater>();
  at_ = 0;
}

ByteSource::~ByteSource() = default;

void ByteSource::refuse(std::int64_t at, std::string rule) {
  issues_.push_back(
      {fmt::format("{}, byte {}", name_, at), "", std::move(rule), "Record the profile again, or give another one"});
}

std::string_view ByteSource::next() {
  if (!issues_.empty()) return {};
  return without_mark(inflater_ ? unpacked() : from_file());
}

std::string_view ByteSource::without_mark(std::string_view piece) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (!begun_ && piece.size() > mark.size() && piece.starts_with(mark)) piece.remove_prefix(mark.size());
  begun_ = true;
  return piece;
}

std::string_view ByteSource::from_file() {
  block_.resize(std::size_t(std::min<std::int64_t>(kBlock, size_ - at_)));
  if (block_.empty()) return {};
  const auto read = read_(at_, std::as_writable_bytes(std::span(block_)));
  if (!read) {
    issues_ = read.issues();
    return {};
  }
  at_ += std::int64_t(block_.size());
  return block_;
}

std::string_view ByteSource::unpacked() {
  z_stream& stream = inflater_->stream;
  while (true) {
    if (stream.avail_in == 0) {
      const std::string_view packed = from_file();
      if (packed.empty()) {
        if (issues_.empty() && !inflater_->between) refuse(size_, "the gzip file ends in the middle");
        return {};
      }
      stream.next_in = reinterpret_cast<Bytef*>(block_.data());
      stream.avail_in = uInt(packed.size());
    }
    if (inflater_->between) {
      for (; stream.avail_in > 0 && *stream.next_in == 0; --stream.avail_in) ++stream.next_in;
      if (stream.avail_in == 0) continue;
      inflateReset(&stream);
      inflater_->between = false;
    }
    stream.next_out = reinterpret_cast<Bytef*>(inflater_->out.data());
    stream.avail_out = uInt(inflater_->out.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t size = inflater_->out.size() - stream.avail_out;
    inflater_->unpacked += std::int64_t(size);
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      refuse(at_ - stream.avail_in, fmt::format("is not gzip data: {}", stream.msg ? stream.msg : "unknown"));
      return {};
    }
    if (inflater_->unpacked > kMostUnpacked) {
      refuse(at_ - stream.avail_in, fmt::format("has more than {} GiB when unpacked", kMostUnpacked >> 30));
      return {};
    }
    inflater_->between = status == Z_STREAM_END;
    if (size > 0) return std::string_view(inflater_->out).substr(0, size);
  }
}

}  // namespace tilewalk
