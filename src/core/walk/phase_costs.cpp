#include "core/walk/phase_costs.h"

namespace tilewalk::costs {

Cost load(std::initializer_list<Moved> all, std::int64_t more) {
  Cost cost;
  cost.sram.write_bytes = more;
  for (const Moved& moved : all) {
    cost.of(moved.tensor).read_bytes += moved.bytes;
    cost.sram.write_bytes += moved.bytes;
  }
  return cost;
}

Cost store(std::initializer_list<Moved> all, std::int64_t on_chip) {
  Cost cost;
  cost.sram.read_bytes = on_chip;
  for (const Moved& moved : all) cost.of(moved.tensor).write_bytes += moved.bytes;
  return cost;
}

Cost work(std::int64_t exp, std::int64_t other, Traffic sram) {
  Cost cost;
  cost.exp = exp;
  cost.other = other;
  cost.sram = sram;
  return cost;
}

Cost product(std::int64_t r, std::int64_t c, std::int64_t d, Traffic sram) {
  Cost cost;
  cost.matmul = 2 * r * c * d;
  cost.sram = sram;
  return cost;
}

Cost scores(std::int64_t r, std::int64_t c, std::int64_t d, std::int64_t e) {
  Cost cost = product(r, c, d, {(r + c) * d * e, r * c * 4});
  cost.other = r * c;
  return cost;
}

Cost exponentiate(std::int64_t r, std::int64_t c) { return work(r * c, r * c, {r * c * 4 + r * 4, r * c * 4}); }
Cost divide(std::int64_t r, std::int64_t c) { return work(0, r * c, {r * c * 4 + r * 4, r * c * 4}); }
Cost row_scan(std::int64_t r, std::int64_t c) { return work(0, r * c, {r * c * 4, r * 4}); }

Cost normalise(std::int64_t r, std::int64_t d) {
  return work(0, r * d + 2 * r, {r * d * 4 + r * 8, r * d * 4 + r * 4});
}

Cost store_output(std::int64_t r, std::int64_t d, std::int64_t e) {
  return store({{TensorId::O, r * d * e}, {TensorId::L, r * 4}}, r * d * 4 + r * 4);
}

}  // namespace tilewalk::costs
