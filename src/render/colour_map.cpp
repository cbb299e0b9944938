#include "render/colour_map.h"

#include <algorithm>
#include <unordered_map>

namespace tilewalk {
namespace {

constexpr std::size_t kExact = 160;

struct Used {
  Rgb colour{};
  std::int64_t count = 0;
};

std::uint32_t packed(const Rgb& c) { return std::uint32_t(c[0]) << 16 | std::uint32_t(c[1]) << 8 | c[2]; }

std::vector<Used> colours_by_use(std::span<const std::uint8_t> rgb) {
  std::unordered_map<std::uint32_t, std::int64_t> counts;
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3) ++counts[packed({rgb[i], rgb[i + 1], rgb[i + 2]})];
  std::vector<Used> out;
  for (const auto& [colour, count] : counts)
    out.push_back({{std::uint8_t(colour >> 16), std::uint8_t(colour >> 8), std::uint8_t(colour)}, count});
  std::sort(out.begin(), out.end(), [](const Used& a, const Used& b) {
    return a.count != b.count ? a.count > b.count : packed(a.colour) < packed(b.colour);
  });
  return out;
}

// The channel in which they are furthest apart, and how far.
std::pair<int, int> widest(std::span<const Used> colours) {
  std::pair<int, int> out{0, -1};
  for (int channel = 0; channel < 3; ++channel) {
    const auto [least, most] =
        std::minmax_element(colours.begin(), colours.end(), [channel](const Used& a, const Used& b) {
          return a.colour[std::size_t(channel)] < b.colour[std::size_t(channel)];
        });
    const int apart = most->colour[std::size_t(channel)] - least->colour[std::size_t(channel)];
    if (apart > out.second) out = {channel, apart};
  }
  return out;
}

Rgb mean_of(std::span<const Used> colours) {
  std::array<std::int64_t, 3> sum{};
  std::int64_t count = 0;
  for (const Used& each : colours) {
    count += each.count;
    for (std::size_t i = 0; i < 3; ++i) sum[i] += each.count * each.colour[i];
  }
  Rgb out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = std::uint8_t((sum[i] + count / 2) / count);
  return out;
}

// Halves the box that is widest until there are as many as wanted.
void gather(std::span<Used> colours, std::size_t boxes, std::vector<Rgb>& out) {
  std::vector<std::span<Used>> all = {colours};
  while (all.size() < boxes) {
    const auto box = std::max_element(all.begin(), all.end(),
                                      [](const auto& a, const auto& b) { return widest(a).second < widest(b).second; });
    const auto [channel, apart] = widest(*box);
    if (apart <= 0) break;
    const std::span<Used> whole = *box;
    std::sort(whole.begin(), whole.end(), [channel = channel](const Used& a, const Used& b) {
      const std::size_t c = std::size_t(channel);
      return a.colour[c] != b.colour[c] ? a.colour[c] < b.colour[c] : packed(a.colour) < packed(b.colour);
    });
    const std::size_t middle = whole.size() / 2;
    *box = whole.subspan(0, middle);
    all.push_back(whole.subspan(middle));
  }
  for (const std::span<Used>& box : all) out.push_back(mean_of(box));
}

std::uint8_t nearest_of(const std::vector<Rgb>& colours, const Rgb& to) {
  int best = 1 << 30, at = 0;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    int apart = 0;
    for (std::size_t c = 0; c < 3; ++c) apart += (colours[i][c] - to[c]) * (colours[i][c] - to[c]);
    if (apart < best) best = apart, at = int(i);
  }
  return std::uint8_t(at);
}

}  // namespace

IndexedPicture with_few_colours(std::span<const std::uint8_t> rgb, std::size_t most) {
  std::vector<Used> used = colours_by_use(rgb);
  IndexedPicture out;
  const std::size_t exact = used.size() <= most ? used.size() : std::min(kExact, most - 1);
  for (std::size_t i = 0; i < exact; ++i) out.colours.push_back(used[i].colour);
  if (exact < used.size()) gather(std::span(used).subspan(exact), most - exact, out.colours);
  std::unordered_map<std::uint32_t, std::uint8_t> places;
  for (const Used& each : used) places[packed(each.colour)] = nearest_of(out.colours, each.colour);
  out.pixels.reserve(rgb.size() / 3);
  for (std::size_t i = 0; i + 2 < rgb.size(); i += 3)
    out.pixels.push_back(places[packed({rgb[i], rgb[i + 1], rgb[i + 2]})]);
  return out;
}

}  // namespace tilewalk
