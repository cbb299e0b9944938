// A race: attention kernels timed on the same inputs, in turn, in one process; recorded or run just now. Rows are plain
// values; all figures of a row are derived from its raw samples here and nowhere else. Times are milliseconds, by CUDA
// events on a GPU and by a steady clock on a CPU. FLOPs are 4 n^2 d heads batch, halved for causal, 2.5 times that
// backward: what the visible pairs need, not what a kernel did.
// Not modelled: clocks and temperature during the run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "core/problem/device_model.h"

namespace tilewalk {

// The largest spread of the middle half of a row's samples, as a share of the median. Beyond it, the machine was not
// quiet and the row gives no figure. The shipped race's widest row has 0.107.
constexpr double kQuietSpread = 0.15;
// Just before each turn, as many threads as in the race ask for processor time; the median share that they get must be
// at least this. Less means that other programs used the machine all the time, which slows all samples alike and shows
// in no spread.
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
  std::string rung;               // a contender's word, or another word of the file
  std::string contender;          // as the file names it, with its tile: "flash_v3 192x128"
  std::vector<double> ms;         // raw samples, in order
  std::vector<double> own_share;  // before each turn: processor time received over requested; empty on a GPU
  // After each turn, TFLOP/s: multiply-adds in registers on the kernel's own threads, straight after its work, at the
  // clock of that moment. Empty where it cannot be measured: on a GPU, and for the library of naive.
  std::vector<double> peaks_at_clock;
  std::optional<double> flops_done;         // by one run: with a mask more than flops(), by the masked parts of tiles
  std::optional<std::int64_t> extra_bytes;  // beyond inputs and outputs; none: not recorded
  RaceOutcome stopped = RaceOutcome::Measured;  // OutOfMemory or Refused: there are no samples
  std::string why;                              // the reason then, one sentence
  std::string replaced_build;                   // the day of a recording by a build that no longer runs the call
  bool operator==(const RaceRow&) const = default;

  double median_ms() const;  // these four need samples
  double smallest_ms() const;
  double largest_ms() const;
  double spread() const;     // between the quartiles, over the median
  double share_got() const;  // median of own_share; 1 where it was not measured
  RaceOutcome outcome() const;
  bool counts() const { return outcome() == RaceOutcome::Measured; }
  std::optional<double> peak_at_clock() const;   // median of peaks_at_clock
  std::optional<double> share_at_clock() const;  // the part of it that flops_done reaches; none without figures
  std::string note() const;                      // why the row has no figures, and what to do; empty if it has some
  double tflops() const;
};

// Lower bounds of a row's time at the ceilings of its machine, milliseconds; none where the rate was not recorded.
// Bytes: every tensor once (Q, K, V, O; backward also dO, dQ, dK, dV) at the copy rate. Scores: forward on a GPU, the
// matrices of scores that cross; none where L2 might contain them. Of naive S written and read and P written and read,
// masked pairs too, but its softmax reads visible keys alone; of eager six, with a mask ten (core/predict/operations).
// FLOPs: of the visible pairs, at the product rate. Exponentials: one a visible pair, 16 a cycle and multiprocessor (a
// GPU alone), at the clock of core/predict's roofs where the card was raced here, else at its top clock. A chip under
// load runs below its top clock, so this is still a lower bound.
struct RaceFloors {
  std::optional<double> bytes_ms, scores_ms, flops_ms, exponentials_ms;
  double ghz = 0;           // the clock for exponentials_ms
  double bytes = 0;         // the bytes of bytes_ms
  double scores_bytes = 0;  // of S, in one of its transfers
  double scores_trips = 0;  // how often so many bytes cross
  std::optional<double> highest_ms() const;
  const char* highest() const;  // "bytes", "S", "FLOPs", "exponentials"; "" if there is none
};

struct Race {
  std::map<std::string, std::string> provenance;  // keys and values of the file: "card, driver, top clock", "date", …
  std::vector<RaceRow> rows;
  bool recorded = false;
  bool stopped = false;  // by the user, before the end

  // The same pass and shape run by another contender; null if it did not take part.
  const RaceRow* beside(const RaceRow&, Contender) const;
  // The speed-up over another contender on the same cell; empty unless both have figures.
  std::optional<double> times_as_fast(const RaceRow&, Contender) const;
  // The speed-up over the row's baseline, naive on the same machine. Empty where its library was slow (kSlowBlasKey):
  // that would be no speed-up by tiles.
  std::optional<double> times_as_fast_as_naive(const RaceRow&) const;

  std::string word(const std::string& key) const;  // a value of provenance; empty if it is missing
  std::string machine() const;  // "NVIDIA H200, 580.159.04, 1980 MHz", or a processor and its threads
  std::string date() const;
  // Where rates were measured on such a card: its row of the device table, else null. The ceilings are then the larger
  // of this run's and the row's, as in the model of time: one run on a warm card is no upper bound.
  const DeviceModel* card() const;
  const char* name_of_ceilings() const;  // "of this run", or with a card "of the card"
  std::optional<double> product_tflops(const std::string& dtype, std::int64_t d = 1) const;  // d: the head size
  std::vector<double> product_rates() const;  // of its first row's type, rising: wide heads may have another
  std::string product_name(const std::string& dtype) const;  // "bf16 as fp32 multiply-adds"
  std::optional<double> copy_gb_per_s() const;
  std::optional<double> memory_read_gb_per_s() const;  // of a processor
  std::optional<double> share_of_peak(const RaceRow&) const;
  RaceFloors floors(const RaceRow&) const;
  std::optional<double> times_the_floor(const RaceRow&) const;  // its median over its highest floor
};

// Keys of provenance that figures are read from.
constexpr const char* kCardKey = "card, driver, top clock";  // "NVIDIA H200, 580.159.04, 1980 MHz"
constexpr const char* kCopyKey = "copy, GB/s";
constexpr const char* kProcessorKey =
    "processor, threads";                              // "Intel(R) Xeon(R) Processor, model 207, AVX3, 16 threads"
constexpr const char* kReadKey = "memory read, GB/s";  // of a processor, these two
constexpr const char* kCacheKey = "last-level cache, bytes";
constexpr const char* kMultiprocessorsKey = "multiprocessors";
constexpr const char* kBlasKey = "blas";              // of naive: "OpenBLAS 0.3.21, kernels for SkylakeX"
constexpr const char* kSlowBlasKey = "blas is slow";  // a sentence, where those kernels are older than the processor

bool is_naive(const std::string& rung);  // true for a contender that is its own baseline

// Why a contender cannot use its whole GPU, a sentence: FA-1 has one thread block a head, and a GPU may have more
// multiprocessors than there are heads. Empty: no such reason is known.
std::string why_slow(const Race&, const RaceRow&);

}  // namespace tilewalk
