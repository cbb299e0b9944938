#include "measured/recorded_race.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/parse.h"
#include "base/units.h"
#include "base/words.h"
#include "files/csv.h"
#include "files/file_io.h"
#include "measured/prediction_error.h"
#include "measured/race_times.h"
#include "measured/replaced_builds.h"

namespace tilewalk {
namespace {

constexpr const char* kHead = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms";
constexpr std::size_t kRowFields = 8, kMaxRows = 4096;
constexpr std::int64_t kLargestNumber = std::int64_t(1) << 56;
constexpr std::int64_t kMostOfShape = std::int64_t(1) << 32, kMostRaceD = 1024;
// kMostListed: a rate or a share in a list
constexpr double kMostRaceFlops = 0x1p63, kMostRaceMs = 1e9, kMostListed = 1e7;
constexpr const char* kRowKey = "row ";
constexpr const char* kExtra = "extra_bytes ";
constexpr const char* kMemory = "out-of-memory ";
constexpr const char* kRefused = "refused ";
constexpr const char* kShare = "own-share ";
constexpr const char* kPeaks = "peaks-at-clock ";
constexpr const char* kDone = "flops-done ";
constexpr const char *kNoRemark = "has a remark on a row that cannot be read",
                     *kTimesOfNoRun = "has times for a row that was not run";

bool read(const std::string& text, std::int64_t& out) {
  return put(within<std::int64_t>(parse_integer(text), 0, kLargestNumber), out);
}
bool read(const std::string& text, double& out) { return put(within(parse_real(text), 0.0), out); }

// The fields that identify a row: pass, contender, dtype, d, heads, batch, n, causal.
bool read_row(const std::vector<std::string>& fields, RaceRow& row) {
  std::int64_t causal = 0;
  row.pass = fields[0];
  row.contender = fields[1];
  row.rung = fields[1].substr(0, fields[1].find(' '));
  row.dtype = fields[2];
  if (!read(fields[3], row.d) || !read(fields[4], row.heads) || !read(fields[5], row.batch) ||
      !read(fields[6], row.n) || !read(fields[7], causal) || causal > 1)
    return false;
  row.causal = causal == 1;
  return true;
}

// Why such a race is impossible; empty if it is possible.
std::string why_impossible(const RaceRow& row) {
  if (row.pass != "forward" && row.pass != "backward") return "pass must be forward or backward";
  if (row.dtype != "fp32" && row.dtype != "bf16" && row.dtype != "fp16") return "dtype must be fp32, bf16 or fp16";
  if (row.d < 1 || row.d > kMostRaceD) return "d must be from 1 to 1,024";
  for (const std::int64_t size : {row.n, row.heads, row.batch})
    if (size < 1 || size > kMostOfShape) return "n, heads and batch must be from 1 to 2^32";
  return row.flops() < kMostRaceFlops ? "" : "needs more FLOPs than 2^63";
}

bool is_variant(const std::string& contender) { return contender.find(',') != std::string::npos; }

// The rows read so far, found by contender and cell.
class Rows {
 public:
  explicit Rows(Race& race) : race_(race) {}

  // The row of this contender and cell, created if missing; null for the contender with other tiles, and where there
  // are too many rows.
  RaceRow* of(RaceRow&& row) {
    if (!race_.rows.empty() && is_same(race_.rows.back(), row)) return &race_.rows.back();  // its next sample, mostly
    const auto [at, made] = places_.try_emplace(
        std::tuple(row.rung, row.pass, row.dtype, row.n, row.d, row.heads, row.batch, row.causal), race_.rows.size());
    if (!made) {
      RaceRow& kept = race_.rows[at->second];
      return kept.contender == row.contender ? &kept : nullptr;
    }
    return too_many() ? nullptr : &race_.rows.emplace_back(std::move(row));
  }
  bool too_many() const { return places_.size() > kMaxRows; }

 private:
  using Place =
      std::tuple<std::string, std::string, std::string, std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>;
  static bool is_same(const RaceRow& a, const RaceRow& b) {
    return a.contender == b.contender && static_cast<const RaceCell&>(a) == static_cast<const RaceCell&>(b);
  }

