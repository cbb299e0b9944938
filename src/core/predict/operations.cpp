#include "core/predict/operations.h"

#include <algorithm>
#include <cmath>

#include "core/predict/operation_rates.h"

namespace tilewalk {
namespace {

// The card of the measured rates: its copy in TB/s, its SMs, and their cycles a second in all.
constexpr double kMeasuredSms = 132, kMeasuredHz = 1.83e9;
// Beside what its launch costs (core/predict/launch_costs): operations with almost no work, alone, in
// launches_h100_2026-11-27.csv.
constexpr double kBeginProduct = 1.4e-6, kBeginPass = 0.5e-6, kBeginSoftmax = 1.0e-6, kBeginNaiveSoftmax = 1.2e-6;
constexpr double kBeginFill = 1.5e-6;
constexpr double kLeastOddScores = 3.3e-6, kLeastOddWeighted = 5.3e-6;  // of products that load single numbers
constexpr double kWritesOfMemory = 0.5;  // QK^T at 1,024 numbers a row, an H100 beside an H200
// How the SMs' rate and the memory's join: softmax alone on both cards, launches_*.csv, rows of 256 to 1,024.
constexpr double kNearMemory = 4;
constexpr double kFillByMemory = 0.5;
constexpr double kSoftmaxNumber = 3.2e-9;  // one warp computes a row, up to this length
constexpr std::int64_t kInWarp = 1024;
// kHoldingL2: the share of L2 that can keep a matrix between two operations. The number of matrices that pass until a
// written place is written again: forward_traffic_h200_2026-11-23.csv.
constexpr double kHoldingL2 = 0.66;
constexpr double kNoneInL2 = 1;
constexpr double kRewrittenEager = 2.3, kRewrittenNaive = 1.5;
constexpr double kTileRows = 128, kTileColumns = 128;

// The share of lines still cached after this many other bytes, in a cache that evicts every line with the same
// probability.
double share_kept(double bytes_between, double holding) {
  const double turns = bytes_between / holding;
  if (turns <= 1) return 1;
  double low = 0, high = 1 / turns;  // of kept = exp((kept − 1) turns); 1 solves it too
  for (int i = 0; i < 40; ++i) {
    const double kept = (low + high) / 2;
    (kept < std::exp((kept - 1) * turns) ? low : high) = kept;
  }
  return low;
}

// Of all scores, under the causal mask.
double seen_share(const AttentionCall& call) { return 0.5 * (1 + 1 / double(call.keys())); }

// Of an operation's bytes, where all its data is this share of the L2.
double share_in_l2(double of_l2) { return std::clamp((kNoneInL2 - of_l2) / (kNoneInL2 - kHoldingL2), 0.0, 1.0); }

// Reads and writes of a pass over the matrix of scores, in matrices; mask: one byte a score, read by every head.
struct Pass {
  double reads = 1, writes = 1, mask = 0;
  double read_after = 2;  // matrices that passed since its input was written
  // How far DRAM sets the pace of a rate below a copy's, 0 to 1: of products, and of rows too long for registers.
  double from_memory = 0;
  double begin_s = kBeginPass;
  double least_s = 0;  // of its work: a row's own latency
};

class Line {
 public:
  // heads_of_k: heads of K, or of V, that a product reads.
  Line(const AttentionCall& call, const DeviceModel& device, double rewritten_after, std::int64_t heads_of_k)
      : call_(call),
        device_(device),
        at_(rows_at(call.keys(), call.dtype)),
        element_(call.element_bytes()),
        matrix_(call.scores() * element_),
        of_keys_(double(call.keys()) * double(call.d) * element_),
        io_(double(call.n) * double(call.d) * element_ * double(call.all_heads()) + of_keys_ * double(heads_of_k)),
        odd_{call.n, call.d, heads_of_k, call.all_heads() / heads_of_k},
        written_out_(1 - kept_after(rewritten_after)) {}

  RowsAt at() const { return at_; }
  bool is_aligned() const { return at_ == RowsAt::Bytes32 || at_ == RowsAt::Bytes16; }  // else a slower kernel's pace
  double matrix_bytes() const { return matrix_; }

