#include "core/predict/operation_rates.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tilewalk {
namespace {

struct ByLength {
  double n, plain, masked;
  int kernel;
};

// PyTorch doubles the threads of a row above 4,096 numbers.
constexpr ByLength kEager[] = {
    {64, 2.20, 1.60, 0},    {128, 2.38, 1.74, 0},   {192, 2.16, 1.58, 0},   {256, 2.35, 1.72, 0},
    {320, 2.14, 1.56, 0},   {384, 2.36, 1.73, 0},   {512, 2.55, 1.86, 0},   {528, 1.92, 1.45, 0},
    {640, 2.18, 1.62, 0},   {784, 2.39, 1.72, 0},   {1040, 1.65, 1.22, 1},  {1280, 1.72, 1.31, 1},
    {1536, 1.79, 1.36, 1},  {1792, 1.87, 1.41, 1},  {2064, 0.86, 0.77, 2},  {2304, 0.95, 0.84, 2},
    {2560, 1.02, 0.90, 2},  {3072, 1.15, 0.99, 2},  {3584, 1.21, 1.03, 2},  {4112, 1.16, 1.00, 3},
    {5120, 1.30, 1.11, 3},  {6144, 1.32, 1.09, 3},  {6160, 0.90, 0.78, 4},  {7168, 1.00, 0.86, 4},
    {7936, 1.05, 0.88, 4},  {9216, 1.08, 0.91, 4},  {9232, 1.72, 1.33, 5},  {10240, 1.87, 1.42, 5},
    {11120, 1.93, 1.45, 5}, {12288, 2.03, 1.52, 5}, {14336, 2.11, 1.61, 5}, {16400, 2.01, 1.57, 5},
    {20480, 2.19, 1.68, 5}, {28672, 1.91, 1.59, 5}, {32768, 2.34, 1.78, 5}, {49152, 2.46, 1.85, 5},
    {65536, 2.30, 1.85, 5}};
constexpr double kLastOfEager[] = {1024, 2048, 4096, 6144, double(kLongestOfSlowEager), 1e18};

// One kernel, built for rows of up to 2,048 numbers times a power of two.
constexpr ByLength kNaive[] = {
    {64, 0.145, 0.13, 0},   {128, 0.30, 0.27, 0},   {256, 0.60, 0.55, 0},   {384, 0.86, 0.79, 0},
    {528, 1.18, 1.08, 0},   {640, 1.41, 1.30, 0},   {768, 1.68, 1.56, 0},   {1040, 2.22, 2.09, 0},
    {1280, 2.65, 2.54, 0},  {1536, 3.01, 3.01, 0},  {1792, 3.25, 3.45, 0},  {2064, 2.95, 2.87, 1},
    {2304, 3.20, 3.17, 1},  {2560, 3.47, 3.49, 1},  {3072, 3.99, 4.05, 1},  {3584, 4.25, 4.61, 1},
    {4112, 3.29, 3.30, 2},  {5120, 3.86, 3.95, 2},  {6144, 4.21, 4.39, 2},  {7168, 3.86, 4.66, 2},
    {7936, 3.88, 4.81, 2},  {9216, 3.63, 3.69, 3},  {10240, 3.84, 3.90, 3}, {11120, 3.18, 4.09, 3},
    {12288, 3.32, 4.21, 3}, {14336, 3.78, 4.46, 3}, {16400, 2.78, 4.00, 4}, {20480, 2.40, 3.51, 4},
    {28672, 1.56, 2.74, 4}, {32768, 1.32, 2.44, 4}, {49152, 1.10, 1.98, 4}, {65536, 1.06, 1.88, 4}};
constexpr double kLastOfNaive[] = {2048, 4096, 8192, double(kLongestInNaiveRegisters), 1e18};

// The kernel with three passes, over rows that do not begin at a multiple of 16 bytes. No mask: from kLoop on by
// kLoops.
constexpr ByLength kPasses[] = {{64, 0.19, 0.19, 0},  {100, 0.29, 0.29, 0}, {200, 0.45, 0.45, 0},  {528, 0.82, 0.91, 0},
                                {784, 0.93, 1.16, 0}, {900, 1.15, 1.30, 0}, {1040, 1.61, 1.47, 0}, {1552, 0, 1.88, 0},
                                {2064, 0, 2.26, 0},   {3008, 0, 2.76, 0},   {4112, 0, 3.14, 0},    {5552, 0, 3.30, 0},
                                {6160, 0, 3.43, 0},   {7776, 0, 3.54, 0},   {9232, 0, 3.64, 0},    {11120, 0, 3.57, 0},
                                {13328, 0, 3.59, 0},  {16400, 0, 3.39, 0},  {20496, 0, 2.97, 0},   {28688, 0, 2.34, 0},
                                {65537, 0, 1.77, 0}};
constexpr double kLastOfPasses[] = {1e18};

// Nanoseconds of a row whose length is a whole number of unrolled loops; of each 256 numbers beyond; and of a further
// loop above kLoopsInL2 if rows stayed in L2.
struct Loops {
  double count, ns;
};
constexpr double kLoop = 1024, kRead = 256;
constexpr Loops kLoops[] = {{1, 2.58},   {2, 3.25},  {4, 5.14},  {6, 7.45},  {9, 11.5},
                            {13, 17.95}, {16, 23.4}, {20, 33.7}, {28, 63.5}, {64, 206.6}};
constexpr double kReadNs = 0.55, kLoopNs = 1.45;
constexpr Loops kLoopsInL2 = {9, 11.5};
constexpr double kMeasuredL2 = 60.0 * 1024 * 1024;

constexpr double kScores = 3.5, kLongScores = 3.1, kLong = 6600;
constexpr double kScoresInPart = 2.95;  // factor for a head size that only partly fills the last of its tiles, 64 wide
constexpr std::int64_t kTileOfD = 64;
constexpr double kScoresAt16 = 2.05, kWeightedAt16 = 4.1;
constexpr ProductRate kScoresAt4{1.15, 120, 32}, kScoresAt2{0.86, 72, 32};  // shorter than kShortestInTiles
constexpr double kWeightedAt4 = 2.0, kWeightedAt2 = 1.15;
constexpr double kHalfBusy = 12, kHalfBusyOfOddRows = 70;  // tiles at which half of the rate is reached

// Kernels that load single numbers, measured alone in the files of operations. Microseconds of a tile of Q K^T, half of
// what two on an SM take: the longer of its stores, which differ by the kernel that cuBLAS chooses for the length, for
// the head size (up to kNarrow, or wider) and for many tiles or few, and its steps of 32 columns.
struct UpTo {
  double n, us;
};
constexpr UpTo kStoreAt4[] = {{5000, 4.1}, {12500, 3.32}, {1e18, 3.62}};
constexpr UpTo kWideStoreAt4[] = {{12500, 3.32}, {1e18, 3.62}};
constexpr UpTo kFewStoreAt4[] = {{12500, 4.1}, {1e18, 3.62}},
               kFewWideStoreAt4[] = {{5000, 4.1}, {12500, 3.32}, {1e18, 3.62}};
// Measured alone: 18 waves are few, 130 many. Between, whole calls: 59 few, 76 many.
constexpr double kManyWaves = 60;
constexpr UpTo kStoreAt2[] = {{1300, 6.1}, {4600, 4.75}, {1e18, 5.25}};
constexpr double kStepAt4 = 1.15, kStepAt2 = 1.92, kStepOf = 32;
constexpr double kWrappedStore = 11.0, kWrappedStep = 4.75;
constexpr double kAloneOnSm = 0.4;  // a block alone on its SM, of what two together take
constexpr double kTwoTo32 = 4294967296.0;
constexpr double kWrapsAt0 = 1.46, kWrapsOfColumn = 0.0116;
// Nanoseconds a key of tiles of P V: two on every SM, with 64 columns and for each further 64. Shares of that: one tile
// on few SMs, and on every SM.
struct WeightedTile {
  double both, wider, few, alone;
};
constexpr WeightedTile kWeightedTileAt4{26, 7.3, 0.33, 0.7}, kWeightedTileAt2{54, 7, 0.42, 0.78};
constexpr double kWeightedBegin = 4e-6, kWeightedLoneBegin = 1e-6;  // of each wave
constexpr double kTileSide = 128, kNarrow = 64, kWide = 256;

constexpr double kFill = 2.4, kFillOfOddRows = 2.2;
constexpr double kSplitAbove = double(std::int64_t(1) << 31);  // bytes of a tensor

// Only above kLongestOfSlowEager; alignment does not affect the longest rows.
constexpr double kEagerOfOddRows = 0.75, kEagerMaskedOfOddRows = 0.85, kLongestOdd = 24576;

// Linear interpolation between the lengths of the same kernel.
double rate_of(std::span<const ByLength> rows, std::span<const double> last, double n, bool masked) {
  int kernel = 0;
  while (n > last[std::size_t(kernel)]) ++kernel;
  const ByLength *below = nullptr, *above = nullptr;
  for (const ByLength& row : rows) {
    if (row.kernel != kernel) continue;
    if (row.n <= n) below = &row;
    if (row.n >= n && !above) above = &row;
  }
  const auto of = [masked](const ByLength& row) { return masked ? row.masked : row.plain; };
  if (!below) return of(*above);
  if (!above) {  // up to the kernel's last length, by its last two
    if (below == rows.data() || (below - 1)->kernel != kernel) return of(*below);
    above = below--;
  }
  if (below == above) return of(*below);
  const double at = std::log(n / below->n) / std::log(above->n / below->n);
  return of(*below) * (1 - at) + of(*above) * at;
}

bool is_wrapped(double scores, double d) {
  const double wraps = std::floor(scores / kTwoTo32), rest = scores / kTwoTo32 - wraps;
  return wraps >= 1 && rest * (kWrapsAt0 + kWrapsOfColumn * d) < wraps;
}

double us_at(std::span<const UpTo> rows, double n) {
  return std::find_if(rows.begin(), rows.end(), [n](const UpTo& row) { return n <= row.n; })->us;
}

double tiles_along(std::int64_t n) { return std::ceil(double(n) / kTileSide); }

double row_tiles(const OddProduct& p) { return double(p.heads) * tiles_along(p.group * p.n); }

std::span<const UpTo> stores_at_4(double d, double waves) {
  if (d <= kNarrow) return waves > kManyWaves ? std::span<const UpTo>(kStoreAt4) : kFewStoreAt4;
  return waves > kManyWaves ? std::span<const UpTo>(kWideStoreAt4) : kFewWideStoreAt4;
}

double loops_ns(double count) {
  const Loops* above = std::find_if(std::begin(kLoops) + 1, std::end(kLoops) - 1,
                                    [count](const Loops& at) { return count <= at.count; });
  const Loops& below = *(above - 1);
  return below.ns + (above->ns - below.ns) * (count - below.count) / (above->count - below.count);
}

// Of the time of so many loops, what reading from DRAM again adds.
double again_ns(double count) {
  if (count <= kLoopsInL2.count) return 0;
  return std::max(0.0, loops_ns(count) - kLoopsInL2.ns - kLoopNs * (count - kLoopsInL2.count));
}

bool ends_inside_16_bytes(RowsAt at) { return at == RowsAt::Bytes4 || at == RowsAt::Bytes2; }

}  // namespace

