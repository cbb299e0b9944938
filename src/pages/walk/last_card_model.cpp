#include "pages/walk/last_card_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"
#include "measured/win_pair.h"
#include "pages/walk/card_results.h"
#include "session/command/command_table.h"
#include "view/walk/quick_replay.h"
#include "view/walk/wrong_and_right.h"
#include "view/words/predict_words.h"
#include "view/words/units.h"

namespace tilewalk {
namespace {

constexpr int kLessonOfTheWalk = 7;

std::string sides(std::int64_t rows, std::int64_t cols) {
  return fmt::format("{}×{}", format_count(rows), format_count(cols));
}

// Finds which number is most wrong: of O, or of each gradient; and its row, of the first of them.
void mark_wrong(LastCardCache& cache, const std::vector<CardResult>& right) {
  std::vector<CardResult>& results = cache.results;
  for (std::size_t i = 0; i < results.size() && i < right.size(); ++i) {
    for (std::size_t at = 0; at < results[i].values.size() && at < right[i].values.size(); ++at)
      results[i].wrong.push_back(differs_in_print(results[i].values[at], right[i].values[at]));
    const std::string of_this = worst_of_output(name_of(results[i].tensor), results[i].values, right[i].values,
                                                results[i].cols, results[i].row_begin);
    if (!of_this.empty()) add_to_list(cache.worst, of_this, " ");
    if (cache.wrong_row) continue;
    cache.wrong_row = most_wrong_row(results[i].values, right[i].values, results[i].cols, results[i].row_begin);
    cache.wrong_tensor = results[i].tensor;
  }
}

void refresh(LastCardCache& cache, const Session& session) {
  const HeadId head{session.walk().batch_in_view(), session.walk().head_in_view()};
  const bool same_values =
      cache.revision == session.problem_revision() && cache.batch == head.batch && cache.head == head.head;
  if (!same_values) {
    cache.whole = is_quick_to_replay(session.problem());
    cache.results = cache.whole ? whole_results(session.walk().shared_schedule(), session.inputs(), head)
                                : last_tile(session.schedule(), session.state());
    cache.worst.clear(), cache.wrong_row.reset();
    if (cache.whole && session.problem().fault != Fault::None) {
      Problem right = session.problem();
      right.fault = Fault::None;
      mark_wrong(cache, whole_results(make_schedule(right), session.inputs().under(right), head));
    }
  }
  if (!same_values || !(cache.problem == session.problem())) cache.runs = whole_runs(session.schedule());
  cache.revision = session.problem_revision();
  cache.batch = head.batch;
  cache.head = head.head;
  cache.problem = session.problem();
}

std::string result_title(const Session& session, const LastCardCache& cache) {
  std::vector<TensorId> tensors;
  for (const CardResult& result : cache.results) tensors.push_back(result.tensor);
  if (tensors.empty()) tensors.push_back(TensorId::O);
  std::string title = names_of(tensors) + (cache.whole ? ", whole" : ", the last tile");
  const Shape& shape = session.problem().shape;
  if (shape.batch > 1) title += fmt::format(" · batch {}", cache.batch);
  if (shape.heads > 1) title += fmt::format(" · head {}", cache.head);
  return title;
}

std::string result_note(const Problem& p, const LastCardCache& cache) {
  if (cache.whole) return {};
  if (cache.results.empty()) return "The walk ends without an output tile.";
  return fmt::format("All {} rows take too long to compute at once.", format_count(p.shape.n_q));
}

// worst: of a result that a deliberate mistake made wrong. wrong_from: the cursor after the first wrong step.
CardCheck check_of(const Session& session, const std::string& worst, std::int64_t wrong_from) {
  const CheckReport& report = session.check();
  const Problem& p = session.problem();
  const bool output_right = output_stays_right(session);
  const VerifyModel verify = build_verify_model(report, {}, false, output_right);
  const AccuracyModel distance = build_accuracy_model(p, session.checks().accuracy());
  CardCheck check;
  check.kind = verify.kind;
  check.good = verify.good;
  check.title = check_title(report, output_right, wrong_from);
  check.text = verify.detail;
  check.accuracy_mark = distance.mark;
  check.accuracy = distance.text;
  if (report.verdict == Verdict::Equal)
    check.text = counted(report.tile_visits, "tile visit") + ", " + counted(report.values, "value") +
                 ": 0 ULP, no bit differs. " +
                 (report.against == CheckAgainst::LiveGpu     ? "The kernel ran just now."
                  : report.against == CheckAgainst::Recording ? "Recorded " + report.provenance.date + "."
                                                              : "The kernel's source ran just now.");
  const bool differs = report.verdict == Verdict::Diverged || report.verdict == Verdict::NotFinite;
  check.wrong = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite;
  if (p.fault == Fault::None) return check;
  if (!differs && output_is_wrong(session)) {  // there is no recording of this problem to compare with
    check.wrong = true;
    check.title = "The result is wrong";
  }
  if (check.wrong && !worst.empty()) check.text = worst + " " + check.text;
  if (differs && output_right) check.text = fmt::format("At risk: {} ", risk_of(p.fault)) + check.text;
  if (differs || check.wrong) check.text = fmt::format("On purpose: the walk {}. ", title_of(p.fault)) + check.text;
  return check;
}

CardScores scores_of_walk(const Problem& p, const WholeRuns& runs) {
  const ScheduleRow& row = row_of(p);
  CardScores out;
  out.title = fate_of_scores(p);
  out.existed = row.memory.scores_in_hbm;
  if (out.existed) {
    out.text = cost_of_scores(p, runs);
  } else {
    out.text = fmt::format("Only {} tiles of {} were on chip, {} each.",
                           sides(std::min(p.tiling.br, p.shape.n_q), std::min(p.tiling.bc, p.shape.n_kv)),
                           makes(row, Quantity::DQ) ? "them" : "it",
                           format_bytes(4 * std::min(p.tiling.br, p.shape.n_q) * std::min(p.tiling.bc, p.shape.n_kv)));
    if (const std::string cost = cost_of_scores(p, runs); !cost.empty()) out.text += " " + cost;
    if (const std::string shares = shares_of_less(p, runs).text; !shares.empty()) out.text += " " + shares;
  }
  out.text += " " + scores_of_long_context(p);
  return out;
}

// The recorded times of naive attention, of the walked schedule's fast kernel and of the fastest kernel here, at the
// window's call.
std::string times_of_call(const Session& session) {
  const Call& call = session.call().call;
  const std::optional<AttentionCall> modelled = modelled_call(call);
  const RaceTimes* const races = session.roofline().recorded(call.device);
  if (!modelled || !races) return "";
  const DeviceModel& device = device_of(call.device);
  const std::vector<PredictionRow> rows = prediction_rows(*modelled, device, races);
  const std::optional<WinPair> pair = win_pair(rows);
  if (!pair || !pair->recorded) return "";
  std::string text = fmt::format("At N {} on an {}, recorded: naive {}", format_count(call.n_q), device.title,
                                 ms_text(pair->naive_ms));
  const AttentionMethod* const walked = fast_method_of(session.problem().schedule);
  const PredictionRow* const own = walked ? find_row(rows, walked->who) : nullptr;
  if (own && own != pair->fast && own->recorded_ms)
    text += fmt::format(", {} {}", walked->title, ms_text(*own->recorded_ms));
  return text + fmt::format(", {} {}", pair->fast->predicted.method->title, ms_text(pair->fast_ms));
}

constexpr const char* kFirstWayKey = "Enter";

std::string key_of(Action action) { return text_of(command_row(action).key); }

std::vector<CardWay> ways_on(const Session& session, const WholeRuns& runs, std::int64_t wrong_from) {
  const Problem& p = session.problem();
  std::vector<CardWay> out;
  const CheckReport& check = session.check();
  const CardWay lesson{.id = "lesson",
                       .title = "Compute one row yourself",
                       .words = fmt::format("Lesson {}: max, α, ℓ and O, tile by tile", kLessonOfTheWalk),
                       .key = key_of(Action::ShowLessons),
                       .commands = {OpenLesson{kLessonOfTheWalk}}};
  const bool shows_where = check.first && p.fault != Fault::None;
  if (shows_where)
    out.push_back({.id = "where",
                   .title = "Show where",
                   .words = wrong_from > check.first->step
                                ? fmt::format("Step {}, where the check finds it", format_count(wrong_from))
                                : fmt::format("Step {}; the check finds it at step {}", format_count(wrong_from),
                                              format_count(check.first->step + 1)),
                   .key = "",
                   .commands = {GoToStep{wrong_from}}});
  else
    out.push_back(lesson);
  if (p.fault != Fault::None)
    out.push_back({.id = "break",
                   .title = "Make it right",
                   .words = "The same walk without the mistake",
                   .key = "",
                   .commands = {SetFault{Fault::None}}});
  else if (!row_of(p).settings.faults.empty())
    out.push_back({.id = "break",
                   .title = "Break it",
                   .words = "Make a classic mistake and watch what fails",
                   .key = key_of(Action::ShowFaults),
                   .commands = {Action::ShowFaults}});
  if (shows_where) out.push_back(lesson);
  const ScheduleKind other = other_way(p, runs.other_kind);
  if (other != p.schedule)
    out.push_back({.id = "compare",
                   .title = fmt::format("Compare with {}", title_of(other)),
                   .words = "Two walks, one pipe",
                   .key = key_of(Action::ShowPipes),
                   .commands = {PinSchedule{other}, Action::ShowPipes}});
  if (!shows_where)
    out.push_back(
        {.id = "back",
         .title = "Walk backwards",
         .words = fmt::format("Each state again, from step {} to the first tile", format_count(session.cursor())),
         .key = "",
         .commands = {RunToTile{0, 0}}});
  if (out.front().key.empty()) out.front().key = kFirstWayKey;
  return out;
}

}  // namespace

std::optional<LastCard> build_last_card(const Session& session, LastCardCache& cache, WalkTimesCache& times) {
  if (!session.shows_last_card()) return std::nullopt;
  refresh(cache, session);
  const Problem& p = session.problem();
  const VisitCounts& visits = cache.runs.visits;
  LastCard card;
  const std::string kernel = kernel_of_walk(p);
  const std::string finished = kernel.empty() ? "Finished" : "Finished · " + kernel;
  std::string visited = counted(visits.visited(), "tile visit");
  if (visits.skipped > 0) visited += fmt::format(", {} skipped", format_count(visits.skipped));
  card.heading = fmt::format("{} · {}, {}", finished, counted(session.cursor(), "step"), visited);
  card.shorter_headings = {finished + " · " + visited, finished};
  card.results = cache.results;
  card.result_title = result_title(session, cache);
  card.result_note = result_note(p, cache);
  static_cast<MovedInAll&>(card) = moved_in_all(p, cache.runs);
  card.times = walk_times(p, cache.runs.other_kind, session.roofline().recorded(p.machine.device), times);
  if (times.comparison && times.comparison->too_small()) card.call_times = times_of_call(session);
  const std::int64_t wrong_from = first_wrong_step(session, cache.first_wrong);
  card.check = check_of(session, cache.worst, wrong_from);
  if (session.check().verdict == Verdict::NotChecked && !card.times.date.empty())
    card.check.text =
        "The values were not compared: no recording has them. The times were recorded on " + card.times.date + ".";
  if (card.check.wrong && cache.wrong_row) {
    card.wrong_row = cache.wrong_row;
    card.wrong_row_title = fmt::format("Row {} of {}", cache.wrong_row->row, name_of(cache.wrong_tensor));
  }
  card.scores = scores_of_walk(p, cache.runs);
  card.next = ways_on(session, cache.runs, wrong_from);
  return card;
}

}  // namespace tilewalk
