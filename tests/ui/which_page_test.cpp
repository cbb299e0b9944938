// The page of which attention runs: drawn for all kinds of calls, and each click and key sends exactly its command.
#include "pages/which/which_page.h"

#include <algorithm>

#include "tests/ui/headless.h"
#include "view/pages.h"

using namespace tilewalk;
using tilewalk::test::draws_everywhere;
using tilewalk::test::Headless;
using tilewalk::test::opens_and_closes;
using tilewalk::test::picture_document;
using tilewalk::test::scroll_of;

namespace {

void with_rules(SessionSetup& setup) {
  setup.of<WhichController>().load_rules = [] { return load_rule_tables(TILEWALK_SOURCE_DIR); };
}

ProfileNews some_profile() {
  auto profile = std::make_shared<Profile>();
  const std::string name = "fmha_cutlassF_bf16_aligned_64x128_rf_sm80";
  const DecodedKernel kernel = decode_kernel(name);
  profile->attention = {24, 31'200'000};
  profile->others = {200, 5'000'000};
  profile->groups = {{kernel.family, kernel.pass, profile->attention}};
  profile->kernels = {{name, kernel, profile->attention}};
  return {.path = "trace.json", .profile = profile};
}

}  // namespace

TEST_CASE("the page of which attention runs draws for every kind of call, in both themes, at four sizes") {
  Commands commands;
  for (const auto& [field, text] :
       {std::pair{"attn-mask", "float-grad"}, std::pair{"kv-heads", "5"}, std::pair{"n-q", "x"}, std::pair{"n-q", "0"},
        std::pair{"enabled", "flash"}, std::pair{"on", "cpu"}, std::pair{"via", "flash-attn:2.8.3"}})
    commands.push_back(EditCall{field, text});
  for (const char* name : {"x", "fmha_cutlassF_bf16_aligned_64x128_rf_sm80",
                           "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 128, 64, "
                           "4, false, false, cutlass::bfloat16_t>>(pytorch_flash::Flash_fwd_params)"})
    commands.push_back(ReadName{name});
  commands.push_back(OpenFile{"trace.json"});
  commands.push_back(ReportProfile{{.path = "trace.json", .running = true, .fraction = 0.3}});
  commands.push_back(ReportProfile{some_profile()});
  commands.push_back(OpenFile{"other.csv"});
  commands.push_back(ReportProfile{{.path = "other.csv", .failure = "other.csv: is empty"}});
  draws_everywhere(Page::Which, commands, with_rules);
}

TEST_CASE("without rules the page says why") {
  Headless head(picture_document());
  head.session->dispatch(Action::ShowWhich);
  CHECK(head.frames(3).empty());
  CHECK(head.models<WhichPage>().missing == "PyTorch's rules cannot be read here.");
}

TEST_CASE("J opens the page of which attention runs; J and Esc return") {
  opens_and_closes(Key::J, Action::ShowWhich, Page::Which, with_rules);
}

TEST_CASE("a typed kernel name is decoded and walked; a profile's row decodes the name of its longest kernel") {
  Headless head(picture_document(), 1600, 900, true, with_rules);
  head.session->dispatch(ShowPage{Page::Which});
  head.frames(2);
  head.click("which-names/kernel name");
  inject_text("f");
  CHECK(head.frames(2) == Commands{ReadName{"f"}});
  head.session->dispatch(OpenFile{"trace.json"});
  head.session->dispatch(ReportProfile{some_profile()});
  head.frames(2);
  const ReadName longest{"fmha_cutlassF_bf16_aligned_64x128_rf_sm80"};
  CHECK(head.click("which-profile/profile row 0") == Commands{longest});
  CHECK(head.session->which().name() == longest.name);
  head.frames(2);
  CHECK(head.click("which-name/walk kernel") == Commands{Action::WalkKernel});
  CHECK(head.session->page() == Page::Walk);
  CHECK(head.session->problem().tiling.br == 64);
  CHECK(head.session->problem().tiling.bc == 128);
}