  Operation scores(const char* line) const {
    Pass p{.reads = 0, .from_memory = kWritesOfMemory, .begin_s = kBeginProduct};
    if (!is_aligned()) {
      p.from_memory = 0, p.least_s = kLeastOddScores;
      if (loads_single_numbers(call_.keys(), at_))
        p.least_s = std::max(p.least_s, at_clock(single_scores_s(odd_, at_, device_.sms)));
    }
    return product(line, p, scores_rate(call_.keys(), call_.d, at_), kScoresInL2);
  }
  Operation weighted(const char* line, double read_after) const {
    const double tiles = double(call_.all_heads()) * std::ceil(double(call_.n) / kTileRows) *
                         std::ceil(double(call_.d) / kTileColumns) * kMeasuredSms / device_.sms;
    Pass p{.writes = 0, .read_after = read_after, .from_memory = 1, .begin_s = kBeginProduct};
    if (!is_aligned()) {
      p.from_memory = 0, p.least_s = kLeastOddWeighted;
      if (loads_single_numbers(call_.keys(), at_))
        p.least_s = std::max(p.least_s, beside_loads(single_weighted_s(odd_, at_, device_.sms), matrix_));
    }
    return product(line, p, weighted_rate(call_.keys(), at_, tiles), kWeightedInL2);
  }
  // Never faster than a copy, on any card.
  Operation pass(const char* line, double rate, const Pass& p = {}) const {
    // The copy before a fill is at the memory's rate, and half of the fill's bytes: both cards, launches_*.csv.
    const double copied = p.mask > 0 ? (2 + kFillByMemory * 2.5) / (p.reads + p.writes + 0.5) : 0;
    const double slower = copied * (1e12 / device_.reached_bytes_per_s() - 1 / kCopyRate);
    return made(line, p, p.mask * call_.scores(), {1 / (1 / std::min(rate, kCopyRate) + slower)},
                rate >= kCopyRate ? kCopyInL2
                : p.mask > 0      ? kFillInL2
                                  : 0);
  }
  // naive's masked softmax reads the keys that count alone. Its rate was measured as if it read all.
  Operation half_read(const char* line, double rate, Pass p) const {
    p.reads = seen_share(call_);
    return made(line, p, 0, {rate * (p.reads + p.writes) / 2});
  }
  // naive's softmax in three passes, without a mask.
  Operation passes(const char* line, Pass p) const {
    p.from_memory = 0;
    const PassesRow row = passes_row(call_.keys(), double(device_.l2_bytes));
    const double rows = double(call_.all_heads()) * double(call_.n);
    Operation op = made(line, p, 0, {1e-12 * 2 * matrix_ / (rows * row.in_l2_s)});
    op.seconds += rows * row.again_s * kCopyRate * 1e12 / device_.reached_bytes_per_s();
    op.bytes_per_s = op.bytes / (op.seconds - p.begin_s);
    return op;
  }
  // Each head of K or V out once for every query head of its group.
  Operation repeated(const char* line) const {
    return made(line, {.reads = 0, .writes = 0}, of_keys_ * double(call_.all_kv_heads() + call_.all_heads()),
                {kRepeatRate});
  }

 private:
  // The SMs of this card and of the measured one do as much in a cycle.
  double cycles() const { return device_.sms / kMeasuredSms * device_.clock_ghz * 1e9 / kMeasuredHz; }
  double at_clock(double measured_s) const { return measured_s * kMeasuredHz / (device_.clock_ghz * 1e9); }
  double paced_by_memory(double tb_per_s, double share) const {
    const double of_copy = tb_per_s / kCopyRate;
    const double memory = device_.reached_bytes_per_s() * (share * of_copy + (1 - share) * std::max(1.0, of_copy));
    return std::min(memory, tb_per_s * 1e12 * cycles());
  }
  // Of a rate below the copy's: the SMs' own, and the memory's that is felt near it.
  double beside_memory(double tb_per_s) const {
    const auto slowness = [](double bytes_per_s) { return std::pow(bytes_per_s * 1e-12, -kNearMemory); };
    const double own = std::max(0.0, slowness(tb_per_s * 1e12) - slowness(kCopyRate * 1e12));
    const double of_sms = own * std::pow(cycles(), -kNearMemory);
    return 1e12 * std::pow(of_sms + slowness(device_.reached_bytes_per_s()), -1 / kNearMemory);
  }
  // Seconds here of thread blocks that load so many bytes, from those on the card of the measured rates: memory is felt
  // near its own rate.
  double beside_loads(double measured_s, double bytes) const {
    const double measured_memory = bytes / (kCopyRate * 1e12), memory = bytes / device_.reached_bytes_per_s();
    const double own = std::pow(measured_s, kNearMemory) - std::pow(measured_memory, kNearMemory);
    const double of_sms = at_clock(std::pow(std::max(0.0, own), 1 / kNearMemory));
    return std::pow(std::pow(of_sms, kNearMemory) + std::pow(memory, kNearMemory), 1 / kNearMemory);
  }
  double kept_after(double matrices) const {
    return share_kept(matrices * matrix_, kHoldingL2 * double(device_.l2_bytes));
  }
  Operation product(const char* line, const Pass& p, const ProductRate& rate, double in_l2) const {
    const double d = std::ceil(double(call_.d) / double(rate.whole)) * double(rate.whole);
    return made(line, p, io_, rate, is_aligned() ? in_l2 : 0, 2 * call_.scores() * double(call_.d),
                2 * call_.scores() * d);
  }
  // in_l2: TB/s where all its data fits in L2; 0: its own rate there too.
  Operation made(const char* line, const Pass& p, double other, const ProductRate& rate, double in_l2 = 0,
                 double flops = 0, double flops_done = 0) const {
    Operation op;
    op.line = line;
    op.bytes = (p.reads + p.writes) * matrix_ + other;
    op.dram_bytes = p.reads * matrix_ * (1 - kept_after(p.read_after)) + p.writes * matrix_ * written_out_ + other;
    op.flops = flops;
    const bool parts_apart = p.from_memory > 0 || p.mask > 0;  // a fill's copy is apart from it already
    op.bytes_per_s = parts_apart ? paced_by_memory(rate.tb_per_s, p.from_memory) : beside_memory(rate.tb_per_s);
    const double at_once = std::max(1.0, (p.reads > 0 ? 1 : 0) + (p.writes > 0 ? 1.0 : 0)) * matrix_ + other;
    const double resident = share_in_l2(at_once / double(device_.l2_bytes));
    if (in_l2 > 0 && resident > 0)
      op.bytes_per_s = 1 / (resident / (in_l2 * 1e12 * cycles()) + (1 - resident) / op.bytes_per_s);
    double products = call_.dtype == DType::Fp32 ? device_.fp32_tflops * 1e12 : device_.reached_flop_per_s();
    if (rate.tflops > 0) products = std::min(products, rate.tflops * 1e12 * cycles());
    op.seconds = std::max({op.bytes / op.bytes_per_s, flops_done / products, p.least_s}) + p.begin_s;
    return op;
  }

