// Which attention runs, as plain values: the call by its fields, a card for each backend with its checks, the result,
// and the smallest changes that select a faster backend. The page draws it, `tilewalk which` prints it. A check that
// PyTorch did not reach is marked so; its card still shows what the backend itself would answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/problem.h"
#include "dispatch/advice.h"
#include "dispatch/entry_points.h"
#include "pages/which/answer/plain_answer.h"
#include "pages/which/path/decision_path.h"
#include "pages/which/recorded_call.h"
#include "session/command/command.h"
#include "view/words/call_model.h"

namespace tilewalk {

enum class WhichVerdict { Runs, Refused, Raises, NotReached };

struct WhichCard {
  SdpaBackend backend{};
  std::string title, badge;  // "cuDNN", "1st"
  WhichVerdict verdict{};
  std::string verdict_words{};  // "refused"
  std::vector<WhichCheck> checks{};
  std::vector<PathStop> stops{};
  std::string reason{};        // of the verdict: "needs no attn_mask"
  std::string yours{};         // what the call has instead: "yours is bool, 12×64"; may be empty
  std::string hint{};          // below the verdict
  std::string all_hold{};      // "all 15 conditions hold"; empty where one does not
  std::string recorded{};      // its time for this very call: "2.29 ms"; empty where there is none
  std::string not_recorded{};  // instead of a recorded time, where other backends have one
  std::string predicted{};     // where no race ran the call: its modelled time; empty where there is none
  double time_ms = 0;          // of its bar: recorded, else predicted, else that of bar_tag's kernel; 0: none
  bool by_ratio = false;       // predicted by a recorded ratio to a kernel here
  std::string bar_tag{};       // "predicted, as FA-2 by Tilewalk"; empty: its own recorded time
  std::string published{};     // "others published 4.78 to 7.05 ms"; may be empty
  double published_least_ms = 0, published_most_ms = 0;
  std::string published_source{};
};

struct WhichAdvice {
  std::string words, costs, then;
  CallWords call;  // the changed call
};

struct WhichTag {  // of a row of tags: a change of one field of the call
  std::string label;
  bool active = false;  // the call has it
  EditCall choice;
};
struct WhichTries {
  std::string title;
  std::vector<WhichTag> tags;
};

struct WhichModel {
  std::vector<CallFieldModel> fields;
  std::string recorded_with{};  // "PyTorch 2.11" where the call's version is another one; else empty
  std::string versions;         // "PyTorch 2.11.0 · CUDA 13.0 · cuDNN 9.19 · SM 9.0"
  std::string call_line;        // "bf16, batch 1, 12 heads, …"
  std::string why_order;
  std::vector<WhichCard> cards;
  bool runs = false;
  PlainAnswer plain;         // the answer in plain words
  std::string headline, so;  // "EFFICIENT_ATTENTION", "runs: the CUTLASS kernel …"
  std::string generation;    // "FA-1"
  std::string unknown;       // the unknown properties of the kernel, and the reason; may be empty
  WhichTries tries;          // changes that select another backend; no tags where PyTorch's rules do not decide
  std::string advice_title;  // "Faster?"
  std::vector<WhichAdvice> advice;
  std::string no_advice;  // why there is no advice
  std::optional<Problem> walk;
  std::string walk_words;   // "FA-2 with that kernel's tiles, 128×64"
  std::string cost_title;   // "What it costs without the attn_mask"
  std::string cost_line;    // leads to the predicted cost; empty where the model does not cover the call
  std::string cost_note;    // what the prediction leaves out besides the attn_mask
  std::string recorded;     // times of PyTorch's backends for this call, or a near one; may be empty
  std::string times_title;  // of the times on the cards: "Recorded for this very call on an H200, forward"
  std::vector<RecordedBackend> recorded_ms;  // of this call alone, or of the call without its mask
  std::optional<Contender> runs_as = {};     // the row of races that runs for this call
  bool without_mask = false;                 // the call has an attn_mask, and recorded times are of the call without it
  std::string command_line, checked;
  std::string other_versions;  // of PyTorch: they have no rules, and what to do
  std::string version_note;    // the same in one short sentence, below the field
  std::vector<std::string> notes;
};

// recorded: times of a race on the call's card, or null.
WhichModel build_which_model(const Call&, const RuleTable&, const RaceTimes* recorded = nullptr);

std::string backend_title(SdpaBackend);  // "EFFICIENT · CUTLASS"

}  // namespace tilewalk
