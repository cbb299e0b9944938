// A file on its way out. It is opened before the work that fills it, so that a bad path costs no work; it takes its
// place whole or not at all: its bytes go to a file of a random name beside the target, are brought to disk, and that
// is renamed. What is replaced keeps its mode, and its owner where the system allows; links are followed. Devices,
// pipes and folders are refused, but for a pipe or a terminal where the wish says that it will do. A writer that is
// killed leaves such a file unlocked (files/part_files), and the next output into that folder clears it away.
// Not modelled: hard links and access lists of what is replaced.
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

struct OutputWish {
  std::string field;  // the flag that asked for it; empty: in messages the path stands alone
  std::string path;
  std::vector<std::string> endings = {};  // one of them it must have; empty: any will do
  bool may_stream = false;                // into a pipe or a terminal, or what stdout is
  bool clears_part_files = true;          // of killed writers in its folder: of many files one is enough
  bool to_disk = true;                    // before it takes its place, so that a power cut finds the old or the new
};

class OutputFile {
 public:
  static Result<OutputFile> open(OutputWish);
  ~OutputFile();  // nothing is left of one that has not taken its place
  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) = delete;

  const std::string& field() const { return wish_.field; }
  const std::string& path() const { return wish_.path; }
  bool is_stdout() const { return is_stdout_; }
  bool same_place_as(const OutputFile&) const;

  Result<Done> write(std::span<const std::byte>);
  Result<Done> bring_to_disk();
  Result<Done> take_place();  // precondition: brought to disk
  // In place of take_place, for what is unfinished: beside the target, under a name that is free, which is returned:
  // "race.csv" leaves room for "race.WORD.csv", then "race.WORD-2.csv".
  Result<std::string> step_aside(const std::string& word);

  // The folder of its place, as the system tells it from others; none of a stream.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> folder_identity() const;
  const std::string& folder() const { return folder_name_; }

 private:
  explicit OutputFile(OutputWish wish) : wish_(std::move(wish)) {}
  Result<Done> open_stream(int same_as);
  Result<Done> open_beside(const std::string& target);
  Result<Done> rename_to(const std::string& name);
  Issue refused(std::string rule, std::string way_out) const;
  Issue failed(const char* doing) const;  // with what the system says

  OutputWish wish_;
  Descriptor folder_, file_;
  std::string folder_name_, name_, part_;  // part_: what it is called meanwhile; empty: nothing is to be cleared away
  bool is_stdout_ = false;
};

// Where bytes go as they are made; its first issue is the last word.
using ByteSink = std::function<Result<Done>(std::span<const std::byte>)>;
inline ByteSink sink_of(OutputFile& file) {  // as long as the file stays where it is
  return [&file](std::span<const std::byte> bytes) { return file.write(bytes); };
}

// All of them or none: every issue of every wish, two that are one file among them.
Result<std::vector<OutputFile>> open_outputs(const std::vector<OutputWish>&);
// Brings all of them to disk, and only then renames one after the other. Where two programs write the same ones at a
// time, all are of one of them. Not modelled: a rename that fails after others took their places (a folder made there
// meanwhile): those stay, and the issue names the file.
Result<Done> take_places(std::span<OutputFile>);

Result<Done> keep(OutputFile&, std::span<const std::byte>);  // writes all of it, and it takes its place

// The whole of a file that costs no work.
Result<Done> write_file(OutputWish, std::span<const std::byte>);

}  // namespace tilewalk