RowsAt rows_at(std::int64_t n, DType dtype) {
  if (dtype == DType::Fp32 || n % 16 == 0) return RowsAt::Bytes32;
  return n % 8 == 0 ? RowsAt::Bytes16 : n % 2 == 0 ? RowsAt::Bytes4 : RowsAt::Bytes2;
}

bool loads_single_numbers(std::int64_t n, RowsAt at) { return n >= kShortestInTiles && ends_inside_16_bytes(at); }

double single_scores_s(const OddProduct& p, RowsAt at, int sms) {
  const double n = double(p.n), heads = double(p.heads * p.group);
  const bool wrapped = at == RowsAt::Bytes2 && heads > 1 && is_wrapped(n * n * heads, double(p.d));
  const double tiles = row_tiles(p) * tiles_along(p.n);
  const double step = wrapped ? kWrappedStep : at == RowsAt::Bytes4 ? kStepAt4 : kStepAt2;
  const double store = wrapped                ? kWrappedStore
                       : at == RowsAt::Bytes4 ? us_at(stores_at_4(double(p.d), tiles / (2 * sms)), n)
                                              : us_at(kStoreAt2, n);
  const double both = 2e-6 * std::max(store, std::ceil(double(p.d) / kStepOf) * step);
  return both * (tiles <= sms ? kAloneOnSm : std::ceil(tiles / (2 * sms)));
}

