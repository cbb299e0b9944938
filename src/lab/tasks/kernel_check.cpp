#include "lab/tasks/kernel_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/problem/format_value.h"
#include "core/schedules/registry.h"

namespace tilewalk::lab {
namespace {

int line_of_tag(const Program& program, std::string_view name) {
  for (const Tag& tag : program.tags)
    if (tag.name == name) return tag.line;
  return 0;
}

LabVisit to_judge(const Problem& p, const RunVisit& visit, const Program& program) {
  LabVisit out = visit.of_row ? visit_of_row(p, visit.batch, visit.head, visit.first_row, visit.kv_tile)
                              : visit_of_tiles(p, visit.batch, visit.head, visit.q_tile, visit.kv_tile);
  out.thread_block = visit.thread_block;
  out.m = visit.m, out.l = visit.l, out.o = visit.o;
  out.lines = {visit.place.line, line_of_tag(program, "RowMax"), line_of_tag(program, "RowSum"),
               line_of_tag(program, "Accumulate")};
  return out;
}

// Also of the scratch tensors that the tasks declare.
std::optional<TensorId> tensor_named(std::string_view name) {
  static constexpr std::pair<TensorId, const char*> rows[] = {{TensorId::Q, "Q"},
                                                              {TensorId::K, "K"},
                                                              {TensorId::V, "V"},
                                                              {TensorId::O, "O"},
                                                              {TensorId::L, "L"},
                                                              {TensorId::S, "S"},
                                                              {TensorId::P, "P"},
                                                              {TensorId::dO, "dO"},
                                                              {TensorId::dQ, "dQ"},
                                                              {TensorId::dK, "dK"},
                                                              {TensorId::dV, "dV"},
                                                              {TensorId::m, "M"},
                                                              {TensorId::l, "Sum"},
                                                              {TensorId::OPartial, "PartO"},
                                                              {TensorId::LPartial, "PartL"},
                                                              {TensorId::D, "Delta"}};
  for (const auto& [id, word] : rows)
    if (name == word) return id;
  return std::nullopt;
}

// Where a barrier is missing, what one thread reads another has not written yet: the race says it.
std::vector<Finding> without_consequences(const std::vector<Finding>& findings) {
  std::vector<Finding> out;
  const auto of_race = [&](const Finding& read) {
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& race) {
      return race.kind == FindingKind::DataRace &&
             (race.at.place.line == read.at.place.line || race.other.place.line == read.at.place.line);
    });
  };
  for (const Finding& each : findings)
    if (each.kind != FindingKind::UnfilledRead || !of_race(each)) out.push_back(each);
  return out;
}

}  // namespace

CompileSetup check_setup(const LabSetup& setup) {
  const Problem& p = setup.problem;
  CompileSetup out = compile_setup(p, setup.threads, setup.judging == LabJudging::Gradients);
  if (setup.judging == LabJudging::Scores || setup.judging == LabJudging::Weights) {
    const std::int64_t size = p.shape.batch * p.shape.heads * p.shape.n_q * p.shape.n_kv;
    out.tensors.push_back({.name = setup.judging == LabJudging::Scores ? "S" : "P",
                           .space = MemorySpace::Global,
                           .dims = {size},
                           .size = size});
  }
  return out;
}

LabInputs inputs_of(const LabSetup& setup) {
  if (setup.judging == LabJudging::Gradients) return gradient_inputs(setup.problem);
  ExposingInputs inputs = exposing_inputs(setup.problem, 0);
  return {.q = std::move(inputs.q), .k = std::move(inputs.k), .v = std::move(inputs.v), .d_o = {}, .o = {}, .l = {}};
}

MachineSetup machine_setup(const LabSetup& setup, const Program& program, const LabInputs& inputs) {
  MachineSetup out = machine_setup(setup.problem, program, inputs);
  out.seed = setup.seed;
  out.most_steps = setup.most_steps;
  out.bank_conflicts = setup.conflicts_judged;
  return out;
}

KernelCheck::KernelCheck(std::string text, LabSetup setup) : text_(std::move(text)), setup_(std::move(setup)) {
  compiled_ = compile(text_, check_setup(setup_));
  report_.errors = compiled_.errors;
  report_.compiled = compiled_.ok();
  if (!report_.compiled) {
    report_.sentence = "The text does not compile.";
    whole_ = true;
    return;
  }
  values_ = inputs_of(setup_);
  for (const Kernel& each : compiled_.program.kernels)
    report_.shared_bytes = std::max(report_.shared_bytes, each.shared_words * 4);
  program_ = std::make_shared<const Program>(compiled_.program);
  machine_ = std::make_unique<Machine>(fresh_machine());
  if (setup_.judging == LabJudging::Gradients) return;
  JudgeRules rules;
  rules.base = compiled_.program.base_two ? Base::Two : Base::E;
  rules.visits_needed = is_by_visits(setup_.judging);
  rules.expects = setup_.keeps_visits;
  judge_ = std::make_unique<Judge>(setup_.problem, AttentionInputs{values_.q, values_.k, values_.v}, rules);
}

