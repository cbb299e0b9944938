// tilewalk glossary: the words of the window, each in a sentence.
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "view/words/glossary.h"

namespace tilewalk {
namespace {

constexpr std::size_t kColumns = 78, kIndent = 4;

// Broken at spaces, each line indented.
std::string indented(std::string_view text) {
  std::string out, line;
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t w = shown_width(word);
    if (!line.empty() && kIndent + width + 1 + w > kColumns) {
      out += std::string(kIndent, ' ') + line + "\n";
      line.clear(), width = 0;
    }
    if (!line.empty()) line += ' ', ++width;
    line += word, width += w;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + std::string(kIndent, ' ') + line + "\n";
}

}  // namespace

int glossary_verb(const CommandLine& line) {
  std::vector<const Term*> told;
  if (const auto word = line.option("word")) {
    const Term* term = find_term(*word);
    if (!term)
      return refuse({{"glossary", *word, "is no word of the glossary",
                      fmt::format("The nearest is: tilewalk glossary '{}'", nearest_term(*word).word)}});
    told.push_back(term);
  } else {
    for (const Term& term : glossary()) told.push_back(&term);
  }
  if (line.has("json")) {
    Json terms = Json::array();
    for (const Term* term : told) terms.push_back({{"term", term->word}, {"meaning", term->meaning}});
    print_json({{"terms", std::move(terms)}});
    return kExitOk;
  }
  for (const Term* term : told) fmt::print("{}\n{}", term->word, indented(term->meaning));
  return kExitOk;
}

}  // namespace tilewalk
