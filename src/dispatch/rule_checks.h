// The checks that rules name: one small predicate each. A check returns whether the call passes, and the value of the
// call that it checked, in plain words. A RuleTable says which checks a backend has, in which order and with which
// numbers.
#pragma once

#include <string>
#include <vector>

#include "dispatch/rule_table.h"

namespace tilewalk {

struct CallLooked {  // the input of a check
  const Call& call;
  Version cuda, cudnn;
  SdpaBackend backend;
  const RuleNumbers& numbers;
};

struct Finding {
  bool ok = true;
  std::string value;  // "float, 1×12×1,024×1,024"
};

struct RuleCheck {
  const char* name;
  const char* topic;               // what of the call it checks, in a word or two: "dtype", "head size"
  std::vector<std::string> needs;  // numbers that it requires
  Finding (*look)(const CallLooked&);
  const char* refusal = "";  // "it takes no attn_mask"; empty: the rule's words say what it needs
};

const std::vector<RuleCheck>& rule_checks();
const RuleCheck* check_named(const std::string&);
std::string refusal_words(const Rule&);  // "it takes no attn_mask", "it needs d a multiple of 8"
bool is_refused_for_call(const Rule&);   // false: for what is switched on, in the call's list or the environment
std::string nearest_check(const std::string&);

int sm_from(const std::string&);  // "9.0" is 90, "12.1" is 121

}  // namespace tilewalk