  Race& race_;
  std::map<Place, std::size_t> places_;
};

// "0.5 0.875", each at least 0.
bool read_list(std::string_view text, std::vector<double>& out) {
  while (!text.empty())
    if (!read(std::string(take_until(text, ' ')), out.emplace_back()) || out.back() > kMostListed) return false;
  return !out.empty();
}

// True if `value` is a valid remark on a row; stores it in `row`.
bool read_remark(const std::string& value, RaceRow& row) {
  if (value.starts_with(kExtra)) {
    std::int64_t bytes = 0;
    if (!read(value.substr(std::string(kExtra).size()), bytes)) return false;
    row.extra_bytes = bytes;
  } else if (value.starts_with(kShare)) {
    return read_list(value.substr(std::string(kShare).size()), row.own_share);
  } else if (value.starts_with(kPeaks)) {
    return read_list(value.substr(std::string(kPeaks).size()), row.peaks_at_clock) &&
           *std::min_element(row.peaks_at_clock.begin(), row.peaks_at_clock.end()) > 0;
  } else if (value.starts_with(kDone)) {
    double flops = 0;
    if (!read(value.substr(std::string(kDone).size()), flops) || !(flops > 0 && flops < kMostRaceFlops)) return false;
    row.flops_done = flops;
  } else if (value.starts_with(kMemory)) {
    row.stopped = RaceOutcome::OutOfMemory;
    row.why = value.substr(std::string(kMemory).size());
  } else if (value.starts_with(kRefused)) {
    row.stopped = RaceOutcome::Refused;
    row.why = value.substr(std::string(kRefused).size());
  } else {
    return false;
  }
  return true;
}

// The rule that the remark breaks, or "".
std::string add_remark(Rows& rows, const std::string& key, const std::string& value) {
  const std::vector<std::string> fields = csv_fields(key, kRowFields);
  RaceRow row;
  if (fields.size() != kRowFields || !read_row(fields, row)) return kNoRemark;
  if (is_variant(row.contender)) return "";
  if (!why_impossible(row).empty()) return kNoRemark;
  RaceRow* to = rows.of(std::move(row));
  if (!to) return "";
  if (!read_remark(value, *to)) return kNoRemark;
  return !to->ms.empty() && to->stopped != RaceOutcome::Measured ? kTimesOfNoRun : "";
}

std::string quoted_if_needed(const std::string& field) {
  return field.find(',') == std::string::npos ? field : '"' + field + '"';
}

std::string row_key(const RaceRow& row) {
  return row.pass + "," + quoted_if_needed(row.contender) + "," + row.dtype + "," + std::to_string(row.d) + "," +
         std::to_string(row.heads) + "," + std::to_string(row.batch) + "," + std::to_string(row.n) + "," +
         (row.causal ? "1" : "0");
}

std::string short_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.7g", value);
  return text;
}

std::string exact_number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string list_text(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) add_to_list(out, short_number(value), " ");
  return out;
}

std::string remarks_of(const RaceRow& row) {
  const std::string remark = std::string("# ") + kRowKey + row_key(row) + ": ";
  std::string out;
  if (row.extra_bytes) out += remark + kExtra + std::to_string(*row.extra_bytes) + "\n";
  if (!row.own_share.empty()) out += remark + kShare + list_text(row.own_share) + "\n";
  if (!row.peaks_at_clock.empty()) out += remark + kPeaks + list_text(row.peaks_at_clock) + "\n";
  if (row.flops_done) out += remark + kDone + exact_number(*row.flops_done) + "\n";
  if (row.stopped == RaceOutcome::OutOfMemory) out += remark + kMemory + one_line(row.why) + "\n";
  if (row.stopped == RaceOutcome::Refused) out += remark + kRefused + one_line(row.why) + "\n";
  return out;
}

std::string newest(const std::string& folder, const std::string& beginning) {
  std::string found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const auto day = [](const std::string& n) { return n.substr(n.size() - std::min<std::size_t>(n.size(), 14)); };
    if (!name.starts_with(beginning) || !name.ends_with(".csv")) continue;
    if (found.empty() || day(name) > day(found)) found = name;
  }
  return found;
}

