// A file for output. It is opened before the work that fills it, so that a bad path costs no work. It replaces its
// target whole or not at all: its bytes go to a file with a random name beside the target and are flushed to disk; then
// that file is renamed. The new file keeps the mode of the replaced one, and its owner where the system allows; links
// are followed. Devices, pipes and folders are refused, except a pipe or a terminal where the request allows it. A
// killed writer leaves such a file unlocked (files/part_files), and the next output into that folder removes it. Not
// modelled: hard links and access lists of the replaced file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "files/descriptor.h"

namespace tilewalk {

struct OutputRequest {
  std::string field;  // the flag that names it; empty: messages show the path alone
  std::string path;
  std::vector<std::string> endings = {};  // it must have one of them; empty: any
  bool may_stream = false;                // into a pipe or a terminal, or into stdout's own file
  bool clears_part_files = true;  // removes files of killed writers in its folder: for many files, one call is enough
  bool to_disk = true;            // flush before the rename, so that a power cut leaves the old or the new file
};

class OutputFile {
 public:
  static Result<OutputFile> open(OutputRequest);
  ~OutputFile();  // removes the part file if the output was not completed
  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;

  const std::string& field() const { return request_.field; }
  const std::string& path() const { return request_.path; }
  bool is_stdout() const { return is_stdout_; }
  bool same_place_as(const OutputFile&) const;

  Result<Done> write(std::span<const std::byte>);
  Result<Done> flush_to_disk();
  Result<Done> rename_into_place();  // precondition: flushed to disk
  // For an unfinished output, instead of rename_into_place: renames it beside the target to a free name, and returns
  // that name: "race.WORD.csv" for "race.csv", then "race.WORD-2.csv".
  Result<std::string> rename_aside(const std::string& word);

  // Device and inode of its folder; none for a stream.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> folder_identity() const;
  const std::string& folder() const { return folder_name_; }

 private:
  explicit OutputFile(OutputRequest request) : request_(std::move(request)) {}
  Result<Done> open_stream(int same_as);
  Result<Done> open_beside(const std::string& target);
  Result<Done> rename_to(const std::string& name);
  Issue refused(std::string rule, std::string way_out) const;
  Issue failed(const char* doing) const;  // with the system's reason

  OutputRequest request_;
  Descriptor folder_, file_;
  std::string folder_name_, name_, part_;  // part_: the temporary name; empty: nothing to remove
  bool is_stdout_ = false;
};

// Receives bytes as they are produced; after its first issue it gets no more.
using ByteSink = std::function<Result<Done>(std::span<const std::byte>)>;
inline ByteSink sink_of(OutputFile& file) {  // valid while the file is not moved
  return [&file](std::span<const std::byte> bytes) { return file.write(bytes); };
}

// Opens all of them or none: reports every issue of every request, including two requests for one file.
Result<std::vector<OutputFile>> open_outputs(const std::vector<OutputRequest>&);
// Flushes all of them to disk, and only then renames one after the other. If two programs write the same files at the
// same time, all come from one of them.
// Not modelled: a rename that fails after others succeeded (because of a folder created meanwhile): those stay, and the
// issue names the file.
Result<Done> rename_into_place(std::span<OutputFile>);

Result<Done> keep(OutputFile&, std::span<const std::byte>);  // writes all of it and completes the output

// Writes a whole file whose content is ready.
Result<Done> write_file(OutputRequest, std::span<const std::byte>);

}  // namespace tilewalk
