// The judge's report as JSON: passed, visits, visits_wrong, first_wrong, diagnosis, second (another
// mistake, or null), complaints. verify --trace prints it, and tilewalk lab check with what it has found besides
// (app/cli/learn/lab_words).
#pragma once

#include "app/cli/output.h"
#include "lab/judge/visit.h"

namespace tilewalk {

Json judge_json(const JudgeReport&);
Json diagnosis_json(const std::optional<Diagnosis>&);  // name (null where it has none) and sentence, or null

}  // namespace tilewalk
