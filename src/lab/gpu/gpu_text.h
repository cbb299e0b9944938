// The text that NVRTC compiles for a kernel of the lab: the same arithmetic as the interpreter's, and marks that
// record.
#pragma once

#include <string>
#include <string_view>

#include "lab/language/compile.h"

namespace tilewalk::lab {

// core/values/exact_math.h and lab/gpu/prelude.cuh, put into the program by lab/gpu/embed.cmake.
extern const char* const kExactMathText;
extern const char* const kPreludeText;

inline constexpr char kGpuTextName[] = "kernel.cu";  // of the learner's text in NVRTC's messages

// Wrappers are named tilewalk_launch_0, tilewalk_launch_1 …, one for each of Program::kernels, and have its parameters.
// Precondition: the program is the compiled text, without errors.
std::string gpu_text(std::string_view text, const CompileSetup&, const Program&);
std::string gpu_launch_name(std::size_t kernel);

}  // namespace tilewalk::lab
