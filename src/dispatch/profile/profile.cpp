#include "dispatch/profile/profile.h"

#include <algorithm>

#include "dispatch/profile/profile_readers.h"

namespace tilewalk {
namespace {

Issue foreign(const std::string& name, const char* rule) {
  return {name, "", rule,
          "Give a Chrome trace of torch.profiler or of JAX (.json, .json.gz), the text of key_averages().table(), or a "
          "table of kernels of nsys stats, ncu --csv or rocprofv3 --kernel-trace --stats"};
}

// The first character of the file after spaces.
Result<char> first_letter(const ReadBytes& read, std::int64_t size, const std::string& name) {
  constexpr std::size_t kMostBlanks = 1 << 20;
  ByteSource bytes(read, size, name);
  std::size_t blanks = 0;
  for (std::string_view piece = bytes.next(); !piece.empty(); piece = bytes.next()) {
    if (const std::size_t at = piece.find_first_not_of(" \t\r\n"); at != std::string_view::npos) return piece[at];
    if (blanks += piece.size(); blanks > kMostBlanks) return foreign(name, "begins with more than 1 MiB of blanks");
  }
  if (!bytes.issues().empty()) return bytes.issues();
  return foreign(name, blanks > 0 ? "contains only blanks" : "is empty");
}

Result<ProfileFormat> read_into(KernelTally& tally, ByteSource& bytes, char first, bool is_text) {
  if (first == '{' || first == '[') {
    JsonReader json(bytes);
    const auto format = read_trace(json, tally);
    if (!format) return format.issues();
    if (!*format) return foreign(bytes.name(), "is JSON without traceEvents");
    return **format;
  }
  if (is_text) return read_text_table(bytes, tally);
  CsvRecords records(bytes);
  const auto format = read_tables(records, tally);
  if (!format) return format.issues();
  if (!*format) return foreign(bytes.name(), "has no table of kernels");
  return **format;
}

}  // namespace

const char* name_of(ProfileFormat format) {
  static constexpr const char* names[] = {"torch.profiler trace", "Nsight Systems table", "Nsight Compute table",
                                          "torch.profiler table", "rocprof table",        "JAX trace"};
  return names[std::size_t(format)];
}

std::optional<double> Profile::share(std::int64_t ns) const {
  return is_timed && gpu_ns() > 0 ? std::optional(double(ns) / double(gpu_ns())) : std::nullopt;
}

Result<Profile> read_profile(const ReadBytes& read, std::int64_t size, const std::string& name) {
  const Result<char> first = first_letter(read, size, name);
  if (!first) return first.issues();
  ByteSource beginning(read, size, name), bytes(read, size, name);
  KernelTally tally;
  const auto format = read_into(tally, bytes, *first, begins_text_table(beginning));
  if (!format) return format.issues();
  if (tally.empty()) return foreign(name, "contains no GPU kernels");
  return tally.profile(*format);
}

Result<Profile> read_profile(const std::string& path, const std::function<bool(double)>& go_on) {
  const auto file = OpenedFile::open(path, kMostProfileBytes);
  if (!file) return file.issues();
  if (!go_on) return read_profile(file->reader(), file->size(), path);
  const double size = double(std::max<std::int64_t>(1, file->size()));
  const auto watched = [&, read = file->reader()](std::int64_t at, std::span<std::byte> to) -> Result<Done> {
    if (!go_on(double(at) / size)) return Issue{path, "", "was not read to its end: you stopped it", ""};
    return read(at, to);
  };
  return read_profile(watched, file->size(), path);
}

}  // namespace tilewalk
