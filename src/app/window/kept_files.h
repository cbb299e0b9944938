// The files stored between starts (settings, progress in lessons, texts of the lab, this machine's measured rates):
// writes the session's changes after each change. Errors, and files that could not be read and were renamed, are
// reported in the window and on stderr. A change that could not be written is written with the next one.
#pragma once

#include <map>
#include <string>

#include "session/session.h"

namespace tilewalk {

// The reason in words: a browser's page has no files of its own (web/web_kept.cpp), a desktop has (why_not_kept.cpp).
std::string why_not_kept(const Issues&);

class KeptFiles {
 public:
  explicit KeptFiles(Session&);
  void keep();

 private:
  template <class T>
  struct Kept {
    explicit Kept(T now) : kept(now), tried(std::move(now)) {}
    T kept, tried;  // the last one written, and the last attempt
  };
  template <class T, class Save>
  void keep(Kept<T>&, const T& now, const char* what, Save save);
  void report(const Result<KeptFile>&, const char* what);

  Session& session_;
  Kept<Settings> settings_;
  Kept<LessonsProgress> progress_;
  Kept<LabProgress> lab_;
  Kept<MeasuredMachine> machine_;
  std::map<std::string, std::string> said_;  // by the kind of file
};

}  // namespace tilewalk