TEST_CASE("an open profile is the page, and closing it brings the call back") {
  Headless head(picture_document(), 1600, 900, true, with_rules);
  head.session->dispatch(ShowPage{Page::Which});
  head.frames(2);
  CHECK(head.ui.rects.find("which-answer/walk which"));
  head.session->dispatch(OpenFile{"trace.json"});
  head.session->dispatch(ReportProfile{some_profile()});
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("which-answer/walk which"));
  CHECK(head.ui.rects.find("which-call/call attn-mask"));
  CHECK(head.click("which-profile/close profile") == Commands{Action::CloseProfile});
  head.frames(2);
  CHECK(head.ui.rects.find("which-answer/walk which"));
}

TEST_CASE("the conditions of a backend are stops of its branch, and a list once they are asked for") {
  Headless head(picture_document(), 1600, 900, true, with_rules);
  head.session->dispatch(Action::ShowWhich);
  head.frames(2);
  const float folded = head.rect("which-cards/card cuDNN").height();
  CHECK(head.rect("which-cards/stop cuDNN 0").x1 < head.rect("which-cards/stop cuDNN 1").x1);
  head.click("which-cards/conditions cuDNN");
  head.frames(2);
  CHECK(head.rect("which-cards/card cuDNN").height() > 2 * folded);
  head.click("which-cards/conditions cuDNN");
  head.frames(2);
  CHECK(head.rect("which-cards/card cuDNN").height() == folded);
  CHECK(head.rect("which-answer/answer").y1 < head.rect("which-cards/card cuDNN").y0);
}

namespace {

void with_rules_and_races(SessionSetup& setup) {
  with_rules(setup);
  setup.of<RooflineController>().load_times = [](const std::string& device) {
    return load_race_times(TILEWALK_SOURCE_DIR, device);
  };
}

void ask_for_a_mask_with_gradient(Headless& head) {
  head.session->dispatch(ShowPage{Page::Which});
  for (const auto& [field, text] :
       {std::pair{"batch", "2"}, std::pair{"heads", "32"}, std::pair{"n-q", "8192"}, {"attn-mask", "float-grad"}})
    head.session->dispatch(EditCall{field, text});
  for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
  head.frames(3);
}

}  // namespace

TEST_CASE("each topic of a path has its label, in the small window too, with three branches") {
  const auto labels_of = [](Headless& head) {
    std::vector<draw::Rect> out;
    for (const auto& [place, r] : head.ui.rects.all())
      if (place.starts_with("which-cards/topic ")) out.push_back(r);
    return out;
  };
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const char* torch : {"2.11", "2.4"}) {
      INFO(w << "x" << h << ", PyTorch " << torch);
      Headless head(picture_document(), w, h, true, with_rules_and_races);
      head.session->dispatch(ShowPage{Page::Which});
      head.frames(3);
      CHECK(labels_of(head).size() == 12);
      ask_for_a_mask_with_gradient(head);
      head.session->dispatch(EditCall{"torch", torch});
      head.frames(3);
      const draw::Rect path = head.rect("which-cards/decision path");
      const std::vector<draw::Rect> labels = labels_of(head);
      std::size_t topics = 0;
      for (const WhichCard& card : head.models<WhichPage>().model->cards)
        if (card.verdict != WhichVerdict::NotReached) topics += card.stops.size();
      CHECK(labels.size() == topics);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        CHECK(test::within(labels[i], path));
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(labels[i].touches(labels[j]));
      }
      CHECK(test::within(head.rect("which-cards/time chart"), head.rect("which-cards/panel")));
    }
}

TEST_CASE("the discs of a path touch neither the line above it nor each other") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}})
    for (const char* torch : {"2.11", "2.4"})
      for (const double scale : {1.0, 1.5}) {
        INFO(w << "x" << h << ", PyTorch " << torch << ", text " << scale);
        Headless head(picture_document(), w, h, true, with_rules_and_races);
        head.session->dispatch(ShowPage{Page::Which});
        head.session->dispatch(EditCall{"torch", torch});
        head.session->dispatch(SetTextScale{scale});
        head.frames(4);
        float above = head.rect("which-cards/versions").y1;
        REQUIRE(head.models<WhichPage>().model->cards.size() == 4);
        for (const WhichCard& card : head.models<WhichPage>().model->cards) {
          const draw::Rect node = head.rect("which-cards/node " + card.title);
          CHECK(node.y0 >= above + 4 * head.theme.s);
          above = node.y1;
        }
      }
}

