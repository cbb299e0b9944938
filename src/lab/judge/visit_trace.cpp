#include "lab/judge/visit_trace.h"

#include <algorithm>
#include <cmath>

#include "base/parse.h"
#include "base/shown.h"
#include "base/units.h"
#include "files/tensor_files.h"

namespace tilewalk {
namespace {

constexpr const char* kVersion = "1";
constexpr const char* kColumns = "batch head q_tile kv_tile first_row rows first_key keys thread_block line";
constexpr std::int64_t kColumnCount = 10;
constexpr std::int64_t kMostIndex = std::int64_t(1) << 40;
constexpr const char* kWriteAgain = "Write it with assets/lab/tilewalk_trace.py";

class TraceReader {
 public:
  TraceReader(const SafetensorsReader& file, const std::string& name) : file_(file), name_(name) {}

  Result<VisitTrace> read();

 private:
  void refuse(const std::string& field, const std::string& value, const std::string& rule, const std::string& way_out) {
    issues_.push_back({name_ + (field.empty() ? "" : ", " + field), value, rule, way_out});
  }
  std::string word(const char* key) {
    const auto found = file_.metadata().find(key);
    if (found != file_.metadata().end()) return found->second;
    refuse("metadata", "", std::string("lacks the key ") + key, kWriteAgain);
    return {};
  }
  void read_metadata();
  Base base(const char* key);
  // The tensor if it is there with this type; shapes are checked by the caller.
  const TensorPlace* tensor(const char* key, TensorType, bool needed);
  void check_shape(const TensorPlace*, const std::vector<std::int64_t>& shape);
  void read_shapes();
  void read_floats_of(const TensorPlace*, std::vector<float>&);
  void read_marks();
  void read_mark(const std::int64_t* row, std::int64_t index);
  void read_kept();

