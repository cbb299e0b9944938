// tilewalk run: the attention itself, written to files, and its distance from float64.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "app/jobs/long_work.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/cli/walk_text.h"
#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "core/replay/replay.h"
#include "files/tensor_files.h"
#include "view/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostOutputBytes = std::int64_t(1) << 33;

class Collector : public VisitSink {
 public:
  Collector(const Problem& p, Progress& progress)
      : p_(p),
        progress_(progress),
        o(std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.d)),
        lse(std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q)) {}
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return !interrupted(); }
  bool on_q_tile(std::int64_t batch, std::int64_t head, std::int64_t q_tile, const std::vector<float>& rows,
                 const std::vector<float>& row_lse) override {
    const std::size_t first = std::size_t((batch * p_.shape.heads + head) * p_.shape.n_q + q_tile * p_.tiling.br);
    std::copy(rows.begin(), rows.end(), o.begin() + std::ptrdiff_t(first * std::size_t(p_.shape.d)));
    for (std::size_t r = 0; r < row_lse.size(); ++r) lse[first + r] = display_score(p_, row_lse[r]);
    return progress_.update(double(++q_tiles_done_) / double(p_.shape.batch * p_.shape.heads * p_.q_tiles()));
  }

 private:
  const Problem& p_;
  Progress& progress_;
  std::int64_t q_tiles_done_ = 0;

 public:
  std::vector<float> o, lse;
};

// Largest distance of any output from float64; NaN if any is NaN. Negative: interrupted.
double error_against_float64(const Inputs& inputs, const std::vector<float>& o) {
  const Problem& p = inputs.problem();
  Progress progress("Comparing with float64");
  double largest = 0;
  std::size_t at = 0;
  for (std::int64_t b = 0; b < p.shape.batch; ++b)
    for (std::int64_t h = 0; h < p.shape.heads; ++h)
      for (std::int64_t r = 0; r < p.shape.n_q; ++r) {
        if (!progress.update(double(at) / double(o.size()))) return -1;
        for (double exact : reference_row(inputs, b, h, r).o) {
          const double error = std::fabs(double(o[at++]) - exact);
          if (!(error <= largest))
            largest = std::isnan(error) || std::isnan(largest) ? std::numeric_limits<double>::quiet_NaN() : error;
        }
      }
  return largest;
}

}  // namespace

int run_verb(const CommandLine& line) {
  const std::string out = line.option("out").value_or(""), lse_out = line.option("lse").value_or("");
  if (out.empty()) return refuse({{"out", "", "says where O goes, and is missing", "Such as --out o.npy"}});
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Problem& p = opened->document.problem;
  Issues issues = check_output_name(out, p.numerics.dtype);
  if (!lse_out.empty())
    for (const Issue& issue : check_output_name(lse_out, DType::Fp32)) issues.push_back(issue);
  if (double(p.shape.batch) * double(p.shape.heads) * double(p.shape.n_q) * double(p.shape.d + 1) * 4 >
      double(kMostOutputBytes))
    issues.push_back(
        {"out", "", "would hold more than " + format_bytes(kMostOutputBytes), "Make batch, heads or n-q smaller"});
  if (!issues.empty()) return refuse(issues);

  catch_interrupts();
  Replay replay(opened->schedule, opened->inputs());
  double seconds = 0;
  std::vector<float> o, lse;
  {
    Progress progress("Computing");
    Collector collector(p, progress);
    const auto begin = std::chrono::steady_clock::now();
    if (!replay.walk(collector)) return interrupted_exit();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    o = std::move(collector.o);
    lse = std::move(collector.lse);
  }
  if (const Result<Done> saved =
          save_tensor(out, "o", o, {p.shape.batch, p.shape.heads, p.shape.n_q, p.shape.d}, p.numerics.dtype);
      !saved)
    return refuse(saved.issues());
  if (!lse_out.empty())
    if (const Result<Done> saved =
            save_tensor(lse_out, "lse", lse, {p.shape.batch, p.shape.heads, p.shape.n_q}, DType::Fp32);
        !saved)
      return refuse(saved.issues());

  Json json = {{"out", out}, {"seconds", seconds}};
  if (!lse_out.empty()) json["lse"] = lse_out;
  std::string error_text;
  if (!line.has("no-reference")) {
    const double error = error_against_float64(replay.inputs(), o);
    if (error < 0) return interrupted_exit();
    json["max_abs_error_vs_float64"] = json_number(error);
    error_text = fmt::format("Largest distance from float64: {:.3g}\n", error);
    if (!row_of(p).family.backward) {
      Progress progress("Comparing with plain attention");
      const AccuracyReport rule = measure_accuracy(replay.inputs(), {}, [&](double at) { return progress.update(at); });
      if (interrupted()) return interrupted_exit();
      json["float64"] = json_accuracy(rule);
      error_text += sentence_of(p, rule) + "\n";
    }
  }
  if (line.has("json"))
    print_json(json);
  else
    fmt::print("{}O [{}, {}, {}, {}] {} is in {}{}.\nComputed in {:.3f} s on the CPU, by the replay of {}.\n{}",
               heading_text(*opened->schedule), p.shape.batch, p.shape.heads, p.shape.n_q, p.shape.d,
               name_of(p.numerics.dtype), out, lse_out.empty() ? "" : ", L in " + lse_out, seconds, name_of(p.schedule),
               error_text);
  return kExitOk;
}

}  // namespace tilewalk
