// The vector code of tiled attention, as a table of functions for each instruction set.
//
// A panel is `rows` queries side by side in vector lanes, so every matrix is transposed: scores [key][row], O
// [column][row], m and l [row]. Both products are then outer products, one broadcast element of K or V (in the caller's
// layout) times `rows` lanes, and the softmax has no sums across lanes.
//
// Scores are in log2 units: Q includes the factor scale x log2 e. m is a row's base, any number near the largest score:
// all weights are exp2(s - m). m changes only where a weight sum exceeds 2^20 (in a careful visit: a score exceeds
// 2^8), since fp32 has the same precision at any size. It starts as the largest score of the row's first few keys.
#pragma once

#include <cstdint>

namespace tilewalk::cpu {

// One panel's work on some keys of a tile. Arrays of floats are aligned to 64 bytes.
struct PanelVisit {
  const void* q = nullptr;  // [d][rows], scaled; the bf16 dot product's: [d / 2][rows][2], not scaled
  const void* k = nullptr;  // [keys][k_stride]
  const void* v = nullptr;  // [keys][v_stride]; the bf16 dot product's: [keys / 2][v_stride][2]
  std::int64_t k_stride = 0, v_stride = 0;
  std::int64_t keys = 0;  // for scores: a multiple of key_step; padded keys are masked
  std::int64_t d = 0;
  std::int64_t columns = 0;       // d rounded up to column_step
  const float* limits = nullptr;  // [rows]: row r sees keys below limits[r]; null: all
  float scale = 0;                // of scores, log2 units; only for the bf16 dot product
  void* p = nullptr;              // [keys][rows] weights
  float* m = nullptr;             // [rows]
  float* l = nullptr;             // [rows]; 0: has seen no key
  float* o = nullptr;             // [columns][rows]
};

struct PanelKernels {
  std::int64_t rows;         // lanes of a panel
  std::int64_t key_step;     // keys of one strip of scores in registers
  std::int64_t column_step;  // columns of O in registers
  // Weights and their sums with the current m. False, with only p written, where a sum exceeds its bound. Not for a
  // row's first visit.
  bool (*weights)(const PanelVisit&);
  // The same, but first raises m where necessary and rescales O and l; p of an earlier call must already be added to O.
  void (*weights_careful)(const PanelVisit&);
  void (*accumulate)(const PanelVisit&);  // O += P V
};

// fp32 arithmetic, by the best instruction set of this machine: panels of three vectors, and of one for few queries.
const PanelKernels& fp32_kernels(bool narrow);
const char* fp32_target_name();

// to[x][r] = from[r][x] factors[x].
void transpose(const float* from, std::int64_t from_stride, std::int64_t rows, std::int64_t columns,
               const float* factors, float* to, std::int64_t to_stride);
// to[i] = bf16 widened.
void widen(const std::uint16_t* from, std::int64_t count, float* to);
// Base 2 exponential as the kernels compute it; to test its error.
void fast_exp2(const float* x, std::int64_t count, float* y);

}  // namespace tilewalk::cpu
