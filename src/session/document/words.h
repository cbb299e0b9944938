// The words for enumerators in session files and commands, in the order of the enumerators.
#pragma once

namespace tilewalk {

inline constexpr const char* kUnitWords[] = {"phase", "tile", "q-tile"};
inline constexpr const char* kPaceWords[] = {"tile", "flop", "byte", "time"};
inline constexpr const char* kPageWords[] = {
#define PAGE(enumerator, word, not_presented, steps) #word,
#include "session/document/pages.inc"
#undef PAGE
};
inline constexpr const char* kNotPresented[] = {
#define PAGE(enumerator, word, not_presented, steps) not_presented,
#include "session/document/pages.inc"
#undef PAGE
};
inline constexpr const char* kFillingWords[] = {"sms", "warps", "pipes", "waves"};
inline constexpr const char* kComparedWords[] = {"walk", "call"};
inline constexpr const char* kDialogWords[] = {"none",   "problem",   "presets", "open",    "save",    "go-to",
                                               "keys",   "palette",   "traffic", "faults",  "lessons", "export",
                                               "review", "questions", "call",    "glossary"};
inline constexpr const char* kLaneOptionWords[] = {"warp-specialisation", "ping-pong",       "overlap",
                                                   "conditional-rescale", "polynomial-exp2", "stages"};
inline constexpr const char* kHandRowsWords[] = {"none", "one", "all"};
inline constexpr const char* kRaceSourceWords[] = {"recorded", "cpu", "gpu"};
inline constexpr const char* kTreeWords[] = {
    "online-softmax", "apex-fmha", "lazy-softmax", "flash-1",        "xformers", "triton-tutorial",
    "flash-2",        "paged",     "ring",         "flash-decoding", "cudnn",    "flash-3",
    "flex-attention", "sage",      "flashinfer",   "flash-mla",      "flash-4"};
inline constexpr const char* kRaceMetricWords[] = {"rate", "time", "share", "over-floor", "vs-naive", "memory"};

}  // namespace tilewalk
