#include "trace/recorded_race.h"

#include <algorithm>
#include <charconv>

#include "trace/csv.h"
#include "trace/file_io.h"

namespace tilewalk {
namespace {

constexpr const char* kHead = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms";
constexpr std::size_t kFields = 10;

template <class T>
bool read(const std::string& text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() && out >= 0;
}

bool same_cell(const RaceRow& a, const RaceRow& b) {
  return a.pass == b.pass && a.dtype == b.dtype && a.n == b.n && a.d == b.d && a.heads == b.heads &&
         a.batch == b.batch && a.causal == b.causal;
}

}  // namespace

double RaceRow::median_ms() const {
  std::vector<double> sorted = ms;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

double RaceRow::smallest_ms() const { return *std::min_element(ms.begin(), ms.end()); }
double RaceRow::largest_ms() const { return *std::max_element(ms.begin(), ms.end()); }

double RaceRow::tflops() const {
  const double forward = 4.0 * double(n) * double(n) * double(d) * double(heads) * double(batch) * (causal ? 0.5 : 1.0);
  return forward * (pass == "backward" ? 2.5 : 1.0) / (median_ms() * 1e9);
}

const RaceRow* RecordedRace::beside(const RaceRow& row, const std::string& rung) const {
  for (const RaceRow& other : rows)
    if (other.rung == rung && same_cell(other, row)) return &other;
  return nullptr;
}

Result<RecordedRace> parse_recorded_race(std::string_view text, const std::string& name) {
  RecordedRace out;
  bool head_seen = false;
  std::size_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++line_number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const auto refused = [&](const std::string& rule) {
      return Issue{name + ", line " + std::to_string(line_number), "", rule, "Measure again, or restore the file"};
    };
    if (line.starts_with("# ")) {
      const std::size_t colon = line.find(": ");
      if (colon != std::string_view::npos)
        out.provenance[std::string(line.substr(2, colon - 2))] = line.substr(colon + 2);
      continue;
    }
    if (!head_seen) {
      if (line != kHead) return refused("must be the columns " + std::string(kHead));
      head_seen = true;
      continue;
    }
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() != kFields) return refused("must have " + std::to_string(kFields) + " fields");
    if (fields[1].find(',') != std::string::npos) continue;  // a variant with something left out
    RaceRow row;
    row.pass = fields[0];
    row.contender = fields[1];
    row.rung = fields[1].substr(0, fields[1].find(' '));
    row.dtype = fields[2];
    std::int64_t causal = 0, sample = 0;
    double ms = 0;
    if (!read(fields[3], row.d) || !read(fields[4], row.heads) || !read(fields[5], row.batch) ||
        !read(fields[6], row.n) || !read(fields[7], causal) || !read(fields[8], sample) || !read(fields[9], ms) ||
        !(ms > 0) || causal > 1)
      return refused("holds a number that cannot be read");
    row.causal = causal == 1;
    const auto kept = std::find_if(out.rows.begin(), out.rows.end(),
                                   [&](const RaceRow& r) { return r.rung == row.rung && same_cell(r, row); });
    if (kept != out.rows.end() && kept->contender != row.contender) continue;  // the rung with other tiles
    RaceRow& to = kept != out.rows.end() ? *kept : out.rows.emplace_back(std::move(row));
    to.ms.push_back(ms);
  }
  if (out.rows.empty()) return Issue{name, "", "holds no measurement", "Restore the file"};
  return out;
}

Result<RecordedRace> load_recorded_race(const std::string& path) {
  constexpr std::int64_t kMaxBytes = 16 << 20;
  const Result<std::vector<std::byte>> bytes = read_whole_file(path, kMaxBytes);
  if (!bytes) return bytes.issues();
  return parse_recorded_race({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

}  // namespace tilewalk