TEST_CASE("the refusal of a call is one large line above its answer; a class sees it after the question") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_rules_and_races);
    head.session->dispatch(ShowPage{Page::Which});
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("which-answer/subject"));
    ask_for_a_mask_with_gradient(head);
    CHECK(scroll_of("which-so") == 0);
    CHECK(head.rect("which-so/advice 2").y1 <= head.rect("which-so/panel").y1);
    const draw::Rect subject = head.rect("which-answer/subject"), headline = head.rect("which-answer/headline");
    CHECK(subject.height() >= 1.45f * 28 * float(h) / 900);  // one line of letters of 28 pixels at 900
    CHECK(subject.height() < 2 * draw::leading(head.theme.fonts.figure));
    CHECK(subject.y1 <= headline.y0);
    CHECK(test::within(subject, head.rect("which-answer/panel")));
    head.session->dispatch(Action::Present);
    head.frames(3);
    CHECK_FALSE(head.ui.rects.find("which-answer/subject"));
    CHECK(head.rect("which-answer/headline").height() > 1.5f * draw::leading(head.theme.fonts.title));
    head.session->dispatch(Action::StepForward);
    head.frames(3);
    CHECK(head.rect("which-answer/subject").height() > 1.2f * draw::leading(head.theme.fonts.title));
    CHECK(scroll_of("which-answer") == 0);
  }
}

TEST_CASE("a class reads what runs in large letters, before the answer to its question and after it") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_rules_and_races);
    head.session->dispatch(ShowPage{Page::Which});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    head.session->dispatch(Action::Present);
    test::use_fonts(head.theme, automatic_scale(w, h) * page_row(Page::Which).for_room(*head.session).text);
    apply_style(head.theme);
    for (int answered = 0; answered < 2; ++answered) {
      head.frames(3);
      CHECK(head.rect("which-answer/headline").height() >= draw::leading(head.theme.fonts.title));
      CHECK(head.rect("which-answer/figure").height() > head.rect("which-answer/headline").height());
      head.session->dispatch(Action::StepForward);
    }
  }
}

TEST_CASE("how the answer was checked is a row that opens") {
  Headless head(picture_document(), 1600, 900, true, with_rules);
  head.session->dispatch(ShowPage{Page::Which});
  head.frames(2);
  const float folded = head.rect("which-cards/which checked").height();
  CHECK_FALSE(head.ui.rects.find("which-cards/checked words"));
  head.click("which-cards/which checked");
  head.frames(2);
  CHECK(head.rect("which-cards/checked words").height() > 2 * folded);
  head.click("which-cards/which checked");
  head.frames(2);
  CHECK_FALSE(head.ui.rects.find("which-cards/checked words"));
}

TEST_CASE("the path and the times below it are in sight whole, and each refusal has its topic") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, with_rules_and_races);
    ask_for_a_mask_with_gradient(head);
    const draw::Rect panel = head.rect("which-cards/panel"), path = head.rect("which-cards/decision path"),
                     chart = head.rect("which-cards/time chart");
    CHECK(path.y1 <= chart.y0);
    CHECK(test::within(path, panel));
    CHECK(test::within(chart, panel));
    CHECK(scroll_of("which-cards") == 0);
    // Why cuDNN goes first is written whole.
    const WhichModel& m = *head.models<WhichPage>().model;
    const draw::Rect why = head.rect("which-cards/versions");
    CHECK(why.y1 <= path.y0);
    const Font& tiny = head.theme.fonts.tiny;
    CHECK(why.height() >= draw::paragraph(nullptr, tiny, tiny, 0, 0, why.width(), 0, m.versions + " " + m.why_order));
    CHECK(chart.y1 > panel.y0 + 0.9f * panel.height());
    const draw::Rect refusal = head.rect("which-cards/refusal cuDNN");
    CHECK(refusal.width() > 1.5f * head.rect("which-cards/dot EFFICIENT · CUTLASS").width());
    CHECK(head.ui.rects.find("which-cards/topic of refusal cuDNN"));
    CHECK(head.ui.rects.find("which-cards/topic of refusal FLASH · FA-2"));
  }
}

