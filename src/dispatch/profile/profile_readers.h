// The readers of the formats that profile.h lists: each adds its kernels to the tally. Internal to dispatch/profile.
#pragma once

#include "dispatch/kernel/cpp_name.h"
#include "dispatch/profile/csv_records.h"
#include "dispatch/profile/json_reader.h"
#include "dispatch/profile/kernel_tally.h"

namespace tilewalk {

// Empty, where there is no list of events.
Result<std::optional<ProfileFormat>> read_trace(JsonReader&, KernelTally&);

// Empty, where no line begins a table of kernels.
Result<std::optional<ProfileFormat>> read_tables(CsvRecords&, KernelTally&);

// Tables with blanks between their columns: of torch.profiler and of Nsight Systems.
bool begins_text_table(ByteSource&);  // one of the first lines has the titles of such a table
Result<ProfileFormat> read_text_table(ByteSource&, KernelTally&);

}  // namespace tilewalk
