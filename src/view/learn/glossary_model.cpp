#include "view/learn/glossary_model.h"

#include <algorithm>
#include <map>
#include <string>

namespace tilewalk {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return out;
}

// How well the entry answers: 0 best; -1: not at all.
int rank_of(const Term& term, const std::string& typed) {
  const auto starts = [&](std::string_view word) { return in_small_letters(word).rfind(typed, 0) == 0; };
  const auto contains = [&](std::string_view word) { return in_small_letters(word).find(typed) != std::string::npos; };
  const auto any = [&](const auto& is) { return is(term.word) || std::any_of(term.also.begin(), term.also.end(), is); };
  if (any([&](std::string_view word) { return in_small_letters(word) == typed; })) return 0;
  if (any(starts)) return 1;
  if (any(contains)) return 2;
  return contains(term.meaning) ? 3 : -1;
}

}  // namespace

std::vector<GlossaryEntry> build_glossary(const std::vector<Lesson>& lessons) {
  std::map<const Term*, const Lesson*> introduced;
  for (const Lesson& lesson : lessons)
    for (const Term* term : terms_in(lesson.title)) introduced.try_emplace(term, &lesson);
  for (const Lesson& lesson : lessons)
    for (const LessonScreen& screen : lesson.screens)
      for (const Prose* prose : {&screen.prose, &screen.after})
        for (const Paragraph& paragraph : *prose)
          for (const Run& run : paragraph.runs)
            if (run.style == Run::Style::Strong || run.style == Run::Style::Emphasis)
              for (const Term* term : terms_in(run.text)) introduced.try_emplace(term, &lesson);
  std::vector<GlossaryEntry> out;
  for (const Term& term : glossary()) {
    const auto found = introduced.find(&term);
    out.push_back({&term, found == introduced.end() ? nullptr : found->second});
  }
  return out;
}

std::vector<GlossaryEntry> search_glossary(const std::vector<GlossaryEntry>& all, std::string_view typed) {
  while (!typed.empty() && typed.front() == ' ') typed.remove_prefix(1);
  while (!typed.empty() && typed.back() == ' ') typed.remove_suffix(1);
  if (typed.empty()) return all;
  const std::string small = in_small_letters(typed);
  std::vector<GlossaryEntry> out;
  for (int rank = 0; rank <= 3; ++rank)
    for (const GlossaryEntry& entry : all)
      if (rank_of(*entry.term, small) == rank) out.push_back(entry);
  return out;
}

}  // namespace tilewalk