TEST_CASE("a way in with its own kernel lists its conditions, which have no topics") {
  Headless head(picture_document(), 1280, 720, true, with_rules);
  head.session->dispatch(ShowPage{Page::Which});
  head.session->dispatch(EditCall{"via", "flash-attn:2.8.3"});
  head.frames(3);
  const draw::Rect card = head.rect("which-cards/card flash-attn 2.8.3");
  CHECK(card.height() > 6 * head.theme.fonts.body.size);
  CHECK_FALSE(head.ui.rects.find("which-cards/dot flash-attn 2.8.3"));
}

TEST_CASE("a class sees each verdict before the answer, and the path after it") {
  Headless head(picture_document(), 1600, 900, true, with_rules_and_races);
  ask_for_a_mask_with_gradient(head);
  head.session->dispatch(Action::Present);
  head.frames(3);
  for (const char* backend : {"cuDNN", "FLASH · FA-2", "EFFICIENT · CUTLASS", "MATH · eager"}) {
    INFO(backend);
    CHECK(head.ui.rects.find(std::string("which-cards/verdict ") + backend));
  }
  CHECK_FALSE(head.ui.rects.find("which-cards/refusal cuDNN"));
  head.session->dispatch(Action::StepForward);
  head.frames(3);
  CHECK(head.ui.rects.find("which-cards/refusal cuDNN"));
  CHECK(test::within(head.rect("which-cards/decision path"), head.rect("which-cards/panel")));
}

TEST_CASE("with a mask the bars are outlines, tagged, and rare fields come when they are asked for") {
  Headless head(picture_document(), 1600, 900, true, [](SessionSetup& setup) {
    with_rules(setup);
    setup.of<RooflineController>().load_times = [](const std::string& device) {
      return load_race_times(TILEWALK_SOURCE_DIR, device);
    };
  });
  head.session->dispatch(Action::ShowWhich);
  for (const auto& [field, text] : {std::pair{"batch", "2"}, std::pair{"heads", "32"}, std::pair{"n-q", "8192"}})
    head.session->dispatch(EditCall{field, text});
  for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
  head.frames(2);
  CHECK(head.ui.rects.find("which-cards/recorded cuDNN"));
  CHECK_FALSE(head.ui.rects.find("which-cards/without the mask cuDNN"));
  // The bars take the height that the path leaves.
  const draw::Rect panel = head.rect("which-cards/panel"), last = head.rect("which-cards/time chart");
  CHECK(last.y1 < panel.y1);
  CHECK(last.y1 > panel.y0 + 0.82f * panel.height());
  head.session->dispatch(EditCall{"attn-mask", "bool"});
  head.frames(2);
  CHECK(head.rect("which-cards/without the mask FLASH · FA-2").width() >
        head.rect("which-cards/without the mask cuDNN").width());
  CHECK_FALSE(head.ui.rects.find("which-call/call layout"));
  head.click("which-call/more fields");
  head.frames(2);
  CHECK(head.ui.rects.find("which-call/call layout"));
}

TEST_CASE("on a card that nothing was timed on, the bars are outlines to scale, with the published range") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true, with_rules);
    head.session->dispatch(Action::ShowWhich);
    for (const auto& [field, value] : {std::pair{"device", "a100"}, std::pair{"n-q", "8192"}, std::pair{"heads", "32"}})
      head.session->dispatch(EditCall{field, value});
    head.frames(3);
    const draw::Rect flash = head.rect("which-cards/predicted FLASH · FA-2"),
                     math = head.rect("which-cards/predicted MATH · eager"),
                     range = head.rect("which-cards/published FLASH · FA-2");
    CHECK(flash.width() < math.width());
    CHECK(range.y0 >= flash.y1);
    CHECK(range.y1 <= head.rect("which-cards/row FLASH · FA-2").y1);
    CHECK(math.y1 <= head.rect("which-cards/row MATH · eager").y1);
    CHECK_FALSE(head.ui.rects.find("which-cards/recorded FLASH · FA-2"));
  }
}

