#include <gif_lib.h>

#include <algorithm>

#include "render/colour_map.h"
#include "render/moving_picture.h"

namespace tilewalk {
namespace {

constexpr int kLeastHundredths = 2;  // what viewers still follow
constexpr std::size_t kMostColours = 256;
constexpr const char* kForEver = "NETSCAPE2.0";

class Gif final : public MovingPicture {
 public:
  explicit Gif(ByteSink sink) : sink_(std::move(sink)) {}
  ~Gif() override { close(); }

  Result<Done> add(const Picture& picture, int milliseconds) override {
    const bool first = !file_;
    if (first && !begin(picture)) return failed();
    const PictureRect part = changed_part(before_, picture);
    const int hundredths = std::max(kLeastHundredths, (milliseconds + 5) / 10);
    const Picture before = first ? Picture{} : cut_out(before_, part);
    if (!put(cut_out(picture, part), before, part, hundredths)) return failed();
    before_ = picture;
    return hand_on();
  }

  Result<Done> finish() override {
    if (!close()) return failed();
    return hand_on();
  }

 private:
  static int take(GifFileType* file, const GifByteType* bytes, int count) {
    std::vector<std::byte>& made = static_cast<Gif*>(file->UserData)->made_;
    const auto from = reinterpret_cast<const std::byte*>(bytes);
    made.insert(made.end(), from, from + count);
    return count;
  }

  bool begin(const Picture& picture) {
    file_ = EGifOpen(this, take, &error_);
    if (!file_) return false;
    EGifSetGifVersion(file_, true);
    const GifByteType times[] = {1, 0, 0};  // 0: without end
    return EGifPutScreenDesc(file_, picture.width, picture.height, 8, 0, nullptr) == GIF_OK &&
           EGifPutExtensionLeader(file_, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file_, 11, kForEver) == GIF_OK &&
           EGifPutExtensionBlock(file_, sizeof times, times) == GIF_OK && EGifPutExtensionTrailer(file_) == GIF_OK;
  }

  // Pixels that are as before stay: they are transparent, and pack to nearly nothing.
  bool put(const Picture& part, const Picture& before, const PictureRect& at, int hundredths) {
    const std::size_t count = part.rgb.size() / 3;
    const auto stays = [&](std::size_t i) {
      return !before.rgb.empty() && std::equal(&part.rgb[3 * i], &part.rgb[3 * i] + 3, &before.rgb[3 * i]);
    };
    std::vector<std::uint8_t> changed;
    for (std::size_t i = 0; i < count; ++i)
      if (!stays(i)) changed.insert(changed.end(), &part.rgb[3 * i], &part.rgb[3 * i] + 3);
    const IndexedPicture indexed = with_few_colours(changed, kMostColours - 1);
    const auto transparent = GifByteType(indexed.colours.size());
    std::vector<GifByteType> pixels(count, transparent);
    for (std::size_t i = 0, next = 0; i < count; ++i)
      if (!stays(i)) pixels[i] = indexed.pixels[next++];
    int size = 2;
    while (size < int(indexed.colours.size()) + 1) size *= 2;
    ColorMapObject* const map = GifMakeMapObject(size, nullptr);
    if (!map) return false;
    for (std::size_t i = 0; i < indexed.colours.size(); ++i)
      map->Colors[i] = {indexed.colours[i][0], indexed.colours[i][1], indexed.colours[i][2]};
    GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, transparent};
    GifByteType block[4];
    EGifGCBToExtension(&control, block);
    bool good = EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, sizeof block, block) == GIF_OK &&
                EGifPutImageDesc(file_, at.x, at.y, at.width, at.height, false, map) == GIF_OK;
    GifFreeMapObject(map);
    for (int y = 0; y < at.height && good; ++y)
      good = EGifPutLine(file_, &pixels[std::size_t(y) * std::size_t(at.width)], at.width) == GIF_OK;
    return good;
  }

  bool close() {
    if (!file_) return true;
    GifFileType* const file = std::exchange(file_, nullptr);
    return EGifCloseFile(file, &error_) == GIF_OK;
  }

  Result<Done> hand_on() {
    const Result<Done> taken = sink_(made_);
    made_.clear();
    return taken;
  }

  Issue failed() const {
    const char* why = GifErrorString(file_ ? file_->Error : error_);
    return {"GIF", "", std::string("could not be made: ") + (why ? why : "no memory"), "Make the picture smaller"};
  }

  ByteSink sink_;
  int error_ = 0;
  GifFileType* file_ = nullptr;
  Picture before_;
  std::vector<std::byte> made_;  // not handed on yet
};

}  // namespace

std::unique_ptr<MovingPicture> make_gif(ByteSink sink) { return std::make_unique<Gif>(std::move(sink)); }

}  // namespace tilewalk
