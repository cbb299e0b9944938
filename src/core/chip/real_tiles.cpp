#include "core/chip/real_tiles.h"

#include "core/problem/device_model.h"
#include "core/schedules/registry.h"

namespace tilewalk {

std::string why_no_real_tile(const Problem& p) {
  const ScheduleReleased& released = row_of(p).released;
  if (!released.name) return "No released kernel's tile sizes are listed for this schedule.";
  if (const char* why = released.why_not(p)) return why;
  if (p.numerics.dtype == DType::Fp32) return "Released kernels support fp16 and bf16, not fp32.";
  if (p.shape.d > 256) return "Released kernels support head sizes up to 256.";
  return "";
}

std::string way_to_real_tile(const Problem& p) {
  if (!row_of(p).released.name) return "Give --br and --bc, or leave --tiles out";
  Problem other = p;
  if (p.numerics.dtype == DType::Fp32) {
    other.numerics.dtype = DType::Fp16;
    if (why_no_real_tile(other).empty()) return "Try --dtype fp16";
  }
  const std::string also = p.numerics.dtype == DType::Fp32 ? " --dtype fp16" : "";
  for (const DeviceModel& device : device_models()) {
    other.machine.device = device.name;
    if (why_no_real_tile(other).empty()) return "Try --device " + device.name + also;
  }
  return "Try another schedule, or give --br and --bc";
}

std::optional<RealTile> real_tile(const Problem& p) {
  if (!why_no_real_tile(p).empty()) return std::nullopt;
  return row_of(p).released.tile(p);
}

std::optional<RealTile> paper_tile(const Problem& p) {
  const auto rule = row_of(p).released.paper_tile;
  return rule ? rule(p) : std::nullopt;
}

std::vector<NamedTile> named_tiles(const Problem& given) {
  Problem p = given;
  if (p.numerics.dtype == DType::Fp32) p.numerics.dtype = DType::Fp16;
  std::vector<NamedTile> out;
  for (const ScheduleKind kind : same_pass(given.schedule)) {
    const ScheduleReleased& released = schedule_row(kind).released;
    if (!released.name || (released.own_schedule_only && given.schedule != kind)) continue;
    p.schedule = kind;
    if (const std::optional<RealTile> tile = real_tile(p)) out.push_back({released.name, released.title, *tile});
  }
  if (const std::optional<RealTile> tile = paper_tile(given)) out.push_back({"paper", "FA-1's paper", *tile});
  return out;
}

Result<RealTile> tile_named(const Problem& p, const std::string& name) {
  if (name == "released") {
    if (const std::optional<RealTile> tile = real_tile(p)) return *tile;
    return Issue{"tiles", name, why_no_real_tile(p), way_to_real_tile(p)};
  }
  std::string names = "released";
  for (const NamedTile& each : named_tiles(p)) {
    if (each.name == name) return each.tile;
    names += ", " + each.name;
  }
  return Issue{"tiles", name, "is none that this problem and device have", "Try one of " + names};
}

}  // namespace tilewalk
