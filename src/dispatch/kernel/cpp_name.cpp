#include "dispatch/kernel/cpp_name.h"

#include <algorithm>

#include "base/parse.h"

namespace tilewalk {
namespace {

constexpr std::string_view kDots[] = {"...", "…"};  // what profilers put in place of letters that they left out

}  // namespace

bool CppName::lies_in(std::string_view scope) const {
  return std::any_of(path.begin(), path.end() - 1, [&](const CppWord& word) { return word.text == scope; });
}

std::optional<CppName> cpp_name(std::string_view text) {
  if (text.size() > kLongestKernelName) return std::nullopt;
  for (const std::string_view dots : kDots)
    if (text.starts_with(dots)) text.remove_prefix(dots.size());
  return text.starts_with("_Z") ? mangled_name(text) : demangled_name(text);
}

std::optional<std::string_view> beginning_of(std::string_view word) {
  for (const std::string_view dots : kDots)
    if (word.ends_with(dots)) return word.substr(0, word.size() - dots.size());
  return std::nullopt;
}

const CppName* name_at(const CppNames& names, std::size_t index) {
  return index < names.size() ? names[index].get() : nullptr;
}

std::optional<std::int64_t> number_at(const CppNames& names, std::size_t index) {
  const CppName* name = name_at(names, index);
  if (!name || name->path.size() != 1 || !name->arguments().empty()) return std::nullopt;
  return parse_integer(name->word());
}

}  // namespace tilewalk
