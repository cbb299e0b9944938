// Files that are not yet what they will be: hidden, with a random name that is recognised as Tilewalk's, locked by
// their writer for as long as it lives. What is locked no more was left by a process that was killed.
// Not modelled: file systems without locks, where nothing is cleared away.
#pragma once

#include <sys/types.h>

#include <string>

#include "files/descriptor.h"

namespace tilewalk {

struct PartFile {
  Descriptor file;  // not open: the system says why
  std::string name;
};

PartFile create_part_file(const Descriptor& folder, mode_t);
void clear_part_files(const Descriptor& folder);

// The part files of this process, so that a signal handler can remove them. Up to kMostPartFiles are remembered, by the
// number of their folder's descriptor, which stays open meanwhile; more are left to the next clear_part_files.
inline constexpr int kMostPartFiles = 1024;
void remember_part_file(const Descriptor& folder, const std::string& name);
void forget_part_file(const Descriptor& folder, const std::string& name);
void remove_part_files() noexcept;  // safe in a signal handler

}  // namespace tilewalk
