#include "measured/race.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string_view>

#include "base/median.h"
#include "base/parse.h"
#include "base/units.h"

namespace tilewalk {
namespace {

constexpr double kBeyondL2 = 256.0 * (1 << 20);
constexpr double kExponentialsACycle = 16;  // of a multiprocessor (CUDA C++ Programming Guide, arithmetic instructions)

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// The number before the unit of "1980 MHz" and "809", above zero.
std::optional<double> number_in(std::string_view text) {
  const std::optional<double> value = parse_real(take_until(text, ' '));
  return value && *value > 0 ? value : std::nullopt;
}

std::optional<double> at_least(double least, std::optional<double> measured) {
  return measured ? std::optional(std::max(least, *measured)) : std::nullopt;
}

// How often a matrix of scores crosses HBM in a forward pass on a GPU.
double trips_of_scores(const RaceRow& row) {
  if (row.rung == word_of(Contender::Eager)) return row.causal ? 10 : 6;
  if (row.rung != word_of(Contender::Naive)) return 0;
  return row.causal ? 3 + 0.5 * (1 + 1 / double(row.n)) : 4;
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

}  // namespace

const char* name_of(RaceOutcome outcome) {
  switch (outcome) {
    case RaceOutcome::Measured: return "measured";
    case RaceOutcome::NotQuiet: return "not quiet";
    case RaceOutcome::OutOfMemory: return "out of memory";
    case RaceOutcome::Refused: return "refused";
  }
  return "";
}

bool is_naive(const std::string& rung) {
  const ContenderRow* const row = contender_named(rung);
  return row && row->baseline == row->who;
}

double RaceCell::flops() const {
  const double forward = 4.0 * double(n) * double(n) * double(d) * double(heads) * double(batch) * (causal ? 0.5 : 1.0);
  return forward * (pass == "backward" ? 2.5 : 1.0);
}

double RaceRow::median_ms() const { return median(ms); }

double RaceRow::smallest_ms() const { return *std::min_element(ms.begin(), ms.end()); }
double RaceRow::largest_ms() const { return *std::max_element(ms.begin(), ms.end()); }

double RaceRow::spread() const {
  const std::vector<double> all = sorted(ms);
  const std::size_t quarter = (all.size() - 1) / 4;
  return (all[all.size() - 1 - quarter] - all[quarter]) / median_ms();
}

double RaceRow::share_got() const {
  if (own_share.empty()) return 1;
  const std::vector<double> all = sorted(own_share);
  return all[(all.size() - 1) / 2];
}

RaceOutcome RaceRow::outcome() const {
  if (stopped != RaceOutcome::Measured) return stopped;
  return !ms.empty() && spread() <= kQuietSpread && share_got() >= kQuietShare ? RaceOutcome::Measured
                                                                               : RaceOutcome::NotQuiet;
}

namespace {

// Recordings give memory in bare bytes: "takes 274877907200 bytes" becomes "takes 256 GiB".
std::string with_units(const std::string& words) {
  constexpr std::int64_t kLeast = 1 << 20;  // smaller numbers may be lengths
  constexpr std::string_view kDigits = "0123456789", kUnit = " bytes";
  std::string out;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t begin = std::min(words.find_first_of(kDigits, at), words.size()),
                      end = std::min(words.find_first_not_of(kDigits, begin), words.size());
    const std::string number = words.substr(begin, end - begin);
    const std::optional<std::int64_t> bytes = parse_integer<std::int64_t>(number);
    const bool is_large = bytes && *bytes >= kLeast;
    out += words.substr(at, begin - at) + (is_large ? format_bytes(*bytes) : number);
    at = end + (is_large && words.compare(end, kUnit.size(), kUnit) == 0 ? kUnit.size() : 0);
  }
  return out;
}

}  // namespace

std::string RaceRow::note() const {
  switch (outcome()) {
    case RaceOutcome::Measured: return "";
    case RaceOutcome::NotQuiet:
      if (ms.empty()) return "was not run";
      if (share_got() < kQuietShare)
        return "not reported: of the processor time that its threads asked for they got " + percent(share_got()) +
               ", and " + percent(kQuietShare) +
               " is the least; other programs run on this machine. Close them, or give --threads "
               "fewer, and race again";
      return "not reported: the middle half of its times lies " + percent(spread()) + " of the median apart, and " +
             percent(kQuietSpread) + " is the limit; the machine was not quiet. Close what else runs, and race again";
    case RaceOutcome::OutOfMemory:
    case RaceOutcome::Refused: return with_units(why);
  }
  return "";
}

std::optional<double> RaceRow::peak_at_clock() const {
  return peaks_at_clock.empty() ? std::nullopt : std::optional(median(peaks_at_clock));
}

std::optional<double> RaceRow::share_at_clock() const {
  const auto peak = peak_at_clock();
  if (!peak || !flops_done || !counts()) return std::nullopt;
  return *flops_done / (median_ms() * 1e9) / *peak;
}

double RaceRow::tflops() const { return flops() / (median_ms() * 1e9); }

const RaceRow* Race::beside(const RaceRow& row, Contender who) const {
  for (const RaceRow& other : rows)
    if (other.rung == word_of(who) && static_cast<const RaceCell&>(other) == row) return &other;
  return nullptr;
}

std::optional<double> Race::times_as_fast(const RaceRow& row, Contender who) const {
  const RaceRow* other = beside(row, who);
  if (!other || !other->counts() || !row.counts()) return std::nullopt;
  return other->median_ms() / row.median_ms();
}

std::optional<double> Race::times_as_fast_as_naive(const RaceRow& row) const {
  const ContenderRow* const contender = contender_named(row.rung);
  const Contender baseline = contender ? contender->baseline : Contender::Naive;
  if (baseline == Contender::CpuNaive && !word(kSlowBlasKey).empty()) return std::nullopt;
  return times_as_fast(row, baseline);
}

std::string Race::word(const std::string& key) const {
  const auto at = provenance.find(key);
  return at == provenance.end() ? "" : at->second;
}

std::string Race::machine() const {
  for (const char* key : {kCardKey, "card, driver", kProcessorKey})
    if (const std::string found = word(key); !found.empty()) return found;
  return "";
}

std::string Race::date() const { return word("date"); }

// "bf16 product 8192^3, TFLOP/s" in a GPU's file, "fp32 multiply-adds, TFLOP/s" in a CPU's: the dtype, then the
// operation.
std::optional<double> Race::product_tflops(const std::string& dtype, std::int64_t d) const {
  const double least = card() && dtype != "fp32" ? card()->highest_flop_per_s(d) / 1e12 : 0;
  for (const auto& [key, value] : provenance)
    if (key.starts_with(dtype + " ") && key.ends_with(", TFLOP/s")) return at_least(least, number_in(value));
  return std::nullopt;
}

std::vector<double> Race::product_rates() const {
  std::set<double> rates;
  const std::string dtype = rows.empty() ? "" : rows.front().dtype;
  if (const auto rate = product_tflops(dtype)) rates.insert(*rate);
  for (const RaceRow& row : rows)
    if (const auto rate = product_tflops(dtype, row.d)) rates.insert(*rate);
  return {rates.begin(), rates.end()};
}

const DeviceModel* Race::card() const {
  const std::string name = word(kCardKey);
  const DeviceModel* const row = device_like(name.substr(0, name.find(", ")));
  return row && row->measured_here() ? row : nullptr;
}

const char* Race::name_of_ceilings() const { return card() ? "of the card" : "of this run"; }

std::string Race::product_name(const std::string& dtype) const {
  constexpr std::string_view kUnit = ", TFLOP/s";
  for (const auto& [key, value] : provenance)
    if (key.starts_with(dtype + " ") && key.ends_with(kUnit)) return key.substr(0, key.size() - kUnit.size());
  return "";
}

std::optional<double> Race::copy_gb_per_s() const {
  return at_least(card() ? card()->reached_bytes_per_s() / 1e9 : 0, number_in(word(kCopyKey)));
}

std::optional<double> Race::memory_read_gb_per_s() const { return number_in(word(kReadKey)); }

std::optional<double> Race::share_of_peak(const RaceRow& row) const {
  const auto peak = product_tflops(row.dtype, row.d);
  if (!peak || !row.counts()) return std::nullopt;
  return row.tflops() / *peak;
}

std::optional<double> RaceFloors::highest_ms() const {
  std::optional<double> out;
  for (const auto& floor : {bytes_ms, scores_ms, flops_ms, exponentials_ms})
    if (floor && (!out || *floor > *out)) out = floor;
  return out;
}

const char* RaceFloors::highest() const {
  const auto most = highest_ms();
  if (!most) return "";
  return most == flops_ms ? "FLOPs" : most == bytes_ms ? "bytes" : most == scores_ms ? "S" : "exponentials";
}

RaceFloors Race::floors(const RaceRow& row) const {
  RaceFloors out;
  const double seen_rows = double(row.n) * double(row.heads) * double(row.batch);
  const double tensors = row.pass == "backward" ? 8 : 4, element = row.dtype == "fp32" ? 4 : 2;
  out.bytes = tensors * element * seen_rows * double(row.d);
  out.scores_trips = row.pass == "forward" ? trips_of_scores(row) : 0;
  out.scores_bytes = out.scores_trips > 0 ? element * seen_rows * double(row.n) : 0;
  if (const auto copy = copy_gb_per_s()) {
    out.bytes_ms = out.bytes / (*copy * 1e6);
    if (out.scores_bytes >= kBeyondL2) out.scores_ms = out.scores_trips * out.scores_bytes / (*copy * 1e6);
  }
  if (const auto product = product_tflops(row.dtype, row.d)) out.flops_ms = row.flops() / (*product * 1e9);
  const std::string name = word(kCardKey);
  const std::size_t comma = name.rfind(", ");
  const auto mhz = comma == std::string::npos ? std::nullopt : number_in(name.substr(comma + 2));
  const auto multiprocessors = number_in(word(kMultiprocessorsKey));
  if (mhz && multiprocessors && name.ends_with(" MHz")) {
    out.ghz = card() ? card()->reached_clock_hz() / 1e9 : *mhz / 1e3;
    out.exponentials_ms =
        seen_rows * double(row.n) * (row.causal ? 0.5 : 1.0) / (kExponentialsACycle * *multiprocessors * out.ghz * 1e6);
  }
  return out;
}

std::optional<double> Race::times_the_floor(const RaceRow& row) const {
  const auto floor = floors(row).highest_ms();
  if (!floor || !row.counts()) return std::nullopt;
  return row.median_ms() / *floor;
}

std::string why_slow(const Race& race, const RaceRow& row) {
  const auto multiprocessors = number_in(race.word(kMultiprocessorsKey));
  const std::int64_t blocks = row.heads * row.batch;
  if (row.rung != word_of(Contender::FlashV1) || !multiprocessors || double(blocks) >= *multiprocessors) return "";
  const auto text = [](double whole) { return std::to_string(std::int64_t(whole)); };
  return std::string(title_of(Contender::FlashV1)) + " has one thread block a head: " + text(double(blocks)) +
         " thread blocks on " + text(*multiprocessors) + " SMs, so " + text(*multiprocessors - double(blocks)) +
         " have nothing to do";
}

}  // namespace tilewalk
