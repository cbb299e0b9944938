// A race: attention kernels timed on the same inputs, turn about, in one process; recorded or run just now. Rows are
// plain values; what the row says is derived from its raw samples here and nowhere else. Times are milliseconds, by
// CUDA events on a GPU and by a steady clock on a CPU. FLOPs are 4 n^2 d heads batch, halved for causal, 2.5 times that
// backward: what the visible pairs need, not what a kernel did. Not modelled: clocks and temperature during the run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"

namespace tilewalk {

// The middle half of a row's samples may lie this far apart, as a share of the median; beyond, the machine was not
// quiet and the row gives no figure. The shipped race's widest row lies at 0.107.
constexpr double kQuietSpread = 0.15;
// Of the processor time that as many threads as race asked for just before each turn, this share must have been theirs
// (the median); less, and others had a steady part of the machine, which slows all samples alike and shows in no
// spread.
constexpr double kQuietShare = 0.9;

struct RaceCell {                // what was computed; contenders of one cell had the same inputs
  std::string pass = "forward";  // or "backward"
  std::string dtype = "bf16";
  std::int64_t n = 0, d = 0, heads = 0, batch = 0;
  bool causal = false;
  bool operator==(const RaceCell&) const = default;

  double flops() const;
};

enum class RaceOutcome { Measured, NotQuiet, OutOfMemory, Refused };
const char* name_of(RaceOutcome);  // "measured", "not quiet", "out of memory", "refused"

struct RaceRow : RaceCell {
  std::string rung;               // a contender's word, or another that a file has
  std::string contender;          // as the file names it, with its tile: "flash_v3 192x128"
  std::vector<double> ms;         // raw samples, in the order they were taken
  std::vector<double> own_share;  // before each turn: processor time got over asked for; empty on a GPU
  // After each turn, TFLOP/s: multiply-adds in registers on the kernel's own threads, straight after its work, at the
  // clock that this leaves. Empty where nobody can ask: on a GPU, of naive's library.
  std::vector<double> peaks_at_clock;
  std::optional<double> flops_done;             // by one run: with a mask more than flops(), by the tiles' hidden parts
  std::optional<std::int64_t> extra_bytes;      // beyond inputs and outputs; none: nobody wrote it down
  RaceOutcome stopped = RaceOutcome::Measured;  // OutOfMemory or Refused: there are no samples
  std::string why;                              // then, one sentence
  bool operator==(const RaceRow&) const = default;

  double median_ms() const;  // these four need samples
  double smallest_ms() const;
  double largest_ms() const;
  double spread() const;     // between the quartiles, over the median
  double share_got() const;  // median of own_share; 1 where nobody asked
  RaceOutcome outcome() const;
  bool counts() const { return outcome() == RaceOutcome::Measured; }
  std::optional<double> peak_at_clock() const;   // median of peaks_at_clock
  std::optional<double> share_at_clock() const;  // of it, by flops_done; none without figures
  std::string note() const;                      // why the row has no figures, and what to do; empty if it has
  double tflops() const;
};

// What a row's time cannot fall below at the rates of its machine, milliseconds; none where the rate was not written
// down. Bytes: every tensor once (Q, K, V, O; backward also dO, dQ, dK, dV) at the measured copy rate. Scores: of
// naive, forward on a GPU, S written and read and P written and read, hidden pairs too; where L2 might hold them, none.
// FLOPs: at the measured product rate of that run. Exponentials: one a visible pair, 16 a cycle and multiprocessor (a
// GPU alone), at the clock that core/predict's roofs have where the card was raced here, else at its top clock: a floor
// all the more, since a chip under load runs below it.
struct RaceFloors {
  std::optional<double> bytes_ms, scores_ms, flops_ms, exponentials_ms;
  double ghz = 0;           // of exponentials_ms
  double bytes = 0;         // that bytes_ms takes
  double scores_bytes = 0;  // of S, one of its four trips
  std::optional<double> highest_ms() const;
  const char* highest() const;  // "bytes", "S", "FLOPs", "exponentials"; "" if there is none
};

struct Race {
  std::map<std::string, std::string> provenance;  // words of the file: "card, driver, top clock", "date", …
  std::vector<RaceRow> rows;
  bool recorded = false;
  bool stopped = false;  // by a person, before the end

  // The same pass and shape run by another rung; null if it did not take part.
  const RaceRow* beside(const RaceRow&, Contender) const;
  // How many times as fast as another rung on the same cell; nothing unless both have figures.
  std::optional<double> times_as_fast(const RaceRow&, Contender) const;
  // The row's baseline, naive on the same machine. Nothing where that was held back by its library (kSlowBlasKey):
  // that would be no speed-up by tiles.
  std::optional<double> times_as_fast_as_naive(const RaceRow&) const;

  std::string word(const std::string& key) const;  // of provenance; empty if it has none
  std::string machine() const;  // "NVIDIA H200, 580.159.04, 1980 MHz", or a processor and its threads
  std::string date() const;
  std::optional<double> product_tflops(const std::string& dtype) const;  // ceilings of the same run
  std::string product_name(const std::string& dtype) const;              // "bf16 as fp32 multiply-adds"
  std::optional<double> copy_gb_per_s() const;
  std::optional<double> memory_read_gb_per_s() const;  // of a processor
  std::optional<double> share_of_peak(const RaceRow&) const;
  RaceFloors floors(const RaceRow&) const;
  std::optional<double> times_the_floor(const RaceRow&) const;  // its median over its highest floor
};

// Keys of provenance that figures are read from.
constexpr const char* kCopyKey = "copy, GB/s";
constexpr const char* kProcessorKey =
    "processor, threads";                              // "Intel(R) Xeon(R) Processor, model 207, AVX3, 16 threads"
constexpr const char* kReadKey = "memory read, GB/s";  // of a processor, these two
constexpr const char* kCacheKey = "last-level cache, bytes";
constexpr const char* kMultiprocessorsKey = "multiprocessors";
constexpr const char* kBlasKey = "blas";              // of naive: "OpenBLAS 0.3.21, kernels for SkylakeX"
constexpr const char* kSlowBlasKey = "blas is slow";  // a sentence, where those kernels are older than the processor

bool is_naive(const std::string& rung);  // true for a contender that is its own baseline

// Why a rung cannot use all of its chip, a sentence: FA-1 has one thread block a head, and a chip may have more
// multiprocessors than there are heads. Empty: no such reason is known.
std::string why_slow(const Race&, const RaceRow&);

}  // namespace tilewalk
