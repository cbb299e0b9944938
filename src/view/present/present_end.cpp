#include <algorithm>
#include <cmath>

#include "core/schedules/registry.h"
#include "view/present/present_model.h"
#include "view/walk/quick_replay.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostRows = 64;  // of O: a class cannot distinguish smaller ones

}  // namespace

PresentEnd build_present_end(const Problem& p, const WholeRuns& runs, const CheckReport& report,
                             const VerifyModel& verify) {
  PresentEnd end{.moved = moved_in_all(p, runs), .scores = fate_of_scores(p), .check = check_title(report)};
  const std::string cost = cost_of_scores(p, runs);
  if (!cost.empty()) end.why.push_back(cost + " " + scores_of_long_context());
  end.why.push_back(scores_of_long_context());
  end.good = verify.good;
  end.wrong = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite;
  end.scores_existed = row_of(p).memory.scores_in_hbm;
  if (end.wrong && p.fault != Fault::None) end.check += std::string(": ") + title_of(p.fault);
  return end;
}

std::optional<PresentResult> build_present_result(const Session& session) {
  const Problem& p = session.problem();
  if (!is_hand_size(p) || !is_quick_to_replay(p) || p.shape.n_q > kMostRows) return std::nullopt;
  PresentResult out{.rows = p.shape.n_q, .cols = p.shape.d, .tile_rows = p.tiling.br};
  Replay replay(session.walk().shared_schedule(), session.inputs());
  for (std::int64_t q = 0; q < p.q_tiles(); ++q) {
    const ReplayedQTile tile =
        replay_q_tile(replay, {session.walk().batch_in_view(), session.walk().head_in_view(), q});
    if (tile.o.empty()) return std::nullopt;  // of a backward pass
    out.shades.insert(out.shades.end(), tile.o.begin(), tile.o.end());
  }
  float largest = 0;
  for (const float v : out.shades)
    if (std::isfinite(v)) largest = std::max(largest, std::fabs(v));
  for (float& v : out.shades) v = std::isfinite(v) && largest > 0 ? v / largest : 0;
  if (std::ssize(out.shades) != out.rows * out.cols) return std::nullopt;
  return out;
}

}  // namespace tilewalk
