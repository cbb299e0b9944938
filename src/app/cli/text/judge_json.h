// The judge's report as JSON: passed, visits, visits_wrong, first_wrong, diagnosis, complaints. For a
// trace of a kernel's visits; tilewalk lab has a report of its own (app/cli/learn/lab_words).
#pragma once

#include "app/cli/output.h"
#include "lab/judge/visit.h"

namespace tilewalk {

Json judge_json(const JudgeReport&);

}  // namespace tilewalk
