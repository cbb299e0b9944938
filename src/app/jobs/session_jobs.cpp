#include "app/jobs/session_jobs.h"

#include "core/fields/validate.h"
#include "core/predict/compare.h"

namespace tilewalk {
namespace {

constexpr double kLiveByItself = double(1ll << 32);  // score elements times head size, at most

double cost_of(const Problem& p) {
  return double(p.shape.batch) * double(p.shape.heads) * double(p.shape.n_q) * double(p.shape.n_kv) * double(p.shape.d);
}

bool goes_live_by_itself(const Session& session) {
  return session.checks().gpu_present() && cost_of(session.problem()) <= kLiveByItself;
}

}  // namespace

CheckRequest check_request(const Session& session, CheckAgainst against, const std::string& resource_root) {
  return {.problem = session.problem(),
          .files = session.files(),
          .edits = session.document().edits,
          .against = against,
          .recordings = resource_root + "/assets/recordings"};
}

Command WantedAccuracy::command(AccuracyReport report) const {
  return ReportAccuracy{std::move(report), revision, of_baseline};
}

std::optional<WantedAccuracy> wanted_accuracy(const Session& s) {
  if (!s.checks().accuracy())
    return WantedAccuracy{.request = {s.problem(), s.files(), s.document().edits}, .revision = s.problem_revision()};
  if (s.page() != Page::Compare || s.baseline_accuracy()) return std::nullopt;
  const Problem baseline = s.baseline();
  if (!why_not_comparable(baseline, s.problem()).empty() || !validate(baseline).empty()) return std::nullopt;
  return WantedAccuracy{.request = {baseline, s.files(), s.document().edits},
                        .revision = s.compare().baseline_revision(),
                        .of_baseline = true};
}

SessionJobs::SessionJobs(std::string resource_root, const std::function<void()>& wake)
    : root_(std::move(resource_root)),
      devices_(device_task(), wake),
      check_(check_task(), wake),
      accuracy_(accuracy_task(), wake),
      race_(race_task(), wake),
      measure_(measure_task(), wake),
      export_(export_task(), wake),
      profile_(profile_task(), wake) {
  devices_.start({});
}

bool SessionJobs::exchange(Session& session) {
  const bool answered = take_answers(session);
  follow_requests(session);
  follow_accuracy(session);
  return follow_check(session) || answered;
}

void SessionJobs::lend() {
  [[maybe_unused]] const bool one_of_them = devices_.lend() || export_.lend() || profile_.lend() || race_.lend() ||
                                            measure_.lend() || check_.lend() || accuracy_.lend();
}

// A Job answers only its newest request, so each answer is about the latest one.
bool SessionJobs::take_answers(Session& session) {
  bool any = false;
  const auto dispatch = [&](const Command& command) {
    session.dispatch(command);
    any = true;
  };
  if (auto report = check_.poll()) dispatch(ReportCheck{std::move(*report), checked_});
  if (auto news = race_.poll()) dispatch(ReportRace{std::move(*news)});
  if (auto news = measure_.poll()) dispatch(ReportMeasure{std::move(*news)});
  if (auto news = export_.poll()) dispatch(ReportExport{std::move(*news)});
  if (auto news = profile_.poll()) dispatch(ReportProfile{std::move(*news)});
  if (auto report = accuracy_.poll()) dispatch(measured_->command(std::move(*report)));
  if (auto found = devices_.poll()) {
    dispatch(ReportDevices{!found->gpus.empty(), found->reason});
    if (!found->gpus.empty()) gpu_ = found->gpus.front().name;
    if (goes_live_by_itself(session)) checked_ = 0;  // once more, live
  }
  return any;
}

void SessionJobs::follow_requests(const Session& session) {
  const Races& races = session.race();
  race_.follow(races, [&] { return default_plan(races.running_on == RaceSource::Gpu ? RaceOn::Gpu : RaceOn::Cpu); });
  const ProfileReading& profile = session.which().profile();
  profile_.follow(profile, [&] { return ProfileQuestion{profile.news.path}; });
  measure_.follow(session.roofline().measuring(), [] { return MeasureQuestion{}; });
  const Exports& exports = session.exporting();
  const auto request = [&] {
    return ExportRequest{.kind = exports.kind,
                         .path = exports.path,
                         .opening = session.opening(),
                         .cursor = session.cursor(),
                         .q_tile = session.state().started ? session.state().step.q_tile : 0,
                         .kernel = session.lab().text()};
  };
  export_.follow(exports, request, !needs_a_picture(exports.kind));
}

void SessionJobs::follow_accuracy(const Session& session) {
  std::optional<WantedAccuracy> wanted = wanted_accuracy(session);
  if (!wanted) return;
  if (measured_ && measured_->revision == wanted->revision && measured_->of_baseline == wanted->of_baseline) return;
  measured_ = std::move(wanted);
  accuracy_.start(measured_->request);
}

bool SessionJobs::follow_check(Session& session) {
  const bool asked = session.checks().live_check_serial() != live_asked_;
  if (checked_ == session.problem_revision() && !asked) return false;
  const bool live = asked || goes_live_by_itself(session);
  checked_ = session.problem_revision();
  live_asked_ = session.checks().live_check_serial();
  CheckReport running;
  running.verdict = Verdict::Running;
  running.against = live ? CheckAgainst::LiveGpu : CheckAgainst::Recording;
  if (live) running.provenance.gpu = gpu_;
  session.dispatch(ReportCheck{running, checked_});
  check_.start(check_request(session, running.against, root_));
  return true;
}

}  // namespace tilewalk
