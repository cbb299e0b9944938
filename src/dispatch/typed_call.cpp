#include "dispatch/typed_call.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/contains.h"
#include "dispatch/call_words.h"

namespace tilewalk {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_number(const std::string& word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

bool is_before_number(const std::string& word) { return word == "n" || word == "d" || word == "x" || word == "/"; }

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// "4×32/8 heads · N 8,192 · d128" as "4", "x", "32", "/", "8", "heads", "n", "8192", "d", "128".
std::vector<std::string> words_of_line(std::string_view line) {
  std::string text;
  for (const char c : line)
    if (c != ',') text += char(std::tolower(static_cast<unsigned char>(c)));
  for (const auto& [sign, word] : {std::pair{"×", "x"}, {"·", " "}, {"=", " "}, {"k/v", "kv"}, {"no mask", "full"}})
    replace_all(text, sign, word);
  std::vector<std::string> out;
  bool goes_on = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') {
      goes_on = false;
      continue;
    }
    // A number ends before a letter or a sign, and begins right after n, d, x and /, but not in "h100" and "bf16".
    const bool splits = goes_on && (is_digit(text[i]) ? is_before_number(out.back()) : is_number(out.back()));
    if (!goes_on || splits)
      out.emplace_back(1, text[i]);
    else
      out.back() += text[i];
    goes_on = true;
  }
  return out;
}

}  // namespace

std::optional<CallWords> typed_call(std::string_view line) {
  static const std::map<std::string, const char*> kSizes = {
      {"n", "n-q"}, {"d", "d"}, {"batch", "batch"}, {"heads", "heads"}, {"kv", "kv-heads"}};
  const std::vector<std::string> words = words_of_line(line);
  const auto counts = [](const std::string& word) { return word == "batch" || word == "heads" || word == "kv"; };
  CallWords out;
  const auto at = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto size = kSizes.find(word);
    if (size != kSizes.end() && is_number(at(i + 1))) {
      out[size->second] = words[++i];
    } else if (is_number(word) && at(i + 1) == "x" && is_number(at(i + 2))) {  // 4×32, 4×32/8
      out["batch"] = word, out["heads"] = at(i + 2), out["kv-heads"] = "";
      i += 2;
      if (at(i + 1) == "/" && is_number(at(i + 2))) out["kv-heads"] = at(i + 2), i += 2;
      if (at(i + 1) == "heads") ++i;
    } else if (is_number(word) && counts(at(i + 1)) && (!is_number(at(i + 2)) || counts(at(i + 3)))) {
      out[kSizes.at(words[++i])] = word;  // 32 heads, 8 kv heads
      if (words[i] == "kv" && at(i + 1) == "heads") ++i;
    } else if (is_number(word)) {
      out["n-q"] = word;
    } else if (word == "causal" || word == "full") {
      out["is-causal"] = word == "causal" ? "on" : "off";
    } else if (contains(kTypeWords, word)) {
      out["dtype"] = word;
    } else if (sm_of(word)) {
      out["device"] = word;
    } else {
      return std::nullopt;
    }
  }
  return out.size() < 2 ? std::nullopt : std::optional(out);
}

}  // namespace tilewalk
