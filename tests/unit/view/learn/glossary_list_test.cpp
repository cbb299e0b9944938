#include <algorithm>

#include "session/lesson/lesson_file.h"
#include "tests/support/catch.h"
#include "view/learn/glossary_model.h"

using namespace tilewalk;

namespace {

const std::vector<Lesson>& lessons_of_the_program() {
  static const std::vector<Lesson> all = *load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons");
  return all;
}

int introducing_lesson(std::string_view word) {
  for (const GlossaryEntry& entry : build_glossary(lessons_of_the_program()))
    if (entry.term == find_term(word)) return entry.lesson ? entry.lesson->number : -1;
  return -2;
}

bool emphasises(const Lesson& lesson, const Term* term) {
  for (const LessonScreen& screen : lesson.screens)
    for (const Prose* prose : {&screen.prose, &screen.after})
      for (const Paragraph& paragraph : *prose)
        for (const Run& run : paragraph.runs)
          if (run.style == Run::Style::Strong || run.style == Run::Style::Emphasis)
            for (const Term* found : terms_in(run.text))
              if (found == term) return true;
  return false;
}

}  // namespace

TEST_CASE("the list has every word of the glossary once, in its order") {
  const std::vector<GlossaryEntry> list = build_glossary(lessons_of_the_program());
  REQUIRE(list.size() == glossary().size());
  for (std::size_t i = 0; i < list.size(); ++i) CHECK(list[i].term == &glossary()[i]);
}

TEST_CASE("a word has the first lesson with it in the title, else the first that emphasises it") {
  CHECK(introducing_lesson("causal") == 9);
  CHECK(introducing_lesson("SRAM") == 2);
  CHECK(introducing_lesson("running max") == 6);
  int taught = 0;
  for (const GlossaryEntry& entry : build_glossary(lessons_of_the_program())) {
    if (!entry.lesson) continue;
    ++taught;
    const auto in_title = [&](const Lesson& lesson) {
      const auto terms = terms_in(lesson.title);
      return std::find(terms.begin(), terms.end(), entry.term) != terms.end();
    };
    bool titled = false;
    for (const Lesson& lesson : lessons_of_the_program()) titled |= in_title(lesson);
    for (const Lesson& lesson : lessons_of_the_program()) {
      const bool introduces = titled ? in_title(lesson) : emphasises(lesson, entry.term);
      INFO(entry.term->word << " in lesson " << lesson.number);
      if (&lesson == entry.lesson) CHECK(introduces);
      if (lesson.number < entry.lesson->number) CHECK_FALSE(introduces);
    }
  }
  CHECK(taught >= 20);
  for (const GlossaryEntry& entry : build_glossary({})) CHECK(entry.lesson == nullptr);
}

TEST_CASE("the search finds words by any of their spellings, in any case, the nearest match first") {
  const std::vector<GlossaryEntry> all = build_glossary(lessons_of_the_program());
  const auto first = [&](std::string_view typed) {
    const std::vector<GlossaryEntry> found = search_glossary(all, typed);
    return found.empty() ? std::string_view() : found.front().term->word;
  };
  CHECK(search_glossary(all, "").size() == all.size());
  CHECK(search_glossary(all, "  ").size() == all.size());
  CHECK(first("sram") == "SRAM");
  CHECK(first("running max") == "m");
  CHECK(first("THREAD BL") == "thread block");
  CHECK(first("flash_v2") == "FA-2");
  CHECK(search_glossary(all, "no such word at all").empty());
  for (const GlossaryEntry& entry : search_glossary(all, "undivided"))  // only in a meaning
    CHECK(entry.term->meaning.find("undivided") != std::string_view::npos);
  CHECK_FALSE(search_glossary(all, "undivided").empty());
}
