// tilewalk bench: the budgets, measured here and now.
#include <fmt/format.h>

#include "app/bench/bench_core.h"
#include "app/bench/bench_lab.h"
#include "app/bench/bench_scale.h"
#include "app/bench/bench_window.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/streams.h"
#include "base/units.h"
#include "files/file_io.h"
#include "session/resources.h"

namespace tilewalk {
namespace {

Result<LabBench> bench_of_lab() {
  const Result<std::string> root = find_resource_root();
  if (!root) return root.issues();
  const Result<std::string> text = read_text_file(*root + "/assets/lab/05-fa2-loop/solution.cu", 256 * 1024);
  if (!text) return text.issues();
  return bench_lab(*text);
}

}  // namespace

int bench_verb(const CommandLine& line) {
  const std::string what = line.option("what").value_or("all");
  const bool json_wanted = line.has("json");
  Json json = Json::object();
  auto wanted = [&](const char* name) { return what == "all" || what == name; };
  auto print_line = [&](const std::string& text) {
    if (!json_wanted) say("{}\n", text);
  };
  print_line(machine_text());
  if (wanted("replay")) {
    if (const Result<ReplayBench> bench = bench_replay()) {
      json["replay"] = {{"ns_per_tile_visit", bench->ns_per_tile_visit},
                        {"openblas_ns", bench->openblas_ns},
                        {"openblas_core", bench->openblas_core},
                        {"ratio", bench->better_core.empty() ? Json(bench->ratio) : Json()}};
      print_line(
          fmt::format("replay    {:.0f} ns a tile visit (64 x 64 x 64, state kept); OpenBLAS's two products alone "
                      "{:.0f} ns by its kernels for {}; ",
                      bench->ns_per_tile_visit, bench->openblas_ns, bench->openblas_core) +
          (bench->better_core.empty()
               ? fmt::format("ratio {:.2f} (budget 1.25)", bench->ratio)
               : fmt::format("no ratio (budget 1.25): OpenBLAS took this processor for an older one. Run it again with "
                             "OPENBLAS_CORETYPE={} in the environment",
                             bench->better_core)));
    } else {
      complain((what == "all" ? "replay is left out: " : "") + text_of(bench.issues()));
      if (what != "all") return kExitNoDevice;
    }
  }
  if (wanted("seek")) {
    const SeekBench bench = bench_seek();
    json["seek"] = {
        {"p50_ms", bench.p50_ms}, {"p99_ms", bench.p99_ms}, {"seeks", bench.seeks}, {"threads", bench.threads}};
    print_line(fmt::format(
        "seek      {:.2f} ms at p50, {:.2f} ms at p99 of {} cold seeks on {} threads, N = 65,536 (budget 16 at "
        "p99)",
        bench.p50_ms, bench.p99_ms, bench.seeks, bench.threads));
  }
  if (wanted("counters")) {
    const CountersBench bench = bench_counters();
    json["counters"] = {{"ns_small", bench.ns_small}, {"ns_large", bench.ns_large}};
    print_line(fmt::format("counters  {:.0f} ns at N = 1,024, {:.0f} ns at N = 16,777,216 (budget 10,000, and flat)",
                           bench.ns_small, bench.ns_large));
  }
  if (wanted("scale")) {
    json["scale"] = Json::array();
    print_line(
        "scale     batch 8 x heads 32 x N = 131,072, causal: open | counters | seeks in one head, p50, p99 | first of "
        "a head");
    for (const ScaleBench& bench : bench_scale()) {
      json["scale"].push_back({{"schedule", bench.schedule},
                               {"open_us", bench.open_us},
                               {"counters_ns", bench.counters_ns},
                               {"seek_p50_ms", bench.seek_p50_ms},
                               {"seek_p99_ms", bench.seek_p99_ms},
                               {"new_head_ms", bench.new_head_ms},
                               {"threads", bench.threads}});
      const std::string seeks =
          bench.seek_p99_ms > 0
              ? fmt::format("{:.1f} ms, {:.1f} ms | {:.0f} ms", bench.seek_p50_ms, bench.seek_p99_ms, bench.new_head_ms)
              : "in slices, after the forward pass of its head";
      print_line(
          fmt::format("  {:<18} {:.0f} us | {:.0f} ns | {}", bench.schedule, bench.open_us, bench.counters_ns, seeks));
    }
  }
  if (wanted("memory")) {
    const MemoryBench bench = bench_memory();
    json["memory"] = {{"bytes", bench.bytes}};
    print_line(fmt::format("memory    {} of heap at N = 1,048,576 (budget 64 MiB)", format_bytes(bench.bytes)));
  }
  if (wanted("lab")) {
    const Result<LabBench> bench = bench_of_lab();
    if (!bench) {
      complain(text_of(bench.issues()));
      return kExitInternal;
    }
    json["lab"] = {{"steps_per_second", bench->steps_per_second}, {"seconds", bench->seconds}, {"steps", bench->steps}};
    print_line(
        fmt::format("lab       {:.0f} million steps a second, FA-2's loop at N = 64, d = 32 in {:.3f} s (budget 20)",
                    bench->steps_per_second / 1e6, bench->seconds));
  }
  if (wanted("frame") || wanted("start")) {
    const Result<WindowBench> bench = bench_window(wanted("frame"), wanted("start"));
    if (bench) {
      json.update(bench->json);
      if (!json_wanted) say("{}", bench->text);
    } else if (what == "all") {
      complain("frame and start are left out: " + text_of(bench.issues()));
    } else {
      complain(text_of(bench.issues()));
      return kExitInternal;
    }
  }
  json["machine"] = machine_text();
  if (json_wanted) print_json(json);
  return kExitOk;
}

}  // namespace tilewalk
