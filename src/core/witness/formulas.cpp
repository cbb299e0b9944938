#include "core/witness/formulas.h"

#include <algorithm>
#include <functional>

#include "core/walk/schedule.h"

namespace tilewalk {
namespace {

std::int64_t query_heads(const Problem& p) { return p.shape.batch * p.shape.heads; }

// The formula for one head, and 4 d FLOPs a visible pair.
Textbook forward_textbook(const Problem& p, std::int64_t elements_a_head) {
  return {.hbm_elements = query_heads(p) * elements_a_head,
          .flops = query_heads(p) * 4 * p.shape.d * visible_pairs(p.shape.band(), p.shape.n_q, p.shape.n_kv)};
}

// The KV tiles that one Q tile visits, from the mask's geometry alone.
struct Visited {
  std::int64_t rows = 0, first_tile = 0, visits = 0, cols = 0;
};

// Sums over the Q tiles of every head.
Cost sum_of_q_tiles(const Problem& p, const std::function<Cost(const Visited&)>& cost) {
  const Band band = p.shape.band();
  Cost total;
  for (std::int64_t row = 0; row < p.shape.n_q; row += p.tiling.br) {
    const std::int64_t end_row = std::min(row + p.tiling.br, p.shape.n_q);
    const std::int64_t first = std::max<std::int64_t>(0, row + band.low),
                       last = std::min(p.shape.n_kv - 1, end_row - 1 + band.high);
    Visited at{.rows = end_row - row};
    if (first <= last) {
      at.first_tile = first / p.tiling.bc;
      at.visits = last / p.tiling.bc - at.first_tile + 1;
      at.cols = std::min(p.shape.n_kv, (last / p.tiling.bc + 1) * p.tiling.bc) - at.first_tile * p.tiling.bc;
    }
    total += cost(at);
  }
  return total;
}

// The cost of one Q tile of `rows` rows in flash_v2 when it visits `visits` KV tiles of `cols` columns in all.
Cost flash_v2_q_tile(const Problem& p, std::int64_t rows, std::int64_t visits, std::int64_t cols) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), pairs = rows * cols;
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

// The cost of the visits of one Q tile in flash_v1; K and V are loaded once for all of them, and counted elsewhere.
Cost flash_v1_q_tile(const Problem& p, std::int64_t rows, std::int64_t visits, std::int64_t cols) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), pairs = rows * cols, row_visits = rows * visits;
  const bool rounds_last = p.numerics.dtype != DType::Fp32;
  Cost c;
  c.of(TensorId::Q).read_bytes = row_visits * d * e;
  c.of(TensorId::O) = {row_visits * d * 4, row_visits * d * 4 + rows * d * 4};
  c.of(TensorId::m) = c.of(TensorId::l) = {row_visits * 4, row_visits * 4 + rows * 4};
  if (rounds_last) c.of(TensorId::O) += {rows * d * 4, rows * d * e};
  c.matmul = 4 * pairs * d;
  c.exp = pairs + 2 * row_visits;
  c.other = 4 * pairs + row_visits * (7 + 4 * d);
  c.sram.read_bytes = row_visits * d * e + cols * d * e * 2 + pairs * 16 +
                      row_visits * (4 + 16 + 4 * d + 16 + 4 * d + 8) + (rounds_last ? rows * d * 4 : 0);
  c.sram.write_bytes = row_visits * (d * e + 4 * d + 8) + pairs * 8 + row_visits * (4 + 4 + 16 + 4 * d) +
                       (rounds_last ? rows * d * 4 : 0);
  return c;
}

Cost standard_q_tile(const Problem& p, std::int64_t rows, std::int64_t visits) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), cols = p.shape.n_kv, pairs = rows * cols;
  const bool fits = cols * 4 + 8 <= p.machine.sram_bytes;  // a row of S, m and l
  const std::int64_t s_bytes = p.numerics.score_bytes(), p_bytes = fits ? e : 4;
  Cost c;
  c.of(TensorId::Q).read_bytes = rows * d * e;
  c.of(TensorId::K).read_bytes = c.of(TensorId::V).read_bytes = cols * d * e;
  c.of(TensorId::S) = {pairs * s_bytes * (fits ? 1 : 2), pairs * s_bytes};
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
  c.sram.write_bytes = rows * d * e + cols * d * e + pairs * 4 + pairs * 4 + rows * 4 + pairs * 4 + rows * 4 +
                       pairs * 4 + pairs * p_bytes + cols * d * e + rows * visits * d * 4;
  if (!fits) {
    c.sram.read_bytes += rows * 4 + rows * (visits - 1) * 4;  // l stored; l read again at each visit's divide
    c.sram.write_bytes += pairs * 4 + rows * 4;               // second load of S; load of l
  }
  return c;
}

