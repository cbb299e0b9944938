// The name of a C++ function or type taken apart: its path of words and what stands in the angle brackets of each.
// Takes names as profilers print them (demangled: `void a::b<c, (int)64>(a::d)`), as compilers write them (mangled:
// `_ZN1a1bI…`), and names that were cut somewhere: what is not all there is left out, and the name says that it was
// cut. Not modelled: expressions, lambdas, function types and operators; a mangled name with one of these is no name
// here. Equal pieces of a mangled name are one shared piece, so that a name takes memory by its own length.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

struct CppName;
using CppNames = std::vector<std::shared_ptr<const CppName>>;

struct CppWord {
  std::string text;         // "flash_fwd_kernel"; of a number its digits, of true and false "1" and "0"
  CppNames arguments = {};  // in angle brackets
  bool cut = false;         // more arguments stood there
};

struct CppName {
  std::vector<CppWord> path;  // never empty
  CppNames parameters = {};   // of a function, as far as they were read; of a mangled template none

  const std::string& word() const { return path.back().text; }
  const CppNames& arguments() const { return path.back().arguments; }
  bool cut() const { return path.back().cut; }
  bool lies_in(std::string_view scope) const;  // one of the words before the last
};

// More than any kernel has; a name with more of one is no name here.
inline constexpr std::size_t kLongestKernelName = 16 << 10;
inline constexpr std::size_t kMostWords = 32, kMostArguments = 512;
inline constexpr int kDeepestName = 64;

// Nothing, where it is no name or longer than that.
std::optional<CppName> cpp_name(std::string_view text);
std::optional<CppName> mangled_name(std::string_view text);    // begins with _Z
std::optional<CppName> demangled_name(std::string_view text);  // a line of a profiler

// The whole number that an argument is.
std::optional<std::int64_t> number_at(const CppNames&, std::size_t index);
const CppName* name_at(const CppNames&, std::size_t index);  // none: nullptr

}  // namespace tilewalk
