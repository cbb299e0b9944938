#include "measured/cpu_times.h"

#include <map>
#include <tuple>

#include "base/median.h"
#include "base/parse.h"
#include "files/csv.h"
#include "files/file_io.h"

namespace tilewalk {

namespace {

constexpr const char* kCpuColumns =
    "contender,dtype,d,heads,batch,n,causal,threads,sample,ms,gflops_peak,gflop_visited";

}  // namespace

std::optional<double> CpuTimes::ms_of(const std::string& contender, std::int64_t n, std::int64_t d, bool causal) const {
  for (const CpuTime& each : times)
    if (each.contender == contender && each.n == n && each.d == d && each.causal == causal) return each.ms;
  return std::nullopt;
}

Result<CpuTimes> load_cpu_times(const std::string& path) {
  const Result<std::string> text = read_text_file(path, kMaxCsvBytes);
  if (!text) return text.issues();
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, bool>, std::vector<double>> samples;
  const auto take_row = [&](const std::vector<std::string>& fields) -> std::string {
    const auto d = parse_integer(fields[2]), n = parse_integer(fields[5]), causal = parse_integer(fields[6]);
    const auto threads = parse_integer(fields[7]);
    const auto ms = parse_real(fields[9]);
    if (!d || !n || !causal || !threads || !ms || !(*ms > 0)) return "has no number where one belongs";
    if (*threads == 1 && fields[1] == "fp32") samples[{fields[0], *n, *d, *causal != 0}].push_back(*ms);
    return "";
  };
  if (const Result<Done> read = read_csv_table(*text, path, {{kCpuColumns}, {}, take_row}); !read) return read.issues();
  CpuTimes out;
  for (auto& [of, ms] : samples)
    out.times.push_back({std::get<0>(of), std::get<1>(of), std::get<2>(of), std::get<3>(of), median(std::move(ms))});
  return out;
}

}  // namespace tilewalk
