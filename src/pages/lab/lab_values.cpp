// The numbers of the lab's page: rows after a visit, a thread's variables, bytes and counts.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "lab/run/variables.h"
#include "pages/lab/lab_model.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

// The visit before that one which kept the same row in the same thread block; null: there is none.
const lab::RunVisit* visit_before(const lab::LabRunResult& run, std::size_t at, std::int64_t row) {
  const lab::RunVisit& now = run.visits[at].visit;
  while (at-- > 0) {
    const lab::RunVisit& each = run.visits[at].visit;
    if (each.thread_block == now.thread_block && each.batch == now.batch && each.head == now.head &&
        row >= each.first_row && row < each.first_row + each.rows)
      return &each;
  }
  return nullptr;
}

std::string number(double value) { return signed_number(value); }

bool differs(double got, double expected) {
  return !(std::fabs(got - expected) <= 5e-4 * std::max(1.0, std::fabs(expected)));
}

// The largest score of a row in the tile of a visit, in the kernel's base.
double tile_max(const lab::LabRunResult& run, const lab::RunVisit& visit, std::int64_t row) {
  const Problem& p = run.setup.problem;
  const std::int64_t bc = p.tiling.bc, first = visit.kv_tile * bc;
  double most = -std::numeric_limits<double>::infinity();
  for (std::int64_t col = first; col < std::min(first + bc, p.shape.n_kv); ++col)
    most = std::max(most, lab_score(run, visit.batch, visit.head, row, col));
  return run.program->base_two ? most * std::numbers::log2e : most;
}

LabRowModel row_model(const lab::LabRunResult& run, std::size_t at, std::size_t i) {
  const lab::CheckedVisit& checked = run.visits[at];
  const lab::RunVisit& visit = checked.visit;
  const std::int64_t row = visit.first_row + std::int64_t(i);
  const std::size_t d = visit.rows > 0 ? visit.o.size() / std::size_t(visit.rows) : 0;
  const ExpectedRow* const expected = i < checked.expected.size() ? &checked.expected[i] : nullptr;
  LabRowModel out{.row = std::to_string(row), .cells = {}, .right = {}, .wrong = {}};
  const auto add = [&](std::string cell, bool wrong, std::string right) {
    out.cells.push_back(std::move(cell));
    out.wrong.push_back(wrong);
    out.right.push_back(wrong ? std::move(right) : "");
  };
  const lab::RunVisit* const before = visit_before(run, at, row);
  const std::size_t i_before = before ? std::size_t(row - before->first_row) : 0;
  const bool has_m = !visit.m.empty(), had_m = before && !before->m.empty();
  add(had_m ? number(before->m[i_before]) : "–", false, "");
  add(run.inputs.q.empty() ? "–" : number(tile_max(run, visit, row)), false, "");
  const bool m_wrong = expected && expected->m_wrong;
  add(has_m ? number(visit.m[i]) : "–", m_wrong, expected ? number(expected->m) : "");
  const double change = has_m && had_m ? double(before->m[i_before]) - visit.m[i] : 0;
  add(has_m && had_m ? number(run.program->base_two ? std::exp2(change) : std::exp(change)) : "", false, "");
  add(before && !before->l.empty() ? number(before->l[i_before]) : "–", false, "");
  const bool l_wrong = expected && expected->l_wrong;
  add(visit.l.empty() ? "–" : number(visit.l[i]), l_wrong, expected ? number(expected->l) : "");
  if (d == 0) {
    add("–", false, "");
    return out;
  }
  const bool o_wrong = expected && expected->o_wrong && differs(visit.o[i * d], expected->o[0]);
  add(number(visit.o[i * d]), o_wrong, expected ? number(expected->o[0]) : "");
  return out;
}

// The first number that does not fit, beside the right one.
std::string wrong_number(const LabNumbersModel& m) {
  for (const LabRowModel& row : m.rows)
    for (std::size_t at = 0; at < row.cells.size(); ++at) {
      if (!row.wrong[at]) continue;
      const bool of_o = at + 1 == row.cells.size();
      return (of_o     ? "row " + row.row + " of O starts with "
              : at < 4 ? "m of row " + row.row + " is "
                       : "ℓ of row " + row.row + " is ") +
             row.cells[at] + ". Right is " + row.right[at] + ".";
    }
  return "the numbers with a red frame do not fit.";
}

