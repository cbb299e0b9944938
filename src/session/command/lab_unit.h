// What a step in the lab moves by.
#pragma once

namespace tilewalk {

enum class LabUnit { Phase, Barrier, Line };
inline constexpr const char* kLabUnitWords[] = {"phase", "barrier", "line"};

}  // namespace tilewalk