double single_weighted_s(const OddProduct& p, RowsAt at, int sms) {
  const WeightedTile& tile = at == RowsAt::Bytes4 ? kWeightedTileAt4 : kWeightedTileAt2;
  const double columns = double(p.d) <= kNarrow ? kNarrow : double(p.d) <= kTileSide ? kTileSide : kWide;
  const double both = (tile.both + tile.wider * (columns - kNarrow) / kNarrow) * 1e-9 * double(p.n);
  const double tiles = row_tiles(p);
  if (p.heads * p.group == 1) return both * tiles / (2 * sms) + kWeightedBegin;
  if (tiles <= sms) return both * (tile.few + (tile.alone - tile.few) * tiles / sms) + kWeightedLoneBegin;
  return (both + kWeightedBegin) * std::ceil(tiles / (2 * sms));
}

ProductRate scores_rate(std::int64_t n, std::int64_t d, RowsAt at) {
  switch (at) {
    case RowsAt::Bytes32: break;
    case RowsAt::Bytes16: return {kScoresAt16};
    case RowsAt::Bytes4: return loads_single_numbers(n, at) ? ProductRate{kCopyRate} : kScoresAt4;
    case RowsAt::Bytes2: return loads_single_numbers(n, at) ? ProductRate{kCopyRate} : kScoresAt2;
  }
  const double rate = double(n) > kLong ? kLongScores : kScores;
  return {d % kTileOfD == 0 ? rate : std::min(rate, kScoresInPart)};
}

