#include "files/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>

#include "base/contains.h"
#include "base/words.h"
#include "files/folder_lock.h"
#include "files/part_files.h"

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using FileStatus = struct stat;

constexpr int kMostLinks = 40, kMostAside = 1000;
constexpr mode_t kModeBits = 07777, kNewFile = 0666, kPrivate = 0600;

bool same(const FileStatus& a, const FileStatus& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

// The descriptor of stdout or stderr, if it is this file; else -1.
int stream_that_is(const FileStatus& file) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    FileStatus is{};
    if (::fstat(stream, &is) == 0 && same(is, file)) return stream;
  }
  return -1;
}

// The final target of a path; the system follows links among its folders. Empty: the links form a circle.
std::string followed(fs::path path) {
  std::error_code error;
  for (int links = 0; fs::is_symlink(path, error); ++links) {
    if (links == kMostLinks) return {};
    const fs::path to = fs::read_symlink(path, error);
    path = path.parent_path() / to;
  }
  return path.string();
}

// In one order for everybody, so that two programs never wait for each other.
std::vector<FolderLock> locked_folders(std::span<const OutputFile> outputs) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> folders;
  for (const OutputFile& output : outputs)
    if (const auto folder = output.folder_identity()) folders.emplace(*folder, output.folder());
  std::vector<FolderLock> locks;
  for (const auto& [identity, folder] : folders) locks.emplace_back(folder);
  return locks;
}

// In a folder such as /tmp only the owner of a file may replace it.
bool another_owner_keeps(const FileStatus& folder, const FileStatus& file) {
  const uid_t me = ::geteuid();
  return (folder.st_mode & S_ISVTX) && me != 0 && me != file.st_uid && me != folder.st_uid;
}

}  // namespace

Issue OutputFile::refused(std::string rule, std::string way_out) const {
  if (request_.field.empty()) return {request_.path, "", std::move(rule), std::move(way_out)};
  return {request_.field, request_.path, std::move(rule), std::move(way_out)};
}

Issue OutputFile::failed(const char* doing) const {
  const int why = errno;
  const char* way_out = why == ENOSPC || why == EDQUOT || why == EFBIG ? "Free some space, or choose another folder"
                        : why == EMFILE                                ? "Raise the limit on open files (ulimit -n)"
                                                                       : "Choose another name or folder";
  return refused(std::string("cannot be ") + doing + ": " + std::strerror(why), way_out);
}

Result<OutputFile> OutputFile::open(OutputRequest request) {
  OutputFile out(std::move(request));
  const std::string& path = out.request_.path;
  const std::vector<std::string>& endings = out.request_.endings;
  if (path.empty()) return out.refused("names no file", "Name one");
  FileStatus there{};
  const bool exists = ::stat(path.c_str(), &there) == 0;
  const int stream = exists ? stream_that_is(there) : -1;
  const bool flows = exists && (stream >= 0 || S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode));
  if (flows && out.request_.may_stream) {
    if (const Result<Done> opened = out.open_stream(stream); !opened) return opened.issues();
    return out;
  }
  if (!endings.empty() && !contains(endings, fs::path(path).extension()))
    return out.refused("must end in " + listed(endings, " or "),
                       "Such as " + fs::path(path).stem().string() + endings.front());
  if (exists && S_ISDIR(there.st_mode)) return out.refused("is a folder, not a file", "Name a file in it");
  if (exists && !S_ISREG(there.st_mode))
    return out.refused("is not a regular file but a device, a pipe or a socket", "Name a file");
  if (stream >= 0)
    return out.refused(stream == STDOUT_FILENO ? "is where stdout goes" : "is where stderr goes", "Name another file");
  const std::string target = followed(path);
  if (target.empty()) return out.refused("is a link that leads back to itself", "Name a file");
  if (const Result<Done> opened = out.open_beside(target); !opened) return opened.issues();
  return out;
}

