#include "session/session.h"

#include <algorithm>

#include "session/page/page_commands.h"
#include "session/page/view_link.h"

namespace tilewalk {

namespace {

bool can_be_undone(const Command& command) {
  return std::visit(
      [](const auto& c) {
        using C = std::decay_t<decltype(c)>;
        if constexpr (std::is_same_v<C, Action>) return c != Action::Undo && c != Action::Redo;
        return !std::is_same_v<C, Tick> && !std::is_same_v<C, Work>;
      },
      command);
}

}  // namespace

Session::Session(SessionSetup setup)
    : load_inputs_(std::move(setup.load_inputs)),
      has_question_(std::move(setup.has_question)),
      crew_(std::move(setup.crew)),
      settings_(setup.settings),
      walk_(document_, messages_, std::move(setup.reading_time)),
      view_(document_),
      checks_(messages_, setup.gpu_present, std::move(setup.gpu_reason)),
      hand_(document_, walk_, messages_),
      compare_(document_, messages_, *this, walk_, std::move(setup.load_chip)),
      race_(document_, messages_, checks_, std::move(setup.load_race)),
      roofline_(document_, messages_, *this, std::move(setup.load_times), std::move(setup.load_processors),
                {std::move(setup.machine), std::move(setup.no_measuring)}),
      which_(document_, messages_, *this, std::move(setup.load_rules)),
      editing_(document_, messages_, *this, walk_, view_, std::move(setup.presets)),
      lesson_({document_, walk_, compare_, roofline_, which_, view_}, roofline_, hand_, messages_,
              std::move(setup.load_lessons), std::move(setup.progress)),
      questions_({compare_, roofline_, which_, view_}, messages_, std::move(setup.load_questions)),
      exporting_(messages_, view_, lesson_) {
  editing_.remember(settings_.recent);
}

void Session::read_recordings() {
  read_for(page());
  compare_.read_chip();
}

void Session::read_for(Page page) {
  if (page == Page::Race) race_.read_recorded();
  if (page == Page::Roofline) roofline_.read_times();
  if (page == Page::Compare || page == Page::Which) roofline_.want_times();  // they stand on all three
  if (page == Page::Which) which_.read_rules();
}

void Session::dispatch(const Command& command) {
  const std::uint64_t revision = revision_;
  const Settings before = settings_of(document_.view);
  std::optional<Standing> stood;
  if (can_be_undone(command)) stood = standing();
  std::visit([this](const auto& c) { carry_out(c); }, command);
  if (chooses_settings(command)) settings_ = with_choice(settings_, before, settings_of(document_.view));
  const SetTiling* tiling = std::get_if<SetTiling>(&command);
  const bool goes_on = tiling && tiling->again.value_or(false) && undo_.steps_back() > 0;
  if (stood && !goes_on && !same_subject(stood->document, document_)) undo_.changed(std::move(*stood));
  if (hand_.follow(checks_.problem_revision())) ++revision_;
  if (settings_.recent != editing_.recent()) settings_.recent = editing_.recent();
  if (!led_ && revision_ != revision) follow_lesson();
}

// What the lesson wants done is done like anything else; then its goal is looked at.
void Session::follow_lesson() {
  led_ = true;
  for (const Command& due : lesson_.take_due()) dispatch(due);
  if (lesson_.observe()) {
    ++revision_;
    for (const Command& due : lesson_.take_due()) dispatch(due);
  }
  led_ = false;
}

void Session::carry_out(const Tick& c) {
  const bool moved = walk_.tick(c.now), ended = messages_.tick(c.now);
  if (moved || ended) ++revision_;
}

void Session::carry_out(const Work& c) {
  if (walk_.busy() ? walk_.work(c.visits) : roofline_.work()) ++revision_;
}

template <class C>
void Session::carry_out(const C& command) {
  ++revision_;
  if constexpr (requires { walk_.carry_out(command); })
    walk_.carry_out(command);
  else if constexpr (requires { hand_.carry_out(command); })
    hand_.carry_out(command);
  else if constexpr (requires { compare_.carry_out(command); })
    compare_.carry_out(command);
  else if constexpr (requires { race_.carry_out(command); })
    race_.carry_out(command);
  else if constexpr (requires { roofline_.carry_out(command); })
    roofline_.carry_out(command);
  else if constexpr (requires { which_.carry_out(command); })
    which_.carry_out(command);
  else if constexpr (requires { checks_.carry_out(command); })
    checks_.carry_out(command);
  else if constexpr (requires { lesson_.carry_out(command); })
    lesson_.carry_out(command);
  else if constexpr (requires { questions_.carry_out(command); })
    questions_.carry_out(command);
  else if constexpr (requires { exporting_.carry_out(command); })
    exporting_.carry_out(command);
  else if constexpr (requires { view_.carry_out(command); })
    view_.carry_out(command);
  else
    editing_.carry_out(command);
  if constexpr (std::is_same_v<C, OpenLesson>)
    if (view_.dialog() == Dialog::Lessons || view_.dialog() == Dialog::Review) open_dialog(Dialog::None);
}

void Session::carry_out(Action action) {
  ++revision_;
  if (action == Action::StepForward && hides_answer()) return view_.answer(cursor());
  if (action != Action::BlankScreen) view_.show_again();
  switch (action) {
    case Action::PlayPause:
    case Action::StepForward:
    case Action::StepBack:
    case Action::TileForward:
    case Action::TileBack:
    case Action::QTileForward:
    case Action::QTileBack:
    case Action::First:
    case Action::Last:
    case Action::RunToSelection:
    case Action::Faster:
    case Action::Slower:
    case Action::NextUnit:
    case Action::SelectNothing:
    case Action::NextCells:
    case Action::ZoomToTile: return walk_.carry_out(action);

    case Action::WorkByHand: return hand_.work_by_hand();

    case Action::NextPace:
    case Action::ExchangeSides:
    case Action::LanesEarlier:
    case Action::LanesLater:
    case Action::ShowWarps:
    case Action::PinNow:
    case Action::PinChip: return compare_.carry_out(action);

    case Action::RaceCpu:
    case Action::RaceGpu:
    case Action::StopRace: return race_.carry_out(action);

    case Action::RevealWin:
    case Action::MeasureMachine:
    case Action::StopMeasuring: return roofline_.carry_out(action);
    case Action::WalkWhich:
    case Action::WalkKernel:
    case Action::StopProfile:
    case Action::ForgetWhich: return which_.carry_out(action);

    case Action::StopExport: return exporting_.stop();

    case Action::ClearValues:
    case Action::CopyCommandLine: return editing_.carry_out(action);
    case Action::CopyLink:
      view_.copy(page_address() + "#" + view_fragment(*this));
      return messages_.say("Copied: " + view_.clipboard());

    case Action::ToggleTheme:
    case Action::ToggleMotion:
    case Action::TextBigger:
    case Action::TextSmaller:
    case Action::TextNormal:
    case Action::FullScreen:
    case Action::BlankScreen:
    case Action::AskFirst:
    case Action::Quit: return view_.carry_out(action);

    case Action::NextScreen:
    case Action::PreviousScreen:
    case Action::LessonCheck:
    case Action::LessonHint:
    case Action::LessonAnswer:
    case Action::LessonAgain:
    case Action::LeaveLesson: return lesson_.carry_out(action);

    case Action::CheckLive: return checks_.check_live();

    case Action::ZoomIn: return page() == Page::Compare ? compare_.zoom_by(1.5) : walk_.zoom_by(1.5);
    case Action::ZoomOut: return page() == Page::Compare ? compare_.zoom_by(1 / 1.5) : walk_.zoom_by(1 / 1.5);
    case Action::ZoomFit: return page() == Page::Compare ? compare_.show_all() : walk_.show_all();

    case Action::ShowCompare: return turn_to(Page::Compare);
    case Action::ShowRace: return turn_to(Page::Race);
    case Action::ShowTree: return turn_to(Page::Tree);
    case Action::ShowRoofline: return turn_to(Page::Roofline);
    case Action::ShowWhich: return turn_to(Page::Which);
    case Action::Present: return present(!view_.presenting());
    case Action::PlayFromHere:
      if (view_.presenting() && !walk_.playback().playing) walk_.carry_out(Action::PlayPause);
      return;

    case Action::Undo: return take_back(undo_.back(standing()), "Undone", "There is nothing to undo");
    case Action::Redo: return take_back(undo_.on(standing()), "Done again", "There is nothing to do again");
    case Action::EditProblem: return open_dialog(Dialog::Problem);
    case Action::ShowFaults: return open_dialog(Dialog::Faults);
    case Action::ShowLessons: return open_dialog(Dialog::Lessons);
    case Action::ShowReview: return open_dialog(Dialog::Review);
    case Action::ShowQuestions: return open_dialog(Dialog::Questions);
    case Action::ShowPresets: return open_dialog(Dialog::Presets);
    case Action::OpenFileDialog: return open_dialog(Dialog::OpenFile);
    case Action::SaveFileDialog: return open_dialog(Dialog::SaveFile);
    case Action::GoToDialog: return open_dialog(Dialog::GoTo);
    case Action::ShowKeys: return open_dialog(view_.dialog() == Dialog::Keys ? Dialog::None : Dialog::Keys);
    case Action::ShowPalette: return open_dialog(Dialog::Palette);
    case Action::ShowExport: return open_dialog(Dialog::Export);
    case Action::ShowTraffic: return open_dialog(Dialog::Traffic);
    case Action::CloseDialog: return open_dialog(Dialog::None);
  }
}

void Session::carry_out(const OpenFile& c) {
  ++revision_;
  if (!names_a_profile(c.path)) {
    editing_.carry_out(c);
    return read_recordings();
  }
  open_dialog(Dialog::None);
  carry_out(ShowPage{Page::Which});
  which_.read_profile(c.path);
}

void Session::carry_out(const ReportKeeping& c) {
  ++revision_;
  messages_.refuse(c.words, About::Deed);
}

void Session::carry_out(const ShowPage& c) {
  ++revision_;
  document_.view.page = c.page;
  view_.present(false);
  read_for(c.page);
}

void Session::turn_to(Page there) { carry_out(ShowPage{page() == there ? Page::Walk : there}); }

// Presenting is of the walk.
void Session::present(bool on) {
  document_.view.page = Page::Walk;
  view_.present(on);
}

bool Session::hides_answer() const {
  return view_.presenting() && view_.asks_first() && view_.answered_at() != cursor() && !busy() &&
         !walk_.playback().playing && !hand_.hides() && has_question_ && has_question_(schedule(), state());
}

// A dialog opens on a clean line; when it closes, what it refused is done with.
void Session::open_dialog(Dialog dialog) {
  ++revision_;
  view_.open(dialog);
  if (dialog == Dialog::None) return messages_.done(About::Problem);
  messages_.clear();
  walk_.pause();
  if (dialog == Dialog::Lessons || dialog == Dialog::Review) lesson_.read();
  if (dialog == Dialog::Questions) questions_.read();
  if (dialog == Dialog::Problem) editing_.reset_draft();
  if (dialog == Dialog::OpenFile || dialog == Dialog::SaveFile) editing_.carry_out(ShowFolder{});
  if (dialog == Dialog::Presets) race_.read_recorded();  // its times stand beside them
}

std::optional<double> Session::seconds_to_change(double now) const {
  std::optional<double> seconds = messages_.seconds_left(now);
  const std::optional<double> move = walk_.seconds_to_next_move(now);
  return seconds && move ? std::min(*seconds, *move) : move ? move : seconds;
}

// What looks and where one is stay: the page, the theme, zoom and selection. The cursor goes where it was.
void Session::take_back(std::optional<Standing> to, const char* done, const char* nothing) {
  if (!to) return messages_.refuse(nothing, About::Problem);
  walk_.pause();
  const std::string words = undone_words(document_, to->document);
  Document next = std::move(to->document);
  next.view = document_.view;
  if (next.paths.any() || document_.paths.any()) {
    std::shared_ptr<const Schedule> schedule = make_schedule(next.problem);
    show({std::move(next), std::move(schedule), std::move(to->read)}, true);
  } else if (const Issues issues = adopt(std::move(next), true); !issues.empty()) {
    return messages_.refuse(issues, About::Problem);
  }
  editing_.came_from(std::move(to->file));
  messages_.say(std::string(done) + ": " + words);
}

}  // namespace tilewalk