KernelCheck::~KernelCheck() = default;

Machine KernelCheck::fresh_machine() const {
  return Machine(program_, machine_setup(setup_, compiled_.program, values_));
}

std::vector<CheckedVisit> KernelCheck::checked_visits() const {
  std::vector<CheckedVisit> out;
  for (std::size_t at = 0; at < visits_.size(); ++at) {
    out.push_back({.visit = visits_[at]});
    if (at < report_.visits_right.size()) out.back().right = report_.visits_right[at];
    if (at < expected_.size()) out.back().expected = expected_[at];
  }
  return out;
}

InterpreterRun KernelCheck::interpreter_run() const { return {text_, check_setup(setup_), machine_.get(), visits_}; }

double KernelCheck::progress() const { return whole_ || !machine_ ? 1 : machine_->progress(); }

bool KernelCheck::work(std::int64_t steps) {
  if (whole_) return true;
  const RunState state = machine_->run(steps);
  judge_visits();
  if (state == RunState::More) return false;
  finish();
  whole_ = true;
  return true;
}

void KernelCheck::judge_visits() {
  for (RunVisit& visit : machine_->take_visits()) {
    if (judge_) {
      report_.visits_right.push_back(judge_->add(to_judge(setup_.problem, visit, compiled_.program)));
      if (setup_.keeps_visits) expected_.push_back(judge_->expected());
    }
    if (visit.of_row) rows_.add(visit, !judge_ || report_.visits_right.back());
    report_.visit_counters.push_back(visit.counters);
    if (setup_.follows || setup_.keeps_visits) visits_.push_back(std::move(visit));
  }
}

void KernelCheck::finish() {
  report_.findings = without_consequences(machine_->findings());
  report_.findings.insert(report_.findings.end(), rows_.findings().begin(), rows_.findings().end());
  report_.totals = machine_->totals();
  report_.printed = machine_->output() + (machine_->output_cut() ? "…\n" : "");
  count_bytes();
  const bool faulty = std::any_of(report_.findings.begin(), report_.findings.end(),
                                  [](const Finding& each) { return !is_warning(each.kind); });
  const bool ended = report_.ended = machine_->state() == RunState::Done;
  if (setup_.judging == LabJudging::Scores || setup_.judging == LabJudging::Weights)
    judge_rows(setup_.judging == LabJudging::Scores ? "S" : "P");
  else if (setup_.judging == LabJudging::Gradients)
    judge_gradients();
  else
    judge_results(faulty);
  report_.passed = ended && !faulty && report_.passed;
  const bool wrong_before = report_.judged && report_.judged->first_wrong && !report_.judged->first_wrong->at_end;
  if (!ended)
    report_.sentence = "The run stopped before its end." + (wrong_before ? " " + report_.sentence : "");
  else if (faulty && report_.judged && report_.judged->passed)
    report_.sentence = "The numbers are right, but the kernel is not: see what was found.";
  if (setup_.conflicts_judged) report_.banks = machine_->bank_turns();
  if (report_.passed && report_.banks && report_.banks->most > 1) {
    report_.passed = false;
    report_.sentence = "The numbers are right, but shared memory takes " + std::to_string(report_.banks->turns) +
                       " turns for " + std::to_string(report_.banks->accesses) + " accesses of a warp.";
  }
  if (ended && setup_.follows) compare_bits();
  if (report_.passed && setup_.bytes_judged)
    for (const TensorBytes& each : report_.bytes)
      if ((each.name == "Q" || each.name == "K" || each.name == "V") && each.read > each.ledger_read) {
        report_.passed = false;
        report_.sentence = "The numbers are right, but " + each.name +
                           " is read too often: " + std::to_string(each.read) + " bytes, and " +
                           std::to_string(each.ledger_read) + " are enough.";
        break;
      }
}

std::vector<float> KernelCheck::output(std::string_view tensor) const {
  for (std::size_t at = 0; at < compiled_.program.tensors.size(); ++at)
    if (compiled_.program.tensors[at].name == tensor) return machine_->tensor(at);
  return {};
}

// A run that stopped is not judged by what it did not reach. A race or an unfilled read can make any number wrong, so
// no mistake is guessed beside them.
void KernelCheck::judge_results(bool faulty) {
  const std::vector<float> o = setup_.judging == LabJudging::Sums ? std::vector<float>{} : output("O"), l = output("L");
  report_.judged = judge_->finish({.o = o, .l = l});
  report_.passed = report_.judged->passed;
  if (!report_.ended) {
    report_.judged->complaints.clear();
    if (report_.judged->first_wrong && report_.judged->first_wrong->at_end) {
      report_.judged->first_wrong.reset();
      report_.judged->diagnosis.reset();
    }
  }
  if (faulty && report_.judged->diagnosis && report_.judged->diagnosis->name.empty())
    report_.judged->diagnosis->sentence = "What was found can make any number wrong: mend that first.";
  report_.diagnosis = report_.judged->diagnosis;
  report_.sentence = sentence_of(setup_.problem, *report_.judged);
}

