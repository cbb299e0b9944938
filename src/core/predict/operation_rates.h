// What operations on a matrix of scores reach, in TB/s of the bytes that they ask for, as each ran alone on an H200
// (NVIDIA's driver 580.159.04, PyTorch 2.11, its cuBLAS). None of these is a point of a race.
//
// Sources, of assets/measurements: operations_h200_2026-11-22.csv and operations_6k_rows_h200_2026-11-23.csv by row
// length; operations_odd_rows_h200_2026-11-23.csv, rows of 8 numbers more than a multiple of 16;
// operations_alignment_h200_2026-11-24.csv, rows of every length, which also has what PyTorch copies before it fills a
// mask (the files before it left copies out); and operations_large_h200_2026-11-24.csv, many scores, long rows, one
// head. A row of n numbers begins where the one before it ends, so at every 2 bytes where n is odd.
// Not modelled: cuBLAS's choice between its kernels, which makes products of aligned rows 0.6 to 1.1 times as fast as
// here; lengths below 384; other libraries. fp32 is taken to care for alignment as little as rows at 32 bytes do.
#pragma once

#include <cstdint>

#include "core/problem/problem.h"

namespace tilewalk {

// What all rows of a matrix begin at: a multiple of so many bytes.
enum class RowsAt { Bytes32, Bytes16, Bytes4, Bytes2 };
RowsAt rows_at(std::int64_t n, DType);

struct ProductRate {
  double tb_per_s = 0;
  double tflops = 0;       // 0: the card's own; else of kernels that load number by number
  std::int64_t whole = 1;  // d is multiplied as the next multiple of it
};
// Q K^T of so many heads. Where all scores number 2^32 to 1.5 times that, past a multiple of 2^32, cuBLAS takes a
// kernel less than half as fast for rows at 2 bytes of several heads, as if it saw 32 bits of their number.
ProductRate scores_rate(std::int64_t n, std::int64_t d, std::int64_t heads, RowsAt);
// P V, whose result has so many tiles of 128 rows: few of them leave multiprocessors idle, but where rows are odd and
// the head is one, whose keys are then shared out.
ProductRate weighted_rate(std::int64_t heads, RowsAt, double tiles);

inline constexpr double kCopyRate = 4.275;  // reads and writes as a copy does, a division among them

// masked_fill: a copy of the scores, then the copy filled. PyTorch cuts tensors above 2 GiB; a piece that is one head
// reads its mask straight on.
double fill_rate(std::int64_t n, std::int64_t heads, DType, RowsAt);

double eager_softmax_rate(std::int64_t n, bool masked, RowsAt);  // torch.softmax, another kernel by row length
// kernels/fast/naive.cu's, in registers up to 16,384 numbers a row at 16 bytes; else in three passes. Masked: as if it
// read all, though it reads the keys that count alone.
double naive_softmax_rate(std::int64_t n, bool masked, RowsAt);

inline constexpr double kRepeatRate = 1.15;  // repeat_interleave of K or V

// Where a kernel gives way to the next, for those who explain it.
inline constexpr std::int64_t kLongestInNaiveRegisters = 16384, kLongestOfSlowEager = 9216;

}  // namespace tilewalk