TEST_CASE("a click makes a choice, advice can be applied, and the walk opens") {
  Headless head(picture_document(), 1600, 900, false, with_rules);
  head.session->dispatch(Action::ShowWhich);
  head.session->dispatch(EditCall{"attn-mask", "float-grad"});
  head.frames(2);
  CHECK(head.click("which-call/call attn-mask") == Commands{EditCall{"attn-mask", "none"}});
  CHECK(head.click("which-call/plain call") == Commands{Action::ForgetWhich});
  CHECK(head.click("which-so/advice 1") == Commands{TakeAdvice{1}});
  CHECK(head.click("which-answer/walk which") == Commands{Action::WalkWhich});
  CHECK(head.click("which-answer/which roofline") == Commands{ShowPage{Page::Roofline}});
}

TEST_CASE("the figure of Which is its largest thing, the answer is beside it, and the page has no empty middle") {
  for (const auto& [w, h] : {std::pair{1280, 720}, {1600, 900}, {3840, 2160}}) {
    INFO(w << "x" << h);
    Headless head(picture_document(), w, h, true, [](SessionSetup& setup) {
      with_rules(setup);
      setup.of<RooflineController>().load_times = [](const std::string& device) {
        return load_race_times(TILEWALK_SOURCE_DIR, device);
      };
    });
    head.session->dispatch(ShowPage{Page::Which});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    head.frames(3);
    const draw::Rect figure = head.rect("which-answer/figure"), headline = head.rect("which-answer/headline");
    CHECK(figure.height() >= head.theme.fonts.win.size);  // the figure is the largest thing on the page
    CHECK(headline.height() >= head.theme.fonts.title.size);
    CHECK_FALSE(touches(figure, headline));
    const draw::Rect caption = head.rect("which-answer/caption");  // what the figure means is with it
    CHECK(caption.y0 >= figure.y0 + head.theme.fonts.win.size);
    CHECK(caption.y1 <= figure.y1 + 1);
    CHECK(caption.x1 <= headline.x0);
    CHECK(caption.width() > 0.3f * figure.width());
    CHECK(caption.height() > 0.9f * head.theme.fonts.tiny.size);
    // The path and the bars below it end where their panel ends.
    const draw::Rect cards = head.rect("which-cards/panel");
    CHECK(head.rect("which-cards/time chart").y1 > cards.y1 - 0.06f * cards.height());
    // The answer says that no change leads to a faster backend, and is as wide as the bars.
    const draw::Rect answer = head.rect("which-answer/panel");
    CHECK_FALSE(head.ui.rects.find("which-so/panel"));
    CHECK(cards.x0 == answer.x0);
    CHECK(cards.x1 == answer.x1);
    CHECK(cards.y0 > answer.y1);
    for (const char* button : {"which-answer/which roofline", "which-answer/walk which"})
      CHECK(test::within(head.rect(button), answer));
    CHECK(head.rect("which-answer/answer").y1 <= head.rect("which-answer/walk which").y0);
    CHECK(head.rect("which-names/panel").x1 < cards.x0);
  }
}

TEST_CASE("Which asks for no field that the header has, unless its text was refused, and names those that fail") {
  Headless head(picture_document(), 1600, 900, false, with_rules);
  head.session->dispatch(ShowPage{Page::Which});
  head.frames(2);
  head.click("which-call/more fields");
  head.frames(2);
  const auto asked = [&](const std::string& field) {
    return head.ui.rects.find("which-call/call " + field).has_value();
  };
  for (const char* field : kHeaderFields) {
    INFO(field);
    CHECK_FALSE(asked(field));
  }
  CHECK(asked("attn-mask"));
  CHECK(asked("n-kv"));
  CHECK_FALSE(head.ui.rects.find("which-call/refused above"));
  head.session->dispatch(EditCall{"d", "x"});
  head.frames(2);
  CHECK(asked("d"));
  head.session->dispatch(EditCall{"d", "300"});
  head.frames(2);
  CHECK_FALSE(asked("d"));
  CHECK(head.ui.rects.find("which-call/refused above"));
}

