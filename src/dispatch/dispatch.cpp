#include "dispatch/dispatch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/words.h"
#include "dispatch/rule_checks.h"

namespace tilewalk {
namespace {

bool is_set(const Call& call, const std::string& variable, const char* value) {
  const auto at = call.env.find(variable);
  return at != call.env.end() && at->second == value;
}

// The variable that turns the preference for cuDNN off, with its value; empty: none does.
std::string turned_off(const Call& call, const PreferCudnn& rule) {
  if (is_set(call, rule.unless_one, "1")) return rule.unless_one + " is 1";
  return is_set(call, rule.unless_zero, "0") ? rule.unless_zero + " is 0" : "";
}

std::string listed_sm(const std::vector<int>& all) {  // "9.0, 10.0 and 10.3"
  return listed(all, " and ", sm_text);
}

// PyTorch's message, with the call's own numbers filled in.
std::string filled(std::string words, const Call& call) {
  for (const auto& [name, number] : {std::pair("{heads}", call.heads), std::pair("{kv_heads}", call.heads_of_kv())})
    if (const std::size_t at = words.find(name); at != std::string::npos)
      words.replace(at, std::string(name).size(), std::to_string(number));
  return words;
}

class Asking {
 public:
  Asking(const Call& call, const RuleTable& table)
      : call_(call), table_(table), cuda_(call.cuda.value_or(table.cuda)), cudnn_(call.cudnn.value_or(table.cudnn)) {}

  WhichAnswer answer() const {
    WhichAnswer out{.cuda = cuda_, .cudnn = cudnn_};
    put_in_order(out);
    for (const SdpaBackend backend : out.order) {
      BackendAnswer one = ask(backend);
      one.tried = !out.picked;
      if (one.allowed && !out.picked) out.picked = backend;
      out.backends.push_back(std::move(one));
    }
    if (out.picked)
      check_raises(out);
    else
      out.raised = nothing_left(out);
    return out;
  }

