#include "view/walk/wrong_visits.h"

#include <algorithm>

#include "core/schedules/registry.h"
#include "view/walk/quick_replay.h"
#include "view/walk/wrong_and_right.h"

namespace tilewalk {
namespace {

bool differ(const std::vector<float>& is, const std::vector<float>& should, std::int64_t begin, std::int64_t count) {
  if (is.size() != should.size()) return false;
  const std::size_t end = std::min(is.size(), std::size_t(begin + count));
  for (std::size_t i = std::size_t(begin); i < end; ++i)
    if (differs_in_print(is[i], should[i])) return true;
  return false;
}

void add_runs(const Schedule& schedule, const VisitState& is, const VisitState& should, std::vector<WrongRun>& out) {
  const Problem& p = schedule.problem();
  const std::int64_t since = schedule.end_step_of_visit(schedule.visit_section(), is.tile());
  const std::int64_t row0 = is.q_tile * p.tiling.br, col0 = is.kv_tile * p.tiling.bc;
  for (std::int64_t r = 0; r < is.rows; ++r) {
    if (differ(is.m, should.m, r, 1) || differ(is.l, should.l, r, 1) || differ(is.alpha, should.alpha, r, 1) ||
        differ(is.o, should.o, r * is.d, is.d))
      out.push_back({.row = row0 + r, .col_begin = col0, .col_end = col0 + is.cols, .since = since});
    for (std::int64_t c = 0; c < is.cols; ++c) {
      if (!differ(is.p, should.p, r * is.cols + c, 1)) continue;
      if (!out.empty() && out.back().weights && out.back().row == row0 + r && out.back().col_end == col0 + c)
        ++out.back().col_end;
      else
        out.push_back(
            {.row = row0 + r, .col_begin = col0 + c, .col_end = col0 + c + 1, .weights = true, .since = since});
    }
  }
}

std::vector<WrongRun> all_runs(const Session& session, const HeadId& head) {
  const Problem& p = session.problem();
  Problem right = p;
  right.fault = Fault::None;
  Replay is(session.walk().shared_schedule(), session.inputs());
  Replay should(make_schedule(right), session.inputs().under(right));
  std::vector<WrongRun> out;
  for (std::int64_t q = 0; q < p.q_tiles(); ++q) {
    const std::vector<VisitState> wrong = replay_q_tile(is, {head.batch, head.head, q}).visits,
                                  correct = replay_q_tile(should, {head.batch, head.head, q}).visits;
    for (const VisitState& visit : wrong)
      for (const VisitState& other : correct)
        if (visit.kv_tile == other.kv_tile) add_runs(session.schedule(), visit, other, out);
  }
  return out;
}

// False where no mistake can be followed.
bool refresh(const Session& session, WrongVisitsCache& cache) {
  const Problem& p = session.problem();
  if (!session.walk().right() || makes(row_of(p), Quantity::DQ) || !is_quick_to_replay(p)) return false;
  const HeadId head{session.walk().batch_in_view(), session.walk().head_in_view()};
  if (cache.revision != session.problem_revision() || !(cache.head == head)) {
    cache.revision = session.problem_revision();
    cache.head = head;
    cache.problem = p;
    cache.all = all_runs(session, head);
  }
  return true;
}

// The cache is of the mistake that was just taken back.
bool is_healing(const Session& session, const WrongVisitsCache& cache) {
  const StepMotion& healing = session.walk().healing();
  return (healing.moves() || healing.is_held()) && takes_a_mistake_back(cache.problem, session.problem());
}

// Those that show at the session's cursor.
std::vector<WrongRun> shown_runs(const Session& session, const WrongVisitsCache& cache) {
  std::vector<WrongRun> out;
  for (const WrongRun& run : cache.all)
    if (run.since > 0 && run.since <= session.cursor()) out.push_back(run);
  return out;
}

}  // namespace

WrongVisits wrong_visits(const Session& session, WrongVisitsCache& cache) {
  WrongVisits out;
  out.healing = is_healing(session, cache);
  if (!out.healing && !refresh(session, cache)) return {};
  for (const WrongRun& run : shown_runs(session, cache)) out.ends.push_back(run.since);
  std::sort(out.ends.begin(), out.ends.end());
  out.ends.erase(std::unique(out.ends.begin(), out.ends.end()), out.ends.end());
  return out;
}

std::int64_t first_wrong_step(const Session& session, FirstWrongCache& cache) {
  const CheckReport& check = session.check();
  const Problem& p = session.problem();
  if (!check.first || check.first->step < 0) return 0;
  const std::int64_t found = check.first->step + 1;
  if (p.fault == Fault::None || found > session.schedule().step_count() || !is_quick_to_replay(p)) return found;
  if (cache.revision == session.problem_revision() && cache.found == found) return cache.first;
  Problem right = p;
  right.fault = Fault::None;
  Replay is(session.walk().shared_schedule(), session.inputs());
  Replay should(make_schedule(right), session.inputs().under(right));
  const Step last = session.schedule().step(found - 1);
  std::int64_t first = found;
  while (first > 1 && last.in_visit()) {
    const Step before = session.schedule().step(first - 2);
    if (before.section != last.section || before.visit_index != last.visit_index) break;
    --first;
  }
  while (first < found && !is_wrong(p, is.at(first), should.at(first))) ++first;
  cache = {session.problem_revision(), found, first};
  return first;
}

std::vector<WrongRun> wrong_runs(const Session& session, WrongVisitsCache& cache) {
  return refresh(session, cache) ? shown_runs(session, cache) : std::vector<WrongRun>{};
}

}  // namespace tilewalk