std::string results_words(lab::LabJudging judging, bool ran) {
  return std::string("Your kernel writes ") + (judging == lab::LabJudging::Gradients ? "dQ, dK and dV" : "O and L") +
         " at its end, and these are compared with float64. " +
         (ran ? "This run called no visit_done, so no tile visit is listed here."
              : "Tile visits are listed here after a run that calls visit_done.");
}

std::string text_of(float value) { return std::isfinite(value) ? format_fixed(value, 4) : number(value); }
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const lab::PointerValue&) { return ""; }

}  // namespace

double lab_score(const lab::LabRunResult& run, std::int64_t batch, std::int64_t head, std::int64_t row,
                 std::int64_t col) {
  return lab_score(run.setup.problem, run.inputs, batch, head, row, col);
}

double lab_score(const Problem& p, const lab::LabInputs& inputs, std::int64_t batch, std::int64_t head,
                 std::int64_t row, std::int64_t col) {
  const Shape& s = p.shape;
  if (!s.band().allows(row, col)) return -std::numeric_limits<double>::infinity();
  const float* const q = &inputs.q[std::size_t(((batch * s.heads + head) * s.n_q + row) * s.d)];
  const float* const k = &inputs.k[std::size_t(((batch * s.kv_heads + s.kv_head_of(head)) * s.n_kv + col) * s.d)];
  double sum = 0;
  for (std::int64_t x = 0; x < s.d; ++x) sum += double(q[x]) * double(k[x]);
  return sum * p.scale_value() * (p.numerics.base == Base::Two ? std::numbers::ln2 : 1.0);
}

LabNumbersModel build_lab_numbers(const LabController& lab) {
  LabNumbersModel out;
  const lab::LabRunResult* const run = lab.result();
  const lab::LabJudging judging = lab.task()->setup.judging;
  if (judging == lab::LabJudging::Scores || judging == lab::LabJudging::Weights) return build_lab_element(lab);
  const bool by_results = !is_by_visits(judging);
  out.title = by_results ? "Your results" : "Your running max and sum";
  out.columns = {{"row"}, {"m", true}, {"tile max", true}, {"m new"}, {"α"}, {"ℓ", true}, {"ℓ new"}, {"O[r][0]"}};
  if (!run || run->visits.empty()) {
    out.sentence = !run && by_results      ? results_words(judging, false)
                   : !run                  ? "After a run, this is what your kernel keeps after each tile visit."
                   : !run->walked.compiled ? "The text does not compile yet."
                   : by_results            ? results_words(judging, true)
                                           : "No visit was marked: visit_done shows a tile's state to the judge.";
    return out;
  }
  const std::int64_t before = lab.visits_before();
  if (before == 0 || (run->visits[std::size_t(before - 1)].visit.thread_block != run->stops[lab.stop()].block)) {
    out.sentence = "This thread block has not completed a tile visit yet.";
    return out;
  }
  const auto at = std::size_t(before - 1);
  const lab::CheckedVisit& checked = run->visits[at];
  const lab::RunVisit& visit = checked.visit;
  out.where = "Q" + std::to_string(visit.q_tile) + " × K" + std::to_string(visit.kv_tile);
  for (std::size_t i = 0; i < std::size_t(visit.rows); ++i) out.rows.push_back(row_model(*run, at, i));
  const std::size_t d = visit.rows > 0 ? visit.o.size() / std::size_t(visit.rows) : 0;
  out.o_title = d > 0 ? "Your O tile " + std::to_string(visit.q_tile) + " after this visit" : "";
  out.o_rows = d > 0 ? visit.rows : 0, out.o_cols = std::int64_t(d);
  out.o = visit.o;
  bool any = false;
  for (std::size_t i = 0; i < std::size_t(out.o_rows); ++i)
    for (std::size_t x = 0; x < d; ++x) {
      const bool known = i < checked.expected.size() && x < checked.expected[i].o.size();
      const double right = known ? checked.expected[i].o[x] : double(visit.o[i * d + x]);
      out.o_right.push_back(float(right));
      out.o_wrong.push_back(known && checked.expected[i].o_wrong && differs(visit.o[i * d + x], right));
      any |= out.o_wrong.back();
    }
  if (!any) out.o_right.clear();
  out.sentence = "After tile visit " + format_count(before) + ", " +
                 (checked.right ? "every number fits the keys met so far." : wrong_number(out));
  if (run->program->base_two) out.title = "Running max (log2) and sum";
  return out;
}

