#include "measured/chip_timeline.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/median.h"
#include "base/parse.h"
#include "files/csv.h"
#include "files/file_io.h"

namespace tilewalk {
namespace {

constexpr const char* kRunHead = "run,variant,name,d,heads,batch,n,causal,ms_plain,ms_silent,ghz_silent,ms_traced";
constexpr const char* kBesideHead = "pass,contender,dtype,d,heads,batch,n,causal,sample,ms";
constexpr const char* kLaneHead = "lane,variant,d,n,causal,block,sm,ghz,block_cycles,role,stamps";
constexpr std::int64_t kLargest = 1ll << 40, kMaxQTiles = 1 << 16;

bool read(std::string_view text, std::int64_t& out, std::int64_t least, std::int64_t most) {
  return put(within(parse_integer(text), least, most), out);
}
bool count(std::string_view text, std::int64_t& out) { return read(text, out, 0, kLargest); }
bool above_zero(std::string_view text, double& out) { return put(within(parse_real(text), 1e-9, 1e12), out); }

// "s15+479": what ended, the tile, cycles since the previous stamp.
bool read_stamps(std::string_view text, std::vector<ChipStamp>& out) {
  double at = 0;
  while (!text.empty()) {
    const std::string_view word = take_until(text, ' ');
    const std::size_t plus = word.find('+');
    ChipStamp stamp;
    std::int64_t cycles = 0;
    if (plus == std::string_view::npos || !is_stamp(word[0]) ||
        !read(word.substr(1, plus - 1), stamp.tile, -1, 1 << 24) || !count(word.substr(plus + 1), cycles))
      return false;
    stamp.what = Stamp(word[0]);
    stamp.at = at += double(cycles);
    out.push_back(stamp);
  }
  return !out.empty();
}

bool read_run(const std::vector<std::string>& f, ChipRun& run) {
  std::int64_t causal = 0;
  const bool read_all = count(f[1], run.variant) && count(f[3], run.d) && count(f[4], run.heads) &&
                        count(f[5], run.batch) && count(f[6], run.n) && read(f[7], causal, 0, 1) &&
                        above_zero(f[8], run.ms_plain) && above_zero(f[9], run.ms_silent) &&
                        above_zero(f[10], run.ghz_silent) && above_zero(f[11], run.ms_traced);
  run.name = f[2];
  run.causal = causal == 1;
  return read_all && run.d > 0 && run.n > 0 && run.heads > 0 && run.batch > 0 && run.d <= 256 && run.n <= 1 << 30 &&
         run.heads <= 1 << 20 && run.batch <= 1 << 20 && run.rows() > 0 && run.n / run.rows() <= kMaxQTiles;
}

}  // namespace

bool ChipRun::specialised() const { return name.find("no warp specialisation") == std::string::npos; }
bool ChipRun::ping_pong() const { return name.find("no ping-pong") == std::string::npos; }
bool ChipRun::overlap() const { return name.find("no overlap") == std::string::npos; }

std::int64_t ChipRun::rows() const {
  std::int64_t rows = 0;
  const std::size_t end = name.find('x');
  return end != std::string::npos && read(std::string_view(name).substr(0, end), rows, 1, 1 << 20) ? rows : 0;
}

double ChipRun::cycles_per_visit(std::int64_t multiprocessors) const {
  constexpr std::int64_t keys = 128;
  std::int64_t visits = 0;
  const std::int64_t step = rows();
  for (std::int64_t first = 0; first < n; first += step)
    visits += ((causal ? std::min(n, first + step) : n) + keys - 1) / keys;
  return ms_silent * 1e6 * ghz_silent * double(multiprocessors) / (double(visits) * double(heads * batch));
}

const ChipRun* ChipTimelines::nearest(const Problem& like) const {
  const ChipRun* best = nullptr;
  for (const ChipRun& run : runs) {
    if (run.causal != (like.shape.mask.kind != MaskKind::None) || (run.d <= 64) != (like.shape.d <= 64) ||
        run.blocks.empty())
      continue;
    if (run.specialised() != like.lanes.warp_specialised || run.overlap() != like.lanes.overlap ||
        run.ping_pong() != like.lanes.ping_pong)
      continue;
    const auto off = [&](const ChipRun& r) {
      return std::fabs(std::log2(double(r.n)) - std::log2(double(std::max<std::int64_t>(1, like.shape.n_kv))));
    };
    if (!best || off(run) < off(*best)) best = &run;
  }
  return best;
}

Result<ChipTimelines> parse_chip_timelines(std::string_view text, const std::string& name) {
  ChipTimelines out;
  const auto take_row = [&out](const std::vector<std::string>& f) -> std::string {
    if (f[0] == "run") {
      ChipRun run;
      if (f.size() != 12 || !read_run(f, run)) return "contains a run that cannot be read";
      out.runs.push_back(std::move(run));
      return "";
    }
    std::int64_t variant = 0, d = 0, n = 0, causal = 0;
    ChipBlock block;
    ChipLane lane;
    if (f.size() != 11 || f[0] != "lane" || !count(f[1], variant) || !count(f[2], d) || !count(f[3], n) ||
        !count(f[4], causal) || !count(f[5], block.block) || !count(f[6], block.sm) || !above_zero(f[7], block.ghz) ||
        !count(f[8], block.cycles) || f[9].empty() || !read_stamps(f[10], lane.stamps))
      return "contains a lane that cannot be read";
    lane.role = f[9];
    if (out.runs.empty() || out.runs.back().variant != variant || out.runs.back().d != d || out.runs.back().n != n ||
        out.runs.back().causal != (causal == 1))
      return "is a lane of another run than the one above it";
    std::vector<ChipBlock>& blocks = out.runs.back().blocks;
    if (blocks.empty() || blocks.back().block != block.block) blocks.push_back(block);
    blocks.back().lanes.push_back(std::move(lane));
    return "";
  };
  const auto take_remark = [&out](std::string_view key, std::string_view value) {
    return keep_remark(out.provenance, key, value);
  };
  const Result<Done> read =
      read_csv_table(text, name, {{kRunHead, kLaneHead}, take_remark, take_row, "Record again, or restore the file"});
  if (!read) return read.issues();
  if (out.runs.empty()) return Issue{name, "", "contains no run", "Restore the file"};
  return out;
}

Result<Done> add_times_beside(std::string_view text, const std::string& name, ChipTimelines& to) {
  std::map<const ChipRun*, std::vector<double>> samples;
  const auto take_row = [&](const std::vector<std::string>& f) -> std::string {
    ChipRun same;
    std::int64_t causal = 0;
    double ms = 0;
    if (f.size() != 10 || !count(f[3], same.d) || !count(f[4], same.heads) || !count(f[5], same.batch) ||
        !count(f[6], same.n) || !read(f[7], causal, 0, 1) || !above_zero(f[9], ms))
      return "contains a time that cannot be read";
    for (const ChipRun& run : to.runs)
      if (f[1] == "flash_v3 " + run.name && run.d == same.d && run.heads == same.heads && run.batch == same.batch &&
          run.n == same.n && run.causal == (causal == 1))
        samples[&run].push_back(ms);
    return "";
  };
  const auto take_remark = [](std::string_view, std::string_view) { return std::string(); };
  const Result<Done> read =
      read_csv_table(text, name, {{kBesideHead}, take_remark, take_row, "Record again, or restore the file"});
  if (!read) return read.issues();
  for (ChipRun& run : to.runs)
    if (const auto found = samples.find(&run); found != samples.end()) run.ms_beside = median(found->second);
  return Done{};
}

Result<ChipTimelines> load_chip_timelines(const std::string& path) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  Result<ChipTimelines> out = parse_chip_timelines(*text, path);
  const std::string builds = (std::filesystem::path(path).parent_path() / kChipBuildsFile).string();
  if (!out || !std::filesystem::exists(builds)) return out;
  const Result<std::string> times = read_text_file(builds, kMaxCsvBytes);
  if (!times) return times.issues();
  if (const Result<Done> added = add_times_beside(*times, builds, *out); !added) return added.issues();
  return out;
}

}  // namespace tilewalk
