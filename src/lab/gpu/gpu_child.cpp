#include "lab/gpu/gpu_child.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "files/file_io.h"
#include "files/output_file.h"

extern char** environ;

namespace tilewalk::lab {
namespace {

constexpr std::int64_t kMostRunBytes = std::int64_t(2) << 30;

GpuRun lost(std::string why) {
  GpuRun out;
  out.end = GpuEnd::Lost;
  out.why = std::move(why);
  return out;
}

// A folder of its own, removed with its files.
struct OwnFolder {
  std::string path;

  OwnFolder() {
    std::error_code failed;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(failed);
    std::string name = (failed ? std::filesystem::path("/tmp") : parent).string() + "/tilewalk-gpu-XXXXXX";
    if (::mkdtemp(name.data())) path = name;
  }
  ~OwnFolder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
};

int start(const std::vector<std::string>& command, pid_t& child) {
  std::vector<char*> words;
  for (const std::string& each : command) words.push_back(const_cast<char*>(each.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = ::posix_spawn(&child, words[0], &files, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

enum class Wait { Ended, TimedOut, Cancelled };

Wait wait_for(pid_t child, std::int64_t most_ms, const std::function<bool()>& stop, int& status) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(most_ms);
  for (;;) {
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return Wait::Ended;
    if (stop && stop()) return Wait::Cancelled;
    if (std::chrono::steady_clock::now() > deadline) return Wait::TimedOut;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace

GpuChild own_program(std::vector<std::string> words) {
  GpuChild out;
  out.command = std::move(words);
  out.command.insert(out.command.begin(), "/proc/self/exe");
  return out;
}

GpuRun run_in_child(const GpuJob& job, const GpuChild& how) {
  constexpr std::int64_t kMostKilledMs = 10'000;  // the driver ends a hanging kernel first
  const OwnFolder folder;
  if (folder.path.empty()) return lost("There is no folder for temporary files.");
  const std::string job_file = folder.path + "/job", run_file = folder.path + "/run";
  if (!write_file({.field = "", .path = job_file, .to_disk = false}, bytes_of(job)))
    return lost("The GPU's job cannot be written to the folder for temporary files.");
  std::vector<std::string> command = how.command;
  command.insert(command.end(), {job_file, run_file});
  pid_t child = 0;
  if (const int error = start(command, child); error != 0)
    return lost("The GPU's process does not start: " + std::string(std::strerror(error)) + ".");
  int status = 0;
  const Wait wait = wait_for(child, how.most_ms, how.stop, status);
  if (wait != Wait::Ended) {
    ::kill(child, SIGKILL);
    wait_for(child, kMostKilledMs, {}, status);
    if (wait == Wait::Cancelled) return lost("The run on the GPU was cancelled.");
    GpuRun out =
        lost("The GPU's process did not end within " + std::to_string(how.most_ms / 1000) + " seconds, and was ended.");
    out.end = GpuEnd::Deadline;
    return out;
  }
  if (const auto bytes = read_whole_file(run_file, kMostRunBytes))
    if (auto run = run_of(*bytes)) return std::move(*run);
  if (WIFSIGNALED(status))
    return lost("The GPU's process ended by signal " + std::to_string(WTERMSIG(status)) + ", without a result.");
  return lost("The GPU's process ended with status " + std::to_string(WEXITSTATUS(status)) + ", without a result.");
}

}  // namespace tilewalk::lab
