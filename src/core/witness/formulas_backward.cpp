// Whole-run costs of the three backward passes, summed tile by tile from the mask's geometry alone.
#include <algorithm>

#include "core/walk/schedule.h"
#include "core/witness/formulas.h"

namespace tilewalk {
namespace {

// The cost of the visits and launches of one Q tile of one query head in backward and backward_v1: `cols` columns in
// `visits`.
Cost flash_q_tile(const Problem& p, bool v1, std::int64_t rows, std::int64_t visits, std::int64_t cols) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), pairs = rows * cols, row_visits = rows * visits;
  Cost c;
  c.of(TensorId::Q).read_bytes = row_visits * d * e;
  c.of(TensorId::dO).read_bytes = row_visits * d * e + (v1 ? 0 : rows * d * e);
  c.of(TensorId::O).read_bytes = (v1 ? row_visits : rows) * d * e;
  c.of(TensorId::dQ) = {(row_visits + rows) * d * 4, (row_visits + rows) * d * 4 + rows * d * e};
  if (v1) {
    c.of(TensorId::m).read_bytes = c.of(TensorId::l).read_bytes = row_visits * 4;
  } else {
    c.of(TensorId::L).read_bytes = row_visits * 4;
    c.of(TensorId::D) = {row_visits * 4, rows * 4};
  }
  c.matmul = 5 * 2 * pairs * d;
  c.exp = pairs;
  c.other = (v1 ? 5 : 4) * pairs + 2 * d * (v1 ? row_visits : rows) +
            rows * d;  // scale, exponent, (divide,) subtract, multiply
  const std::int64_t tiles_read = 4 + 4 + 8 + 4 + 4 + (v1 ? 4 : 0), tiles_written = 4 + 4 + 4 + 4 + (v1 ? 4 : 0);
  c.sram.read_bytes = pairs * tiles_read + 4 * row_visits * d * e + 3 * cols * d * e + 2 * row_visits * d * 4 +
                      2 * cols * d * 4 + 2 * row_visits * 4 + rows * d * 8;
  c.sram.write_bytes = pairs * tiles_written + 2 * row_visits * d * e + 2 * row_visits * d * 4 + 2 * cols * d * 4 +
                       row_visits * 8 + rows * d * 8;
  if (v1) {
    c.sram.read_bytes += row_visits * 4 + 2 * row_visits * d * e;
    c.sram.write_bytes += row_visits * d * e + row_visits * 4;
  } else {
    c.sram.read_bytes += 2 * rows * d * e + rows * 4;
    c.sram.write_bytes += 2 * rows * d * e + rows * 4;
  }
  return c;
}

// K and V loaded, dK and dV stored, once for all columns of a KV head.
Cost flash_kv_head(const Problem& p) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), all = p.shape.n_kv * d;
  Cost c;
  c.of(TensorId::K).read_bytes = c.of(TensorId::V).read_bytes = all * e;
  c.of(TensorId::dK).write_bytes = c.of(TensorId::dV).write_bytes = all * e;
  c.other = all;
  c.sram = {all * 8, 2 * all * e + all * 8};
  return c;
}

Cost standard_q_tile(const Problem& p, std::int64_t rows) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), cols = p.shape.n_kv, pairs = rows * cols,
                     met = rows * p.kv_tiles();
  const bool fits = cols * (e + 4) + 4 <= p.machine.sram_bytes;  // a row of P, one of dP, and D
  Cost c;
  c.of(TensorId::P).read_bytes = pairs * e * (fits ? 2 : 3);
  c.of(TensorId::dP) = {pairs * 4 * (fits ? 1 : 2), pairs * 4};
  c.of(TensorId::dS) = {2 * pairs * e, pairs * e};
  c.of(TensorId::dO).read_bytes = met * d * e + rows * d * e;
  c.of(TensorId::Q).read_bytes = met * d * e;
  c.of(TensorId::V).read_bytes = c.of(TensorId::K).read_bytes = cols * d * e;
  c.of(TensorId::dQ).write_bytes = rows * d * e;
  c.matmul = 4 * 2 * pairs * d;
  c.other = 4 * pairs + rows * d;
  c.sram.read_bytes = 3 * pairs * e + 2 * pairs * (e + 4) + 2 * pairs * 4 + 3 * met * d * e + 2 * cols * d * e +
                      2 * cols * d * 4 + met * d * 4 + rows * 4 + rows * d * 4;
  c.sram.write_bytes = pairs * e * 3 + pairs * 4 + pairs * (e + 4) * (fits ? 1 : 2) + pairs * 4 + 2 * met * d * e +
                       rows * d * e + 2 * cols * d * e + 2 * cols * d * 4 + met * d * 4 + rows * 4;
  return c;
}

