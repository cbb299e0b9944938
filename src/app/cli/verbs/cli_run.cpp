// tilewalk run: computes the attention, writes it to files, and prints its distance from float64. A backward pass has
// gradients beside O and L, which are those of the forward pass that it reads.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>

#include "app/cli/output.h"
#include "app/cli/text/walk_text.h"
#include "app/cli/verbs.h"
#include "app/jobs/long_work.h"
#include "base/shown.h"
#include "base/units.h"
#include "core/replay/replay.h"
#include "core/schedules/registry.h"
#include "core/witness/reference.h"
#include "files/tensor_files.h"
#include "trace/not_finite.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostOutputBytes = std::int64_t(1) << 33;

struct Values {
  std::vector<float> o, lse, dq, dk, dv;
};

// A tensor that a run can save.
struct Keepable {
  const char* name;  // in a file of many
  const char* flag;
  TensorId id;
  std::vector<float> Values::*values;
  bool gradient = false, by_query = true, wide = true;  // wide: d values a row

  std::vector<std::int64_t> shape(const Problem& p) const {
    std::vector<std::int64_t> out = {p.shape.batch, by_query ? p.shape.heads : p.shape.kv_heads,
                                     by_query ? p.shape.n_q : p.shape.n_kv};
    if (wide) out.push_back(p.shape.d);
    return out;
  }
  DType dtype(const Problem& p) const { return wide ? p.numerics.dtype : DType::Fp32; }
};
constexpr Keepable kKeepable[] = {
    {.name = "o", .flag = "out", .id = TensorId::O, .values = &Values::o},
    {.name = "lse", .flag = "lse", .id = TensorId::L, .values = &Values::lse, .wide = false},
    {.name = "dq", .flag = "dq", .id = TensorId::dQ, .values = &Values::dq, .gradient = true},
    {.name = "dk", .flag = "dk", .id = TensorId::dK, .values = &Values::dk, .gradient = true, .by_query = false},
    {.name = "dv", .flag = "dv", .id = TensorId::dV, .values = &Values::dv, .gradient = true, .by_query = false},
};

struct Destination {
  const char* flag;
  std::string path;
  std::vector<const Keepable*> tensors;
};

// Each tensor goes to the file of its flag. In a backward pass those without a flag go to O's file, if that can hold
// several.
std::vector<Destination> destinations(const CommandLine& line, bool backward, Issues& issues) {
  std::vector<Destination> out;
  for (const Keepable& tensor : kKeepable) {
    const std::optional<std::string> path = line.option(tensor.flag);
    if (path && tensor.gradient && !backward)
      issues.push_back({tensor.flag, *path, "is for a gradient, but this schedule is a forward pass",
                        "Leave it out, or try --schedule backward"});
    else if (path)
      out.push_back({tensor.flag, *path, {&tensor}});
    else if (backward && holds_many_tensors(out.front().path))
      out.front().tensors.push_back(&tensor);
  }
  return out;
}

Result<std::vector<OutputFile>> open_destinations(const std::vector<Destination>& files, const Document& document) {
  const Problem& p = document.problem;
  std::vector<OutputRequest> requests;
  Issues issues;
  double bytes = 0;
  for (const Destination& file : files) {
    for (const Keepable* tensor : file.tensors) {
      double values = 1;
      for (const std::int64_t n : tensor->shape(p)) values *= double(n);
      bytes += 4 * values;
    }
    add(tensor_request(file.flag, file.path, file.tensors.front()->dtype(p)), requests, issues);
    for (const InputSlot& slot : kInputSlots) {
      std::error_code absent;
      if (const std::string& read = document.paths.*slot.path;
          !read.empty() && std::filesystem::equivalent(read, file.path, absent))
        issues.push_back({file.flag, file.path, std::string("is the file that ") + slot.name + " is read from",
                          "Name another file"});
    }
  }
  if (bytes > double(kMostOutputBytes))
    issues.push_back(
        {"out", "", "would be larger than " + format_bytes(kMostOutputBytes), "Make batch, heads or lengths smaller"});
  if (!issues.empty()) return issues;
  return open_outputs(requests);
}

