#include "core/formulas.h"

#include <algorithm>

#include "core/schedule.h"

namespace tilewalk {

Textbook textbook(const Problem& p) {
  const std::int64_t heads = p.batch * p.heads;
  Textbook out;
  if (p.schedule == ScheduleKind::Standard)
    out.hbm_elements = heads * (2 * p.n_q * p.d + 2 * p.n_kv * p.d + 4 * p.n_q * p.n_kv);
  else
    out.hbm_elements = heads * (2 * p.n_q * p.d + p.n_q + p.q_tiles() * 2 * p.n_kv * p.d);
  out.flops = heads * 4 * p.d * visible_pairs(p.band(), p.n_q, p.n_kv);
  return out;
}

namespace {

// What one Q tile of `rows` rows costs flash_v2 when it visits `visits` KV tiles of `cols` columns in all.
Cost flash_v2_q_tile(const Problem& p, std::int64_t rows, std::int64_t visits, std::int64_t cols) {
  const std::int64_t d = p.d, e = p.element_bytes(), pairs = rows * cols;
  Cost c;
  c.of(TensorId::Q).read_bytes = rows * d * e;
  c.of(TensorId::K).read_bytes = c.of(TensorId::V).read_bytes = cols * d * e;
  c.of(TensorId::O).write_bytes = rows * d * e;
  c.of(TensorId::L).write_bytes = rows * 4;
  c.matmul = 4 * pairs * d;
  c.exp = pairs + rows * visits;
  c.other = 4 * pairs + rows * visits * (3 + d) + rows * (d + 2);
  c.sram.read_bytes = (rows * visits + cols) * d * e + pairs * 4 * 4 + rows * visits * (4 + 8 + 4 * d + 4 + 8 + 4 * d) +
                      cols * d * e + rows * (4 * d + 8) + rows * (4 * d + 4);
  c.sram.write_bytes = rows * (d * e + 4 * d + 8) + 2 * cols * d * e + pairs * 4 * 2 +
                       rows * visits * (4 + 4 + 4 * d + 4 + 4 * d) + rows * (4 * d + 4);
  return c;
}

Cost standard_q_tile(const Problem& p, std::int64_t rows, std::int64_t visits) {
  const std::int64_t d = p.d, e = p.element_bytes(), cols = p.n_kv, pairs = rows * cols;
  const bool fits = standard_row_fits(p);
  const std::int64_t p_bytes = fits ? e : 4;
  Cost c;
  c.of(TensorId::Q).read_bytes = rows * d * e;
  c.of(TensorId::K).read_bytes = c.of(TensorId::V).read_bytes = cols * d * e;
  c.of(TensorId::S) = {pairs * 4 * (fits ? 1 : 2), pairs * 4};
  c.of(TensorId::P) = {pairs * p_bytes, pairs * p_bytes};
  c.of(TensorId::O).write_bytes = rows * d * e;
  if (!fits) c.of(TensorId::l) = {rows * 4, rows * 4};
  c.matmul = 4 * pairs * d;
  c.exp = pairs;
  c.other = 5 * pairs;
  const std::int64_t scores_read = (rows * visits + cols) * d * e + pairs * 4;
  const std::int64_t softmax_read = pairs * 16 + rows * 8 + pairs * 4;
  const std::int64_t product_read = pairs * p_bytes + cols * d * e + rows * visits * d * 4 + rows * d * 4;
  c.sram.read_bytes = scores_read + softmax_read + product_read;
  c.sram.write_bytes = rows * d * e + cols * d * e + pairs * 4 + pairs * 4 + rows * 4 + pairs * 4 + rows * 4 + pairs * 4 +
                       pairs * p_bytes + cols * d * e + rows * visits * d * 4;
  if (!fits) {
    c.sram.read_bytes += rows * 4 + rows * (visits - 1) * 4;  // l stored; l read again at each visit's divide
    c.sram.write_bytes += pairs * 4 + rows * 4;               // second load of S; load of l
  }
  return c;
}

}  // namespace

Cost whole_run_cost(const Problem& p) {
  const Band band = p.band();
  Cost total;
  for (std::int64_t row = 0; row < p.n_q; row += p.br) {
    const std::int64_t end_row = std::min(row + p.br, p.n_q);
    if (p.schedule == ScheduleKind::Standard) {
      total += standard_q_tile(p, end_row - row, p.kv_tiles());
      continue;
    }
    std::int64_t visits = 0, cols = 0;
    const std::int64_t first = std::max<std::int64_t>(0, row + band.low), last = std::min(p.n_kv - 1, end_row - 1 + band.high);
    if (first <= last) {
      visits = last / p.bc - first / p.bc + 1;
      cols = std::min(p.n_kv, (last / p.bc + 1) * p.bc) - first / p.bc * p.bc;
    }
    total += flash_v2_q_tile(p, end_row - row, visits, cols);
  }
  return total.scaled(p.batch * p.heads);
}

}  // namespace tilewalk
