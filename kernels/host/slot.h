// Names for the buffers of a run. A slot has one row in kSlotInfo, in the order of the enum.
#pragma once

#include <cstddef>

namespace tilewalk {

enum class Slot {
  Q,
  K,
  V,
  dO,
  Visits,
  O,
  S,
  P,
  OSum,
  OPartial,
  LsePartial,
  dQ,
  dK,
  dV,
  dP,
  dS,
  dQSum,
  D,
  M,
  Sum,
  Lse,
  Hashes,
  TraceM,
  TraceL,
  TraceAlpha,
  TraceS,
  TraceP,
  TraceO,
  TraceDP,
  TraceDS,
  TraceDQ,
  TraceDK,
  TraceDV,
};

// Input: filled before the launch, ignored after it. Output: NaN before the launch. Trace: zero before it. Outputs and
// traces lie between guard bands.
enum class SlotUse { Input, Output, Trace };

struct SlotInfo {
  Slot slot;
  const char* label;  // in messages
  SlotUse use;
};

inline constexpr SlotInfo kSlotInfo[] = {
    {Slot::Q, "Q", SlotUse::Input},
    {Slot::K, "K", SlotUse::Input},
    {Slot::V, "V", SlotUse::Input},
    {Slot::dO, "dO", SlotUse::Input},
    {Slot::Visits, "visits", SlotUse::Input},
    {Slot::O, "O", SlotUse::Output},
    {Slot::S, "S", SlotUse::Output},
    {Slot::P, "P", SlotUse::Output},
    {Slot::OSum, "O in fp32", SlotUse::Output},
    {Slot::OPartial, "partial O", SlotUse::Output},
    {Slot::LsePartial, "partial L", SlotUse::Output},
    {Slot::dQ, "dQ", SlotUse::Output},
    {Slot::dK, "dK", SlotUse::Output},
    {Slot::dV, "dV", SlotUse::Output},
    {Slot::dP, "dP", SlotUse::Output},
    {Slot::dS, "dS", SlotUse::Output},
    {Slot::dQSum, "dQ in fp32", SlotUse::Output},
    {Slot::D, "D", SlotUse::Output},
    {Slot::M, "m", SlotUse::Output},
    {Slot::Sum, "l", SlotUse::Output},
    {Slot::Lse, "L", SlotUse::Output},
    {Slot::Hashes, "hashes", SlotUse::Trace},
    {Slot::TraceM, "trace m", SlotUse::Trace},
    {Slot::TraceL, "trace l", SlotUse::Trace},
    {Slot::TraceAlpha, "trace alpha", SlotUse::Trace},
    {Slot::TraceS, "trace S", SlotUse::Trace},
    {Slot::TraceP, "trace P", SlotUse::Trace},
    {Slot::TraceO, "trace O", SlotUse::Trace},
    {Slot::TraceDP, "trace dP", SlotUse::Trace},
    {Slot::TraceDS, "trace dS", SlotUse::Trace},
    {Slot::TraceDQ, "trace dQ", SlotUse::Trace},
    {Slot::TraceDK, "trace dK", SlotUse::Trace},
    {Slot::TraceDV, "trace dV", SlotUse::Trace},
};
inline constexpr std::size_t kSlotCount = sizeof kSlotInfo / sizeof kSlotInfo[0];

constexpr bool slots_in_order() {
  for (std::size_t i = 0; i < kSlotCount; ++i)
    if (std::size_t(kSlotInfo[i].slot) != i) return false;
  return true;
}
static_assert(slots_in_order(), "kSlotInfo has a row for each slot, in the order of the enum");

constexpr const SlotInfo& info_of(Slot slot) { return kSlotInfo[std::size_t(slot)]; }

}  // namespace tilewalk