  AttentionCall call_;
  const DeviceModel& device_;
  RowsAt at_;
  double element_, matrix_, of_keys_, io_;
  OddProduct odd_;
  double written_out_;
};

}  // namespace

std::vector<Operation> eager_operations(const AttentionCall& call, const DeviceModel& device) {
  const Line line(call, device, kRewrittenEager, call.all_heads());
  std::vector<Operation> out;
  if (call.all_kv_heads() < call.all_heads())
    out = {line.repeated("k = k.repeat_interleave(group, 1)"), line.repeated("v = v.repeat_interleave(group, 1)")};
  out.push_back(line.scores("s = q @ k.transpose(-1, -2)"));
  out.push_back(line.pass("s = s / math.sqrt(d)", kCopyRate, {.read_after = 1}));
  if (call.causal) {
    out.push_back(line.pass("s = s.masked_fill(mask, -inf)",
                            fill_rate(call.keys(), call.all_heads(), call.dtype, line.at()),
                            {.reads = 2, .writes = 2, .mask = 1, .begin_s = kBeginFill}));
    out.back().launches = 2;
  }
  out.push_back(
      line.pass("p = torch.softmax(s, -1)", eager_softmax_rate(call.keys(), call.causal, line.at()),
                {.begin_s = kBeginSoftmax, .least_s = kSoftmaxNumber * double(std::min(call.keys(), kInWarp))}));
  out.push_back(line.weighted("o = p @ v", 2));
  return out;
}

std::vector<Operation> naive_operations(const AttentionCall& call, const DeviceModel& device) {
  const Line line(call, device, kRewrittenNaive, call.all_kv_heads());
  const char* softmax = "P = softmax(S), in place";
  const bool in_loops = has_loops(call.keys(), call.causal, line.at());
  const double rate = in_loops ? 0 : naive_softmax_rate(call.keys(), call.causal, line.at());
  const Pass pass{
      .read_after = 1, .from_memory = call.keys() > kLongestInNaiveRegisters ? 1.0 : 0, .begin_s = kBeginNaiveSoftmax};
  Operation softened = in_loops      ? line.passes(softmax, pass)
                       : call.causal ? line.half_read(softmax, rate, pass)
                                     : line.pass(softmax, rate, pass);
  // The measured rates count the first of three reads; L2 has the row for the other two (core/predict/operation_rates).
  if (call.keys() > kLongestInNaiveRegisters || !line.is_aligned())
    softened.bytes += 2 * (line.matrix_bytes() * (call.causal ? seen_share(call) : 1));
  return {line.scores("S = Q Kᵀ"), softened, line.weighted("O = P V", 1)};
}

}  // namespace tilewalk
