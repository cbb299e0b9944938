// Which kernel PyTorch uses for a call: its backends in order, each backend's checks in order, the first backend that
// passes all its checks, and the error that this backend may still raise. PyTorch stops at a backend's first failed
// check: later checks are not reached, neither passed nor failed. A backend's own result (allowed) is that of
// can_use_*_attention, whether PyTorch asks the backend or not.
// Not modelled: nested tensors, torch.compile, subclasses of tensors.
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
  std::string value{};       // the call's value, in plain words; empty where not reached
};

struct BackendAnswer {
  SdpaBackend backend{};
  bool allowed = false;  // the backend's own result
  bool tried = false;    // PyTorch reached it
  std::vector<RuleAnswer> checks{};
  RuleAnswer raises{};               // of an allowed one: the error that it raises once it is chosen; no rule: it runs
  const RuleAnswer* failed() const;  // the failed check; null where there is none
};

struct WhichAnswer {
  Version cuda{}, cudnn{};  // the versions in use
  std::vector<SdpaBackend> order{};
  std::string why_order{};
  std::vector<BackendAnswer> backends{};      // in that order
  std::optional<SdpaBackend> picked{};        // the choice of _fused_sdp_choice
  std::optional<SdpaBackend> runs{};          // the same, unless an error is raised later
  std::string raised{}, raised_source{};      // PyTorch's message, where no backend runs
  std::string raised_rule{}, raised_value{};  // the reason, in plain words
  bool lacks_kernels = false;                 // the reason is a wheel without kernels for the GPU

  const BackendAnswer* of(SdpaBackend) const;
};

// The table must outlive the answer, which points into it.
WhichAnswer answer_of(const Call&, const RuleTable&);

}  // namespace tilewalk
