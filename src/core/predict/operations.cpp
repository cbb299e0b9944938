#include "core/predict/operations.h"

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// TB/s by row length, a line where the library's kernel stays the same: it changes after 1,024, 2,048, 6,144 (looked at
// closely in operations_6k_rows_h200_2026-11-23.csv) and about 9,700 numbers (eager), and after 16,384 (naive, whose
// rows then no longer fit in registers).
struct SoftmaxRate {
  double n, eager, eager_masked, naive, naive_masked;
  int kernel;
};
constexpr SoftmaxRate kSoftmax[] = {
    {384, 2.36, 1.73, 0.86, 0.79, 0},   {640, 2.18, 1.62, 1.41, 1.30, 0},   {768, 2.37, 1.73, 1.68, 1.56, 0},
    {1280, 1.72, 1.31, 2.65, 2.54, 1},  {1536, 1.79, 1.36, 3.01, 3.01, 1},  {1792, 1.87, 1.41, 3.25, 3.45, 1},
    {2304, 0.95, 0.84, 3.20, 3.17, 2},  {2560, 1.02, 0.90, 3.47, 3.49, 2},  {3072, 1.15, 0.99, 3.99, 4.05, 2},
    {3584, 1.21, 1.03, 4.25, 4.61, 2},  {5120, 1.30, 1.11, 3.86, 3.95, 2},  {6144, 1.32, 1.09, 4.21, 4.39, 2},
    {6160, 0.90, 0.78, 4.17, 4.38, 3},  {7168, 1.00, 0.86, 3.86, 4.66, 3},  {7936, 1.05, 0.88, 3.88, 4.81, 3},
    {9216, 1.08, 0.91, 3.63, 3.69, 3},  {10240, 1.87, 1.42, 3.84, 3.90, 4}, {12288, 2.03, 1.52, 3.32, 4.21, 4},
    {14336, 2.11, 1.61, 3.78, 4.46, 4}, {20480, 2.19, 1.68, 2.40, 3.51, 5}, {28672, 1.91, 1.59, 1.56, 2.74, 5}};
constexpr double kLastOfKernel[] = {1024, 2048, 6144, 9700, 16384, 1e18};

constexpr double kScores = 3.5, kLongScores = 3.1, kLong = 6600;  // Q K^T, TB/s
constexpr double kWeighted = 4.1;                                 // P V
constexpr double kDivide = 4.3, kCopyAndFill = 3.3;
// Where rows end inside a 32-byte piece (operations_odd_rows_h200_2026-11-23.csv: 1.6 to 2.8, of any length), and the
// shares of those rates where they end inside a 16-byte piece.
constexpr double kScoresOddRows = 2.05;
constexpr double kScoresOddest = 0.28, kWeightedOddest = 0.5;
// The card that they were measured on: its copy in TB/s, its SMs' cycles a second in all.
constexpr double kMeasuredOn = 4.275, kMeasuredCycles = 132 * 1.83e9;
constexpr double kBeginAndEnd = 1.8e-6;
// Of L2, what holds a matrix between two operations, and how many matrices pass until a written place is written again:
// forward_traffic_h200_2026-11-23.csv.
constexpr double kHoldingL2 = 0.66;
constexpr double kRewrittenEager = 2.3, kRewrittenNaive = 1.5;

// naive's softmax is one kernel up to 16,384 numbers.
double softmax_rate(double n, double SoftmaxRate::*column) {
  constexpr int kPasses = 5;
  const bool eager = column == &SoftmaxRate::eager || column == &SoftmaxRate::eager_masked;
  int kernel = 0;
  while (n > kLastOfKernel[kernel]) ++kernel;
  const SoftmaxRate *below = nullptr, *above = nullptr;
  for (const SoftmaxRate& row : kSoftmax) {
    if (eager ? row.kernel != kernel : (row.kernel == kPasses) != (kernel == kPasses)) continue;
    if (row.n <= n) below = &row;
    if (row.n >= n && !above) above = &row;
  }
  if (!below || !above) return (below ? below : above)->*column;
  if (below == above) return below->*column;
  const double at = std::log(n / below->n) / std::log(above->n / below->n);
  return below->*column * (1 - at) + above->*column * at;
}

// The share of lines still there after so many other bytes, in a cache that throws out any line alike.
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

// What a pass over the matrix of scores reads and writes, in matrices; mask: one byte a score, read by every head.
struct Pass {
  double reads = 1, writes = 1, mask = 0;
  double read_after = 2;  // matrices that passed since what it reads was written
};

