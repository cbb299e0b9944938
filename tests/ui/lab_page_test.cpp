// The page of the lab: drawn for every task, before and after a run; its text is typed, and each click and key sends
// exactly its command.
#include <fmt/format.h>

#include <algorithm>

#include "pages/lab/lab_layout.h"
#include "pages/lab/lab_model.h"
#include "tests/ui/headless.h"
#include "tests/unit/pages/lab/lab_session.h"
#include "ui/code_editor.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::picture_document;
using tilewalk::test::with_tasks;
using tilewalk::test::within;

namespace {

void send(Headless& head, const Command& c) {
  head.session->dispatch(c);
  while (head.session->busy()) head.session->dispatch(Work{64});
}

std::string wrong_text() {
  Result<std::vector<lab::LabTask>> tasks = lab::load_tasks(std::string(TILEWALK_SOURCE_DIR) + "/assets/lab");
  for (const lab::WrongVersion& each : tasks->at(4).wrong)
    if (each.name == "no-rescale-o") return each.text;
  return "";
}

}  // namespace

TEST_CASE("the page of the lab draws every task, in both themes, at four sizes") {
  Commands commands;
  for (int number = 2; number <= 12; ++number) commands.push_back(ChooseTask{number});
  commands.push_back(EditKernel{"not a kernel"});
  commands.push_back(Action::LabHint);
  commands.push_back(Action::ShowHole);
  commands.push_back(Action::ResetKernel);
  draws_everywhere(Page::Lab, commands, with_tasks);
}

TEST_CASE("Shift+L opens the lab, and Esc returns") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  head.frames(2);
  CHECK(head.press(Key::L, false, true) == Commands{Action::ShowLab});
  CHECK(head.session->page() == Page::Lab);
  CHECK(head.press(Key::Escape) == Commands{ShowPage{Page::Walk}});
}

TEST_CASE(
    "letters, Tab, Enter and Ctrl+Enter in the text are typed, indented and run; Esc gives the keys to the walk") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, ChooseTask{5});
  send(head, EditKernel{"  a\n"});
  head.frames(3);
  const draw::Rect field = head.rect("lab-text/lab text");
  head.click(field.x0 + 200, field.y0 + 8);  // behind the first line
  inject_text("kbL");
  head.frames(3);
  CHECK(head.session->lab().text() == "  akbL\n");
  CHECK(head.session->page() == Page::Lab);
  head.press(Key::Enter);
  CHECK(head.session->lab().text() == "  akbL\n  \n");
  head.press(Key::Tab);
  CHECK(head.session->lab().text() == "  akbL\n    \n");
  inject_text("z");
  head.frames(3);
  CHECK(head.session->lab().text() == "  akbL\n    z\n");
  head.press(Key::Escape);
  CHECK(head.session->lab().text() == "  akbL\n    z\n");
  CHECK(head.session->page() == Page::Lab);
  CHECK_FALSE(ImGui::GetIO().WantTextInput);
  CHECK(holds(head.press(Key::Enter, true), Action::RunKernel));
  while (head.session->busy()) head.session->dispatch(Work{64});
  CHECK(head.session->lab().text() == "  akbL\n    z\n");
  head.frames(3);
  CHECK(head.models<LabPage>().text.says_good == false);
  send(head, EditKernel{wrong_text()});
  send(head, Action::RunKernel);
  head.frames(3);
  CHECK(head.press(Key::Left) == Commands{Action::StepBack});
}

TEST_CASE("Enter brings the caret into the text, and what is typed goes there") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  head.frames(3);
  head.press(Key::Enter);
  head.frames(3);
  REQUIRE(ImGui::GetIO().WantTextInput);
  inject_text("q");
  head.frames(3);
  CHECK(head.session->lab().text().find('q') != std::string::npos);
  CHECK(head.session->lab().of_task().text.size() == head.session->lab().task()->start.size() + 1);
}

TEST_CASE("a text that is replaced while the caret is in it is not overwritten by the field") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  head.frames(3);
  const draw::Rect field = head.rect("lab-text/lab text");
  head.click(field.x0 + 200, field.y0 + 8);
  inject_text("x");
  head.frames(3);
  send(head, EditKernel{"from elsewhere\n"});
  head.frames(4);
  CHECK(head.session->lab().text() == "from elsewhere\n");
}

