// One function a parser: takes any bytes, and neither crashes nor hangs; it ends in a value or in issues. Where there
// is a value, writing and reading it again gives the same value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tilewalk::fuzz {

void npy(std::span<const std::byte>);
void safetensors(std::span<const std::byte>);
void session(std::span<const std::byte>);
void mask(std::span<const std::byte>);
void arguments(std::span<const std::byte>);
void problem(std::span<const std::byte>);
void recording(std::span<const std::byte>);
void stamps(std::span<const std::byte>);

struct Target {
  const char* name;
  void (*run)(std::span<const std::byte>);
};
inline constexpr Target kTargets[] = {
    {"npy", npy}, {"safetensors", safetensors}, {"session", session}, {"mask", mask}, {"arguments", arguments},
    {"problem", problem}, {"recording", recording}, {"stamps", stamps}};

}  // namespace tilewalk::fuzz
