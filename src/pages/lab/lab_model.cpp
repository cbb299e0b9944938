#include "pages/lab/lab_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.h"
#include "base/words.h"
#include "session/lesson/lesson_prose.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostCells = 128 * 128;  // that are drawn one by one
constexpr double kNever = -std::numeric_limits<double>::infinity();

std::string tile_of(const lab::RunVisit& visit) {
  return "Q" + std::to_string(visit.q_tile) + " × K" + std::to_string(visit.kv_tile);
}

std::vector<LabTaskEntry> entries_of(const LabController& lab) {
  std::vector<LabTaskEntry> out;
  for (const lab::LabTask& each : lab.tasks()) {
    LabTaskEntry entry{
        .number = each.number, .minutes = each.minutes, .title = each.title, .open = &each == lab.task()};
    if (const auto found = lab.progress().tasks.find(each.name); found != lab.progress().tasks.end()) {
      entry.begun = !found->second.text.empty() || found->second.runs > 0;
      entry.solved = found->second.solved;
      entry.shown = found->second.shown > 0;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

// The verdict on the last run, in few words.
VerifyModel badge_of(const LabController& lab) {
  VerifyModel out;
  const auto say = [&](BadgeKind kind, const std::string& words, const std::string& word) {
    out.kind = kind;
    out.good = kind == BadgeKind::Right;
    out.text = out.brief = words;
    out.word = word;
  };
  const lab::LabRunResult* const run = lab.result();
  if (lab.is_running()) {
    say(BadgeKind::Running, "running …", "running");
    out.detail = "Your kernel runs.";
  } else if (!lab.is_current()) {
    say(BadgeKind::NotChecked, run ? "changed since its run" : "not run", "not run");
    out.detail = "Ctrl+Enter runs the text, and each of its tile visits is checked.";
  } else {
    const lab::LabReport& report = run->report;
    const bool by_visit = report.judged && report.judged->first_wrong && !report.judged->first_wrong->at_end;
    if (report.passed)
      say(BadgeKind::Right, "right", "right");
    else if (!report.compiled)
      say(BadgeKind::Diverged, "does not compile", "error");
    else
      say(BadgeKind::Diverged,
          by_visit ? "wrong at visit " + format_count(report.judged->first_wrong->visit + 1) : "wrong", "wrong");
    if (by_visit) out.goes_to = GoToLabVisit{report.judged->first_wrong->visit + 1};
    out.detail = verdict_text(report);
  }
  return out;
}

LabTransportModel transport_model(const LabController& lab) {
  LabTransportModel out;
  out.unit = lab.unit();
  out.playing = lab.is_playing();
  out.running = lab.is_running();
  out.fraction = lab.fraction();
  const lab::LabRunResult* const run = lab.result();
  if (!run) return out;
  out.at_start = lab.at_start();
  out.at_end = lab.at_end();
  out.good = run->report.passed;
  out.verdict = lab_sentence(lab, run->report);
  if (!run->report.errors.empty()) out.verdict = text_of_lab_error(run->report.errors.front());
  for (std::size_t at = 1; at < run->report.errors.size(); ++at)
    out.findings.push_back(text_of_lab_error(run->report.errors[at]));
  if (!lab.is_current()) out.verdict = "Of the text before your last change: " + out.verdict;
  for (const lab::Finding& each : run->report.findings) out.findings.push_back(text_of(each));
  const std::optional<std::size_t> now = lab_visit_now(lab);
  std::int64_t wrong = 0;
  int group = -1;
  for (std::size_t at = 0; at < run->visits.size(); ++at) {
    const lab::CheckedVisit& each = run->visits[at];
    if (at == 0 || run->visits[at - 1].visit.thread_block != each.visit.thread_block ||
        run->visits[at - 1].visit.q_tile != each.visit.q_tile)
      ++group;
    wrong += !each.right;
    out.visits.push_back({.label = tile_of(each.visit),
                          .group = group,
                          .mark = each.right ? LabMark::Right : LabMark::Wrong,
                          .done = std::int64_t(at) < lab.visits_before(),
                          .now = now == at});
  }
  if (wrong > 0)
    out.wrong = format_count(wrong) + " of " + counted(std::int64_t(run->visits.size()), "visit") + " wrong";
  if (run->report.elements_wrong > 0) {
    const Shape& s = run->setup.problem.shape;
    out.wrong = format_count(run->report.elements_wrong) + " of " +
                counted(s.batch * s.heads * s.n_q * s.n_kv, "element") + " wrong";
  }
  if (run->stops.empty()) return out;
  const lab::PathStop& stop = run->stops[lab.stop()];
  if (!run->visits.empty())
    out.place = (now && lab.stop_of_visit(std::int64_t(*now)) == lab.stop() ? "After tile visit " : "Tile visit ") +
                format_count(std::int64_t(now.value_or(0)) + 1) + " of " +
                format_count(std::int64_t(run->visits.size()));
  out.phase = lab.at_end() ? "the end" : run->program->tag_of(stop.line);
  out.step = (lab.at_end() ? std::string() : "line " + std::to_string(stop.line) + ", ") + "instruction " +
             format_count(stop.step) + " of " + format_count(run->walked.totals.steps);
  return out;
}

// Of the tile of that visit, once the thread block has met the keys up to it.
void add_weights(const lab::LabRunResult& run, std::size_t now, LabMatrixModel& out) {
  const lab::RunVisit& at = run.visits[now].visit;
  for (std::int64_t row = at.q_tile * out.br; row < std::min((at.q_tile + 1) * out.br, out.rows); ++row) {
    double most = kNever;
    for (std::size_t i = 0; i <= now; ++i) {
      const lab::RunVisit& each = run.visits[i].visit;
      if (each.thread_block != at.thread_block || row < each.first_row || row >= each.first_row + each.rows) continue;
      for (std::int64_t col = each.kv_tile * out.bc; col < std::min((each.kv_tile + 1) * out.bc, out.cols); ++col)
        most = std::max(most, out.scores[std::size_t(row * out.cols + col)]);
    }
    for (std::int64_t col = at.kv_tile * out.bc; col < std::min((at.kv_tile + 1) * out.bc, out.cols); ++col) {
      const double score = out.scores[std::size_t(row * out.cols + col)];
      out.weights.push_back(std::isfinite(score) ? std::exp(score - most) : kNever);
    }
  }
  out.weights_title = fmt::format("P of Q{} × K{}", at.q_tile, at.kv_tile);
  out.title_with_weights = out.title;
  if (const std::string scores = "The right scores"; out.title.starts_with(scores))
    out.title_with_weights.insert(scores.size(), fmt::format(", P in Q{} × K{}", at.q_tile, at.kv_tile));
  out.weights_formula = "P = e^(S − largest S so far)";
}

struct OwnTensor {
  std::string name;
  std::vector<float> values;  // at the stop
};

// S or P, where the task is to fill it.
std::optional<OwnTensor> own_tensor(const LabController& lab) {
  const lab::LabRunResult* const run = lab.result();
  const lab::LabJudging judging = run ? run->setup.judging : lab.task()->setup.judging;
  if (judging != lab::LabJudging::Scores && judging != lab::LabJudging::Weights) return std::nullopt;
  OwnTensor out{.name = judging == lab::LabJudging::Scores ? "S" : "P", .values = {}};
  const lab::Machine* const machine = lab.machine();
  if (!machine) return out;
  const auto& tensors = machine->program().tensors;
  for (std::size_t at = 0; at < tensors.size(); ++at)
    if (tensors[at].name == out.name) out.values = machine->tensor(at);
  return out;
}

// What the kernel has written so far, of the first head; where a number is wrong, the first one.
void add_own_scores(const LabController& lab, const std::optional<OwnTensor>& own, LabMatrixModel& out) {
  if (!own || own->values.size() < std::size_t(out.rows * out.cols)) return;
  // Colours are those of the right numbers, so that equal numbers have equal colours before and after a change.
  LabMatrixModel right;
  add_right_scores(lab.result()->setup, right);
  out.low = right.low, out.high = right.high;
  bool any = false;
  for (std::size_t at = 0; at < std::size_t(out.rows * out.cols); ++at) {
    const double value = own->values[at];
    out.scores.push_back(std::isfinite(value) ? value : kNever);
    any |= std::isfinite(value);
  }
  out.scale = any ? right.scale : "Nothing is written yet";
  for (LabTile& each : out.tiles) each.state = LabTile::State::Done;
  const auto& wrong = lab.result()->report.wrong_element;
  if (!wrong || wrong->batch > 0 || wrong->head > 0 || !lab.at_end()) return;
  out.wrong_cell = wrong->row * out.cols + wrong->column;
  out.wrong_cells.assign(std::size_t(out.rows * out.cols), false);
  for (const std::int64_t cell : lab.result()->report.wrong_cells) out.wrong_cells[std::size_t(cell)] = true;
  out.scale += "  ·  " + own->name + "[" + std::to_string(wrong->row) + "][" + std::to_string(wrong->column) +
               "] must be " + result_number(wrong->expected);
}

// Of the head of the current visit.
LabMatrixModel matrix_model(const LabController& lab) {
  LabMatrixModel out;
  const Problem& p = lab.result() ? lab.result()->setup.problem : lab.task()->setup.problem;
  const Shape& s = p.shape;
  out.rows = s.n_q, out.cols = s.n_kv, out.br = p.tiling.br, out.bc = p.tiling.bc;
  const lab::LabRunResult* const run = lab.result();
  const std::optional<std::size_t> now = lab_visit_now(lab);
  const std::optional<OwnTensor> own = own_tensor(lab);
  out.own = own.has_value();
  std::int64_t batch = 0, head = 0;
  if (run && now) batch = run->visits[*now].visit.batch, head = run->visits[*now].visit.head;
  out.title = (out.own ? "Your " + own->name : "The right scores") + " · " + format_count(s.n_q) + "×" +
              format_count(s.n_kv) + " · d " + format_count(s.d) + " · tiles " + format_count(out.br) + "×" +
              format_count(out.bc);
  if (s.batch * s.heads > 1) out.title += " · head " + format_count(batch * s.heads + head);
  const Band band = s.band();
  for (std::int64_t i = 0; i * out.br < s.n_q; ++i)
    for (std::int64_t j = 0; j * out.bc < s.n_kv; ++j) {
      bool seen = false;
      for (std::int64_t row = i * out.br; row < std::min((i + 1) * out.br, s.n_q); ++row)
        seen |= band.first_col(row) < std::min((j + 1) * out.bc, s.n_kv) && band.end_col(row, s.n_kv) > j * out.bc;
      out.tiles.push_back({i, j, seen ? LabTile::State::ToDo : LabTile::State::Skipped});
    }
  const std::int64_t across = (s.n_kv + out.bc - 1) / out.bc;
  if (!run) return out;
  for (std::size_t at = 0; at < run->visits.size(); ++at) {
    const lab::RunVisit& visit = run->visits[at].visit;
    const std::int64_t tile = visit.q_tile * across + visit.kv_tile;
    if (visit.batch != batch || visit.head != head || tile < 0 || tile >= std::int64_t(out.tiles.size())) continue;
    LabTile& each = out.tiles[std::size_t(tile)];
    if (now == at)
      each.state = LabTile::State::Now;
    else if (std::int64_t(at) < lab.visits_before() && each.state != LabTile::State::Now)
      each.state =
          run->visits[at].right && each.state != LabTile::State::Wrong ? LabTile::State::Done : LabTile::State::Wrong;
  }
  if (s.n_q * s.n_kv > kMostCells || run->inputs.q.empty()) return out;
  if (out.own) {
    add_own_scores(lab, own, out);
    return out;
  }
  out.low = std::numeric_limits<double>::infinity(), out.high = kNever;
  for (std::int64_t row = 0; row < s.n_q; ++row)
    for (std::int64_t col = 0; col < s.n_kv; ++col) {
      const double score = lab_score(*run, batch, head, row, col);
      out.scores.push_back(score);
      if (score != kNever) out.low = std::min(out.low, score), out.high = std::max(out.high, score);
    }
  out.scale = "S: " + signed_number(out.low) + " to " + signed_number(out.high);
  if (now) add_weights(*run, *now, out);
  return out;
}

// All but the first paragraph with the list that it announces, and the last of the task's file, which says what to do.
// The sizes stand after it.
std::vector<bool> explaining(const Prose& prose) {
  std::vector<bool> out(prose.size(), true);
  for (std::size_t i = 0; i < out.size() && (i == 0 || prose[i].item); ++i) out[i] = false;
  if (out.size() >= 2) out[out.size() - 2] = false;
  return out;
}

}  // namespace

std::optional<std::size_t> lab_visit_now(const LabController& lab) {
  const lab::LabRunResult* const run = lab.result();
  if (!run || run->visits.empty() || run->stops.empty()) return std::nullopt;
  const auto before = std::size_t(lab.visits_before());
  const bool just_ended = before > 0 && lab.stop_of_visit(std::int64_t(before) - 1) == lab.stop();
  const bool goes_on =
      before < run->visits.size() && run->visits[before].visit.thread_block == run->stops[lab.stop()].block;
  if (goes_on && !just_ended) return before;
  return before > 0 ? std::optional(before - 1) : std::nullopt;
}

LabPage build_lab_page(const LabController& lab) {
  LabPage out;
  out.missing = lab.missing();
  if (!lab.task()) return out;
  const lab::LabTask& task = *lab.task();
  const LabTaskProgress progress = lab.of_task();
  out.tasks = entries_of(lab);
  out.head = "Lab · task " + std::to_string(task.number) + " of " + std::to_string(lab.tasks().size()) + " · " +
             std::to_string(task.minutes) + " min";
  out.title = task.title;
  std::string words = task.prose;
  if (words.starts_with("# ")) words.erase(0, words.find('\n'));  // the title
  if (Result<Prose> prose = parse_prose(words, task.name))
    out.prose = std::move(*prose);
  else
    out.prose = {{false, {{Run::Style::Plain, words}}}};
  out.explains = explaining(out.prose);
  const auto hints = std::min(std::size_t(progress.hints), task.hints.size());
  out.hints.assign(task.hints.begin(), task.hints.begin() + std::ptrdiff_t(hints));
  out.hints_left = int(task.hints.size() - hints);
  out.can_bring_back = progress.text.empty() && !progress.before.empty();
  if (lab.is_current() && lab.result()->report.passed)
    for (const LabTaskEntry& each : out.tasks)
      if (each.number == task.number + 1) out.next = each.number;
  out.badge = badge_of(lab);
  out.text = build_lab_text(lab);
  out.transport = transport_model(lab);
  out.matrix = matrix_model(lab);
  out.success = build_lab_success(lab, out.matrix);
  out.gain = build_lab_gain(lab);
  out.numbers = build_lab_numbers(lab);
  out.thread = build_lab_thread(lab);
  if (lab.result() && lab.result()->walked.compiled) build_lab_traffic(*lab.result(), out);
  if (!lab.result() && !lab.is_running())
    build_lab_before(lab, out);
  else
    out.verdict = build_lab_verdict(lab, out);
  if (!has_tried(lab)) forget_wrong(out);
  if (lab.result()) out.printed = lab.result()->walked.printed;
  return out;
}

}  // namespace tilewalk
