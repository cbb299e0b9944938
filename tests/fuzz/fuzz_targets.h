// One function a reader: accepts any bytes, and neither crashes nor hangs; it returns a value or issues whose text is
// one line of visible characters. A value that is written and read again is the same value. Starts no process, and
// reads and writes no file except the one that any_file opens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilewalk::fuzz {

void any_file(std::span<const std::byte>);   // a byte for its ending, then its content
void arguments(std::span<const std::byte>);  // the words of a command line, one a line
void call(std::span<const std::byte>);       // of attention: "FIELD=TEXT", one a line
void calls(std::span<const std::byte>);      // a table of them, with what PyTorch said
void class_plan(std::span<const std::byte>);
void commands(std::span<const std::byte>);  // the text of commands
void fast_trace(std::span<const std::byte>);
void fields(std::span<const std::byte>);       // text typed into the problem's fields: "FIELD=TEXT", one a line
void flags(std::span<const std::byte>);        // the problem of a command line: "FLAG=TEXT", one a line
void kernel_name(std::span<const std::byte>);  // names, one a line
void kernel_text(std::span<const std::byte>);  // of the lab: compiled, and run if it compiles
void lab_file(std::span<const std::byte>);     // a person's texts and progress in the lab
void lesson(std::span<const std::byte>);
void machine(std::span<const std::byte>);  // the measured rates of a machine
void mask(std::span<const std::byte>);
void npy(std::span<const std::byte>);
void problem(std::span<const std::byte>);    // in the form of recordings
void profile(std::span<const std::byte>);    // a Chrome trace or a table of kernels, packed or not
void progress(std::span<const std::byte>);   // in the lessons
void questions(std::span<const std::byte>);  // of questions and answers
void race(std::span<const std::byte>);
void recording(std::span<const std::byte>);
void rules(std::span<const std::byte>);  // of a PyTorch version
void safetensors(std::span<const std::byte>);
void session(std::span<const std::byte>);   // presets are sessions
void settings(std::span<const std::byte>);  // with the files used last
void stamps(std::span<const std::byte>);
void traffic(std::span<const std::byte>);
void view_link(std::span<const std::byte>);    // a problem as in flags, "then=COMMANDS": written as a link, and read
void visit_trace(std::span<const std::byte>);  // of somebody's kernel: read, and judged where it is small

struct Target {
  const char* name;
  void (*run)(std::span<const std::byte>);
  std::size_t longest;  // of an input: above every limit of the reader
};
inline constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
inline constexpr Target kTargets[] = {{"any_file", any_file, 512 * kKiB},
                                      {"arguments", arguments, 16 * kKiB},
                                      {"call", call, 16 * kKiB},
                                      {"calls", calls, kMiB},
                                      {"class_plan", class_plan, 80 * kKiB},
                                      {"commands", commands, 80 * kKiB},
                                      {"fast_trace", fast_trace, 512 * kKiB},
                                      {"fields", fields, 16 * kKiB},
                                      {"flags", flags, 16 * kKiB},
                                      {"kernel_name", kernel_name, 64 * kKiB},
                                      {"kernel_text", kernel_text, 256 * kKiB + 64 * kKiB},
                                      {"lab_file", lab_file, 4 * kMiB + 64 * kKiB},
                                      {"lesson", lesson, 256 * kKiB + 64 * kKiB},
                                      {"machine", machine, 32 * kKiB},
                                      {"mask", mask, 4 * kKiB},
                                      {"npy", npy, kMiB + 64 * kKiB},
                                      {"problem", problem, 80 * kKiB},
                                      {"profile", profile, kMiB},
                                      {"progress", progress, 256 * kKiB + 64 * kKiB},
                                      {"questions", questions, 256 * kKiB + 64 * kKiB},
                                      {"race", race, 4 * kMiB + 64 * kKiB},
                                      {"recording", recording, 256 * kKiB},
                                      {"rules", rules, 256 * kKiB + 64 * kKiB},
                                      {"safetensors", safetensors, 8 * kMiB + 64 * kKiB},
                                      {"session", session, kMiB + 64 * kKiB},
                                      {"settings", settings, 80 * kKiB},
                                      {"stamps", stamps, 4 * kMiB + 64 * kKiB},
                                      {"traffic", traffic, 4 * kMiB + 64 * kKiB},
                                      {"view_link", view_link, 16 * kKiB},
                                      {"visit_trace", visit_trace, 256 * kKiB}};

}  // namespace tilewalk::fuzz
