// The model of a call that is given in words, by the rules in assets.
#pragma once

#include "files/file_io.h"
#include "pages/which/which_model.h"
#include "tests/support/catch.h"

namespace tilewalk {

inline WhichModel model_of(const CallWords& words, const RaceTimes* times = nullptr) {
  static const std::vector<RuleTable> tables = *load_rule_tables(TILEWALK_SOURCE_DIR);
  const Result<Call> call = call_from(words);
  REQUIRE(call.ok());
  const Result<const RuleTable*> table = table_for(tables, call->torch);
  REQUIRE(table.ok());
  return build_which_model(*call, **table, times);
}

}  // namespace tilewalk