// S and P against float64, row by row.
void KernelCheck::judge_rows(const char* name) {
  const Shape& s = setup_.problem.shape;
  const Band band = s.band();
  const double scale = setup_.problem.scale_value();
  const std::vector<float> got = output(name);
  std::int64_t wrong_head = 0;
  std::vector<double> row(std::size_t(s.n_kv)), bound(std::size_t(s.n_kv));
  for (std::int64_t head = 0; head < s.batch * s.heads; ++head)
    for (std::int64_t i = 0; i < s.n_q; ++i) {
      const std::int64_t kv_head = head / s.heads * s.kv_heads + s.kv_head_of(head % s.heads);
      double most = -std::numeric_limits<double>::infinity(), sum = 0;
      for (std::int64_t j = 0; j < s.n_kv; ++j) {
        double dot = 0, size = 0;
        for (std::int64_t x = 0; x < s.d; ++x) {
          const double q = values_.q[std::size_t((head * s.n_q + i) * s.d + x)];
          const double k = values_.k[std::size_t((kv_head * s.n_kv + j) * s.d + x)];
          dot += q * k;
          size += std::abs(q * k);
        }
        const bool seen = band.allows(i, j);
        row[std::size_t(j)] = seen ? dot * scale : -std::numeric_limits<double>::infinity();
        bound[std::size_t(j)] = double(s.d + 4) * 0x1p-23 * size * std::abs(scale) + 1e-30;
        most = std::max(most, row[std::size_t(j)]);
      }
      const bool weights = name[0] == 'P';
      if (weights) {
        double widest = 0;
        for (std::int64_t j = 0; j < s.n_kv; ++j) {
          widest = std::max(widest, bound[std::size_t(j)]);
          row[std::size_t(j)] = std::exp(row[std::size_t(j)] - most);
          sum += row[std::size_t(j)];
        }
        for (std::int64_t j = 0; j < s.n_kv; ++j) {
          row[std::size_t(j)] /= sum;
          bound[std::size_t(j)] = row[std::size_t(j)] * (4 * widest + double(s.n_kv + 40) * 0x1p-22) + 1e-30;
        }
      }
      for (std::int64_t j = 0; j < s.n_kv; ++j) {
        const double expected = row[std::size_t(j)];
        const float is = got[std::size_t((head * s.n_q + i) * s.n_kv + j)];
        const bool right =
            std::isinf(expected) ? double(is) == expected : std::abs(is - expected) <= bound[std::size_t(j)];
        if (right) continue;
        ++report_.elements_wrong;
        if (!report_.wrong_element) wrong_head = head;
        if (head == wrong_head && report_.wrong_cells.size() < kMostWrongCells)
          report_.wrong_cells.push_back(i * s.n_kv + j);
        if (report_.wrong_element) continue;
        report_.wrong_element = WrongElement{.tensor = name,
                                             .batch = head / s.heads,
                                             .head = head % s.heads,
                                             .row = i,
                                             .column = j,
                                             .expected = expected,
                                             .got = is};
        report_.sentence = text_of(*report_.wrong_element);
      }
    }
  report_.passed = !report_.wrong_element;
  if (!report_.passed) return;
  report_.sentence = std::string("Right: all of ") + name + ".";
}

void KernelCheck::count_bytes() {
  const ScheduleKind schedule = setup_.ledger.value_or(Problem{}.schedule);
  Problem other = setup_.problem;
  other.schedule = schedule;
  const Cost cost = whole_run_cost(other);
  for (std::size_t at = 0; at < compiled_.program.tensors.size() && at < kMostTensors; ++at) {
    TensorBytes row{.name = compiled_.program.tensors[at].name,
                    .read = report_.totals.read_bytes[at],
                    .written = report_.totals.write_bytes[at]};
    row.id = tensor_named(row.name);
    if (row.id) row.ledger_read = cost.of(*row.id).read_bytes, row.ledger_written = cost.of(*row.id).write_bytes;
    report_.bytes.push_back(row);
  }
}

LabReport check_kernel(const std::string& text, const LabSetup& setup) {
  KernelCheck check(text, setup);
  while (!check.work(10'000'000)) {
  }
  return check.report();
}

std::string text_of(const WrongElement& w) {
  constexpr int kFine = 9;  // decimals of two numbers that are nearly the same
  std::string expected = result_number(w.expected), got = result_number(w.got);
  if (expected == got) expected = signed_number(w.expected, kFine), got = signed_number(w.got, kFine);
  return "First wrong: " + w.tensor + "[" + std::to_string(w.row) + "][" + std::to_string(w.column) + "]: expected " +
         expected + ", got " + got + ".";
}

std::string verdict_text(const LabReport& report) {
  std::string out;
  for (const Finding& each : report.findings)
    if (!is_warning(each.kind)) out += text_of(each) + "\n";
  return out + report.sentence + "\n";
}

}  // namespace tilewalk::lab
