// The documents before each change of the problem, its values, schedule, fault or pins, for undo and redo. Tensors that
// were read from files are stored as they were read. Look, page and selection are not part of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/document/opening.h"

namespace tilewalk {

struct Standing {
  Document document;
  LoadedInputs read;
  ReadFile file;  // the session file that was open
};

bool same_subject(const Document&, const Document&);                 // equal in everything that undo restores
std::string undone_words(const Document& from, const Document& to);  // "the schedule is FA-2"

class UndoController {
 public:
  static constexpr std::size_t kMost = 500;  // beyond that the oldest are dropped

  void changed(Standing before);
  // Returns the document to restore and pushes `now` on the other stack. Empty where there is none.
  std::optional<Standing> back(Standing now) { return move(past_, future_, std::move(now)); }
  std::optional<Standing> on(Standing now) { return move(future_, past_, std::move(now)); }
  std::size_t steps_back() const { return past_.size(); }

 private:
  static std::optional<Standing> move(std::vector<Standing>& from, std::vector<Standing>& to, Standing now);
  std::vector<Standing> past_, future_;
};

}  // namespace tilewalk
