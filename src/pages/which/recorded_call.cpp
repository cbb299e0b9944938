#include "pages/which/recorded_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/problem/device_model.h"
#include "pages/which/names_model.h"
#include "view/problem/race_cell_of.h"

namespace tilewalk {
namespace {

constexpr Contender kInPyTorch[] = {Contender::TorchCudnn, Contender::TorchFlash, Contender::TorchEfficient,
                                    Contender::Eager};

bool is_in_pytorch(const std::string& rung) {
  const ContenderRow* const row = contender_named(rung);
  return row && row->by == RunBy::PyTorch;
}

// The race's cell of a call; empty for a call of a kind that was not raced.
std::optional<RaceCell> cell_of(const Call& c) {
  if (!c.on_gpu || !c.is_16_bit() || c.n_q != c.keys() || c.d != c.value_size() || c.heads != c.heads_of_kv() ||
      c.has_mask() || c.dropout > 0)
    return std::nullopt;
  return race_cell_of(c);
}

// The distance of two calls: the largest factor between their lengths, sizes and heads. Above 2 they are not near.
double factor_between(const RaceCell& a, const RaceCell& b) {
  const auto factor = [](std::int64_t x, std::int64_t y) { return double(std::max(x, y)) / double(std::min(x, y)); };
  if (a.causal != b.causal || a.pass != b.pass || a.n < 1 || b.n < 1) return 1e9;
  return std::max({factor(a.n, b.n), factor(a.d, b.d), factor(a.heads * a.batch, b.heads * b.batch)});
}

std::string time_text(double ms) { return gpu_time_text(std::llround(ms * 1e6)); }

}  // namespace

std::optional<SdpaBackend> backend_of(Contender who) {
  for (const SdpaBackend backend : kAllBackends)
    if (contender_of(backend) == who) return backend;
  return std::nullopt;
}

RecordedCallTimes recorded_times_of(const Call& call, const RaceTimes* times) {
  RecordedCallTimes out;
  const auto cell = cell_of(call);
  if (!times || !cell || times->device != call.device) return out;
  constexpr double near = 2;
  double best = near;
  for (const RaceTime& time : times->times)
    if (const double factor = factor_between(time, *cell);
        is_in_pytorch(time.rung) && (factor < best || (factor == best && out.cell.n == 0)))
      best = factor, out.cell = time;
  if (out.cell.n == 0) return out;
  if (times->ms_of(Contender::TorchFlash, *cell)) out.cell = *cell;  // among equally near ones the call itself
  out.very_call = out.cell == *cell;
  for (const Contender who : kInPyTorch)
    if (const auto ms = times->ms_of(who, out.cell)) out.backends.push_back({who, contender_row(who).short_title, *ms});
  std::stable_sort(out.backends.begin(), out.backends.end(),
                   [](const RecordedBackend& a, const RecordedBackend& b) { return a.ms < b.ms; });
  return out;
}

std::string recorded_words(const RecordedCallTimes& recorded, const std::string& device, std::optional<Contender> runs,
                           const WhyRefused& why_refused, const char* call) {
  if (recorded.backends.empty()) return "";
  const RaceCell& cell = recorded.cell;
  std::string out = recorded.very_call
                        ? fmt::format("Recorded for {} on an {}, fastest first", call, device_title(device))
                        : fmt::format(
                              "This call was not recorded; near it, on an {}, was N {}, d {}, "
                              "batch {}, {} heads, {}, {}",
                              device_title(device), format_count(cell.n), cell.d, cell.batch, cell.heads,
                              cell.causal ? "causal" : "no mask", cell.dtype);
  for (std::size_t i = 0; i < recorded.backends.size(); ++i)
    out += fmt::format("{} {} {}", i ? "," : ":", recorded.backends[i].title, time_text(recorded.backends[i].ms));
  out += ", forward.";
  const RecordedBackend& fastest = recorded.backends.front();
  const auto running = std::find_if(recorded.backends.begin(), recorded.backends.end(),
                                    [&](const RecordedBackend& one) { return one.who == runs; });
  const std::optional<SdpaBackend> winner = backend_of(fastest.who);
  constexpr double clearly = 1.05;
  if (running == recorded.backends.end() || running->ms < clearly * fastest.ms || !winner) return out;
  out += fmt::format(" {} was faster there than {}", fastest.title, running->title);
  const std::string refused = why_refused(*winner);
  return refused.empty() ? out + fmt::format(": sdpa_kernel([SDPBackend.{}]) asks for it.", torch_name(*winner))
                         : out + fmt::format(", but refuses this call: it needs {}.", refused);
}

}  // namespace tilewalk
