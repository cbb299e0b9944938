// One function a reader: takes any bytes, and neither crashes nor hangs; it ends in a value or in issues whose text is
// one line of letters that show. Where there is a value, writing and reading it again gives the same value. No files
// are read or written, and no process is started.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilewalk::fuzz {

void arguments(std::span<const std::byte>);  // words of a command line, one a line
void call(std::span<const std::byte>);       // of attention: "FIELD=TEXT", one a line
void calls(std::span<const std::byte>);      // a table of them, with what PyTorch said
void commands(std::span<const std::byte>);   // the text of commands
void fast_trace(std::span<const std::byte>);
void fields(std::span<const std::byte>);  // what is typed into the problem: "FIELD=TEXT", one a line
void flags(std::span<const std::byte>);   // the problem of a command line: "FLAG=TEXT", one a line
void kernel_name(std::span<const std::byte>);  // names, one a line
void mask(std::span<const std::byte>);
void npy(std::span<const std::byte>);
void problem(std::span<const std::byte>);  // as recordings keep it
void profile(std::span<const std::byte>);  // a Chrome trace or a table of kernels, packed or not
void race(std::span<const std::byte>);
void recording(std::span<const std::byte>);
void rules(std::span<const std::byte>);  // of a PyTorch version
void safetensors(std::span<const std::byte>);
void session(std::span<const std::byte>);  // presets are sessions
void stamps(std::span<const std::byte>);
void traffic(std::span<const std::byte>);

struct Target {
  const char* name;
  void (*run)(std::span<const std::byte>);
  std::size_t longest;  // input: above every limit that the reader has
};
inline constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
inline constexpr Target kTargets[] = {{"arguments", arguments, 16 * kKiB},
                                      {"call", call, 16 * kKiB},
                                      {"calls", calls, kMiB},
                                      {"commands", commands, 80 * kKiB},
                                      {"fast_trace", fast_trace, 512 * kKiB},
                                      {"fields", fields, 16 * kKiB},
                                      {"flags", flags, 16 * kKiB},
                                      {"kernel_name", kernel_name, 64 * kKiB},
                                      {"mask", mask, 4 * kKiB},
                                      {"npy", npy, kMiB + 64 * kKiB},
                                      {"problem", problem, 80 * kKiB},
                                      {"profile", profile, kMiB},
                                      {"race", race, 4 * kMiB + 64 * kKiB},
                                      {"recording", recording, 256 * kKiB},
                                      {"rules", rules, 256 * kKiB + 64 * kKiB},
                                      {"safetensors", safetensors, 8 * kMiB + 64 * kKiB},
                                      {"session", session, kMiB + 64 * kKiB},
                                      {"stamps", stamps, 4 * kMiB + 64 * kKiB},
                                      {"traffic", traffic, 4 * kMiB + 64 * kKiB}};

}  // namespace tilewalk::fuzz
