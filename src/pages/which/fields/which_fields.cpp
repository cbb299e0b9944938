#include "pages/which/fields/which_fields.h"

#include <map>
#include <set>

namespace tilewalk {
namespace {

// The fields that a check reads.
const std::map<std::string, std::vector<std::string>>& fields_of_checks() {
  static const std::map<std::string, std::vector<std::string>> rows = {
      {"enabled", {"enabled"}},
      {"on_gpu", {"on"}},
      {"cudnn_at_least", {"cudnn"}},
      {"no_dropout_between_cudnn", {"dropout", "cudnn"}},
      {"not_deterministic", {"deterministic"}},
      {"type_in", {"dtype"}},
      {"no_mask", {"attn-mask"}},
      {"mask_without_grad", {"attn-mask"}},
      {"mask_shape", {"mask-dims"}},
      {"sm_between", {"device"}},
      {"no_dropout", {"dropout"}},
      {"nonzero_lengths", {"n-q", "n-kv"}},
      {"last_stride_one", {"layout"}},
      {"heads_fit", {"kv-heads", "enable-gqa"}},
      {"heads_divide", {"kv-heads"}},
      {"heads_broadcast", {"kv-heads", "enable-gqa"}},
      {"batch_and_heads_at_most", {"batch", "heads"}},
      {"heads_at_most", {"heads"}},
      {"batch_at_most_if_dropout", {"batch", "dropout"}},
      {"d_at_most", {"d", "d-v"}},
      {"d_multiple_of", {"d", "d-v"}},
      {"same_d_at_most", {"d", "d-v"}},
      {"same_d", {"d-v"}},
      {"d_aligned", {"d", "d-v"}},
      {"dropout_multiple_of", {"dropout"}},
      {"without_enable_gqa", {"enable-gqa"}},
      {"cudnn_trains_at_this_d", {"d", "d-v", "training"}},
      {"keys_not_one", {"n-kv"}},
      {"lengths_not_one", {"n-q", "n-kv"}},
      {"no_dropout_of_one_row", {"dropout", "n-q"}},
      {"trains_at_this_d", {"d", "training"}},
      {"square_if_causal", {"is-causal", "n-kv"}},
      {"no_mask_if_causal", {"is-causal", "attn-mask"}},
  };
  return rows;
}

std::set<std::string> fields_at_fault(const WhichAnswer& answer) {
  std::set<std::string> out;
  for (const BackendAnswer& one : answer.backends) {
    const RuleAnswer* const failed = one.failed();
    if (!failed || !one.tried) continue;
    const auto at = fields_of_checks().find(failed->rule->check);
    if (at != fields_of_checks().end()) out.insert(at->second.begin(), at->second.end());
  }
  return out;
}

// The fields that stand in the line of a call. Others are folded while they have their default.
bool is_first_field(const std::string& name) {
  static const std::set<std::string> first = {"device", "torch", "dtype",     "batch",     "heads",   "n-q",
                                              "d",      "via",   "attn-mask", "is-causal", "dropout", "training"};
  return first.contains(name);
}

}  // namespace

std::vector<CallFieldModel> which_fields(const Call& call, const Version& cuda, const Version& cudnn,
                                         const WhichAnswer* answer) {
  const std::set<std::string> at_fault = answer ? fields_at_fault(*answer) : std::set<std::string>();
  std::vector<CallFieldModel> out;
  for (const CallField& field : call_fields()) {
    CallFieldModel row = field_model(field, call);
    row.at_fault = at_fault.contains(row.name);
    row.folded = !is_first_field(row.name) && !row.at_fault && field.text(call) == field.text(Call{});
    if (row.by_itself) {
      if (row.name == "kv-heads") row.text = std::to_string(call.heads_of_kv());
      if (row.name == "n-kv") row.text = std::to_string(call.keys());
      if (row.name == "d-v") row.text = std::to_string(call.value_size());
      if (row.name == "cuda") row.text = text_of(cuda);
      if (row.name == "cudnn") row.text = text_of(cudnn);
      if (row.name == "enabled" || row.name == "env") row.text = "not set";
    }
    if (row.name == "mask-dims") row.matters = call.has_mask();
    if (row.name == "set-priority") row.matters = !call.enabled.empty();
    if (row.name == "device" || row.name == "cudnn" || row.name == "cuda" || row.name == "build")
      row.matters = call.on_gpu;
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace tilewalk
