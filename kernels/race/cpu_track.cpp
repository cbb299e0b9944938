// The CPU's race: naive attention by OpenBLAS products beside the tiled kernel, on the same random inputs. Inputs are
// not rotated: both kernels read them far faster than they compute. Ceilings, with as many threads as the race has:
// multiply-adds in registers, reading memory (measure_machine), and memcpy between two arrays of 256 MiB. Before each
// turn, as many threads run a counting loop for a moment, and their clocks show whether other programs run: a kernel's
// own threads may wait for each other, these never do. OpenBLAS's threads spin for a while after their last product, so
// the turn after naive waits until they sleep. The ceiling is measured after a rest; peak_at_clock measures once a turn
// what is left of it at the clock of cpu_tiled's own work.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "base/large_array.h"
#include "base/random.h"
#include "base/small_float.h"
#include "base/units.h"
#include "kernels/cpu/cpu_attention.h"
#include "kernels/cpu/openblas.h"
#include "kernels/cpu/workers.h"
#include "kernels/host/today.h"
#include "kernels/race/measure_machine.h"
#include "kernels/race/processor_share.h"
#include "kernels/race/track.h"

namespace tilewalk {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kCopyBytes = 256ll << 20;
constexpr int kCopies = 7;
constexpr double kShareToTake = 0.9;  // of the free memory; other programs keep the rest
constexpr double kShortMs = 20;       // shorter runs get an untimed run before each turn
constexpr std::size_t kSamples = 4096;
constexpr int kAligned = 64;
constexpr double kProbeMs = 10;  // several of the scheduler's slices
// kAsleep: of one processor; below it no thread spins any more
constexpr double kPollMs = 3, kMostSpinMs = 250, kAsleep = 0.2;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string text_of_number(double value) { return value < 0.1 ? format_fixed(value, 5) : format_fixed(value, 4); }

using Buffer = LargeArrayOf<std::byte>;

Buffer take(std::int64_t bytes) { return large_array_or_null<std::byte>(std::size_t(bytes)); }

double copy_gb_per_s(int threads) {
  const std::int64_t each = kCopyBytes / threads / kAligned * kAligned;
  if (double(2 * kCopyBytes) > kShareToTake * double(free_memory_bytes())) return 0;
  const Buffer from = take(kCopyBytes), to = take(kCopyBytes);
  if (!from || !to) return 0;
  std::memset(from.get(), 1, std::size_t(kCopyBytes));
  std::memset(to.get(), 2, std::size_t(kCopyBytes));
  std::vector<double> ms;
  for (int copy = 0; copy < kCopies; ++copy) {
    const auto start = Clock::now();
    std::atomic<int> next{0};
    cpu::on_threads(threads, [&](int) {
      for (int t = next++; t < threads; t = next++)
        std::memcpy(to.get() + t * each, from.get() + t * each, std::size_t(each));
    });
    ms.push_back(ms_since(start));
  }
  std::sort(ms.begin(), ms.end());
  return 2.0 * double(each) * threads / (ms[ms.size() / 2] * 1e6);
}

// A sentence if OpenBLAS chose kernels older than this processor, with what to do; empty if not.
std::string slow_blas(const std::string& core) {
  const std::string better = cpu::better_core(core);
  if (better.empty()) return "";
  return "OpenBLAS took this processor for a " + core +
         " and runs kernels without AVX2, so cpu_naive is several times " +
         "slower than it should be and is no measure of tiling. Race again with OPENBLAS_CORETYPE=" + better +
         " in the environment";
}

class CpuTrack final : public RaceTrack {
 public:
  CpuTrack(int threads, const std::string& dtype) : threads_(threads), bf16_(dtype == "bf16") {}

  std::map<std::string, std::string> provenance() override {
    std::map<std::string, std::string> words;
    words[kProcessorKey] = Processor{.name = cpu_name(), .threads = threads_}.title();
    words["date"] = today_utc();
    // Where the bf16 dot product is missing or slow, bf16 is multiplied as fp32, so fp32's peak is the ceiling.
    const bool dot = bf16_ && cpu_uses_bf16_dot();
    const std::string blas = cpu_blas_name();
    words[kBlasKey] = blas;
    if (const std::string slow = slow_blas(blas.substr(blas.rfind(' ') + 1)); !slow.empty()) words[kSlowBlasKey] = slow;
    settle();
    const auto [reached, why_not] = measure_processor(threads_, 1);
    if (!reached) {
      words["left out"] = "the ceilings. " + why_not;
      return words;
    }
    const std::string what = bf16_ ? (dot ? "bf16 dot products" : "bf16 as fp32 multiply-adds") : "fp32 multiply-adds";
    words[what + ", TFLOP/s"] = text_of_number(reached->flop_per_s(bf16_ ? DType::Bf16 : DType::Fp32) / 1e12);
    words[kReadKey] = format_fixed(reached->read_gb_per_s, 1);
    words[kCacheKey] = std::to_string(reached->cache_bytes);
    if (const double copy = copy_gb_per_s(threads_); copy > 0) words[kCopyKey] = format_fixed(copy, 1);
    return words;
  }

  std::vector<TrackEntry> contenders(const RaceCell&) const override {
    const std::string naive = word_of(Contender::CpuNaive), tiled = word_of(Contender::CpuTiled);
    return {{naive, naive + " OpenBLAS and softmax"}, {tiled, tiled}};
  }

