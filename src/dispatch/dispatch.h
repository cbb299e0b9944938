// Which kernel PyTorch takes for a call: its backends in their order, each backend's checks in theirs, the first
// backend that passes all, and what that one may still raise. PyTorch stops at a backend's first failed check: what
// comes after is not reached, neither passed nor failed. A backend's own verdict (allowed) is what can_use_*_attention
// says, asked or not. Not modelled: nested tensors, torch.compile, subclasses of tensors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dispatch/call.h"
#include "dispatch/rule_table.h"

namespace tilewalk {

struct RuleAnswer {
  const Rule* rule = nullptr;
  std::optional<bool> ok{};  // none: not reached
  std::string value{};       // the call's own, in plain words; empty where not reached
};

struct BackendAnswer {
  SdpaBackend backend{};
  bool allowed = false;  // its own verdict
  bool tried = false;    // PyTorch came to it
  std::vector<RuleAnswer> checks{};
  const RuleAnswer* failed() const;  // the check that refused; null where none did
};

struct WhichAnswer {
  Version cuda{}, cudnn{};  // in force
  std::vector<SdpaBackend> order{};
  std::string why_order{};
  std::vector<BackendAnswer> backends{};      // in that order
  std::optional<SdpaBackend> picked{};        // what _fused_sdp_choice says
  std::optional<SdpaBackend> runs{};          // that, unless something is raised after it
  std::string raised{}, raised_source{};      // PyTorch's words, where nothing runs
  std::string raised_rule{}, raised_value{};  // and why, in plain words

  const BackendAnswer* of(SdpaBackend) const;
};

// The table must outlive the answer, which points into it.
WhichAnswer answer_of(const Call&, const RuleTable&);

}  // namespace tilewalk