class Line {
 public:
  Line(const AttentionCall& call, const DeviceModel& device, double rewritten_after)
      : call_(call),
        device_(device),
        element_(call.element_bytes()),
        matrix_(call.scores() * element_),
        io_(2 * double(call.n) * double(call.d) * double(call.all_heads()) * element_),
        written_out_(1 - kept_after(rewritten_after)) {}

  Operation scores(const char* line) const {
    const double even = call_.n > kLong ? kLongScores : kScores;
    return product(line, {.reads = 0},
                   call_.n % 8 != 0    ? even * kScoresOddest
                   : call_.n % 16 != 0 ? kScoresOddRows
                                       : even);
  }
  Operation weighted(const char* line, double read_after) const {
    return product(line, {.writes = 0, .read_after = read_after}, kWeighted * (call_.n % 8 != 0 ? kWeightedOddest : 1));
  }
  Operation pass(const char* line, double rate, const Pass& p = {}) const {
    return made(line, p, p.mask * call_.scores(), 0, rate);
  }
  // naive's masked softmax reads the keys that count alone. Its rate was measured as if it read all.
  Operation half_read(const char* line, double rate, const Pass& p) const {
    Operation op = made(line, p, 0, 0, rate);
    const double kept = 0.5 * (1 + 1 / double(call_.n));
    op.dram_bytes -= (1 - kept) * matrix_ * (1 - kept_after(p.read_after));
    op.bytes -= (1 - kept) * matrix_;
    return op;
  }

 private:
  double kept_after(double matrices) const {
    return share_kept(matrices * matrix_, kHoldingL2 * double(device_.l2_bytes));
  }
  Operation product(const char* line, const Pass& p, double rate) const {
    return made(line, p, io_, 2 * call_.scores() * double(call_.d), rate);
  }
  Operation made(const char* line, const Pass& p, double other, double flops, double rate) const {
    Operation op;
    op.line = line;
    op.bytes = (p.reads + p.writes) * matrix_ + other;
    op.dram_bytes = p.reads * matrix_ * (1 - kept_after(p.read_after)) + p.writes * matrix_ * written_out_ + other;
    op.flops = flops;
    const double by_memory = device_.reached_bytes_per_s() * std::max(1.0, rate / kMeasuredOn);
    const double by_sms = rate * 1e12 * device_.sms * device_.clock_ghz * 1e9 / kMeasuredCycles;
    op.bytes_per_s = std::min(by_memory, by_sms);
    const double products = call_.dtype == DType::Fp32 ? device_.fp32_tflops * 1e12 : device_.reached_flop_per_s();
    op.seconds = std::max(op.bytes / op.bytes_per_s, flops / products) + kBeginAndEnd;
    return op;
  }

  AttentionCall call_;
  const DeviceModel& device_;
  double element_, matrix_, io_, written_out_;
};

}  // namespace

std::vector<Operation> eager_operations(const AttentionCall& call, const DeviceModel& device) {
  const Line line(call, device, kRewrittenEager);
  const double n = double(call.n);
  std::vector<Operation> out{line.scores("s = q @ k.transpose(-1, -2)"),
                             line.pass("s = s / math.sqrt(d)", kDivide, {.read_after = 1})};
  if (call.causal) {
    out.push_back(line.pass("s = s.masked_fill(mask, -inf)", kCopyAndFill, {.reads = 2, .writes = 2, .mask = 1}));
    out.back().launches = 2;
  }
  out.push_back(line.pass("p = torch.softmax(s, -1)",
                          softmax_rate(n, call.causal ? &SoftmaxRate::eager_masked : &SoftmaxRate::eager)));
  out.push_back(line.weighted("o = p @ v", 2));
  return out;
}

std::vector<Operation> naive_operations(const AttentionCall& call, const DeviceModel& device) {
  const Line line(call, device, kRewrittenNaive);
  const double n = double(call.n);
  const char* softmax = "P = softmax(S), in place";
  return {line.scores("S = Q Kᵀ"),
          call.causal ? line.half_read(softmax, softmax_rate(n, &SoftmaxRate::naive_masked), {.read_after = 1})
                      : line.pass(softmax, softmax_rate(n, &SoftmaxRate::naive), {.read_after = 1}),
          line.weighted("O = P V", 1)};
}

}  // namespace tilewalk