void mark_replaced(std::vector<RaceRow>& rows, const std::string& file) {
  for (RaceRow& row : rows) {
    const ContenderRow* const contender = contender_raced_as(row.rung, row.pass == "backward");
    if (contender && was_replaced(contender->who, call_of(row), file, device_of(kRecordedOn)))
      row.replaced_build = file.substr(file.size() - std::string_view("2026-11-23.csv").size(), 10);
  }
}

}  // namespace

Result<Race> parse_recorded_race(std::string_view text, const std::string& name) {
  Race out;
  out.recorded = true;
  Rows rows(out);
  const std::string too_many = "is past the " + format_count(kMaxRows) + " rows that a race may have";
  const auto take_remark = [&](std::string_view key, std::string_view value) -> std::string {
    if (rows.too_many()) return too_many;
    if (!key.starts_with(kRowKey)) return keep_remark(out.provenance, key, value);
    return add_remark(rows, std::string(key.substr(std::string_view(kRowKey).size())), std::string(value));
  };
  const auto take_row = [&](const std::vector<std::string>& fields) -> std::string {
    if (rows.too_many()) return too_many;
    if (is_variant(fields[1])) return "";  // a variant that leaves something out
    RaceRow row;
    std::int64_t sample = 0;
    double ms = 0;
    if (!read_row(fields, row) || !read(fields[8], sample) || !read(fields[9], ms))
      return "contains a number that cannot be read";
    if (std::string why = why_impossible(row); !why.empty()) return why;
    if (!(ms > 0 && ms <= kMostRaceMs)) return "ms must be above 0, and at most 1e9";
    RaceRow* to = rows.of(std::move(row));
    if (to && to->stopped != RaceOutcome::Measured) return kTimesOfNoRun;
    if (to) to->ms.push_back(ms);
    return "";
  };
  const Result<Done> whole =
      read_csv_table(text, name, {{kHead}, take_remark, take_row, "Measure again, or restore the file"});
  if (!whole) return whole.issues();
  if (rows.too_many())
    return Issue{name, "", "has more than the " + format_count(kMaxRows) + " rows that a race may have",
                 "Keep a part of it"};
  if (out.rows.empty()) return Issue{name, "", "contains no measurement", "Restore the file"};
  for (const RaceRow& row : out.rows)
    if (row.ms.empty() && row.stopped == RaceOutcome::Measured)
      return Issue{name, row.rung, "has a row without times", "Measure again, or restore the file"};
  return out;
}

Result<Race> load_recorded_race(const std::string& path) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  return parse_recorded_race(*text, path);
}

Result<Race> load_shipped_race(const std::string& root) {
  const std::string folder = root + "/assets/measurements/";
  const std::string card = std::string(kRecordedOn) + "_", forward = newest(folder, "fast_forward_" + card);
  if (forward.empty())
    return Issue{folder, "", "contains no fast_forward_" + card + "*.csv, the recorded race",
                 "Restore Tilewalk's folder"};
  const auto load = [&](const std::string& name) {
    Result<Race> race = load_recorded_race(folder + name);
    if (race) mark_replaced(race->rows, name);
    return race;
  };
  Result<Race> race = load(forward);
  if (!race) return race;
  for (const char* beginning : {"fast_backward_", "head_256_forward_", "head_256_backward_"}) {
    const std::string name = newest(folder, beginning + card);
    if (name.empty()) continue;
    const Result<Race> more = load(name);
    if (!more) return more.issues();
    race->rows.insert(race->rows.end(), more->rows.begin(), more->rows.end());
  }
  return race;
}

// Rows with remarks come first among the times too, as in the reader: a file stays the same when it is read and
// written.
std::string race_csv(const Race& race) {
  std::string out, remarked, others;
  for (const auto& [key, value] : race.provenance) out += "# " + key + ": " + one_line(value) + "\n";
  for (const RaceRow& row : race.rows) {
    const std::string remarks = remarks_of(row);
    out += remarks;
    std::string& times = remarks.empty() ? others : remarked;
    for (std::size_t i = 0; i < row.ms.size(); ++i)
      times += row_key(row) + "," + std::to_string(i) + "," + short_number(row.ms[i]) + "\n";
  }
  return out + kHead + "\n" + remarked + others;
}

}  // namespace tilewalk