  const SafetensorsReader& file_;
  std::string name_;
  Issues issues_;
  VisitTrace out_;
  const TensorPlace *q_ = nullptr, *k_ = nullptr, *v_ = nullptr, *visits_ = nullptr, *m_ = nullptr, *l_ = nullptr,
                    *o_ = nullptr, *out_o_ = nullptr, *out_lse_ = nullptr;
  double products_ = 0;
};

Base TraceReader::base(const char* key) {
  const std::string text = word(key);
  if (text != "e" && text != "2" && issues_.empty()) refuse(key, text, "must be e or 2", kWriteAgain);
  return text == "2" ? Base::Two : Base::E;
}

void TraceReader::read_metadata() {
  const std::string format = word("format");
  if (format != kVisitTraceFormat) {
    issues_.clear();
    return refuse("format", format.empty() ? "nothing" : format, "is not a trace of tile visits", kWriteAgain);
  }
  if (const std::string version = word("version"); version != kVersion)
    return refuse("version", version, std::string("is not the version read here, ") + kVersion, kWriteAgain);
  out_.rules = {.base = base("base"), .lse_base = base("lse_base")};
  if (const std::string columns = word("columns"); columns != kColumns && issues_.empty())
    refuse("columns", columns, std::string("must be \"") + kColumns + "\"", kWriteAgain);
  Problem& p = out_.problem;
  const std::string mask = word("mask");
  if (const auto read = mask_from(mask); read && read->left <= kMostIndex && read->right <= kMostIndex)
    p.shape.mask = *read;
  else if (issues_.empty())
    refuse("mask", mask, "must be none, causal, causal-bottom-right or window:LEFT:RIGHT", kWriteAgain);
  const std::string scale = word("scale");
  const auto factor = parse_real<double>(scale);
  if (factor && std::isfinite(*factor) && std::fabs(*factor) >= 1e-30 && std::fabs(*factor) <= 1e30)
    p.numerics.scale = *factor;
  else if (issues_.empty())
    refuse("scale", scale, "must be a number with a size from 1e-30 to 1e30", "Give the factor of q.k");
  const std::string dtype = word("dtype");
  if (const auto read = dtype_from(dtype))
    p.numerics.dtype = *read;
  else if (issues_.empty())
    refuse("dtype", dtype, "must be fp32, fp16 or bf16", kWriteAgain);
}

const TensorPlace* TraceReader::tensor(const char* key, TensorType type, bool needed) {
  const TensorPlace* const found = file_.find(key);
  if (!found) {
    if (needed) refuse("", "", std::string("lacks the tensor ") + key, kWriteAgain);
    return nullptr;
  }
  if (found->type == type) return found;
  refuse(std::string("tensor ") + key, name_of(found->type), std::string("must be ") + name_of(type), kWriteAgain);
  return nullptr;
}

void TraceReader::check_shape(const TensorPlace* place, const std::vector<std::int64_t>& shape) {
  if (place && place->shape != shape)
    refuse("tensor " + place->name, shape_text(place->shape), "must be " + shape_text(shape), kWriteAgain);
}

void TraceReader::read_shapes() {
  q_ = tensor("q", TensorType::F32, true), k_ = tensor("k", TensorType::F32, true);
  v_ = tensor("v", TensorType::F32, true), visits_ = tensor("visits", TensorType::I64, true);
  m_ = tensor("m", TensorType::F32, false), l_ = tensor("l", TensorType::F32, false);
  o_ = tensor("o", TensorType::F32, false), out_o_ = tensor("out_o", TensorType::F32, false);
  out_lse_ = tensor("out_lse", TensorType::F32, false);
  if (!issues_.empty()) return;
  for (const TensorPlace* place : {q_, k_})
    if (place->shape.size() != 4 || *std::min_element(place->shape.begin(), place->shape.end()) < 1)
      refuse("tensor " + place->name, shape_text(place->shape), "must have four dimensions of 1 or more", kWriteAgain);
  if (!issues_.empty()) return;
  Shape& s = out_.problem.shape;
  s.batch = q_->shape[0], s.heads = q_->shape[1], s.n_q = q_->shape[2], s.d = q_->shape[3];
  s.kv_heads = k_->shape[1], s.n_kv = k_->shape[2];
  if (s.d > kMostTraceHeadSize)
    refuse("tensor q", shape_text(q_->shape), "has a head size above " + std::to_string(kMostTraceHeadSize),
           "Record a part of the head");
  if (s.heads % s.kv_heads != 0)
    refuse("tensor k", shape_text(k_->shape), "must have a number of heads that divides " + std::to_string(s.heads),
           kWriteAgain);
  check_shape(k_, {s.batch, s.kv_heads, s.n_kv, s.d});
  check_shape(v_, {s.batch, s.kv_heads, s.n_kv, s.d});
  check_shape(out_o_, {s.batch, s.heads, s.n_q, s.d});
  check_shape(out_lse_, {s.batch, s.heads, s.n_q});
  if (visits_->shape.size() != 2 || visits_->shape[1] != kColumnCount)
    refuse("tensor visits", shape_text(visits_->shape), "must be [visits, " + std::to_string(kColumnCount) + "]",
           kWriteAgain);
  else if (visits_->shape[0] > kMostTraceVisits)
    refuse("tensor visits", format_count(visits_->shape[0]) + " visits",
           "must be at most " + format_count(kMostTraceVisits), "Record fewer heads");
  if (!m_ && !l_ && !o_) refuse("", "", "has none of the tensors m, l and o", "Pass them to visit()");
  double rows = double(s.batch) * double(s.heads) * double(s.n_q);
  if (rows * double(s.n_kv) * double(s.d) > kMostTraceProducts)
    refuse("", format_count(std::int64_t(rows)) + " rows of " + format_count(s.n_kv) + " keys",
           "is too much to judge here", "Record fewer heads or rows");
}

void TraceReader::read_floats_of(const TensorPlace* place, std::vector<float>& to) {
  if (!place || !issues_.empty()) return;
  Result<std::vector<float>> values = read_floats(file_.reader(), *place);
  if (!values) return append(issues_, values.issues());
  to = std::move(*values);
}

void TraceReader::read_mark(const std::int64_t* row, std::int64_t index) {
  const Shape& s = out_.problem.shape;
  const std::string place = "visit " + std::to_string(index + 1);
  const auto within = [&](const char* column, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value >= least && value <= most) return;
    refuse(place + ", " + column, std::to_string(value),
           "must be from " + std::to_string(least) + " to " + std::to_string(most), kWriteAgain);
  };
  within("batch", row[0], 0, s.batch - 1);
  within("head", row[1], 0, s.heads - 1);
  within("q_tile", row[2], 0, kMostIndex);
  within("kv_tile", row[3], 0, kMostIndex);
  within("first_row", row[4], 0, s.n_q - 1);
  within("rows", row[5], 1, s.n_q);
  within("first_key", row[6], 0, s.n_kv);
  within("keys", row[7], 0, kMostIndex);
  within("thread_block", row[8], 0, kMostIndex);
  within("line", row[9], 0, 1 << 30);
  if (issues_.empty() && row[5] > s.n_q - row[4])
    refuse(place, std::to_string(row[4]) + " + " + std::to_string(row[5]) + " rows",
           "must end at row " + std::to_string(s.n_q), kWriteAgain);
  if (!issues_.empty()) return;
  LabVisit visit{.batch = row[0],
                 .head = row[1],
                 .q_tile = row[2],
                 .kv_tile = row[3],
                 .first_row = row[4],
                 .rows = row[5],
                 .first_key = row[6],
                 .keys = row[7],
                 .thread_block = row[8],
                 .lines = {.visit = int(row[9])}};
  Tiling& tiling = out_.problem.tiling;
  tiling.br = std::max(tiling.br, visit.rows);
  tiling.bc = std::max(tiling.bc, std::min(visit.keys, s.n_kv));
  products_ += double(visit.rows) * double(std::min(visit.keys, s.n_kv - visit.first_key)) * double(s.d);
  out_.visits.push_back(std::move(visit));
}

void TraceReader::read_marks() {
  std::vector<std::int64_t> marks(std::size_t(visits_->shape[0] * kColumnCount));
  if (const Result<Done> done = file_.read(*visits_, std::as_writable_bytes(std::span(marks))); !done)
    return append(issues_, done.issues());
  out_.problem.tiling.br = out_.problem.tiling.bc = 1;
  for (std::int64_t i = 0; i < visits_->shape[0] && issues_.empty(); ++i) read_mark(marks.data() + i * kColumnCount, i);
  if (issues_.empty() && products_ > kMostTraceProducts)
    refuse("", format_count(visits_->shape[0]) + " visits", "are too much to judge here", "Record fewer heads or rows");
}

void TraceReader::read_kept() {
  std::int64_t rows = 0;
  for (const LabVisit& visit : out_.visits) rows += visit.rows;  // below kMostTraceVisits x n_q
  check_shape(m_, {rows}), check_shape(l_, {rows});
  check_shape(o_, {rows, out_.problem.shape.d});
  std::vector<float> m, l, o;
  read_floats_of(m_, m), read_floats_of(l_, l), read_floats_of(o_, o);
  if (!issues_.empty()) return;
  auto at = std::ptrdiff_t(0);
  for (LabVisit& visit : out_.visits) {
    const auto count = std::ptrdiff_t(visit.rows), d = std::ptrdiff_t(out_.problem.shape.d);
    if (m_) visit.m.assign(m.begin() + at, m.begin() + at + count);
    if (l_) visit.l.assign(l.begin() + at, l.begin() + at + count);
    if (o_) visit.o.assign(o.begin() + at * d, o.begin() + (at + count) * d);
    at += count;
  }
}

Result<VisitTrace> TraceReader::read() {
  read_metadata();
  if (issues_.empty()) read_shapes();
  if (issues_.empty()) read_marks();
  if (issues_.empty()) read_kept();
  read_floats_of(q_, out_.q), read_floats_of(k_, out_.k), read_floats_of(v_, out_.v);
  read_floats_of(out_o_, out_.o), read_floats_of(out_lse_, out_.lse);
  if (issues_.empty())
    for (const auto& [key, values] : {std::pair("q", &out_.q), std::pair("k", &out_.k), std::pair("v", &out_.v)}) {
      const auto bad = std::find_if(values->begin(), values->end(), [](float x) { return !std::isfinite(x); });
      if (bad != values->end())
        refuse(std::string("tensor ") + key + ", value " + std::to_string(bad - values->begin()), format_fixed(*bad, 6),
               "must be finite", "Record inputs that are");
    }
  if (!issues_.empty()) return issues_;
  return std::move(out_);
}

}  // namespace

Result<VisitTrace> visit_trace_from(const SafetensorsReader& file, const std::string& name) {
  return TraceReader(file, name).read();
}

Result<VisitTrace> load_visit_trace(const std::string& path) {
  const Result<SafetensorsReader> file = SafetensorsReader::open(path);
  if (!file) return file.issues();
  return visit_trace_from(*file, path);
}

JudgeReport judge_trace(const VisitTrace& trace, const std::function<bool(double)>& go_on) {
  Judge judge(trace.problem, trace.inputs(), trace.rules);
  const auto count = double(trace.visits.size());
  for (std::size_t i = 0; i < trace.visits.size(); ++i) {
    if (go_on && !go_on(double(i) / count)) {
      JudgeReport report = judge.finish({});
      report.passed = false;
      return report;
    }
    judge.add(trace.visits[i]);
  }
  return judge.finish({.o = trace.o, .l = trace.lse});
}

}  // namespace tilewalk
