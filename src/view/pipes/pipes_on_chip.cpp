#include "view/pipes/pipes_on_chip.h"

#include <fmt/format.h>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "view/sentence/sentence.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// Whose tile it is, where there are several heads.
std::string head_of(const Problem& p, const Step& step) {
  std::string out = p.shape.batch > 1 ? fmt::format("batch {}, ", step.batch) : "";
  if (p.shape.heads > 1) out += fmt::format("head {}, one of {}, ", step.head, p.shape.heads);
  return out;
}

// The tensors of the largest working set; those in registers or tensor memory have no bytes of SRAM.
std::string tensors_in_sram(const Schedule& schedule) {
  std::vector<std::string> names;
  for (const Resident& each : largest_residents(schedule.problem(), schedule.plan()))
    if (each.bytes > 0) names.push_back(tensor_title(each.tensor));
  return listed(names, " and ");
}

// The tensors at hand; a resident labelled m ℓ is both.
std::string tensors_at_hand(const std::vector<MemoryResident>& residents) {
  std::vector<std::string> names;
  for (const MemoryResident& each : residents) {
    if (each.bytes == 0) continue;
    names.push_back(tensor_title(each.tensor));
    if (each.label == "m ℓ") names.push_back(tensor_title(TensorId::l));
  }
  return listed(names, " and ");
}

// The bytes at hand and the most of any step; the most alone where the tensors at hand are those of the most.
std::string bytes_in_sram(const Schedule& schedule, const std::vector<MemoryResident>& at_hand) {
  const std::string most = format_bytes(schedule.sram_peak_bytes()), tensors = tensors_in_sram(schedule),
                    now = tensors_at_hand(at_hand);
  if (now.empty() || now == tensors) return fmt::format("At most {} in the walk's SRAM: {}.", most, tensors);
  std::int64_t bytes = 0;
  for (const MemoryResident& each : at_hand) bytes += each.bytes;
  return fmt::format("{} in the walk's SRAM now: {}; at most {} in any phase.", format_bytes(bytes), now, most);
}

// The last step that did something. Precondition: a step was made.
Step last_step_of(const Schedule& schedule, std::int64_t cursor) {
  const Step step = schedule.step(cursor - 1);
  return cursor > 1 && changes_nothing(schedule, step) ? schedule.step(cursor - 2) : step;
}

}  // namespace

void describe_sram(const Schedule& schedule, std::int64_t cursor, PipeSide& side) {
  const Problem& p = schedule.problem();
  const VisitCounts visits = schedule.visit_counts();
  if (cursor == schedule.step_count()) {
    side.sram_title = "Finished";
    side.sram_text = counted(visits.visited(), "tile visit") + ".";
    if (visits.skipped > 0)
      side.sram_text += fmt::format(" {} that the mask empties were skipped.", counted(visits.skipped, "tile"));
  } else if (cursor == 0) {
    side.sram_title = "Nothing has moved yet";
  } else {
    const Step step = last_step_of(schedule, cursor);
    const std::string tiles = step.in_visit()   ? fmt::format("Q tile {}, KV tile {}", step.q_tile, step.kv_tile)
                              : step.q_tile < 0 ? fmt::format("KV tile {}", step.kv_tile)
                                                : fmt::format("Q tile {}", step.q_tile);
    side.sram_of = head_of(p, step);
    side.sram_title = fmt::format("{}: {}", tiles, name_of(step.phase));
    side.sram_text = phase_purpose(schedule, step);
  }
  if (cursor > 0) side.on_chip = residents_of(schedule, last_step_of(schedule, cursor));
  const bool under_way = cursor > 0 && cursor < schedule.step_count();
  side.sram_text += (side.sram_text.empty() ? "" : " ") +
                    bytes_in_sram(schedule, under_way ? side.on_chip : std::vector<MemoryResident>());
}

}  // namespace tilewalk