Result<Done> OutputFile::open_stream(int same_as) {
  is_stdout_ = same_as == STDOUT_FILENO;
  if (same_as >= 0) {  // opened again, a file would be written from its start
    file_ = Descriptor(::fcntl(same_as, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  } else {
    file_ = Descriptor(::open(request_.path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!file_.is_open() && errno == ENXIO) return refused("has no reader", "Start the program that reads it first");
    if (file_.is_open()) ::fcntl(file_.number(), F_SETFL, 0);
  }
  if (!file_.is_open()) return failed("opened");
  return Done{};
}

Result<Done> OutputFile::open_beside(const std::string& target) {
  name_ = fs::path(target).filename().string();
  folder_name_ = fs::path(target).parent_path().string();
  if (name_.empty()) return refused("names no file", "Name one");
  const std::string folder = folder_name_.empty() ? "." : folder_name_;
  folder_ = Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.is_open() && errno == ENOTDIR)
    return refused("cannot be written: one of its folders is a file", "Choose another place");
  if (!folder_.is_open() && errno == ENOENT)
    return refused("cannot be written: its folder does not exist", "Create the folder " + folder + " first");
  if (!folder_.is_open()) return failed("written");

  FileStatus old{}, around{};
  const bool replaces = ::fstatat(folder_.number(), name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (!replaces && errno != ENOENT) return failed("written");
  if (replaces && ::faccessat(folder_.number(), name_.c_str(), W_OK, AT_EACCESS) != 0)
    return refused("is protected against writing", "Choose another name, or make the file writable");
  if (replaces && ::fstat(folder_.number(), &around) == 0 && another_owner_keeps(around, old))
    return refused("belongs to another user, and nobody else may replace it in its folder",
                   "Choose another name or folder");

  if (request_.clears_part_files) clear_part_files(folder_);
  PartFile part = create_part_file(folder_, replaces ? kPrivate : kNewFile);
  if (!part.file.is_open()) return failed("written");
  file_ = std::move(part.file);
  part_ = std::move(part.name);
  remember_part_file(folder_, part_);
  if (!replaces) return Done{};
  // if it fails, the file belongs to the writer
  [[maybe_unused]] const int kept = ::fchown(file_.number(), old.st_uid, old.st_gid);
  if (::fchmod(file_.number(), old.st_mode & kModeBits) != 0)
    return failed("given the mode of the file that it replaces");
  return Done{};
}

OutputFile::~OutputFile() {
  if (!folder_.is_open() || part_.empty()) return;
  ::unlinkat(folder_.number(), part_.c_str(), 0);
  forget_part_file(folder_, part_);
}

bool OutputFile::same_place_as(const OutputFile& other) const {
  FileStatus mine{}, its{};
  const bool in_folder = folder_.is_open();
  if (in_folder != other.folder_.is_open()) return false;
  const Descriptor &a = in_folder ? folder_ : file_, &b = in_folder ? other.folder_ : other.file_;
  return ::fstat(a.number(), &mine) == 0 && ::fstat(b.number(), &its) == 0 && same(mine, its) && name_ == other.name_;
}

Result<Done> OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file_.number(), bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return failed("written");
    bytes = bytes.subspan(std::size_t(wrote));
  }
  return Done{};
}

Result<Done> OutputFile::flush_to_disk() {
  if (folder_.is_open() && request_.to_disk && ::fsync(file_.number()) != 0) return failed("brought to disk");
  return Done{};
}

Result<Done> OutputFile::rename_into_place() { return rename_to(name_); }

Result<std::string> OutputFile::rename_aside(const std::string& word) {
  if (!folder_.is_open()) return request_.path;  // a stream cannot be undone
  const fs::path target(name_);
  for (int n = 1; n <= kMostAside; ++n) {
    const std::string name =
        target.stem().string() + "." + word + (n == 1 ? "" : "-" + std::to_string(n)) + target.extension().string();
    const Descriptor kept_free(::openat(folder_.number(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!kept_free.is_open() && errno == EEXIST) continue;
    if (!kept_free.is_open()) return failed("put beside its place");
    if (const Result<Done> renamed = rename_to(name); !renamed) {
      ::unlinkat(folder_.number(), name.c_str(), 0);
      return renamed.issues();
    }
    return (fs::path(folder_name_) / name).string();
  }
  errno = EEXIST;
  return failed("put beside its place");
}

Result<Done> OutputFile::rename_to(const std::string& name) {
  if (!folder_.is_open()) return file_.close() ? Result<Done>(Done{}) : failed("written");
  forget_part_file(folder_, part_);
  if (::renameat(folder_.number(), part_.c_str(), folder_.number(), name.c_str()) != 0)
    return failed("put in its place");
  part_.clear();
  if (request_.to_disk) ::fsync(folder_.number());  // some file systems cannot, and need not
  if (!file_.close()) return failed("written");
  return Done{};
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> OutputFile::folder_identity() const {
  FileStatus is{};
  if (!folder_.is_open() || ::fstat(folder_.number(), &is) != 0) return std::nullopt;
  return std::pair(std::uint64_t(is.st_dev), std::uint64_t(is.st_ino));
}

Result<std::vector<OutputFile>> open_outputs(const std::vector<OutputRequest>& requests) {
  std::vector<OutputFile> outputs;
  Issues issues;
  for (const OutputRequest& request : requests) {
    Result<OutputFile> opened = OutputFile::open(request);
    if (!opened) {
      append(issues, opened.issues());
      continue;
    }
    for (const OutputFile& other : outputs)
      if (other.same_place_as(*opened))
        issues.push_back(
            {request.field, request.path, "is the file that " + other.field() + " goes to", "Give each its own file"});
    outputs.push_back(std::move(*opened));
  }
  if (!issues.empty()) return issues;
  return outputs;
}

Result<Done> rename_into_place(std::span<OutputFile> outputs) {
  for (OutputFile& output : outputs)
    if (const Result<Done> done = output.flush_to_disk(); !done) return done;
  // One file needs no lock, and a change of a user file already holds its folder's lock.
  std::vector<FolderLock> locks;
  if (outputs.size() > 1) locks = locked_folders(outputs);
  for (OutputFile& output : outputs)
    if (const Result<Done> done = output.rename_into_place(); !done) return done;
  return Done{};
}

Result<Done> keep(OutputFile& file, std::span<const std::byte> bytes) {
  if (const Result<Done> done = file.write(bytes); !done) return done;
  return rename_into_place({&file, 1});
}

Result<Done> write_file(OutputRequest request, std::span<const std::byte> bytes) {
  Result<OutputFile> file = OutputFile::open(std::move(request));
  if (!file) return file.issues();
  return keep(*file, bytes);
}

}  // namespace tilewalk
