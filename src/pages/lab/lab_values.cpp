// The numbers of the lab's page: rows after a visit, a thread's variables, bytes and counts.
#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "core/schedules/registry.h"
#include "core/values/exact_math.h"
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

std::string alpha_of(const lab::LabRunResult& run, std::size_t at, std::int64_t row, double m) {
  const lab::RunVisit* const before = visit_before(run, at, row);
  if (!before || before->m.empty()) return "";
  const double change = double(before->m[std::size_t(row - before->first_row)]) - m;
  return number(run.program->base_two ? std::exp2(change) : std::exp(change));
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
  const bool has_m = !visit.m.empty();
  add(has_m ? number(visit.m[i]) : "–", false, "");
  add(has_m ? alpha_of(run, at, row, visit.m[i]) : "", false, "");
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

std::string value_text(const lab::Variable& variable, std::uint64_t bits) {
  switch (variable.type.base) {
    case lab::BaseType::Float: {
      const double value = double(exact::float_of(std::uint32_t(bits)));
      return std::isfinite(value) ? format_fixed(value, 4) : number(value);
    }
    case lab::BaseType::Bool: return bits ? "true" : "false";
    case lab::BaseType::Unsigned: return std::to_string(std::uint32_t(bits));
    case lab::BaseType::Int: return std::to_string(std::int32_t(bits));
    default: return std::to_string(std::int64_t(bits));
  }
}

std::optional<TensorId> tensor_of(const std::string& name) {
  for (const TensorId id : {TensorId::Q, TensorId::K, TensorId::V, TensorId::O, TensorId::L, TensorId::dO, TensorId::dQ,
                            TensorId::dK, TensorId::dV, TensorId::S, TensorId::P})
    if (tensor_title(id) == name) return id;
  return std::nullopt;
}

}  // namespace

LabNumbersModel build_lab_numbers(const LabController& lab) {
  LabNumbersModel out;
  const lab::LabRunResult* const run = lab.result();
  out.title = "Your running max and sum";
  out.columns = {"row", "m", "α", "ℓ", "O[r][0]"};
  if (!run || run->visits.empty()) {
    const lab::LabJudging by = lab.task()->wish.judging;
    const bool by_results = by != lab::LabJudging::Visits && by != lab::LabJudging::Sums;
    out.sentence = !run                    ? "After a run, this is what your kernel keeps after each tile visit."
                   : !run->walked.compiled ? "The text does not compile yet."
                   : by_results            ? "This task is judged by its results, not visit by visit."
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
  if (run->program->base_two) out.columns[1] = "m (log2)";
  out.where = "Q" + std::to_string(visit.q_tile) + " × K" + std::to_string(visit.kv_tile);
  for (std::size_t i = 0; i < std::size_t(visit.rows); ++i) out.rows.push_back(row_model(*run, at, i));
  const std::size_t d = visit.rows > 0 ? visit.o.size() / std::size_t(visit.rows) : 0;
  out.o_title = d > 0 ? "Your O tile " + std::to_string(visit.q_tile) + ", not yet divided by ℓ" : "";
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
  out.sentence = "After tile visit " + format_count(before) + ": " +
                 (checked.right ? "every number fits the keys met so far." : "the red numbers do not fit.");
  return out;
}

LabThreadModel build_lab_thread(const LabController& lab) {
  LabThreadModel out;
  out.thread = lab.thread();
  out.threads = lab.task()->wish.threads;
  out.title = "Thread " + std::to_string(out.thread) + " of " + std::to_string(out.threads);
  const lab::Machine* const machine = lab.machine();
  if (!machine || machine->threads() == 0 || lab.at_end()) return out;
  const int thread = std::min(int(out.thread), machine->threads() - 1);
  out.title += ", before line " + std::to_string(machine->place_of(thread).line);
  const std::int32_t at = machine->instruction_of(thread);
  for (const lab::Variable& each : machine->program().kernels[machine->kernel()].variables)
    if (each.reg >= 0 && each.begin <= at && at < each.end && each.type.base != lab::BaseType::Struct &&
        !each.type.pointer)
      out.variables.push_back({each.name, value_text(each, machine->register_of(thread, each.reg))});
  std::reverse(out.variables.begin(), out.variables.end());  // the innermost first
  return out;
}

void build_lab_traffic(const lab::LabRunResult& run, LabPage& page) {
  TrafficBar yours{.label = "Yours", .text = {}, .bytes = 0, .parts = {}}, ledger = yours;
  const ScheduleKind kind = run.wish.ledger.value_or(Problem{}.schedule);
  ledger.label = schedule_row(kind).identity.title;
  for (const lab::TensorBytes& each : run.walked.bytes) {
    yours.bytes += each.read + each.written;
    ledger.bytes += each.ledger_read + each.ledger_written;
  }
  const double longest = double(std::max({yours.bytes, ledger.bytes, std::int64_t(1)}));
  for (const lab::TensorBytes& each : run.walked.bytes) {
    const std::optional<TensorId> id = tensor_of(each.name);
    if (!id) continue;
    yours.parts.push_back({*id, each.read, each.written, double(each.read + each.written) / longest});
    ledger.parts.push_back(
        {*id, each.ledger_read, each.ledger_written, double(each.ledger_read + each.ledger_written) / longest});
    if (each.read + each.written > 0) page.legend.push_back(*id);
  }
  yours.text = format_bytes(yours.bytes);
  ledger.text = format_bytes(ledger.bytes);
  if (ledger.bytes == yours.bytes) ledger.text += " · the same";
  const bool has_ledger = run.wish.judging != lab::LabJudging::Scores && run.wish.judging != lab::LabJudging::Weights &&
                          run.wish.judging != lab::LabJudging::Gradients;
  page.bars = {std::move(yours)};
  if (has_ledger) page.bars.push_back(std::move(ledger));
  const lab::RunCounters& totals = run.walked.totals;
  const auto a_visit = [&](std::int64_t count) {
    return run.visits.empty() ? std::string() : format_count(count / std::int64_t(run.visits.size())) + " a visit";
  };
  page.facts = {{"shared memory", format_bytes(run.walked.shared_bytes), "a block"},
                {"barriers", format_count(totals.barriers), a_visit(totals.barriers)},
                {"exponentials", format_count(totals.exponentials), a_visit(totals.exponentials)},
                {"divisions", format_count(totals.divisions), ""}};
}

}  // namespace tilewalk
