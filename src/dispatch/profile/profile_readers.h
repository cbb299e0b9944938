// The readers of the formats that profile.h lists: each adds its kernels to the tally. Internal to dispatch/profile.
#pragma once

#include "dispatch/kernel/cpp_name.h"
#include "dispatch/profile/csv_records.h"
#include "dispatch/profile/json_reader.h"
#include "dispatch/profile/kernel_tally.h"

namespace tilewalk {

// found: true if there is a list of events.
Result<Done> read_trace(JsonReader&, KernelTally&, bool& found);

// Empty, where no line begins a table of kernels.
Result<std::optional<ProfileFormat>> read_tables(CsvRecords&, KernelTally&);

}  // namespace tilewalk