class Collector : public VisitSink {
 public:
  Collector(const Problem& p, bool backward, Progress& progress, Values& values)
      : p_(p), progress_(progress), values_(values) {
    const std::size_t q_rows = std::size_t(p.shape.batch * p.shape.heads * p.shape.n_q), d = std::size_t(p.shape.d),
                      kv_rows = std::size_t(p.shape.batch * p.shape.kv_heads * p.shape.n_kv);
    if (backward)
      values_.dq.resize(q_rows * d), values_.dk.resize(kv_rows * d), values_.dv.resize(kv_rows * d);
    else
      values_.o.resize(q_rows * d), values_.lse.resize(q_rows);
    tiles_ = double(p.shape.batch) * double(backward ? p.shape.kv_heads * p.kv_tiles() : p.shape.heads * p.q_tiles());
  }
  bool wants_scores() const override { return false; }
  bool on_visit(const VisitState&) override { return !interrupted(); }
  bool on_q_tile(const QTileId& id, const std::vector<float>& rows, const std::vector<float>& row_lse) override {
    put(rows, values_.o, q_row(id));
    const std::size_t first = std::size_t(q_row(id));
    for (std::size_t r = 0; r < row_lse.size(); ++r) values_.lse[first + r] = display_score(p_, row_lse[r]);
    return tile_done();
  }
  bool on_kv_gradients(const KvTileId& id, const std::vector<float>& dk, const std::vector<float>& dv) override {
    const std::int64_t row = (id.batch * p_.shape.kv_heads + id.kv_head) * p_.shape.n_kv + id.kv_tile * p_.tiling.bc;
    put(dk, values_.dk, row);
    put(dv, values_.dv, row);
    return tile_done();
  }
  bool on_q_gradient(const QTileId& id, const std::vector<float>& dq) override {
    put(dq, values_.dq, q_row(id));
    return !interrupted();
  }

 private:
  std::int64_t q_row(const QTileId& id) const {
    return (id.batch * p_.shape.heads + id.head) * p_.shape.n_q + id.q_tile * p_.tiling.br;
  }
  void put(const std::vector<float>& rows, std::vector<float>& all, std::int64_t row) const {
    std::copy(rows.begin(), rows.end(), all.begin() + std::ptrdiff_t(row * p_.shape.d));
  }
  bool tile_done() { return progress_.update(++done_ / tiles_); }

  const Problem& p_;
  Progress& progress_;
  Values& values_;
  double tiles_ = 0, done_ = 0;
};

// False: interrupted.
bool compute(const Opening& opened, bool with_gradients, Values& values) {
  const Problem& p = opened.document.problem;
  const bool backward = row_of(p).family.backward;
  const auto walk = [&](std::shared_ptr<const Schedule> schedule, const Inputs& inputs, bool gradients) {
    Progress progress(gradients ? "Computing the gradients" : "Computing");
    Collector collector(p, gradients, progress, values);
    return Replay(std::move(schedule), inputs).walk(collector);
  };
  if (!backward) return walk(opened.schedule, opened.inputs(), false);
  const Problem forward = forward_of(p);
  if (!walk(make_schedule(forward), opened.inputs().under(forward), false)) return false;
  return !with_gradients || walk(opened.schedule, opened.inputs(), true);
}

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
        for (double exact : reference_row(inputs, {b, h, r}).o) {
          const double error = std::fabs(double(o[at++]) - exact);
          if (!(error <= largest))
            largest = std::isnan(error) || std::isnan(largest) ? std::numeric_limits<double>::quiet_NaN() : error;
        }
      }
  return largest;
}

struct Distance {
  double of_o = 0;
  std::vector<std::pair<Problem, AccuracyReport>> reports;  // of O; in a backward pass also of its gradients

  bool beyond_rule() const {
    const auto fails = [](const auto& report) {
      return report.second.verdict == Verdict::Diverged || report.second.verdict == Verdict::NotFinite;
    };
    return !std::isfinite(of_o) || std::any_of(reports.begin(), reports.end(), fails);
  }
  AccuracyReport joined() const {
    AccuracyReport all = reports.back().second;
    if (reports.size() == 1) return all;
    const AccuracyReport& first = reports.front().second;
    all.quantities.insert(all.quantities.begin(), first.quantities.begin(), first.quantities.end());
    const auto rank = [](Verdict v) {
      return v == Verdict::NotFinite ? 3 : v == Verdict::Diverged ? 2 : v == Verdict::WithinRule ? 0 : 1;
    };
    if (rank(first.verdict) > rank(all.verdict)) all.verdict = first.verdict;
    if (all.reason.empty()) all.reason = first.reason;
    return all;
  }
};

std::optional<Distance> distance_from_float64(const Inputs& inputs, const std::vector<float>& o) {
  Distance out;
  out.of_o = error_against_float64(inputs, o);
  if (out.of_o < 0) return std::nullopt;
  const Problem& p = inputs.problem();
  Progress progress("Comparing with naive attention");
  const auto measure = [&](const Inputs& of) {
    out.reports.push_back({of.problem(), measure_accuracy(of, {}, [&](double at) { return progress.update(at); })});
  };
  if (row_of(p).family.backward) measure(inputs.under(forward_of(p)));
  measure(inputs);
  if (interrupted()) return std::nullopt;
  return out;
}

// L of a row that sees no key is infinite; nothing else may be.
std::vector<TensorId> not_finite(const Values& values) {
  std::vector<TensorId> out;
  for (const Keepable& tensor : kKeepable) {
    const std::vector<float>& all = values.*tensor.values;
    if (!std::all_of(all.begin(), all.end(), [&](float x) { return tensor.wide ? std::isfinite(x) : !std::isnan(x); }))
      out.push_back(tensor.id);
  }
  return out;
}

