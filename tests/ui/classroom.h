// A window with the shipped lessons, questions and presets, and what a learner does in it.
#pragma once

#include "session/lesson/lesson_file.h"
#include "session/questions/question_file.h"
#include "tests/ui/headless.h"

namespace tilewalk::test {

inline void put_lessons(SessionSetup& setup) {
  setup.load_lessons = [] { return load_lessons(TILEWALK_SOURCE_DIR "/assets/lessons"); };
  setup.load_questions = [] { return load_questions(TILEWALK_SOURCE_DIR); };
  setup.presets = *load_presets(TILEWALK_SOURCE_DIR);
  setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
}

struct Classroom : Headless {
  Classroom(int width, int height, double text_scale = 1)
      : Headless(document_with_text(text_scale), width, height, true, put_lessons) {
    frames(2);
  }
  static Document document_with_text(double scale) {
    Document document = picture_document();
    document.view.text_scale = scale;
    return document;
  }
  const LessonController& controller() const { return session->lesson(); }
  bool has(const std::string& place) const { return ui.rects.find(place).has_value(); }
  void click_at(const std::string& place) {
    const auto r = ui.rects.find(place);
    INFO(place);
    REQUIRE(r);
    click((r->x0 + r->x1) / 2, (r->y0 + r->y1) / 2);
  }
  void type(const char* text) {
    inject_text(text);
    frames(2);
  }
};

}  // namespace tilewalk::test