TEST_CASE("buttons and boxes of the lab send their commands") {
  Headless head(picture_document(), 1600, 1200, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, ChooseTask{5});
  head.frames(3);
  CHECK(head.click("lab-text/hint") == Commands{Action::LabHint});
  CHECK(head.click("lab-text/show hole") == Commands{Action::ShowHole});
  CHECK(head.click("lab-text/reset") == Commands{Action::ResetKernel});
  CHECK(head.click("lab-text/run") == Commands{Action::RunKernel});
  while (head.session->busy()) head.session->dispatch(Work{64});
  head.frames(3);
  CHECK(head.click("lab-transport/lab visit 3") == Commands{GoToLabVisit{3}});
  CHECK(head.click("lab-transport/by line") == Commands{SetLabUnit{LabUnit::Line}});
  CHECK(head.click("lab-transport/forward") == Commands{Action::StepForward});
  CHECK(head.click("lab-numbers/thread after") == Commands{SetLabThread{1}});
  while (head.session->busy()) head.session->dispatch(Work{64});
  CHECK(head.click("lab-text/task after") == Commands{ChooseTask{6}});
  CHECK(head.click("lab-text/task 2") == Commands{ChooseTask{2}});
}

TEST_CASE("at a wrong visit the page shows verdict, numbers and line, from 1280×720 to 4K and at 200 % text") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, std::tuple{1600, 900, 1.0}, std::tuple{1600, 900, 1.5},
                                   std::tuple{1600, 900, 2.0}, std::tuple{3840, 2160, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, false, with_tasks);
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{5});
    send(head, EditKernel{wrong_text()});
    send(head, Action::RunKernel);
    CHECK(head.frames(6).empty());
    CHECK(test::finite(*ImGui::GetDrawData()));
    for (const char* place : {"lab-text/run", "lab-text/lab text", "lab-verdict/verdict", "lab-transport/lab visit 2",
                              "lab-numbers/lab o"}) {
      INFO(place);
      const draw::Rect r = head.rect(place);
      CHECK(r.x0 >= 0);
      CHECK(r.x1 <= float(w));
      CHECK(r.width() > 4);
    }
    CHECK(head.rect("lab-text/run").y1 <= float(h));
    CHECK(within(head.rect("header/badge"), {0, 0, float(w), float(h)}));  // in sight where the panels are stacked
    CHECK(head.click("header/badge") == Commands{GoToLabVisit{2}});
    if (w == 1280) {  // numbers that do not fit are in a lens, and the right O is below the learner's
      const draw::Rect lens = head.rect("lab-matrix/lens"), legend = head.rect("lab-matrix/lens legend");
      CHECK(within(lens, lab_layout(head.layout).matrix));
      CHECK(within(legend, lab_layout(head.layout).matrix));
      CHECK(legend.x0 > lens.x1);
      for (int q = 0; q < 4; ++q) CHECK(head.rect(fmt::format("lab-matrix/tile Q{} × K0", q)).y1 < lens.y0);
      CHECK(head.rect("lab-numbers/lab o right").y0 > head.rect("lab-numbers/lab o").y1);
    }
    if (head.layout.scale.stacked) continue;
    const LabLayout layout = lab_layout(head.layout);
    CHECK(within(head.rect("lab-text/run"), layout.text));
    CHECK(within(head.rect("lab-verdict/verdict"), layout.verdict));
    CHECK(head.rect("lab-text/lab text").height() > 8 * head.theme.fonts.mono_small.size);
  }
}

TEST_CASE("at any size and text scale the buttons that walk the run are in sight") {
  for (const auto& [w, h, text] :
       {std::tuple{1280, 720, 1.0}, {1280, 720, 1.5}, {1600, 900, 1.5}, {1600, 900, 2.0}, {3840, 2160, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true, with_tasks);
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{5});
    send(head, EditKernel{wrong_text()});
    send(head, Action::RunKernel);
    head.frames(3);
    for (const char* place : {"lab-transport/first", "lab-transport/play", "lab-transport/last"})
      CHECK(within(head.rect(place), head.rect("lab-transport/panel")));
  }
}

