// The outputs at the end of a run: all values of O and L, the poison and the guards; and the mistakes of the last
// division.
#pragma once

#include <functional>

#include "lab/judge/row_case.h"

namespace tilewalk {

// The states that a row was left with after its last visit, one for each block that shared its keys.
using LastKept = std::function<std::vector<const KeptRow*>(const RowId&)>;

// Adds to the report: complaints about values that were not written and guards that were; the first wrong value and its
// diagnosis, if no visit was wrong; a second mistake at the end, if one was.
void check_end(const JudgedInputs&, const JudgeRules&, const LabOutputs&, const LastKept&, OForm, JudgeReport&);

// How the first wrong number differs from what it should be.
Diagnosis no_known_mistake(const WrongValue&);

}  // namespace tilewalk
