// Rates of operations on a matrix of scores, in TB/s of the bytes that they ask for, each measured alone on an H200
// (NVIDIA's driver 580.159.04, PyTorch 2.11, its cuBLAS). None of these is a point of a race.
//
// Sources, in assets/measurements: operations_h200_2026-11-22.csv and operations_6k_rows_h200_2026-11-23.csv by row
// length; operations_odd_rows_h200_2026-11-23.csv, rows of 8 numbers more than a multiple of 16;
// operations_alignment_h200_2026-11-24.csv, rows of every length, which also has what PyTorch copies before it fills a
// mask (the earlier files left the copies out); and operations_large_h200_2026-11-24.csv, many scores, long rows, one
// head. Rows below 384 numbers, rates in L2 and tiles of odd lengths: launches_h100_2026-11-27.csv and its H200. A row
// of n numbers begins where the previous row ends, so only at a multiple of 2 bytes where n is odd. Not modelled:
// cuBLAS's choice between its kernels, which makes products of aligned rows 0.6 to 1.1 times as fast as here; products
// above d = 128 (on an H200 at d = 256 a fifth slower than the longer of bytes and products); other libraries. fp32
// rows are assumed to depend on alignment as little as rows at 32 bytes do.
#pragma once

#include <cstdint>

#include "core/problem/problem.h"

namespace tilewalk {

// Every row of a matrix begins at a multiple of this many bytes.
enum class RowsAt { Bytes32, Bytes16, Bytes4, Bytes2 };
RowsAt rows_at(std::int64_t n, DType);

struct ProductRate {
  double tb_per_s = 0;
  double tflops = 0;       // 0: the card's own rate; else the rate of kernels that load single numbers
  std::int64_t whole = 1;  // d is multiplied as the next multiple of this
};
// Q K^T, and P V whose result has this many tiles of 128 rows; few tiles leave multiprocessors idle.
ProductRate scores_rate(std::int64_t n, std::int64_t d, RowsAt);
ProductRate weighted_rate(std::int64_t n, RowsAt, double tiles);

// Products of rows at 4 or 2 bytes, from kShortestInTiles numbers on. cuBLAS's kernels then load single numbers, which
// takes longer than their bytes and products. They compute tiles, two thread blocks an SM, and every wave takes as long
// as a full one. Seconds on the card of the measured rates with this many SMs.
inline constexpr std::int64_t kShortestInTiles = 256;
bool loads_single_numbers(std::int64_t n, RowsAt);
struct OddProduct {
  std::int64_t n, d;
  std::int64_t heads;      // products in one call
  std::int64_t group = 1;  // query heads whose rows are stacked in one product: tiles cross from one to the next
};
// Q K^T in tiles of 128 x 128. For rows at 2 bytes of several heads cuBLAS uses a kernel less than half as fast where
// the number of all scores is k 2^32 + r, and r is less than a share of k 2^32: 0.45 at d = 64, 0.34 at d = 128, at
// other sizes in between or beyond (assumed linear in 1 / share). So from three times 2^32 on it is always used. As if
// its choice compared two estimates, and one of them saw only r (operations_wraps_h200_2026-11-28.csv; the share is
// 0.48 at 9,729 rows, 0.42 to 0.46 at 20,481). For rows at 4 bytes it uses faster kernels where tiles are many; from
// how many on is not known.
double single_scores_s(const OddProduct&, RowsAt, int sms);
// P V in tiles of 128 rows and 64 or 128 columns; above d = 128 of 256, which is assumed (not measured alone). A tile
// takes as long as its loads of P, less where few tiles load. The keys of a single head are divided among the SMs.
double single_weighted_s(const OddProduct&, RowsAt, int sms);

// Where all data of an operation fits in L2, on an H100 and on an H200.
inline constexpr double kCopyInL2 = 5.2, kScoresInL2 = 4.2, kWeightedInL2 = 6.5, kFillInL2 = 3.3;

inline constexpr double kCopyRate = 4.275;  // reads and writes at a copy's rate, among them a division

// masked_fill: a copy of the scores, then a fill of the copy. PyTorch cuts tensors above 2 GiB; a piece of a single
// head reads its mask without a stride.
double fill_rate(std::int64_t n, std::int64_t heads, DType, RowsAt);

double eager_softmax_rate(std::int64_t n, bool masked,
                          RowsAt);  // torch.softmax, which uses different kernels by row length
// The softmax of kernels/fast/naive.cu: in registers up to 16,384 numbers a row at 16 bytes; else in three passes.
// Masked: the rate as if all keys were read, though the kernel reads only the visible ones. Not of rows that
// has_loops() describes.
double naive_softmax_rate(std::int64_t n, bool masked, RowsAt);

// A row of the kernel with three passes, without a mask. 256 threads read 256 numbers at a time, and the compiler
// unrolls the loop by four: 1,024 numbers take hardly longer than one further read, so the rate rises and falls with n.
// The second and third pass find the row in L2 while the rows of all thread blocks fit there together.
struct PassesRow {
  double in_l2_s = 0;  // with every row in L2
  double again_s = 0;  // more where rows are read from DRAM again
};
bool has_loops(std::int64_t n, bool masked, RowsAt);
PassesRow passes_row(std::int64_t n, double l2_bytes);

inline constexpr double kRepeatRate = 1.15;  // repeat_interleave of K or V

// Row lengths at which one kernel replaces another, for explanations.
inline constexpr std::int64_t kLongestInNaiveRegisters = 16384, kLongestOfSlowEager = 9216;

}  // namespace tilewalk
