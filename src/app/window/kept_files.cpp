#include "app/window/kept_files.h"

#include "app/streams.h"
#include "base/shown.h"

namespace tilewalk {
namespace {

Result<KeptFile> keep_machine(const MeasuredMachine& machine) {
  Result<OutputFile> file = open_own_file(machine_path());
  if (!file) return file.issues();
  return save_machine(machine, std::move(*file));
}

}  // namespace

KeptFiles::KeptFiles(Session& session)
    : session_(session),
      settings_(session.settings()),
      progress_(session.lesson().progress()),
      machine_(session.roofline().machine()) {}

void KeptFiles::keep() {
  if (const Settings& now = session_.settings(); now != settings_) {
    tell(save_settings(settings_, now, settings_path()), "Your settings are");
    settings_ = now;
  }
  if (const LessonsProgress& now = session_.lesson().progress(); now != progress_) {
    tell(save_progress(progress_, now, progress_path()), "What you did in lessons is");
    progress_ = now;
  }
  if (const MeasuredMachine& now = session_.roofline().machine(); !(now == machine_)) {
    machine_ = now;
    tell(keep_machine(now), "The measurement is");
  }
}

// The same words once: what cannot be kept cannot be kept at the next change either.
void KeptFiles::tell(const Result<KeptFile>& kept, const char* what) {
  std::string words;
  if (!kept)
    words = std::string(what) + " not kept: " + in_one_line(kept.issues());
  else if (!kept->aside.empty())
    words = "What could not be read lies in " + shown(kept->aside) + " now";
  if (words.empty() || words == said_) return;
  said_ = words;
  complain(words);
  session_.dispatch(ReportKeeping{words});
}

}  // namespace tilewalk