TEST_CASE("the fields of the call have one left edge and one width, and none touches the next") {
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    INFO(w << "x" << h << ", text " << text);
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, false, with_rules);
    head.session->dispatch(ShowPage{Page::Which});
    head.frames(3);
    if (head.ui.rects.find("which-call/change call")) {  // one line, until it is opened
      head.click("which-call/change call");
      head.frames(4);
    }
    std::vector<draw::Rect> fields;
    for (const auto& [place, r] : head.ui.rects.all())
      if (place.starts_with("which-call/call ")) fields.push_back(r);
    REQUIRE(fields.size() >= 5);
    std::sort(fields.begin(), fields.end(), [](const draw::Rect& a, const draw::Rect& b) { return a.y0 < b.y0; });
    for (std::size_t i = 0; i < fields.size(); ++i) {
      CHECK(fields[i].x0 == Approx(fields[0].x0));
      CHECK(fields[i].x1 == Approx(fields[0].x1));
      if (i > 0) CHECK(fields[i].y0 >= fields[i - 1].y0 + ImGui::GetFrameHeight() + 1);
    }
  }
}

TEST_CASE("the answer is in sight whole, for every kind of call, at any size of the window") {
  const auto with_times = [](SessionSetup& setup) {
    with_rules(setup);
    setup.of<RooflineController>().load_times = [](const std::string& device) {
      return load_race_times(TILEWALK_SOURCE_DIR, device);
    };
  };
  for (const auto& [w, h, text] : {std::tuple{1280, 720, 1.0}, {1600, 900, 1.0}, {1600, 900, 1.5}, {3840, 2160, 1.0}}) {
    Document document = picture_document();
    document.view.text_scale = text;
    Headless head(document, w, h, true, with_times);
    head.session->dispatch(ShowPage{Page::Which});
    for (const auto& [field, value] : {std::pair{"batch", "2"}, std::pair{"heads", "32"}, std::pair{"n-q", "8192"}})
      head.session->dispatch(EditCall{field, value});
    for (int i = 0; i < 1000 && head.session->roofline().busy(); ++i) head.session->dispatch(Work{100});
    for (const auto& [field, value] :
         {std::pair{"attn-mask", "none"}, std::pair{"device", "rtx4090"}, std::pair{"device", "h200"},
          std::pair{"attn-mask", "bool"}, std::pair{"attn-mask", "float-grad"}, std::pair{"enabled", "flash"},
          std::pair{"kv-heads", "5"}, std::pair{"d", "300"}, std::pair{"on", "cpu"}}) {
      INFO(w << "x" << h << ", text " << text << ": " << field << " " << value);
      head.session->dispatch(EditCall{field, value});
      head.frames(3);
      const draw::Rect answer = head.rect("which-answer/answer");
      CHECK(scroll_of("which-answer") == 0);
      CHECK(answer.height() > 0);
    }
  }
}

TEST_CASE("a class sees each backend's verdict on the line of its bar, in front of the bar's tag") {
  Headless head(picture_document(), 1600, 900, true, with_rules_and_races);
  for (const auto& [field, text] : {std::pair{"batch", "2"}, {"heads", "32"}, {"n-q", "8192"}})
    head.session->dispatch(EditCall{field, text});
  head.session->dispatch(ShowPage{Page::Which});
  head.session->dispatch(Action::Present);
  head.frames(3);
  for (const std::string backend : {"cuDNN", "FLASH · FA-2", "MATH · eager"}) {
    INFO(backend);
    const draw::Rect row = head.rect("which-cards/row " + backend), bar = head.rect("which-cards/predicted " + backend);
    CHECK(row.height() - bar.height() < 8 * head.theme.s);
  }
}
