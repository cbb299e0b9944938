// The judge's report as JSON: passed, visits, visits_wrong, first_wrong, diagnosis, complaints. The same fields for a
// learner's kernel and for a trace.
#pragma once

#include "app/cli/output.h"
#include "lab/judge/visit.h"

namespace tilewalk {

Json judge_json(const JudgeReport&);

}  // namespace tilewalk
