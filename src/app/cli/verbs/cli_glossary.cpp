// tilewalk glossary: the words of the window, each in a sentence.
#include <fmt/format.h>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "view/words/glossary.h"

namespace tilewalk {
int glossary_verb(const CommandLine& line) {
  std::vector<const Term*> chosen;
  if (const auto word = line.option("word")) {
    const Term* term = find_term(*word);
    if (!term)
      return refuse({{"glossary", *word, "is no word of the glossary",
                      fmt::format("The nearest is: tilewalk glossary '{}'", nearest_term(*word).word)}});
    chosen.push_back(term);
  } else {
    for (const Term& term : glossary()) chosen.push_back(&term);
  }
  if (line.has("json")) {
    Json terms = Json::array();
    for (const Term* term : chosen) terms.push_back({{"term", term->word}, {"meaning", term->meaning}});
    print_json({{"terms", std::move(terms)}});
    return kExitOk;
  }
  for (const Term* term : chosen) say("{}\n{}", term->word, wrapped(std::string(term->meaning), "    "));
  return kExitOk;
}

}  // namespace tilewalk
