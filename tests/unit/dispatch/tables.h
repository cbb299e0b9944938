// Set-up shared by the tests of dispatch: the shipped rules, and calls by words.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "dispatch/advice.h"
#include "dispatch/dispatch.h"
#include "dispatch/recorded_calls.h"
#include "tests/support/catch.h"

namespace tilewalk::test {

inline std::string text_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline const std::vector<RuleTable>& tables() {
  static const std::vector<RuleTable> all = [] {
    Result<std::vector<RuleTable>> read = load_rule_tables(TILEWALK_SOURCE_DIR);
    INFO((read ? std::string() : text_of(read.issues())));
    REQUIRE(read.ok());
    return std::move(*read);
  }();
  return all;
}

inline const RuleTable& table(const std::string& version = "2.11") {
  const Result<const RuleTable*> found = table_for(tables(), version);
  REQUIRE(found.ok());
  return **found;
}

inline Call call_of(const CallWords& words) {
  const Result<Call> call = call_from(words);
  INFO((call ? std::string() : text_of(call.issues())));
  REQUIRE(call.ok());
  return *call;
}

inline WhichAnswer asked(const CallWords& words) {
  const Call call = call_of(words);
  return answer_of(call, table(call.torch));
}

inline std::string runs(const CallWords& words) {
  const WhichAnswer answer = asked(words);
  return answer.runs ? name_of(*answer.runs) : "none";
}

}  // namespace tilewalk::test
