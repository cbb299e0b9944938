// Whether a recorded time is of the build that runs the call today. Each change of a build of FA-2 or FA-3, or of the
// choice among them, is a row: the last day whose files were recorded before it, and the calls that it concerns.
#pragma once

#include <string>

#include "core/predict/attention_call.h"
#include "core/problem/contender.h"
#include "core/problem/device_model.h"

namespace tilewalk {

enum class BuildChange {
  HeadSize32,  // a build of its own
  Builds,      // for head sizes 96, 160, 192 and FA-2's 256, short rows and parts
  LastWave,    // FA-2 divides the last of several waves
  ShortTiles,  // FA-2's tiles of 64 rows up to d = 128
  Parts,       // into how many parts FA-2 without a mask, or FA-3, divides the keys
  FewCausal,   // FA-3's tiles up to d = 64 for few causal rows, and for rows of an odd number of 16-byte chunks
  Narrow,      // FA-3's builds for 32, 48 and 112 columns, and its choice of them, and at 64 without a mask
  ShortRows,   // FA-3's choice of tiles at 64 columns where rows are short or tiles few
};

// file: a name that ends with its day, "…_2026-11-22.csv". Lengths of Q and K may differ.
bool lacked(BuildChange, Contender, const AttentionCall&, const std::string& file, const DeviceModel&);

// True if any change is younger than the file.
bool was_replaced(Contender, const AttentionCall&, const std::string& file, const DeviceModel&);

}  // namespace tilewalk
