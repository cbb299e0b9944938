// What a person's session changed of what is kept between starts (settings, progress in lessons, what this machine was
// measured to reach) goes to its file after each change. What could not be kept, and what could not be read and was set
// aside, is said in the window and on stderr.
#pragma once

#include <string>

#include "session/session.h"

namespace tilewalk {

class KeptFiles {
 public:
  explicit KeptFiles(Session&);
  void keep();

 private:
  void tell(const Result<KeptFile>&, const char* what);

  Session& session_;
  Settings settings_;
  LessonsProgress progress_;
  MeasuredMachine machine_;
  std::string said_;
};

}  // namespace tilewalk