 private:
  Finding look(SdpaBackend backend, const Rule& rule) const {
    return check_named(rule.check)
        ->look({.call = call_, .cuda = cuda_, .cudnn = cudnn_, .backend = backend, .numbers = rule.numbers});
  }
  BackendAnswer ask(SdpaBackend backend) const {
    BackendAnswer out{.backend = backend, .allowed = true};
    std::vector<const Rule*> rules;
    const auto windows = table_.on_windows.find(backend);
    if (call_.on_gpu && call_.build == TorchBuild::Windows && windows != table_.on_windows.end())
      for (const Rule& rule : windows->second) rules.push_back(&rule);
    for (const Rule& rule : (call_.on_gpu ? table_.gpu : table_.cpu).at(backend)) rules.push_back(&rule);
    for (const Rule* const one : rules) {
      const Rule& rule = *one;
      RuleAnswer check{.rule = one};
      if (out.allowed) {
        Finding finding = look(backend, rule);
        check.ok = out.allowed = finding.ok;
        check.value = std::move(finding.value);
      }
      out.checks.push_back(std::move(check));
    }
    if (out.allowed) out.raises = raised_by(backend);
    return out;
  }
  RuleAnswer raised_by(SdpaBackend backend) const {
    for (const Rule& rule : (call_.on_gpu ? table_.gpu_raises : table_.cpu_raises).at(backend))
      if (Finding finding = look(backend, rule); !finding.ok) return {&rule, false, std::move(finding.value)};
    return {};
  }
  bool cudnn_goes_first() const {
    const PreferCudnn& rule = table_.prefer_cudnn;
    return contains(rule.sm, call_.sm()) && cudnn_ > rule.above && turned_off(call_, rule).empty();
  }
  void put_in_order(WhichAnswer& out) const {
    if (!call_.on_gpu) {
      out.order = table_.order_cpu;
      out.why_order = "On a CPU the order is fixed.";
      return;
    }
    const std::string sm = sm_text(call_.sm());
    const PreferCudnn& rule = table_.prefer_cudnn;
    if (cudnn_goes_first()) {
      out.order = {SdpaBackend::Cudnn};
      const std::string above = fmt::format("{} is above {}, and ", text_of(cudnn_), text_of(rule.above));
      out.why_order = fmt::format("cuDNN goes first: {}the GPU is SM {}.", rule.above > Version{} ? above : "", sm);
    } else if (rule.sm.empty()) {
      const bool first = table_.order.front() == SdpaBackend::Cudnn;
      out.why_order = first ? "This PyTorch asks cuDNN first." : "This PyTorch puts cuDNN last.";
    } else if (const std::string off = turned_off(call_, rule); !off.empty()) {
      out.why_order = "cuDNN goes last: " + off + ".";
    } else if (!contains(rule.sm, call_.sm())) {
      out.why_order =
          fmt::format("cuDNN goes last: it goes first on SM {} alone, and the GPU is SM {}.", listed_sm(rule.sm), sm);
    } else {
      out.why_order =
          fmt::format("cuDNN goes last: it goes first above {}, and this is {}.", text_of(rule.above), text_of(cudnn_));
    }
    for (const SdpaBackend backend : table_.order)
      if (!contains(out.order, backend)) out.order.push_back(backend);
    if (call_.enabled.empty() || !call_.set_priority || !table_.can_set_priority) return;
    std::vector<SdpaBackend> preferred = call_.enabled;
    for (const SdpaBackend backend : out.order)
      if (!contains(preferred, backend)) preferred.push_back(backend);
    out.order = std::move(preferred);
    out.why_order = "The order is sdpa_kernel's, as set_priority asks.";
  }
  // A wheel for another GPU: whatever is chosen, no kernel can be launched.
  bool lacks_kernels(WhichAnswer& out) const {
    if (!call_.on_gpu || call_.build == TorchBuild::Source || wheel_has(table_, cuda_, call_.sm())) return false;
    out.lacks_kernels = true;
    out.raised = "CUDA error: no kernel image is available for execution on the device";
    out.raised_source = table_.wheels_source;
    out.raised_rule = fmt::format("a wheel with kernels for SM {}", sm_text(call_.sm()));
    const std::optional<Version> other = wheel_for(table_, call_.sm());
    out.raised_value = fmt::format("the wheel for CUDA {}, which has none{}", text_of(cuda_),
                                   other ? "; that for CUDA " + text_of(*other) + " has them" : "");
    return true;
  }
  void check_raises(WhichAnswer& out) const {
    if (lacks_kernels(out)) return;
    const RuleAnswer& raises = out.of(*out.picked)->raises;
    if (!raises.rule) return void(out.runs = out.picked);
    out.raised = filled(raises.rule->raises, call_);
    out.raised_source = raises.rule->source;
    out.raised_rule = raises.rule->says;
    out.raised_value = raises.value;
  }
  std::string nothing_left(const WhichAnswer& out) const {
    if (call_.on_gpu) return table_.none_left;
    const auto on = [&](SdpaBackend backend) { return call_.enabled.empty() || contains(call_.enabled, backend); };
    return std::any_of(out.order.begin(), out.order.end(), on) ? table_.none_left_cpu : table_.none_enabled;
  }

  const Call& call_;
  const RuleTable& table_;
  const Version cuda_, cudnn_;
};

}  // namespace

const RuleAnswer* BackendAnswer::failed() const {
  const auto at = std::find_if(checks.begin(), checks.end(), [](const RuleAnswer& c) { return c.ok == false; });
  return at == checks.end() ? nullptr : &*at;
}

const BackendAnswer* WhichAnswer::of(SdpaBackend backend) const {
  const auto at =
      std::find_if(backends.begin(), backends.end(), [&](const BackendAnswer& one) { return one.backend == backend; });
  return at == backends.end() ? nullptr : &*at;
}

WhichAnswer answer_of(const Call& call, const RuleTable& table) { return Asking(call, table).answer(); }

}  // namespace tilewalk