TEST_CASE("before a run the steps are whole, and each unit of the walk has its button") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_tasks);
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{5});
    head.frames(3);
    const draw::Rect numbers = head.rect("lab-numbers/panel");
    for (const char* step : {"Change", "Run", "See"})
      CHECK(within(head.rect("lab-numbers/step " + std::string(step)), numbers));
    CHECK(test::scroll_of("lab-numbers") == 0);
    CHECK(within(head.rect("lab-traffic/lab bar FA-2, to match"), head.rect("lab-traffic/panel")));
    CHECK(numbers.y1 < head.rect("lab-traffic/panel").y0);
    const draw::Rect transport = head.rect("lab-transport/panel");
    float right = transport.x0;
    for (const char* unit : {"by phase", "by barrier", "by line"}) {
      const draw::Rect r = head.rect("lab-transport/" + std::string(unit));
      CHECK(within(r, transport));
      CHECK(r.x0 >= right);
      right = r.x1;
    }
    CHECK(within(head.rect("lab-transport/lab visit 16"), transport));
  }
}

TEST_CASE("the task's words take what the text below leaves, and its lines are whole at 1600×900") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  head.frames(3);
  head.click("lab-text/explain task");
  const draw::Rect field = head.rect("lab-text/lab text"), panel = lab_layout(head.layout).text;
  const float line = head.theme.fonts.mono_small.size;
  const auto lines = float(1 + std::ranges::count(head.session->lab().text(), '\n'));
  CHECK(field.height() >= lines * line);
  CHECK(field.height() <= (lines + 6) * line);  // not half empty while the words above it scroll
  CHECK(field.y1 < panel.y1);
  CHECK_FALSE(head.ui.rects.find("lab-text/lab text goes on"));
}

TEST_CASE("the lab opens with three steps and the explanation folded; both give way to what is asked for") {
  for (const auto& [w, h] : {std::pair{1280, 720}, std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_tasks);
    send(head, ShowPage{Page::Lab});
    head.frames(3);
    float beside = 0;
    for (const char* step : {"Change", "Run", "See"}) {
      INFO(step);
      const draw::Rect r = head.rect("lab-numbers-alone/step " + std::string(step));
      CHECK(within(r, lab_layout(head.layout).numbers_alone));
      CHECK(r.x0 >= beside);
      CHECK(r.height() < 4.5f * draw::leading(head.theme.fonts.body));  // a title and three lines
      beside = r.x1;
    }
    // The matrix to compute and the steps fill the page: there are no visits to walk and no bytes to match.
    const draw::Rect matrix = head.rect("lab-matrix-alone/matrix"), panel = head.rect("lab-matrix-alone/panel");
    CHECK(matrix.width() > 0.55f * panel.width());
    CHECK(matrix.height() > 0.7f * panel.height());
    CHECK_FALSE(head.ui.rects.find("lab-traffic/panel"));
    CHECK_FALSE(head.ui.rects.find("lab-transport/panel"));
    const float folded = head.rect("lab-text/lab text").y0;
    head.click("lab-text/explain task");
    CHECK(head.rect("lab-text/lab text").y0 > folded);
    head.click("lab-text/explain task");
    head.frames(2);
    CHECK(head.rect("lab-text/lab text").y0 == folded);
    send(head, Action::RunKernel);
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("lab-numbers-alone/panel"));
    const float cell = head.rect("lab-matrix/matrix").width() / 8,
                number = head.rect("lab-matrix/widest number").width();
    CHECK(number > 0);
    CHECK(number + 6 * head.theme.s < cell);  // no number touches the next
    CHECK(head.ui.rects.find("lab-transport/panel"));
  }
}

TEST_CASE("a task opens at its first hole with the lines above it, and a hole that was filled comes into view") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, false, with_tasks);
    send(head, ShowPage{Page::Lab});
    head.frames(3);
    send(head, ChooseTask{4});
    head.frames(4);
    const float line = head.theme.fonts.mono_small.size;
    for (const char* hole : {"lab-text/lab text line 42", "lab-text/lab text line 45"})
      CHECK(within(head.rect(hole), head.rect("lab-text/lab text")));
    CHECK(head.rect("lab-text/lab text line 42").y0 > head.rect("lab-text/lab text").y0 + 5 * line);
    send(head, ChooseTask{11});
    for (const lab::HoleLines& hole : head.session->lab().holes()) {
      send(head, Action::ShowHole);
      head.frames(4);
      INFO("line " << hole.first);
      CHECK(head.session->lab().filled_line() > 0);
      CHECK(within(head.rect("lab-text/lab text line " + std::to_string(head.session->lab().filled_line())),
                   head.rect("lab-text/lab text")));
    }
  }
}

