#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>

#include "base/contains.h"
#include "lab/judge/end_check.h"
#include "lab/judge/judged_row.h"
#include "lab/judge/row_case.h"
#include "lab/judge/slips.h"
#include "lab/judge/visit.h"
#include "lab/judge/visit_mistakes.h"

namespace tilewalk {
namespace {

double natural(Base base, double value) { return base == Base::Two ? value * std::numbers::ln2 : value; }
double in_base(Base base, double value) { return base == Base::Two ? value / std::numbers::ln2 : value; }
Base other(Base base) { return base == Base::E ? Base::Two : Base::E; }

constexpr std::size_t kMostDiagnosed = 12;  // wrong visits on which mistakes are tried

using RowKey = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // batch, head, row

using TileKey = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

KeptRow kept_row(const LabVisit& v, std::int64_t row, std::int64_t d, Base base) {
  const auto i = std::size_t(row - v.first_row);
  KeptRow out;
  if (!v.m.empty()) out.m = natural(base, v.m[i]);
  if (!v.l.empty()) out.l = v.l[i];
  if (!v.o.empty()) out.o.assign(v.o.begin() + std::ptrdiff_t(i) * d, v.o.begin() + std::ptrdiff_t(i + 1) * d);
  return out;
}

// Where the kernel's own m is no number, l and o are those of the largest score.
ExpectedRow expected_row(RowCase c, Base base) {
  const bool m_wrong = !c.exact.sees_nothing() && !std::isfinite(c.got.m);
  if (m_wrong) c.got.m = c.exact.max(), c.exact.follow_max(c.got.m);
  ExpectedRow out{.m = in_base(base, c.exact.max()),
                  .l = c.fitting_l(),
                  .m_wrong = m_wrong,
                  .l_wrong = c.l_wrong,
                  .o_wrong = c.o_wrong};
  for (std::size_t x = 0; x < c.got.o.size(); ++x) out.o.push_back(c.fitting_o(x));
  return out;
}

// As before the first key.
bool is_empty(const KeptRow& got) {
  return std::isinf(got.m) && got.m < 0 && (!got.l || *got.l == 0) &&
         std::all_of(got.o.begin(), got.o.end(), [](double x) { return x == 0; });
}

bool fits(const JudgedRow& exact, const KeptRow& got) {
  const RowFit fit = fit_of(exact, got);
  return fit.l && (fit.o_sum || fit.o_divided);
}

}  // namespace

struct Judge::Run {
  // What a thread block has absorbed for a row, and what it kept last.
  struct Pass {
    std::int64_t thread_block;
    JudgedRow exact;
    std::optional<KeptRow> kept;
    bool repeats = false;  // the last visit's keys had been absorbed before
  };

  // One tile visit: a mark of all its rows, or marks of single rows.
  struct TileVisit {
    std::int64_t index = 0;
    bool wrong = false;
    std::vector<std::int64_t> rows = {};
  };

  Run(const Problem& problem, const AttentionInputs& in, const JudgeRules& how)
      : p(problem), inputs(p, in), rules(how) {}

  bool judge_row(const LabVisit&, std::int64_t row, const TileVisit&);
  TileVisit& tile_visit(const LabVisit&);
  void note_wrong(const LabVisit&, const RowCase&, const TileVisit&);
  Pass& pass_of(const LabVisit&, std::int64_t row, const KeptRow&);
  void diagnose();
  void complain_of_missing_keys();

