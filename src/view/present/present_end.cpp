#include "core/schedules/registry.h"
#include "view/present/present_model.h"

namespace tilewalk {

PresentEnd build_present_end(const Problem& p, const WholeRuns& runs, const CheckReport& report,
                             const VerifyModel& verify) {
  PresentEnd end{.moved = moved_in_all(p, runs), .scores = fate_of_scores(p), .check = check_title(report)};
  end.good = verify.good;
  end.wrong = verify.kind == BadgeKind::Diverged || verify.kind == BadgeKind::NotFinite;
  end.scores_existed = row_of(p).memory.scores_in_hbm;
  if (end.wrong && p.fault != Fault::None) end.check += std::string(": ") + title_of(p.fault);
  return end;
}

}  // namespace tilewalk
