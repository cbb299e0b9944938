#include "app/window/kept_files.h"

#include <utility>

#include "app/streams.h"
#include "base/shown.h"

namespace tilewalk {
namespace {

Result<KeptFile> keep_machine(const MeasuredMachine& machine) {
  Result<OutputFile> file = open_user_file(machine_path());
  if (!file) return file.issues();
  return save_machine(machine, std::move(*file));
}

}  // namespace

KeptFiles::KeptFiles(Session& session)
    : session_(session),
      settings_(session.settings()),
      progress_(session.lesson().progress()),
      lab_(session.lab().progress_before()),  // commands of a link may have changed it since
      machine_(session.roofline().machine()) {}

template <class T, class Save>
void KeptFiles::keep(Kept<T>& state, const T& now, const char* what, Save save) {
  if (now == state.tried) return;
  state.tried = now;
  const Result<KeptFile> done = save(state.kept, now);
  if (done) state.kept = now;
  report(done, what);
}

void KeptFiles::keep() {
  keep(settings_, session_.settings(), "Your settings are",
       [](const Settings& before, const Settings& now) { return save_settings(before, now, settings_path()); });
  keep(progress_, session_.lesson().progress(), "What you did in lessons is",
       [](const LessonsProgress& before, const LessonsProgress& now) {
         return save_progress(before, now, progress_path());
       });
  keep(lab_, session_.lab().progress(), "Your texts in the lab are",
       [](const LabProgress& before, const LabProgress& now) {
         return save_lab_progress(before, now, lab_progress_path());
       });
  keep(machine_, session_.roofline().machine(), "The measurement is",
       [](const MeasuredMachine&, const MeasuredMachine& now) { return keep_machine(now); });
}

// Reports the same words only once: a file that could not be written will probably fail again at the next change.
void KeptFiles::report(const Result<KeptFile>& kept, const char* what) {
  std::string words;
  if (!kept)
    words = std::string(what) + " not kept: " + why_not_kept(kept.issues());
  else if (!kept->aside.empty())
    words = "What could not be read is in " + shown(kept->aside) + " now";
  std::string& said = said_[what];
  if (words == std::exchange(said, words) || words.empty()) return;
  complain(words);
  session_.dispatch(ReportKeeping{words});
}

}  // namespace tilewalk
