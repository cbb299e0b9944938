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

// The race's cell of a call; empty for a call of a kind that was not raced.
std::optional<RaceCell> cell_of(const Call& c) {
  if (!c.on_gpu || !c.is_16_bit() || c.n_q != c.keys() || c.d != c.value_size() || c.heads != c.heads_of_kv() ||
      c.has_mask() || c.dropout > 0)
    return std::nullopt;
  return race_cell_of(c);
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
  out.very_call = times->ms_of(Contender::TorchFlash, *cell).has_value();
  const std::optional<RecordedNeighbour> near = out.very_call ? std::nullopt : recorded_neighbour(*times, *cell);
  if (!out.very_call && !near) return out;
  out.cell = near ? near->cell : *cell;
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