  Readiness open(const RaceCell& cell) override {
    const std::int64_t elements = cell.batch * cell.heads * cell.n * cell.d, bytes = elements * (bf16_ ? 2 : 4);
    q_.reset(), k_.reset(), v_.reset(), o_.reset();
    if (const Readiness room = room_for(4 * bytes, "Q, K, V and O"); room.outcome != RaceOutcome::Measured) return room;
    Buffer* const all[] = {&q_, &k_, &v_, &o_};
    for (Buffer* buffer : all) {
      *buffer = take(bytes);
      if (!*buffer) return no_room(4 * bytes, "Q, K, V and O");
    }
    elements_ = elements;
    for (std::uint64_t tensor = 0; tensor < 3; ++tensor) fill(all[tensor]->get(), tensor);
    std::memset(o_.get(), 0xff, std::size_t(bytes));
    told_ = {};
    told_.q = q_.get(), told_.k = k_.get(), told_.v = v_.get(), told_.o = o_.get();
    told_.batch = cell.batch, told_.heads = told_.kv_heads = cell.heads;
    told_.n_q = told_.n_kv = cell.n, told_.d = cell.d;
    told_.dtype = bf16_ ? CpuDType::Bf16 : CpuDType::Fp32;
    told_.mask = cell.causal ? CpuMask::CausalTopLeft : CpuMask::None;
    told_.scale = float(1 / std::sqrt(double(cell.d)));
    told_.threads = threads_;
    return {};
  }

  Readiness prepare(std::size_t contender) override {
    const std::int64_t extra = contender == 0 ? cpu_naive_extra_bytes(told_) : cpu_tiled_extra_bytes(told_);
    Readiness ready = room_for(extra, contender == 0 ? "its scores" : "its tiles");
    ready.extra_bytes = extra;
    if (contender != 0) ready.flops_done = cpu_tiled_flops(told_);
    return ready;
  }

  Result<std::vector<double>> time(std::size_t contender, int runs) override {
    std::vector<double> ms;
    if (contender != 0) settle();
    const bool untimed = last_ms_ < kShortMs;
    for (int run = untimed ? -1 : 0; run < runs; ++run) {
      const auto start = Clock::now();
      const std::string wrong = contender == 0 ? cpu_naive(told_) : cpu_tiled(told_);
      last_ms_ = ms_since(start);
      if (contender == 0) spun_ = true;
      if (!wrong.empty())
        return Issue{word_of(contender == 0 ? Contender::CpuNaive : Contender::CpuTiled), "", wrong, ""};
      if (run >= 0) ms.push_back(last_ms_);
    }
    return ms;
  }

  std::optional<double> own_share() override {
    settle();
    return share_for(threads_, kProbeMs);
  }

  std::optional<double> peak_at_clock(std::size_t contender) override {
    if (contender == 0) return std::nullopt;  // OpenBLAS runs threads of its own
    const double gflops = cpu_fma_peak_after_tiled_gflops(told_);
    return gflops > 0 ? std::optional(gflops / 1e3) : std::nullopt;
  }

  std::vector<float> sample() override {
    std::vector<float> out(std::size_t(std::min<std::int64_t>(std::int64_t(kSamples), elements_)));
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t at = i * std::size_t(elements_) / out.size();
      out[i] = bf16_ ? float_from_bf16(reinterpret_cast<const std::uint16_t*>(o_.get())[at])
                     : reinterpret_cast<const float*>(o_.get())[at];
    }
    std::memset(o_.get(), 0xff, std::size_t(elements_) * (bf16_ ? 2 : 4));  // NaN, until the next run
    return out;
  }

 private:
  // Waits while this process uses processor time without a task: threads of OpenBLAS that spin.
  void settle() {
    if (!spun_) return;
    spun_ = false;
    const auto start = Clock::now();
    for (double used = 1; used > kAsleep && ms_since(start) < kMostSpinMs;) {
      const auto from = Clock::now();
      const double before = process_clock_ms();
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(kPollMs));
      used = (process_clock_ms() - before) / ms_since(from);
    }
  }

  static Readiness no_room(std::int64_t bytes, const char* what) {
    return {RaceOutcome::OutOfMemory,
            std::string("out of memory: ") + what + " want " + format_bytes(bytes) + " of the " +
                format_bytes(free_memory_bytes()) + " that are free",
            bytes};
  }
  static Readiness room_for(std::int64_t bytes, const char* what) {
    if (double(bytes) <= kShareToTake * double(free_memory_bytes())) return {};
    return no_room(bytes, what);
  }

  void fill(std::byte* to, std::uint64_t tensor) const {
    std::uint64_t bits = random_bits(7, tensor, 0);
    for (std::int64_t i = 0; i < elements_; ++i) {
      // The sum of four uniform 16-bit parts, scaled to variance 1: near enough to normal, and fast.
      bits = bits * 6364136223846793005ull + 1442695040888963407ull;
      std::uint64_t mixed = bits ^ (bits >> 32);
      mixed *= 0xd6e8feb86659fd93ull;
      mixed ^= mixed >> 32;
      const double sum = double(mixed & 0xffff) + double((mixed >> 16) & 0xffff) + double((mixed >> 32) & 0xffff) +
                         double(mixed >> 48);
      const float value = float((sum / 65535.0 - 2.0) * 1.7320508075688772);
      if (bf16_)
        reinterpret_cast<std::uint16_t*>(to)[i] = bf16_from_float(value);
      else
        reinterpret_cast<float*>(to)[i] = value;
    }
  }

  int threads_;
  bool bf16_;
  std::int64_t elements_ = 0;
  double last_ms_ = 0;
  bool spun_ = true;  // OpenBLAS was loaded, or naive ran, since the last settle()
  Buffer q_, k_, v_, o_;
  CpuAttention told_{};
};

}  // namespace

std::string why_no_cpu_race() { return cpu::why_no_openblas(); }

std::unique_ptr<RaceTrack> make_cpu_track(int threads, const std::string& dtype) {
  return std::make_unique<CpuTrack>(threads, dtype);
}

}  // namespace tilewalk
