// Part files: outputs that are still being written. They are hidden, have a random name with Tilewalk's own beginning,
// and are locked by their writer. A part file without a lock belonged to a process that was killed.
// Not modelled: file systems without locks, where no part file is removed.
#pragma once

#include <sys/types.h>

#include <string>

#include "files/descriptor.h"

namespace tilewalk {

struct PartFile {
  Descriptor file;  // not open: errno has the reason
  std::string name;
};

PartFile create_part_file(const Descriptor& folder, mode_t);
void clear_part_files(const Descriptor& folder);

// The part files of this process, so that a signal handler can remove them. Up to kMostPartFiles are listed, by the
// descriptor of their folder, which stays open meanwhile; the next clear_part_files removes the others.
inline constexpr int kMostPartFiles = 1024;
void remember_part_file(const Descriptor& folder, const std::string& name);
void forget_part_file(const Descriptor& folder, const std::string& name);
void remove_part_files() noexcept;  // safe in a signal handler

}  // namespace tilewalk
