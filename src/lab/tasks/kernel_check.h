// Checks a kernel's text: compiles it, runs it on inputs that expose mistakes, and judges every visit and the results.
// Work is done in slices, so that a caller stays responsive.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "core/problem/tensor.h"
#include "lab/gpu/interpreter_run.h"
#include "lab/judge/visit.h"
#include "lab/language/compile.h"
#include "lab/run/machine.h"
#include "lab/tasks/problem_setup.h"
#include "lab/tasks/row_marks.h"

namespace tilewalk::lab {

// What is judged. Scores and Weights: a kernel that fills a tensor S or P [BATCH][HEADS][N_Q][N_KV] instead of O and L.
enum class LabJudging {
  Visits,    // each visit, then O and L
  Results,   // O and L; visits too, if there are any
  Sums,      // each visit's m and l, then L; there is no O
  Scores,    // S = SCALE q.k
  Weights,   // P = softmax(S)
  Gradients  // dQ, dK and dV of a backward pass
};
// Whether each visit must be marked.
constexpr bool is_by_visits(LabJudging judging) { return judging == LabJudging::Visits || judging == LabJudging::Sums; }

struct LabSetup {
  Problem problem;
  std::int64_t threads = 32;
  LabJudging judging = LabJudging::Results;
  std::uint64_t seed = 0;               // the order of threads; 0: increasing
  std::optional<ScheduleKind> follows;  // bits are compared with this schedule's replay
  std::optional<ScheduleKind> ledger;   // bytes are compared with this schedule's, by tensor
  bool bytes_judged = false;            // more bytes of Q, K or V than the ledger's are wrong
  bool conflicts_judged = false;        // bank conflicts are counted, and wrong
  std::int64_t most_steps = 500'000'000;
  bool keeps_visits = false;  // for interpreter_run and checked_visits
};

struct CheckedVisit {
  RunVisit visit;
  bool right = true;
  std::vector<ExpectedRow> expected = {};  // one for each row; empty where visits are not judged
};

struct TensorBytes {
  std::string name;
  std::optional<TensorId> id = {};  // of the ledger; empty: a scratch tensor of the learner's own
  std::int64_t read = 0, written = 0;
  std::int64_t ledger_read = 0, ledger_written = 0;
};

// The first wrong element of a tensor that is judged at the end alone: S, P, dV, dK or dQ.
struct WrongElement {
  std::string tensor;
  std::int64_t batch = 0, head = 0;  // of a gradient of K or V: the first head of Q that shares it
  std::int64_t row = 0, column = 0;
  double expected = 0, got = 0;
};
std::string text_of(const WrongElement&);  // "First wrong: dK[3][0]: expected 0.5, got 0.25."

constexpr std::size_t kMostWrongCells = 128 * 128;

struct LabReport {
  bool compiled = false, passed = false;
  bool ended = false;  // the run came to its end
  std::vector<SourceError> errors;
  std::vector<Finding> findings;  // with warnings
  std::optional<JudgeReport> judged;
  std::optional<WrongElement> wrong_element = {};
  // Of S and P: elements outside their bound, of all heads; and those of the first wrong element's head, in row order,
  // each as row · N_KV + column, kMostWrongCells at most.
  std::int64_t elements_wrong = 0;
  std::vector<std::int64_t> wrong_cells = {};
  std::optional<Diagnosis> diagnosis = {};  // the judge's, or that of gradients
  std::vector<bool> visits_right;           // by visit
  std::vector<RunCounters> visit_counters;
  std::string sentence;  // the verdict
  std::vector<TensorBytes> bytes;
  RunCounters totals;
  std::int64_t shared_bytes = 0;
  std::optional<BankTurns> banks = {};  // where conflicts are judged
  std::string printed;
  std::optional<std::string> first_other_bits;  // where the run and the replay of `follows` part; empty: nowhere
};

// What a fault of the schedule, a slip or a finding makes of a kernel is one sentence each: the texts of findings that
// are no warnings, then the judge's verdict.
std::string verdict_text(const LabReport&);

class KernelCheck {
 public:
  KernelCheck(std::string text, LabSetup);
  ~KernelCheck();
  bool work(std::int64_t steps);  // true once the report is whole
  double progress() const;
  const LabReport& report() const { return report_; }
  const Problem& problem() const { return setup_.problem; }
  // Precondition: the text compiles, keeps_visits, and the report is whole. Valid while this lives.
  InterpreterRun interpreter_run() const;
  // Precondition: as of interpreter_run.
  std::vector<CheckedVisit> checked_visits() const;
  const CompiledText& compiled() const { return compiled_; }
  const LabInputs& inputs() const { return values_; }
  Machine fresh_machine() const;  // at the start of the run. Precondition: the text compiles

 private:
  void judge_visits();
  void finish();
  void judge_results(bool faulty);
  void judge_rows(const char* tensor);
  void judge_gradients();
  std::vector<float> output(std::string_view tensor) const;
  void count_bytes();
  void compare_bits();

  std::string text_;
  LabSetup setup_;
  LabReport report_;
  CompiledText compiled_;
  LabInputs values_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Judge> judge_;
  std::vector<RunVisit> visits_;                    // all, where bits are compared or kept
  std::vector<std::vector<ExpectedRow>> expected_;  // likewise, where visits are judged
  RowMarks rows_;
  bool whole_ = false;
};

// The constants and tensors of such a kernel.
CompileSetup check_setup(const LabSetup&);
// Inputs that expose mistakes, or gradient_inputs.
LabInputs inputs_of(const LabSetup&);
MachineSetup machine_setup(const LabSetup&, const Program&, const LabInputs&);

// Checks the text to its end.
LabReport check_kernel(const std::string& text, const LabSetup&);

}  // namespace tilewalk::lab