std::string destinations_text(const Problem& p, const std::vector<Destination>& files) {
  std::string out;
  for (const Destination& file : files) {
    for (const Keepable* tensor : file.tensors) {
      out += out.empty() ? "" : tensor == file.tensors.front() ? ", " : tensor == file.tensors.back() ? " and " : ", ";
      out += name_of(tensor->id);
      if (tensor == kKeepable)
        out += fmt::format(" [{}, {}, {}, {}] {}", p.shape.batch, p.shape.heads, p.shape.n_q, p.shape.d,
                           name_of(p.numerics.dtype));
    }
    out += (file.tensors.size() > 1 ? " are in " : &file == &files.front() ? " is in " : " in ") + shown(file.path);
  }
  return out;
}

// Heads that outnumber rows: the file may have the order of flash-attn. One query row is usual, with fewer heads than
// keys.
std::string layout_hint(const Document& document) {
  const Shape& shape = document.problem.shape;
  const bool q = !document.paths.q.empty() && shape.n_q > 1 && shape.heads > shape.n_q;
  const bool k = !document.paths.k.empty() && shape.kv_heads > shape.n_kv;
  if (document.paths.rows_first || (!q && !k)) return "";
  return fmt::format(
      "{} heads of {}: files are read as [batch, heads, rows, d]. flash-attn orders them [batch, rows, heads, d]; "
      "--layout bshd reads those.",
      format_count(q ? shape.heads : shape.kv_heads), counted(q ? shape.n_q : shape.n_kv, "row"));
}

Json json_of(const std::vector<Destination>& files, double seconds) {
  Json json = {{"out", files.front().path}, {"seconds", seconds}}, gradients = Json::object();
  for (const Destination& file : files)
    for (const Keepable* tensor : file.tensors) (tensor->gradient ? gradients : json)[tensor->flag] = file.path;
  if (!gradients.empty()) json["gradients"] = std::move(gradients);
  return json;
}

}  // namespace

int run_verb(const CommandLine& line) {
  if (line.option("out").value_or("").empty())
    return refuse({{"out", "", "says where O goes, and is missing", "Such as --out o.npy"}});
  const Result<Opening> opened = open_problem(line.problem);
  if (!opened) return refuse(opened.issues());
  const Problem& p = opened->document.problem;
  const bool backward = row_of(p).family.backward;
  Issues issues;
  const std::vector<Destination> files = destinations(line, backward, issues);
  if (!issues.empty()) return refuse(issues);
  Result<std::vector<OutputFile>> outputs = open_destinations(files, opened->document);
  if (!outputs) return refuse(outputs.issues());

  catch_interrupts();
  const bool gradients = std::any_of(files.begin(), files.end(), [](const Destination& file) {
    return std::any_of(file.tensors.begin(), file.tensors.end(), [](const Keepable* t) { return t->gradient; });
  });
  Values values;
  const auto begin = std::chrono::steady_clock::now();
  if (!compute(*opened, gradients, values)) return interrupted_exit();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (std::size_t i = 0; i < files.size(); ++i) {
    std::vector<NamedTensor> tensors;
    for (const Keepable* t : files[i].tensors)
      tensors.push_back({t->name, values.*t->values, t->shape(p), t->dtype(p)});
    if (const Result<Done> done = write_tensors((*outputs)[i], tensors); !done) return refuse(done.issues());
  }
  if (const Result<Done> done = rename_into_place(*outputs); !done) return refuse(done.issues());

  const std::vector<TensorId> wrong = not_finite(values);
  if (!wrong.empty())
    for (const std::string& why : why_not_finite(opened->inputs(), wrong, [] { return !interrupted(); })) complain(why);
  std::optional<Distance> distance;
  if (!line.has("no-reference")) {
    distance = distance_from_float64(opened->inputs(), values.o);
    if (!distance) return interrupted_exit();
  }
  if (line.has("json")) {
    Json json = json_of(files, seconds);
    const std::string hint = layout_hint(opened->document);
    json["layout_hint"] = hint.empty() ? Json() : Json(hint);
    if (distance) json["max_abs_error_vs_float64"] = json_number(distance->of_o);
    if (distance) json["float64"] = json_accuracy(distance->joined());
    print_json(json);
  } else {
    say("{}{}.\nComputed in {:.3f} s on the CPU, by the replay of {}.\n", heading_text(*opened->schedule),
        destinations_text(p, files), seconds, name_of(p.schedule));
    if (const std::string hint = layout_hint(opened->document); !hint.empty()) say("{}\n", hint);
    if (backward && !gradients)
      say("Its gradients are not saved: use --dq, --dk and --dv, or an --out in .safetensors.\n");
    if (distance) say("Largest distance of O from float64: {:.3g}\n", distance->of_o);
    if (distance)
      for (const auto& [problem, report] : distance->reports) say("{}\n", sentence_of(problem, report));
  }
  return !wrong.empty() || (distance && distance->beyond_rule()) ? kExitDivergence : kExitOk;
}

}  // namespace tilewalk
