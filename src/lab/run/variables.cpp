#include "lab/run/variables.h"

#include "core/values/exact_math.h"

namespace tilewalk::lab {

std::vector<VariableNow> variables_of(const Machine& machine, int thread) {
  std::vector<VariableNow> out;
  const std::int32_t at = machine.instruction_of(thread);
  for (const Variable& each : machine.program().kernels[machine.kernel()].variables) {
    if (each.reg < 0 || at < each.begin || at >= each.end || each.type.base == BaseType::Struct) continue;
    const std::uint64_t bits = machine.register_of(thread, each.reg);
    VariableNow now{.name = each.name, .value = std::int64_t(bits)};
    if (each.type.pointer)
      now.value = PointerValue{bits == 0};
    else if (each.type.base == BaseType::Float)
      now.value = exact::float_of(std::uint32_t(bits));
    else if (each.type.base == BaseType::Bool)
      now.value = bits != 0;
    else if (each.type.base == BaseType::Int)
      now.value = std::int64_t(std::int32_t(bits));
    else if (each.type.base == BaseType::Unsigned)
      now.value = std::int64_t(std::uint32_t(bits));
    out.push_back(std::move(now));
  }
  return out;
}

}  // namespace tilewalk::lab
