// Which attention runs, as plain values: the call by its fields, a card for each backend with its checks, what runs,
// and the smallest changes that bring a faster one. The page paints it, `tilewalk which` prints it. A check that
// PyTorch did not come to is marked so; what a backend would say by itself stands on its card all the same.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "dispatch/advice.h"
#include "dispatch/entry_points.h"
#include "pages/which/recorded_call.h"
#include "session/command/command.h"

namespace tilewalk {

enum class WhichMark { Passed, Refused, NotReached };

struct WhichCheck {
  WhichMark mark{};
  std::string says;    // "no attn_mask"
  std::string value;   // "float, 1×12×1,024×1,024"; empty where not reached
  std::string source;  // for the tooltip
};

enum class WhichVerdict { Runs, Refused, Raises, NotReached };

struct WhichCard {
  std::string title, badge;  // "cuDNN", "1st"
  WhichVerdict verdict{};
  std::string verdict_words{};  // "refused"
  std::vector<WhichCheck> checks{};
  std::vector<WhichCheck> brief{};  // routine ones that passed in one, and all that were not reached in one
  std::string hint{};               // below the verdict
};

struct WhichField {
  std::string name, label, text, help;
  std::vector<std::string> choices{};  // empty: typed
  bool at_fault = false;               // a check that refused looks at it
  bool by_itself = false;              // not given: as it follows from others
  bool matters = true;                 // false: of a mask or a list that the call has not
  std::string issue{};                 // why what was typed is refused
};

struct WhichAdvice {
  std::string words, costs, then;
  CallWords call;  // as it would be
};

struct WhichModel {
  std::vector<WhichField> fields;
  std::string versions;   // "PyTorch 2.11.0 · CUDA 13.0 · cuDNN 9.19 · SM 9.0"
  std::string call_line;  // "bf16, batch 1, 12 heads, …"
  std::string why_order;
  std::vector<WhichCard> cards;
  bool runs = false;
  std::string headline, so;  // "EFFICIENT_ATTENTION", "runs: the CUTLASS kernel …"
  std::string generation;    // "FA-1"
  std::string unknown;       // what of the kernel is not known, and why; may be empty
  std::string advice_title;  // "What brings a backend that ranks higher"
  std::vector<WhichAdvice> advice;
  std::string no_advice;  // why there is none
  std::optional<Problem> walk;
  std::string walk_words;              // "FA-2 with that kernel's tiles, 128×64"
  std::string cost_line;               // asks what it will cost; empty where that is not modelled
  std::optional<ChooseRoofline> cost;  // the same, of the page of the roofline
  std::string cost_note;               // what of the call is not in it
  std::string recorded;                // what PyTorch's backends took for this call, or for one near it; may be empty
  std::vector<RecordedBackend> recorded_ms;  // of this very call alone
  std::string command_line, checked;
  std::string other_versions;  // of PyTorch: that there are no rules for them, and what to do
  std::vector<std::string> notes;
};

// Times of a race on the call's card, or none.
WhichModel build_which_model(const Call&, const RuleTable&, const RaceTimes* recorded = nullptr);

std::string backend_title(SdpaBackend);  // "EFFICIENT · CUTLASS"

}  // namespace tilewalk
