#include "session/wins/win_shapes.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/random.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kShortest = 1024, kLongest = 16384, kBlockRows = 128, kBlocksOfSm = 2, kRowStep = 16;
constexpr std::uint64_t kStream = 0x77696e73;  // stream of the seed's random numbers for this sample

bool may_be_asked(const RaceTime& time, const DeviceModel& recorded) {
  return time.sample.empty() && time.pass == "forward" && time.dtype == "bf16" && (time.d == 64 || time.d == 128) &&
         time.n >= kShortest && time.n <= kLongest && time.n % kRowStep == 0 &&
         time.n / kBlockRows * time.heads * time.batch >= kBlocksOfSm * recorded.sms;
}

}  // namespace

std::vector<WinShape> win_shapes(const RaceTimes& times, const DeviceModel& device) {
  const DeviceModel& recorded = device_of(times.device);
  std::vector<WinShape> out;
  for (const RaceTime& time : times.times) {
    const AttentionMethod* const method = method_named(time.rung);
    if (!method || !method->tiled() || !method->pencil_s || !may_be_asked(time, recorded)) continue;
    if (!times.ms_of(Contender::Naive, time)) continue;
    const WinShape shape{call_of(time), method};
    if (why_not_run(method_of(Contender::Naive), shape.call, device).empty() &&
        why_not_run(*method, shape.call, device).empty())
      out.push_back(shape);
  }
  return out;
}

std::vector<WinShape> sampled_by(std::uint64_t seed, std::size_t count, std::vector<WinShape> shapes) {
  std::uint64_t sampled = 0;
  for (std::size_t left = shapes.size(); left > 1; --left)
    std::swap(shapes[left - 1], shapes[random_bits(seed, kStream, sampled++) % left]);
  using Kind = std::tuple<const AttentionMethod*, std::int64_t, bool>;
  std::set<Kind> kinds;
  std::vector<WinShape> out, rest;
  for (const WinShape& shape : shapes) {
    const bool is_new = kinds.insert({shape.method, shape.call.d, shape.call.causal}).second;
    (is_new ? out : rest).push_back(shape);
  }
  out.insert(out.end(), rest.begin(), rest.end());
  out.resize(std::min(count, out.size()));
  return out;
}

WinAnswer answer_of(const WinShape& shape, const DeviceModel& device, const RaceTimes* times) {
  const AttentionMethod& naive = method_of(Contender::Naive);
  WinAnswer out;
  out.naive_pencil_ms = naive.pencil_s(shape.call, device) * 1e3;
  out.pencil_ms = shape.method->pencil_s(shape.call, device) * 1e3;
  if (times && times->device == device.name) {
    const auto slow = times->ms_of(Contender::Naive, cell_of(shape.call)),
               fast = times->ms_of(shape.method->who, cell_of(shape.call));
    if (slow && fast) return out.naive_ms = *slow, out.ms = *fast, out.recorded = true, out;
  }
  out.naive_ms = predict(naive, shape.call, device).predicted_ms.value_or(0);
  out.ms = predict(*shape.method, shape.call, device).predicted_ms.value_or(0);
  return out;
}

}  // namespace tilewalk