ProductRate weighted_rate(std::int64_t n, RowsAt at, double tiles) {
  if (!ends_inside_16_bytes(at)) return {kWeightedAt16 * tiles / (tiles + kHalfBusy)};
  if (loads_single_numbers(n, at)) return {kCopyRate};
  return {(at == RowsAt::Bytes4 ? kWeightedAt4 : kWeightedAt2) * tiles / (tiles + kHalfBusyOfOddRows)};
}

double fill_rate(std::int64_t n, std::int64_t heads, DType dtype, RowsAt at) {
  const double head = double(n) * double(n) * (dtype == DType::Fp32 ? 4 : 2);
  if (heads == 1 || 2 * head >= kSplitAbove) return kCopyRate;
  return ends_inside_16_bytes(at) ? kFillOfOddRows : kFill;
}

double eager_softmax_rate(std::int64_t n, bool masked, RowsAt at) {
  const double rate = rate_of(kEager, kLastOfEager, double(n), masked);
  const bool odd = ends_inside_16_bytes(at) && n > kLongestOfSlowEager && double(n) <= kLongestOdd;
  return rate * (odd ? masked ? kEagerMaskedOfOddRows : kEagerOfOddRows : 1);
}

bool has_loops(std::int64_t n, bool masked, RowsAt at) {
  return !masked && double(n) >= kLoop && ends_inside_16_bytes(at);
}

PassesRow passes_row(std::int64_t n, double l2_bytes) {
  const double loops = std::floor(double(n) / kLoop), reads = (double(n) - loops * kLoop) / kRead;
  const double l2 = l2_bytes / kMeasuredL2;  // as many loops more stay in L2
  return {1e-9 * (loops_ns(loops) - again_ns(loops) + kReadNs * reads), 1e-9 * l2 * again_ns(loops / l2)};
}

double naive_softmax_rate(std::int64_t n, bool masked, RowsAt at) {
  return ends_inside_16_bytes(at) ? rate_of(kPasses, kLastOfPasses, double(n), masked)
                                  : rate_of(kNaive, kLastOfNaive, double(n), masked);
}

}  // namespace tilewalk
