// Converts flags to a problem with its inputs. Flags are stored as typed text; their values, and all errors in them,
// are found here, all at once. Defaults: without flags the preset `picture`; with --preset or --session that document;
// flags then change it. Without those two, a length, head size or file starts from Tilewalk's general defaults instead
// (64 x 64 tiles, halved until they fit).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "session/document/opening.h"

namespace tilewalk {

struct ProblemArgs {
  std::map<std::string, std::string> texts;  // flag without dashes -> text; only flags that were given
  std::vector<std::string> edits;            // "Q:BATCH:HEAD:ROW:COL=VALUE"
  bool any() const { return !texts.empty() || !edits.empty(); }
};

Result<Opening> open_problem(const ProblemArgs&);

// Strict: the whole text is one number in [low, high].
Result<std::int64_t> whole_number(const std::string& field, const std::string& text, std::int64_t low,
                                  std::int64_t high);

// "1024,4096": such numbers with commas between them, each once.
Result<std::vector<std::int64_t>> whole_numbers(const std::string& field, const std::string& text, std::int64_t low,
                                                std::int64_t high);

// Sets the cursor to the value of --step, if given.
Result<Done> put_at_step(Opening&, const std::optional<std::string>& step);

}  // namespace tilewalk
