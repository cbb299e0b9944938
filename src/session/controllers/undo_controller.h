// What was on screen before each change of the problem, its values, schedule, fault or pins, so that every one of them
// can be undone and done again. Tensors that came from files are kept as they were read. How things look, the page and
// the selection are no part of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/opening.h"

namespace tilewalk {

struct Standing {
  Document document;
  LoadedInputs read;
  ReadFile file;  // the session file it was open from
};

bool same_subject(const Document&, const Document&);                 // nothing differs that could be undone
std::string undone_words(const Document& from, const Document& to);  // "the schedule is FA-2"

class UndoController {
 public:
  static constexpr std::size_t kMost = 500;  // the oldest are forgotten

  void changed(Standing before);
  // The one to go back to, or on to; `now` goes to the other pile. Nothing where there is none.
  std::optional<Standing> back(Standing now) { return move(past_, future_, std::move(now)); }
  std::optional<Standing> on(Standing now) { return move(future_, past_, std::move(now)); }
  std::size_t steps_back() const { return past_.size(); }

 private:
  static std::optional<Standing> move(std::vector<Standing>& from, std::vector<Standing>& to, Standing now);
  std::vector<Standing> past_, future_;
};

}  // namespace tilewalk
