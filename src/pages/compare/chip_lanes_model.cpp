#include "pages/compare/chip_lanes_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/problem/device_model.h"
#include "measured/recorded_race.h"

namespace tilewalk {
namespace {

// How the recorded problem differs from the one on screen.
std::string differences(const ChipRun& run, const Problem& now) {
  std::string text;
  const auto add = [&](bool differs, const std::string& what) {
    if (differs) add_to_list(text, what);
  };
  const bool square = now.shape.n_q == now.shape.n_kv;
  add(!square || now.shape.n_kv != run.n,
      fmt::format(
          "N {}, not {}", format_count(run.n),
          square ? format_count(now.shape.n_kv) : format_count(now.shape.n_q) + " × " + format_count(now.shape.n_kv)));
  add(now.shape.batch * now.shape.heads != run.batch * run.heads,
      fmt::format("batch {} × {} heads, not {} × {}", run.batch, run.heads, now.shape.batch, now.shape.heads));
  add(now.shape.d != run.d, fmt::format("d {}, not {}", run.d, now.shape.d));
  add(now.tiling.br != run.rows() || now.tiling.bc != 128,
      fmt::format("tiles {}×128, not {}×{}", run.rows(), now.tiling.br, now.tiling.bc));
  add(now.numerics.dtype != DType::Bf16, "bf16");
  add(now.shape.mask.kind != MaskKind::None && now.shape.mask.kind != MaskKind::Causal, "causal");
  add(now.tiling.stages != 4, "4 stages");
  add(now.machine.device != kRecordedOn, "an " + device_of(kRecordedOn).title);
  return text;
}

}  // namespace

ChipLanes chip_lanes_for(const ChipTimelines& chip, const Problem& now) {
  ChipLanes out;
  const auto at = chip.provenance.find("card, driver, top clock");
  if (at != chip.provenance.end()) out.card = at->second.substr(0, at->second.find(','));
  out.run = chip.nearest(now);
  if (out.run) out.timeline = timeline_of(*out.run, out.run->blocks.front());
  return out;
}

void describe_chip(const ChipLanes& chip, const Problem& now, const Timeline& modelled, LanesModel& model,
                   bool of_walk) {
  if (!chip.run) {
    model.sentence = "The chip was not recorded with just these switches: put one back. " + model.sentence;
    return;
  }
  if (model.pictures.size() != 2) return;
  const ChipRun& run = *chip.run;
  const std::string other = differences(run, now);
  std::string tiles = run.name;
  if (const std::size_t by = tiles.find('x'); by != std::string::npos) tiles.replace(by, 1, "×");
  model.pictures[0].title = fmt::format("Recorded on an {}: {}, d {}, N {}, bf16, {} · multiprocessor {} at {:.2f} GHz",
                                        chip.card, tiles, run.d, format_count(run.n), run.causal ? "causal" : "no mask",
                                        run.blocks.front().sm, run.blocks.front().ghz);
  model.pictures[0].note = fmt::format("the first {} tile visits, from the last tile down", chip.timeline.visits);
  model.pictures[1].title = "Modelled: " + lane_settings(now);
  if (of_walk)
    model.sentence =
        other.empty() ? "The same problem on both sides. " : "Recorded on another problem: " + other + ". ";
  else
    model.sentence =
        "The recorded problem on both sides, not this walk. " + (other.empty() ? "" : "Recorded with " + other + ". ");
  model.sentence += fmt::format(
      "From one tile visit to the next {} cycles there (stamping costs {:.0f} % of the time); products need {:.0f} % "
      "of "
      "the chip's cycles, {:.0f} % of the model's.",
      format_count(std::int64_t(phases_of(run.blocks.front()).period)),
      std::max(0.0, 100 * (run.ms_traced / run.ms_plain - 1)), chip.timeline.product_utilisation * 100,
      modelled.product_utilisation * 100);
}

}  // namespace tilewalk