  const Problem p;
  const JudgedInputs inputs;
  const JudgeRules rules;
  std::map<RowKey, std::vector<Pass>> passes;
  std::map<RowKey, std::vector<KeyRange>> covered;
  std::map<TileKey, TileVisit> tiles;
  std::int64_t marks_ignored = 0;
  bool rows_marked = false;                   // by row_done
  bool sum_open = true, divided_open = true;  // forms of o that fit all visits so far
  // Rows with m and l, and how many are wrong if m is read in the other base, or as a product before scaling.
  std::int64_t read_otherwise = 0, other_base_wrong = 0, unscaled_wrong = 0;
  NumberedVisits wrong_visits;        // the first ones, for the diagnosis
  LabVisit first_mark;                // with the first wrong row, less its values
  std::vector<ExpectedRow> expected;  // of the last visit
  JudgeReport report;
};

Judge::Judge(const Problem& p, const AttentionInputs& inputs, const JudgeRules& rules)
    : run_(std::make_unique<Run>(p, inputs, rules)) {}
Judge::~Judge() = default;

Judge::Run::TileVisit& Judge::Run::tile_visit(const LabVisit& v) {
  const TileKey key{v.thread_block, v.batch, v.head, v.q_tile, v.kv_tile};
  const auto found = tiles.find(key);
  bool fresh = found == tiles.end();
  if (!fresh)
    for (std::int64_t row = v.first_row; row < v.first_row + v.rows; ++row) fresh |= contains(found->second.rows, row);
  TileVisit& tile = tiles[key];
  if (fresh) tile = {.index = report.visits++};
  for (std::int64_t row = v.first_row; row < v.first_row + v.rows; ++row) tile.rows.push_back(row);
  return tile;
}

Judge::Run::Pass& Judge::Run::pass_of(const LabVisit& v, std::int64_t row, const KeptRow& got) {
  const KeyRange keys{v.first_key, std::min(v.first_key + v.keys, p.shape.n_kv)};
  std::vector<Pass>& all = passes[{v.batch, v.head, row}];
  const auto own =
      std::find_if(all.begin(), all.end(), [&](const Pass& a) { return a.thread_block == v.thread_block; });
  Pass fresh{v.thread_block, JudgedRow(inputs, {v.batch, v.head, row}), {}, false};
  if (own != all.end()) {
    own->repeats = own->exact.overlaps(keys);
    if (own->repeats) {  // another pass over the keys, or the same keys again by mistake
      fresh.exact.absorb(keys);
      fresh.exact.follow_max(got.m);
      if (!fits(fresh.exact, got)) return *own;
      *own = std::move(fresh);
      return *own;
    }
    own->exact.absorb(keys);
    own->exact.follow_max(got.m);
    return *own;
  }
  fresh.exact.absorb(keys);
  fresh.exact.follow_max(got.m);
  if (!fits(fresh.exact, got))
    for (auto before = all.rbegin(); before != all.rend(); ++before) {
      if (before->exact.overlaps(keys)) continue;
      Pass continued = *before;
      continued.thread_block = v.thread_block;
      continued.exact.absorb(keys);
      continued.exact.follow_max(got.m);
      if (fits(continued.exact, got)) {
        all.push_back(std::move(continued));
        return all.back();
      }
    }
  all.push_back(std::move(fresh));
  return all.back();
}

bool Judge::Run::judge_row(const LabVisit& v, std::int64_t row, const TileVisit& tile) {
  const KeptRow got = kept_row(v, row, p.shape.d, rules.base);
  Pass& pass = pass_of(v, row, got);
  const RowFit fit = fit_of(pass.exact, got);
  if (got.l && !v.m.empty() && !pass.exact.sees_nothing()) {
    ++read_otherwise;
    const auto fails = [&](double unit) {
      KeptRow otherwise = got;
      otherwise.m = double(v.m[std::size_t(row - v.first_row)]) * unit;
      return !fits(pass.exact, otherwise);
    };
    other_base_wrong += fails(natural(other(rules.base), 1));
    unscaled_wrong += fails(inputs.factor());
  }
  const bool o_fits = (fit.o_sum && sum_open) || (fit.o_divided && divided_open);
  if (o_fits && fit.l) {
    sum_open &= fit.o_sum;
    divided_open &= fit.o_divided;
  }
  const bool right = fit.l && o_fits;
  const auto noted = std::find_if(wrong_visits.begin(), wrong_visits.end(),
                                  [&](const auto& visit) { return visit.first == tile.index; });
  const bool diagnosed = noted != wrong_visits.end() || (!right && wrong_visits.size() < kMostDiagnosed);
  if (diagnosed || rules.expects) {
    RowCase c{.id = {v.batch, v.head, row},
              .kv_tile = v.kv_tile,
              .tile = {v.first_key, std::min(v.first_key + v.keys, p.shape.n_kv)},
              .before = pass.kept,
              .repeats = pass.repeats,
              .got = got,
              .form = sum_open ? OForm::Sum : OForm::Divided,
              .exact = pass.exact,
              .l_wrong = !fit.l,
              .o_wrong = !o_fits};
    if (rules.expects) expected.push_back(expected_row(c, rules.base));
    if (!right && (!report.first_wrong || report.first_wrong->visit == tile.index)) note_wrong(v, c, tile);
    if (noted != wrong_visits.end())
      noted->second.push_back(std::move(c));
    else if (diagnosed)
      wrong_visits.push_back({tile.index, {std::move(c)}});
  }
  pass.kept = got;
  std::vector<KeyRange>& keys = covered[{v.batch, v.head, row}];
  if (v.keys > 0) keys.push_back({v.first_key, v.first_key + v.keys});
  return right;
}

// Notes the first wrong row of the first wrong visit, and its m or l before its o.
void Judge::Run::note_wrong(const LabVisit& v, const RowCase& c, const TileVisit& tile) {
  if (report.first_wrong && report.first_wrong->row <= c.id.row) return;
  first_mark = v;
  WrongValue w{
      .visit = tile.index, .batch = v.batch, .head = v.head, .q_tile = v.q_tile, .kv_tile = v.kv_tile, .row = c.id.row};
  const JudgedRow& exact = c.exact;
  const auto m_of = [&](double m) { return in_base(rules.base, m); };
  // l and o fit one another, and another m.
  const auto m_alone = [&] {
    if (!c.got.l || c.got.o.empty() || !(*c.got.l > 0) || c.form == OForm::Divided || exact.sees_nothing())
      return false;
    KeptRow fitting = c.got;
    fitting.m = exact.lse() - std::log(*c.got.l);
    const RowFit fit = fit_of(exact, fitting);
    return fit.l && fit.o_sum;
  };
  const bool nothing_seen = exact.sees_nothing();
  if (c.l_wrong && (std::isnan(c.got.m) || (std::isinf(c.got.m) && !nothing_seen) || !c.got.l || m_alone() ||
                    (nothing_seen && *c.got.l == 0))) {
    w.quantity = LabQuantity::M;
    const double of_l = c.got.l && *c.got.l > 0 ? exact.lse() - std::log(*c.got.l) : kUnbounded;
    w.expected = nothing_seen ? -kUnbounded : m_of(std::isfinite(of_l) ? of_l : exact.max());
    w.got = m_of(c.got.m);
    w.bound = m_of(2 * exact.lse_bound());
    w.line = v.lines.m;
  } else if (c.l_wrong) {
    w.quantity = LabQuantity::L;
    w.expected = c.fitting_l(), w.got = *c.got.l, w.bound = c.l_tolerance();
    w.line = v.lines.l;
  } else {
    w.quantity = LabQuantity::O;
    std::size_t column = 0;
    const auto plain =
        nothing_seen ? 0 : 2 * exact.plain_errors().attention * (c.form == OForm::Sum ? c.fitting_l() : 1);
    for (std::size_t x = 0; x < c.got.o.size(); ++x)
      if (!(std::fabs(c.got.o[x] - c.fitting_o(x)) <= c.o_tolerance(x) + plain)) {
        column = x;
        break;
      }
    w.column = std::int64_t(column);
    w.expected = c.fitting_o(column), w.got = c.got.o[column], w.bound = c.o_tolerance(column) + plain;
    w.line = v.lines.o;
  }
  if (w.line == 0) w.line = v.lines.visit;
  report.first_wrong = w;
}

const std::vector<ExpectedRow>& Judge::expected() const { return run_->expected; }

bool Judge::add(const LabVisit& v) {
  Run& run = *run_;
  run.expected.clear();
  const Shape& shape = run.p.shape;
  const auto rows = std::size_t(std::max<std::int64_t>(v.rows, 0));
  const bool sound = v.batch >= 0 && v.batch < shape.batch && v.head >= 0 && v.head < shape.heads && v.first_row >= 0 &&
                     v.rows >= 0 && v.rows <= shape.n_q - v.first_row && v.first_key >= 0 && v.keys >= 0 &&
                     v.first_key <= shape.n_kv + run.p.tiling.bc && (v.m.empty() || v.m.size() == rows) &&
                     (v.l.empty() || v.l.size() == rows) &&
                     (v.o.empty() || v.o.size() == rows * std::size_t(shape.d)) &&
                     !(v.m.empty() && v.l.empty() && v.o.empty());
  if (!sound) {
    ++run.marks_ignored;
    return false;
  }
  run.rows_marked |= v.of_row;
  Run::TileVisit& tile = run.tile_visit(v);
  bool right = true;
  for (std::int64_t row = v.first_row; row < v.first_row + v.rows; ++row) right &= run.judge_row(v, row, tile);
  if (!right && !tile.wrong) tile.wrong = true, ++run.report.visits_wrong;
  return right;
}

void Judge::Run::diagnose() {
  if (!report.first_wrong || report.first_wrong->at_end) return;
  if (read_otherwise > 0 && other_base_wrong == 0)
    return void(report.diagnosis = Diagnosis{
                    "other-base", rules.base == Base::E
                                      ? "The states are right in log2 units: write // base: 2 above the kernel."
                                      : "The states are right in natural units: leave // base: 2 out."});
  if (read_otherwise > 0 && unscaled_wrong == 0)
    return void(report.diagnosis = Diagnosis{
                    "unscaled-m", "The states are right if m is multiplied by the scale: m was kept before scaling."});
  const std::vector<RowCase>& first = wrong_visits.front().second;
  if (std::all_of(first.begin(), first.end(),
                  [](const RowCase& c) { return is_empty(c.got) && !c.exact.sees_nothing(); }))
    return void(report.diagnosis = Diagnosis{"nothing-absorbed",
                                             "Nothing of this tile came into m, ℓ and o: they are as before the "
                                             "first key. Were its scores computed before they were read?"});
  VisitMistakes found = mistakes_of(inputs, wrong_visits, p.tiling.bc);
  if (!found.first && sum_open && divided_open) {
    for (auto& [index, rows] : wrong_visits)
      for (RowCase& c : rows) c.form = OForm::Divided;
    found = mistakes_of(inputs, wrong_visits, p.tiling.bc);
  }
  report.diagnosis = found.first ? found.first : no_known_mistake(*report.first_wrong);
  report.second = found.second;
}

// Keys that a row sees and that no visit absorbed.
void Judge::Run::complain_of_missing_keys() {
  std::int64_t rows_short = 0, first_key = 0;
  RowId first_row{};
  for (std::int64_t batch = 0; batch < p.shape.batch; ++batch)
    for (std::int64_t head = 0; head < p.shape.heads; ++head)
      for (std::int64_t row = 0; row < p.shape.n_q; ++row) {
        const std::int64_t end = inputs.band().end_col(row, p.shape.n_kv);
        std::int64_t next = inputs.band().first_col(row);
        std::vector<KeyRange>& keys = covered[{batch, head, row}];
        std::sort(keys.begin(), keys.end());
        for (const KeyRange& range : keys)
          if (range.first <= next) next = std::max(next, range.second);
        if (next >= end) continue;
        if (rows_short++ == 0) first_row = {batch, head, row}, first_key = next;
      }
  if (rows_short == 0) return;
  const std::string count = std::to_string(rows_short) + (rows_short == 1 ? " row" : " rows");
  const std::string row = "row " + std::to_string(first_row.row) + " of batch entry " +
                          std::to_string(first_row.batch) + ", head " + std::to_string(first_row.head);
  if (rows_marked)
    report.complaints.push_back("row_done is missing for " + count + ": " + row + " sees KV tile " +
                                std::to_string(first_key / p.tiling.bc) + ", and row_done was not called for the two.");
  else
    report.complaints.push_back("No visit absorbed all keys of " + count + ": " + row + " sees key " +
                                std::to_string(first_key) + ", and no marked visit has absorbed that key.");
}

JudgeReport Judge::finish(const LabOutputs& outputs) {
  Run& run = *run_;
  JudgeReport& report = run.report;
  if (run.marks_ignored > 0)
    report.complaints.push_back(
        std::to_string(run.marks_ignored) +
        " marks are not judged: their rows or keys are outside the problem, or they hold nothing.");
  if (run.rules.visits_needed && report.visits == 0)
    report.complaints.push_back("No visit was marked, so nothing but the end can be judged.");
  else if (run.rules.visits_needed)
    run.complain_of_missing_keys();
  run.diagnose();
  check_end(
      run.inputs, run.rules, outputs,
      [&](const RowId& id) {
        std::vector<const KeptRow*> out;
        const auto found = run.passes.find({id.batch, id.head, id.row});
        if (found == run.passes.end()) return out;
        for (const Run::Pass& each : found->second)
          if (each.kept) out.push_back(&*each.kept);
        return out;
      },
      run.sum_open ? OForm::Sum : OForm::Divided, report);
  report.passed = report.visits_wrong == 0 && !report.first_wrong && report.complaints.empty();
  if (report.passed) report.diagnosis.reset(), report.second.reset();
  return report;
}

}  // namespace tilewalk
