// What a person's session changed of what is kept between starts (settings, progress in lessons, what this machine was
// measured to reach) goes to its file after each change. What could not be kept, and what could not be read and was set
// aside, is said in the window and on stderr. A change that could not be kept goes with the next one.
#pragma once

#include <map>
#include <string>

#include "session/session.h"

namespace tilewalk {

// The reason in words: a browser's page has no files to speak of (web/web_kept.cpp), a desktop has (why_not_kept.cpp).
std::string why_not_kept(const Issues&);

class KeptFiles {
 public:
  explicit KeptFiles(Session&);
  void keep();

 private:
  template <class T>
  struct Kept {
    explicit Kept(T now) : kept(now), tried(std::move(now)) {}
    T kept, tried;  // the last one that was kept, and the last one that was to be
  };
  template <class T, class Save>
  void keep(Kept<T>&, const T& now, const char* what, Save save);
  void report(const Result<KeptFile>&, const char* what);

  Session& session_;
  Kept<Settings> settings_;
  Kept<LessonsProgress> progress_;
  Kept<MeasuredMachine> machine_;
  std::map<std::string, std::string> said_;  // by what it is of
};

}  // namespace tilewalk