TEST_CASE("no line of a task's text is cut at 1280×720, nor at 150 % text") {
  for (const double text : {1.0, 1.5})
    for (int task = 1; task <= 12; ++task) {
      INFO("text " << text << ", task " << task);
      Headless head(picture_document(), 1280, 720, true, with_tasks);
      send(head, SetTextScale{text});
      send(head, ShowPage{Page::Lab});
      send(head, ChooseTask{task});
      head.frames(3);
      CHECK_FALSE(head.ui.rects.find("lab-text/lab text goes on"));
      CHECK_FALSE(head.ui.rects.find("lab-text/lab text scrolls across"));
    }
}

TEST_CASE("the words of a task leave 35 lines of its text at 1600×900") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, ChooseTask{4});
  head.frames(3);
  CHECK(head.rect("lab-text/lab text").height() >= 35 * head.theme.fonts.mono_small.size);
  CHECK(test::scroll_of("lab-text") == 0);
}

TEST_CASE("the matrix of the lab, or its lens, uses the height of its panel at 1600×900") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, Action::RunKernel);
  head.frames(3);
  const draw::Rect panel = lab_layout(head.layout).matrix, only = head.rect("lab-matrix/matrix");
  CHECK(within(only, panel));
  CHECK(only.height() > 1.2f * only.width());
  CHECK(only.height() > 0.75f * panel.height());
  send(head, ChooseTask{5});
  head.frames(3);
  const draw::Rect before = head.rect("lab-matrix/matrix"), first = head.rect("lab-matrix/lens");
  CHECK(within(first, panel));  // the weights that the first visit should have
  CHECK(first.y0 > before.y1);
  send(head, EditKernel{wrong_text()});
  send(head, Action::RunKernel);
  head.frames(6);
  const draw::Rect lens = head.rect("lab-matrix/lens");
  CHECK(within(lens, panel));
  CHECK(within(head.rect("lab-matrix/lens legend"), panel));
  CHECK(lens.height() >= 4 * (head.theme.fonts.mono_small.em + 7 * head.theme.s));
  const draw::Rect after = head.rect("lab-matrix/matrix");
  CHECK(after.y0 == before.y0);  // the run does not resize the matrix
  CHECK(after.y1 == before.y1);
  CHECK(lens.y0 == first.y0);
  const auto titled = [&](std::string_view words) {  // the lens has P: all of the matrix is S, as its title says
    const auto& all = head.ui.rects.all();
    return std::any_of(all.begin(), all.end(), [&](const auto& each) {
      return each.first.starts_with("lab-matrix/title ") && each.first.find(words) != std::string::npos;
    });
  };
  CHECK(titled("The right scores · "));
  CHECK_FALSE(titled(", P in Q"));
}

TEST_CASE("beside a lesson the words below the lab's matrix have more lines") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  head.frames(3);
  Layout beside = head.layout;
  beside.page.x0 += 348;
  beside.scale.width -= 348;
  const draw::Rect wide = lab_layout(head.layout).transport, narrow = lab_layout(beside).transport;
  CHECK(narrow.width() < 0.7f * wide.width());
  CHECK(narrow.height() > wide.height() + 2 * head.theme.fonts.body.size);
  CHECK(lab_layout(beside).matrix.y1 < narrow.y0);
}

TEST_CASE("when a kernel is right, green fills the tiles one after the other, and the words have their space") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_document(), w, h, true, with_tasks);
    send(head, SetTextScale{text});
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{5});
    send(head, EditKernel{head.session->lab().task()->solution});
    send(head, Action::RunKernel);
    head.frames(3);
    CHECK(head.ui.rects.find("lab-matrix/flood 15"));  // nobody watches: all is green
    CHECK(within(head.rect("lab-verdict/figure"), head.rect("lab-verdict/panel")));
    CHECK(within(head.rect("lab-verdict/verdict"), head.rect("lab-verdict/panel")));
    CHECK(within(head.rect("lab-verdict/next task"), head.rect("lab-verdict/panel")));
    send(head, HoldMotion{0.3});
    head.frames(2);
    CHECK_FALSE(head.ui.rects.find("lab-matrix/flood 15"));
    const draw::Rect first = head.rect("lab-matrix/flood 0"), last = head.rect("lab-matrix/flood 6");
    CHECK(last.width() == Approx(0.4f * first.width()).epsilon(0.05));
  }
}

