#include "dispatch/kernel/cpp_name.h"

#include <algorithm>

#include "base/parse.h"

namespace tilewalk {

bool CppName::lies_in(std::string_view scope) const {
  return std::any_of(path.begin(), path.end() - 1, [&](const CppWord& word) { return word.text == scope; });
}

std::optional<CppName> cpp_name(std::string_view text) {
  if (text.size() > kLongestKernelName) return std::nullopt;
  return text.starts_with("_Z") ? mangled_name(text) : demangled_name(text);
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
