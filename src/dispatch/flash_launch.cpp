#include "dispatch/flash_launch.h"

#include <algorithm>
#include <cmath>

#include "base/divide.h"
#include "core/chip/real_tiles.h"
#include "core/problem/device_model.h"
#include "dispatch/kernel/shows.h"

namespace tilewalk {
namespace {

constexpr int kFewestSms = 16, kMostSms = 192;  // of the cards that FlashAttention-2 runs on
constexpr std::int64_t kMostSplits = 128;

// The smallest number of splits that fills the GPU's waves to 85 % of the best number's filling.
std::int64_t splits_for(std::int64_t blocks, int at_once, std::int64_t key_tiles) {
  if (float(blocks) >= 0.8f * float(at_once)) return 1;
  const auto changes_a_share = [&](std::int64_t splits) {
    return splits == 1 || ceil_div(key_tiles, splits) != ceil_div(key_tiles, splits - 1);
  };
  const auto efficiency = [&](std::int64_t splits) {
    const float waves = float(blocks * splits) / float(at_once);
    return waves / std::ceil(waves);
  };
  const std::int64_t most = std::min({kMostSplits, std::int64_t(at_once), key_tiles});
  float best = 0;
  for (std::int64_t splits = 1; splits <= most; ++splits)
    if (changes_a_share(splits)) best = std::max(best, efficiency(splits));
  for (std::int64_t splits = 1; splits <= most; ++splits)
    if (changes_a_share(splits) && efficiency(splits) >= 0.85 * best) return splits;
  return 1;
}

// One query row of several heads that share a KV head is launched as several rows of that KV head.
std::int64_t heads_packed(const Call& c) {
  return c.n_q == 1 && c.heads > c.heads_of_kv() ? c.heads / c.heads_of_kv() : 1;
}

void put_splits(const Call& c, const FlashRelease& release, FlashLaunch& out) {
  if (!release.splits || c.dropout > 0) {
    out.split_kv = false, out.splits = 1;
    return;
  }
  const std::int64_t packed = heads_packed(c), key_tile = c.d <= 64 ? 256 : c.d <= 128 ? 128 : 64;
  const std::int64_t blocks = c.batch * (c.heads / packed) * ceil_div(c.n_q * packed, 64);
  const auto splits_on = [&](int sms) {
    return splits_for(blocks, sms * release.blocks_an_sm, ceil_div(c.keys(), key_tile));
  };
  if (const auto sms = multiprocessors_of(c)) {
    out.splits = splits_on(*sms);
    out.split_kv = *out.splits > 1;
    return;
  }
  bool never = true, always = true;
  for (int sms = kFewestSms; sms <= kMostSms; ++sms) (splits_on(sms) > 1 ? never : always) = false;
  if (never || always) out.split_kv = always;
  if (never) out.splits = 1;
}

// A card of the device table for which a launch chooses the same tiles: the choice depends on whether the card is of SM
// 8.x above 8.0, and at d above 192 on shared memory. None: the size of its shared memory is not known.
std::optional<std::string> card_with_equal_tiles(const Call& c) {
  if (const std::optional<DeviceModel> known = device_named(c.device)) return known->name;
  const DeviceModel& near = device_of_capability(c.sm());
  const bool between = c.sm() > kAmpere && c.sm() < kHopper;  // SM 8.7 has more shared memory than 8.6
  if (near.compute_capability == c.sm() || !between || c.d <= 192) return near.name;
  return std::nullopt;
}

struct Tile {
  std::int64_t br, bc;
};

std::optional<Tile> plain_tile(const Call& c, const FlashRelease& release) {
  const int sm = c.sm();
  const bool causal = c.is_causal && c.n_q > 1, ada = sm > 80 && sm < 90;
  if (release.has_160 && c.d > 128 && c.d <= 160) return ada ? (causal ? Tile{64, 64} : Tile{128, 64}) : Tile{128, 32};
  if (release.has_224 && c.d > 192 && c.d <= 224) {
    if (sm == 80 || (sm >= 90 && sm < 120)) return Tile{128, 64};  // 112 KB of shared memory
    return sm == 87 ? std::nullopt : std::optional(Tile{64, 64});
  }
  if (c.dropout > 0) {
    if (c.d > 32 && c.d <= 64) return Tile{128, 64};
    if (c.d > 96 && c.d <= 128) return Tile{128, 32};
    if (c.d > 128 && c.d <= 192) return Tile{64, 64};
  }
  const auto card = card_with_equal_tiles(c);
  if (!card) return std::nullopt;
  Problem p;
  p.schedule = shows::queries_outside;
  p.machine.device = *card;
  p.shape.d = c.d;
  p.numerics.dtype = DType::Fp16;
  if (causal) p.shape.mask.kind = MaskKind::Causal;
  const std::optional<RealTile> tile = real_tile(p);
  return tile ? std::optional(Tile{tile->br, tile->bc}) : std::nullopt;
}

}  // namespace

std::optional<FlashRelease> flash2_release(Version version) {
  const int number = version.number;
  if (number >= 20200 && number < 20204) return std::nullopt;
  return FlashRelease{.splits = number >= 20200,
                      .blocks_an_sm = number < 20507 ? 1 : 2,
                      .has_160 = number < 20800,
                      .has_224 = number < 20603};
}

std::optional<int> multiprocessors_of(const Call& call) {
  const std::optional<DeviceModel> device = device_named(call.device);
  return device ? std::optional(device->sms) : std::nullopt;
}

FlashLaunch flash2_launch(const Call& call, const FlashRelease& release) {
  FlashLaunch out;
  if (call.d > 256 || call.n_q < 1 || call.keys() < 1 || call.heads_of_kv() > call.heads) return out;
  put_splits(call, release, out);
  if (!out.split_kv) return out;
  const auto tile = *out.split_kv ? std::optional(Tile{64, call.d <= 64    ? 256
                                                           : call.d <= 128 ? 128
                                                                           : 64})
                                  : plain_tile(call, release);
  if (tile) out.br = tile->br, out.bc = tile->bc;
  return out;
}

}  // namespace tilewalk
