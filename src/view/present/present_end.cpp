#include <algorithm>
#include <cmath>

#include "core/problem/fault_effects.h"
#include "core/schedules/registry.h"
#include "view/present/present_model.h"
#include "view/walk/quick_replay.h"
#include "view/walk/wrong_and_right.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostRows = 64;  // of O: a class cannot distinguish smaller ones

// O of the head in view, row by row; empty for a backward pass.
std::vector<float> whole_output(const std::shared_ptr<const Schedule>& schedule, const Inputs& inputs,
                                const Session& session) {
  std::vector<float> out;
  Replay replay(schedule, inputs);
  for (std::int64_t q = 0; q < schedule->problem().q_tiles(); ++q) {
    const ReplayedQTile tile =
        replay_q_tile(replay, {session.walk().batch_in_view(), session.walk().head_in_view(), q});
    if (tile.o.empty()) return {};
    out.insert(out.end(), tile.o.begin(), tile.o.end());
  }
  return out;
}

void mark_wrong(PresentResult& result, const std::vector<float>& is, const Session& session) {
  Problem right = session.problem();
  right.fault = Fault::None;
  const std::vector<float> should = whole_output(make_schedule(right), session.inputs().under(right), session);
  if (should.size() != is.size()) return;
  result.wrong.assign(std::size_t(result.rows), false);
  for (std::size_t i = 0; i < is.size(); ++i)
    if (differs_in_print(is[i], should[i])) result.wrong[i / std::size_t(result.cols)] = true;
  result.worst = worst_of_output("O", is, should, result.cols);
  result.wrong_row = most_wrong_row(is, should, result.cols);
}

}  // namespace

PresentEnd build_present_end(const Problem& p, const WholeRuns& runs, const CheckReport& report,
                             const VerifyModel& verify, bool output_wrong, std::int64_t wrong_from) {
  PresentEnd end{.moved = moved_in_all(p, runs), .scores = fate_of_scores(p), .check = {}};
  end.at_risk = verify.kind == BadgeKind::AtRisk;
  end.check = check_title(report, end.at_risk, wrong_from);
  if (end.at_risk) end.mistake = std::string("At risk: ") + risk_of(p.fault);
  const std::string cost = cost_of_scores(p, runs);
  const SharesOfLess shares = shares_of_less(p, runs);
  if (!shares.text.empty()) end.why.push_back(shares.text);
  const std::string of_long = scores_of_long_context(p);
  if (!cost.empty()) end.why.push_back(of_long.empty() ? cost : cost + " " + of_long);
  if (!shares.brief.empty()) end.why.push_back(shares.brief);
  if (!of_long.empty()) end.why.push_back(of_long);
  end.good = verify.good;
  end.wrong = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite;
  end.scores_existed = row_of(p).memory.scores_in_hbm;
  if (p.fault == Fault::None) return end;
  if (output_wrong && !end.wrong) end.wrong = true, end.check = "The result is wrong";
  if (end.wrong) end.mistake = description_of(p.fault), end.remedy = std::string("Right: ") + remedy_of(p.fault);
  if (end.wrong || end.at_risk) end.check += std::string(": ") + title_of(p.fault);
  return end;
}

std::optional<PresentResult> build_present_result(const Session& session) {
  const Problem& p = session.problem();
  if (!is_hand_size(p) || !is_quick_to_replay(p) || p.shape.n_q > kMostRows) return std::nullopt;
  PresentResult out{.rows = p.shape.n_q, .cols = p.shape.d, .tile_rows = p.tiling.br};
  out.shades = whole_output(session.walk().shared_schedule(), session.inputs(), session);
  if (p.fault != Fault::None) mark_wrong(out, out.shades, session);
  float largest = 0;
  for (const float v : out.shades)
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  for (float& v : out.shades) v = std::isfinite(v) && largest > 0 ? v / largest : 0;
  if (std::ssize(out.shades) != out.rows * out.cols) return std::nullopt;
  return out;
}

}  // namespace tilewalk