Cost standard_kv_head(const Problem& p) {
  const std::int64_t all = p.shape.n_kv * p.shape.d;
  Cost c;
  c.of(TensorId::dK).write_bytes = c.of(TensorId::dV).write_bytes = all * p.numerics.element_bytes();
  c.other = all;
  c.sram.read_bytes = all * 8;
  return c;
}

Cost whole_run(const Problem& p, const Cost& query_head, const Cost& kv_head) {
  return query_head.scaled(p.shape.batch * p.shape.heads) + kv_head.scaled(p.shape.batch * p.shape.kv_heads);
}

Cost flash_whole_run(const Problem& p, bool v1) {
  const Band band = p.shape.band();
  Cost query_head;
  for (std::int64_t row = 0; row < p.shape.n_q; row += p.tiling.br) {
    const std::int64_t end_row = std::min(row + p.tiling.br, p.shape.n_q);
    std::int64_t visits = 0, cols = 0;
    const std::int64_t first = std::max<std::int64_t>(0, row + band.low),
                       last = std::min(p.shape.n_kv - 1, end_row - 1 + band.high);
    if (first <= last) {
      visits = last / p.tiling.bc - first / p.tiling.bc + 1;
      cols = std::min(p.shape.n_kv, (last / p.tiling.bc + 1) * p.tiling.bc) - first / p.tiling.bc * p.tiling.bc;
    }
    query_head += flash_q_tile(p, v1, end_row - row, visits, cols);
  }
  return whole_run(p, query_head, flash_kv_head(p));
}

// The formula for every query head and every KV head, and this many d of FLOPs a visible pair.
Textbook ledger(const Problem& p, std::int64_t query_head, std::int64_t kv_head, std::int64_t flops_of_d) {
  const std::int64_t heads = p.shape.batch * p.shape.heads, kv_heads = p.shape.batch * p.shape.kv_heads;
  return {.hbm_elements = heads * query_head + kv_heads * kv_head,
          .flops = heads * flops_of_d * p.shape.d * visible_pairs(p.shape.band(), p.shape.n_q, p.shape.n_kv)};
}

}  // namespace

Cost backward_whole_run(const Problem& p) { return flash_whole_run(p, false); }
Cost backward_v1_whole_run(const Problem& p) { return flash_whole_run(p, true); }

Cost backward_standard_whole_run(const Problem& p) {
  Cost query_head;
  for (std::int64_t row = 0; row < p.shape.n_q; row += p.tiling.br)
    query_head += standard_q_tile(p, std::min(row + p.tiling.br, p.shape.n_q) - row);
  return whole_run(p, query_head, standard_kv_head(p));
}

Textbook backward_textbook(const Problem& p) {
  const std::int64_t rows = p.shape.n_q * p.shape.d, before = 3 * rows + p.shape.n_q;
  return ledger(p, before + p.kv_tiles() * (4 * rows + 2 * p.shape.n_q), 4 * p.shape.n_kv * p.shape.d, 10);
}

Textbook backward_v1_textbook(const Problem& p) {
  const std::int64_t rows = p.shape.n_q * p.shape.d;
  return ledger(p, rows + p.kv_tiles() * (5 * rows + 2 * p.shape.n_q), 4 * p.shape.n_kv * p.shape.d, 10);
}

Textbook backward_standard_textbook(const Problem& p) {
  const std::int64_t rows = p.shape.n_q * p.shape.d, kv = p.shape.n_kv * p.shape.d;
  return ledger(p, 4 * rows + 2 * kv + 7 * p.shape.n_q * p.shape.n_kv, 2 * kv, 8);
}

}  // namespace tilewalk