LabThreadModel build_lab_thread(const LabController& lab) {
  LabThreadModel out;
  out.thread = lab.thread();
  out.threads = lab.task()->setup.threads;
  out.title = "Thread " + std::to_string(out.thread) + " of " + std::to_string(out.threads);
  const lab::Machine* const machine = lab.machine();
  if (!machine || machine->threads() == 0 || lab.at_end()) return out;
  const int thread = std::min(int(out.thread), machine->threads() - 1);
  out.title += ", before line " + std::to_string(machine->place_of(thread).line);
  for (const lab::VariableNow& each : variables_of(*machine, thread))
    if (!std::holds_alternative<lab::PointerValue>(each.value))
      out.variables.push_back({each.name, std::visit([](const auto& value) { return text_of(value); }, each.value)});
  std::reverse(out.variables.begin(), out.variables.end());  // the innermost first
  return out;
}

bool has_ledger(const lab::LabSetup& setup) {
  return setup.judging != lab::LabJudging::Scores && setup.judging != lab::LabJudging::Weights &&
         setup.judging != lab::LabJudging::Gradients;
}

void build_lab_traffic(const lab::LabRunResult& run, LabPage& page) {
  TrafficBar yours{.label = "Yours", .text = {}, .bytes = 0, .parts = {}}, ledger = yours;
  const ScheduleKind kind = run.setup.ledger.value_or(Problem{}.schedule);
  ledger.label = schedule_row(kind).identity.title;
  for (const lab::TensorBytes& each : run.walked.bytes) {
    yours.bytes += each.read + each.written;
    if (has_ledger(run.setup)) ledger.bytes += each.ledger_read + each.ledger_written;
  }
  const double longest = double(std::max({yours.bytes, ledger.bytes, std::int64_t(1)}));
  for (const lab::TensorBytes& each : run.walked.bytes) {
    if (!each.id) continue;
    yours.parts.push_back({*each.id, each.read, each.written, double(each.read + each.written) / longest});
    ledger.parts.push_back(
        {*each.id, each.ledger_read, each.ledger_written, double(each.ledger_read + each.ledger_written) / longest});
    if (each.read + each.written > 0) page.legend.push_back(*each.id);
  }
  yours.text = format_bytes(yours.bytes);
  ledger.text = format_bytes(ledger.bytes);
  if (ledger.bytes == yours.bytes) ledger.text += " · the same";
  page.bars = {std::move(yours)};
  if (has_ledger(run.setup)) page.bars.push_back(std::move(ledger));
  const lab::RunCounters& totals = run.walked.totals;
  const auto a_visit = [&](std::int64_t count) {
    return run.visits.empty() ? std::string() : format_count(count / std::int64_t(run.visits.size())) + " a visit";
  };
  const std::int64_t sram = totals.shared_read_bytes + totals.shared_write_bytes;
  page.facts = {{"shared memory", format_bytes(run.walked.shared_bytes), "a block"},
                {"SRAM traffic", format_bytes(sram),
                 run.visits.empty() ? "" : format_bytes(sram / std::int64_t(run.visits.size())) + " a visit"},
                {"barriers", format_count(totals.barriers), a_visit(totals.barriers)},
                {"exponentials", format_count(totals.exponentials), a_visit(totals.exponentials)},
                {"divisions", format_count(totals.divisions), ""}};
}

}  // namespace tilewalk
