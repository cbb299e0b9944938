// The checks that rules name: one small predicate each. A check says whether the call passes, and the call's value that
// it looked at, in plain words. Which of them a backend asks, in which order and with which numbers, is a RuleTable's.
#pragma once

#include <string>
#include <vector>

#include "dispatch/rule_table.h"

namespace tilewalk {

struct CallLooked {  // what a check may look at
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
  std::vector<std::string> needs;  // numbers without which it has no meaning
  Finding (*look)(const CallLooked&);
};

const std::vector<RuleCheck>& rule_checks();
const RuleCheck* check_named(const std::string&);
std::string nearest_check(const std::string&);

int sm_from(const std::string&);  // "9.0" is 90, "12.1" is 121

}  // namespace tilewalk