// K and V once for each KV tile that at least one row sees.
Cost flash_v1_kv_loads(const Problem& p, const Band& band) {
  Cost c;
  for (std::int64_t col = 0; col < p.shape.n_kv; col += p.tiling.bc) {
    const std::int64_t end_col = std::min(col + p.tiling.bc, p.shape.n_kv);
    if (p.shape.n_q - 1 + band.high < col || band.low > end_col - 1) continue;
    const std::int64_t bytes = (end_col - col) * p.shape.d * p.numerics.element_bytes();
    c.of(TensorId::K).read_bytes += bytes;
    c.of(TensorId::V).read_bytes += bytes;
    c.sram.write_bytes += 2 * bytes;
  }
  return c;
}

// split_kv's Q tile: flash_v2's cost per split, the partial outputs written and read, and the merge.
Cost split_kv_q_tile(const Problem& p, std::int64_t rows, std::int64_t first_tile, std::int64_t end_tile) {
  const std::int64_t d = p.shape.d, e = p.numerics.element_bytes(), n = p.tiling.splits;
  Cost c;
  for (std::int64_t s = 0; s < n; ++s) {
    const std::int64_t begin = std::max(first_tile, s * p.split_tiles()),
                       end = std::min(end_tile, (s + 1) * p.split_tiles());
    const std::int64_t visits = std::max<std::int64_t>(0, end - begin);
    c += flash_v2_q_tile(p, rows, visits,
                         visits == 0 ? 0 : std::min(p.shape.n_kv, end * p.tiling.bc) - begin * p.tiling.bc);
  }
  c.of(TensorId::O) = {0, rows * d * e};
  c.of(TensorId::L) = {0, rows * 4};
  c.of(TensorId::OPartial) = {n * rows * d * 4, n * rows * d * 4};
  c.of(TensorId::LPartial) = {n * rows * 4, n * rows * 4};
  c.exp += rows * n;
  c.other += rows * n * (3 + 2 * d) + rows * (d + 2);
  c.sram.read_bytes += rows * n * 12 + rows * 4 + rows * (4 * d + 8) + rows * (4 * d + 4);
  c.sram.write_bytes += rows * n * 8 + rows * 8 + rows * d * 4 + rows * (4 * d + 4);
  return c;
}

}  // namespace

Textbook standard_textbook(const Problem& p) {
  const Shape& s = p.shape;
  return forward_textbook(p, 2 * s.n_q * s.d + 2 * s.n_kv * s.d + 4 * s.n_q * s.n_kv);
}

Textbook flash_v1_textbook(const Problem& p) {
  const Shape& s = p.shape;
  const std::int64_t visit = 3 * s.n_q * s.d + 4 * s.n_q;
  return forward_textbook(p, 2 * s.n_kv * s.d + p.kv_tiles() * visit + s.n_q * s.d + 2 * s.n_q);
}

Textbook flash_v2_textbook(const Problem& p) {
  const Shape& s = p.shape;
  return forward_textbook(p, 2 * s.n_q * s.d + s.n_q + p.q_tiles() * 2 * s.n_kv * s.d);
}

Textbook split_kv_textbook(const Problem& p) {
  const Shape& s = p.shape;
  const std::int64_t splits = p.tiling.splits, partials = 2 * splits * s.n_q * (s.d + 1);
  return forward_textbook(p, s.n_q * s.d * (splits + 1) + s.n_q + p.q_tiles() * 2 * s.n_kv * s.d + partials);
}

Cost standard_whole_run(const Problem& p) {
  return sum_of_q_tiles(p, [&](const Visited& at) { return standard_q_tile(p, at.rows, p.kv_tiles()); })
      .scaled(query_heads(p));
}

Cost flash_v1_whole_run(const Problem& p) {
  Cost head = sum_of_q_tiles(p, [&](const Visited& at) { return flash_v1_q_tile(p, at.rows, at.visits, at.cols); });
  head += flash_v1_kv_loads(p, p.shape.band());
  return head.scaled(query_heads(p));
}

Cost flash_v2_whole_run(const Problem& p) {
  return sum_of_q_tiles(p, [&](const Visited& at) { return flash_v2_q_tile(p, at.rows, at.visits, at.cols); })
      .scaled(query_heads(p));
}

Cost split_kv_whole_run(const Problem& p) {
  const auto q_tile = [&](const Visited& at) {
    return split_kv_q_tile(p, at.rows, at.first_tile, at.first_tile + at.visits);
  };
  return sum_of_q_tiles(p, q_tile).scaled(query_heads(p));
}

}  // namespace tilewalk