TEST_CASE("the verdict is the largest thing of the lab, whole and in sight without scrolling; next comes with it") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1280, 720, 1.5}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Headless head(picture_document(), w, h, false, with_tasks);
    send(head, SetTextScale{text});
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{2});
    send(head, Action::RunKernel);
    head.frames(4);
    const draw::Rect figure = head.rect("lab-verdict/figure");
    CHECK(figure.height() >= head.theme.fonts.figure.size);
    CHECK(figure.y0 < 0.2f * float(h));
    CHECK(head.rect("lab-verdict/verdict").y1 <= float(h));
    CHECK(within(head.rect("lab-verdict/verdict"), head.rect("lab-verdict/panel")));
    CHECK_FALSE(head.ui.rects.find("lab-verdict/next task"));
    CHECK(within(head.rect("lab-numbers/finding"), head.rect("lab-numbers/panel")));  // the race, whole
    send(head, Action::ShowHole);
    send(head, Action::RunKernel);
    head.frames(4);
    CHECK(head.rect("lab-verdict/next task").height() > head.rect("lab-text/task after").height());
    CHECK(head.click("lab-verdict/next task") == Commands{ChooseTask{3}});
  }
}

TEST_CASE("no wrong element has a colour of the scale of values") {
  Headless head(picture_document(), 1600, 900, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, ChooseTask{1});
  send(head, EditKernel{head.session->lab().text() + "// tried\n"});
  send(head, Action::RunKernel);
  head.frames(4);
  const LabMatrixModel& m = head.models<LabPage>().matrix;
  const ImU32 zero = viridis(float((0 - m.low) / (m.high - m.low))), bad = head.theme.colours.bad_fill;
  const draw::Rect matrix = head.rect("lab-matrix/matrix");
  int of_zero = 0, of_bad = 0;
  const ImDrawData& data = *ImGui::GetDrawData();
  for (int list = 0; list < data.CmdListsCount; ++list)
    for (const ImDrawVert& vertex : data.CmdLists[list]->VtxBuffer) {
      if (!matrix.holds(vertex.pos)) continue;
      of_zero += vertex.col == zero;
      of_bad += vertex.col == bad;
    }
  CHECK(of_zero == 0);
  CHECK(of_bad >= 64 * 4);
}

TEST_CASE("a text that fits has letters of the size of words and no scroll bar; they do not shrink while it is typed") {
  for (const auto& [w, h] : {std::pair{1600, 900}, std::pair{3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_tasks);
    send(head, ShowPage{Page::Lab});
    send(head, ChooseTask{2});
    head.frames(4);
    const auto letters = [&] { return head.ui.of<EditorUi>().font; };
    CHECK(letters() == &Fonts::mono_words);
    CHECK_FALSE(head.ui.rects.find("lab-text/lab text scrolls across"));
    CHECK_FALSE(head.ui.rects.find("lab-text/lab text scrolls down"));
    const draw::Rect field = head.rect("lab-text/lab text");
    head.click(field.x1 - 10, field.y0 + 8);  // behind the first line
    inject_text(std::string(60, 'x').c_str());
    head.frames(4);
    CHECK(letters() == &Fonts::mono_words);
    CHECK(head.ui.rects.find("lab-text/lab text scrolls across"));
    head.press(Key::Escape);
    head.frames(4);
    CHECK(letters() == &Fonts::mono_small);
  }
  Headless head(picture_document(), 1280, 720, true, with_tasks);
  send(head, ShowPage{Page::Lab});
  send(head, ChooseTask{2});
  head.frames(4);
  CHECK_FALSE(head.ui.rects.find("lab-text/lab text scrolls across"));  // its lines are whole
  CHECK(head.ui.rects.find("lab-text/lab text scrolls down"));
}
