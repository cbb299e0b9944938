#include "core/predict/paper_waves.h"

#include <algorithm>
#include <cmath>

#include "core/predict/pencil_method.h"

namespace tilewalk {
namespace {

constexpr double kHair = 1e-9;  // keeps a whole number whole
constexpr int kNaiveLaunches = 3;
constexpr int kMostTogether = 2;  // blocks that an SM needs for its full rate; a third shares it

double rounded_waves(const PaperWaves& of, bool causal) {
  if (!causal) return std::ceil(of.unrounded() - kHair);
  return std::max(1.0, std::ceil(2 * of.unrounded() - kHair) / 2);
}

}  // namespace

std::optional<PaperWaves> paper_waves(const AttentionMethod& method, const AttentionCall& call,
                                      const DeviceModel& device, const FastTile& tile, int blocks_per_sm) {
  if (!method.pencil_s || !method.tiled() || method.backward || blocks_per_sm < 1) return std::nullopt;
  const std::int64_t rows = tile.rows, together = std::min(blocks_per_sm, kMostTogether);
  PaperWaves out;
  out.q_tiles = (call.n + rows - 1) / rows;
  out.blocks = out.q_tiles * call.all_heads();
  out.places = together * device.sms;
  if (call.causal) out.share = double(out.q_tiles + 1) / double(2 * out.q_tiles);
  out.waves = rounded_waves(out, call.causal);
  if (together > 1 && out.blocks <= device.sms) out.waves = kLonePlace;
  AttentionCall square = call;
  square.causal = false;
  const double a_score = method.pencil_s(square, device) / call.scores();
  out.wave_s = double(out.places) * double(rows) * double(call.n) * a_score;
  out.seconds = kPaperLaunch + out.waves * (out.wave_s + kPaperBlock);
  return out;
}

double naive_in_rows_of(std::int64_t n) {
  constexpr struct {
    std::int64_t below;
    double times;
  } kRows[] = {{725, 2.4}, {1449, 1.6}, {2897, 1.2}};  // each up to the middle between two lengths
  for (const auto& row : kRows)
    if (n < row.below) return row.times;
  return 1.1;
}

std::optional<double> naive_in_short_rows(const AttentionCall& call, const DeviceModel& device) {
  constexpr std::int64_t kAligned = 8;
  if (call.n % kAligned != 0) return std::nullopt;
  return naive_by_pencil(call, device) * naive_in_rows_of(call.n) + kNaiveLaunches * kPaperLaunch;
}

}  // namespace tilewalk
