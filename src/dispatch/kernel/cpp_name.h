// Parses the name of a C++ function or type: its path of words and the arguments in the angle brackets of each. Accepts
// names as profilers print them (demangled: `void a::b<c, (int)64>(a::d)`), as compilers write them (mangled:
// `_ZN1a1bI…`), and truncated names: an incomplete argument is kept apart, and the result says that the name was cut.
// A name whose beginning was cut (`…b<c>`) is parsed from there on.
// Not modelled: expressions, lambdas, function types and operators; a mangled name with one of these is not parsed.
// Equal pieces of a mangled name share one object, so that memory is bounded by the length of the name.
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
  std::string text;         // "flash_fwd_kernel"; a number's digits; "1" and "0" for true and false
  CppNames arguments = {};  // in angle brackets
  bool cut = false;         // there were more arguments
  // The argument in which the text was cut, as far as it goes. A word without its end ends with … or ...
  std::shared_ptr<const CppName> last = {};
};

struct CppName {
  std::vector<CppWord> path;  // never empty
  CppNames parameters = {};   // of a function, as far as they were parsed; empty for a mangled template

  const std::string& word() const { return path.back().text; }
  const CppNames& arguments() const { return path.back().arguments; }
  bool cut() const { return path.back().cut; }
  bool lies_in(std::string_view scope) const;  // one of the words before the last
};

// Larger than any kernel's name; a name that exceeds one of these limits is not parsed.
inline constexpr std::size_t kLongestKernelName = 16 << 10;
inline constexpr std::size_t kMostWords = 32, kMostArguments = 512;
inline constexpr int kDeepestName = 64;

// Empty, where it is not a name or too long.
std::optional<CppName> cpp_name(std::string_view text);
std::optional<CppName> mangled_name(std::string_view text);    // for a name that begins with _Z
std::optional<CppName> demangled_name(std::string_view text);  // for a line of a profiler

// The letters before the … or ... of a word that was cut; none where the word is complete.
std::optional<std::string_view> beginning_of(std::string_view word);

// The integer value of an argument.
std::optional<std::int64_t> number_at(const CppNames&, std::size_t index);
const CppName* name_at(const CppNames&, std::size_t index);  // none: nullptr

}  // namespace tilewalk
