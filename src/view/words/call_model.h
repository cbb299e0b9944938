// The window's call in words: one line for the header, its fields for the list behind it and for the page of which
// attention runs, and what the model of time cannot follow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "session/session.h"
#include "view/words/naive_win.h"

namespace tilewalk {

struct CallFieldModel {
  std::string name, label, text, help;
  std::vector<std::string> choices{};  // empty: typed
  bool at_fault = false;               // a failed check reads it
  bool by_itself = false;              // a default, or derived from other fields
  bool folded = false;                 // has its default, and is rarely changed: shown when all fields are asked for
  bool matters = true;                 // false: part of a mask or a list that the call does not have
  std::string issue{};                 // why the typed text is refused
};

struct CallModel {
  std::string chip;                    // "H200 · bf16 · 2×32 heads · d 64 · no mask", all but N
  CallFieldModel n;                    // N_q
  std::vector<CallFieldModel> fields;  // while their list is open
  bool of_lesson = false;              // the open lesson set it; leaving the lesson restores the person's call
  bool walked = false;                 // the walk on screen has these lengths, heads and mask
};

CallFieldModel field_model(const CallField&, const Call&);
void put_drafts(CallFieldModel&, const WhichController&);  // the typed and refused text, and why
CallModel build_call_model(const Session&);
// The kernel that PyTorch runs for the window's call, as races name it; none where that is not known, or for a call
// that the races leave out: with attn_mask, dropout or training, or not through PyTorch's function. None in a lesson,
// which may ask for it.
std::optional<Contender> default_of_call(const Session&);

// The speed-up of the window's call (measured/win_pair.h); none where the model of time does not cover it, or one of
// the two kernels does not run.
std::optional<NaiveWin> window_win(const Session&);
// What of a call neither the model of time nor the races have: "the attn_mask", "dropout"; may be empty.
std::string untimed_part(const Call&);
// What of the window's call the model of time does not show, as a sentence; may be empty.
std::string not_followed(const Session&);

}  // namespace tilewalk
