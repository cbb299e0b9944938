#include "session/session.h"

#include <algorithm>

#include "core/predict/attention_method.h"
#include "session/command/command_text.h"
#include "session/command/page_address.h"
#include "session/view_link.h"

namespace tilewalk {

namespace {

bool can_be_undone(const Command& command) {
  if (const Action* const action = command.as<Action>())  // a tour's own commands can be undone
    return *action != Action::Undo && *action != Action::Redo && *action != Action::Watch &&
           *action != Action::FirstStart;
  return !command.is<Tick>() && !command.is<Work>();
}

// How the window looks, whatever it shows.
bool changes_look(const Command& command) {
  if (command.is<SetTextScale>()) return true;
  const Action* action = command.as<Action>();
  if (!action) return false;
  switch (*action) {
    case Action::ToggleTheme:
    case Action::ToggleMotion:
    case Action::TextBigger:
    case Action::TextSmaller:
    case Action::TextNormal: return true;
    default: return false;
  }
}

bool chooses_settings(const Command& command) {
  if (command.is<SetSpeed>() || command.is<SetUnit>() || changes_look(command)) return true;
  const Action* action = command.as<Action>();
  return action && (*action == Action::Faster || *action == Action::Slower || *action == Action::NextUnit);
}

}  // namespace

Session::Session(SessionSetup setup)
    : load_inputs_(std::move(setup.load_inputs)),
      has_question_(std::move(setup.has_question)),
      workers_(std::move(setup.workers)),
      settings_(setup.settings),
      walk_(document_, messages_, std::move(setup.reading_time)),
      view_(document_),
      checks_(messages_, setup.gpu_present, std::move(setup.gpu_reason)),
      hand_(document_, walk_, messages_),
      compare_(document_, messages_, *this, walk_, window_call_, setup.of<CompareController>()),
      race_(document_, messages_, checks_, window_call_, setup.of<RaceController>()),
      roofline_(document_, messages_, *this, window_call_, setup.of<RooflineController>()),
      which_(document_, messages_, *this, window_call_, setup.of<WhichController>()),
      lab_(document_, messages_, setup.of<LabController>()),
      editing_(document_, messages_, *this, walk_, view_, std::move(setup.presets)),
      lesson_({document_, walk_, compare_, roofline_, which_, tree_}, roofline_, hand_, messages_,
              std::move(setup.load_lessons), std::move(setup.progress)),
      questions_({compare_, roofline_, which_, tree_}, messages_, std::move(setup.load_questions)),
      exporting_(messages_, view_, lesson_),
      tour_(document_),
      endless_zoom_(document_, window_call_),
      one_row_(document_) {
  editing_.remember(settings_.recent);
  roofline_.start_guessing(settings_.guess_first);
  compare_.choose_filling(settings_.comparison);
}

Session::~Session() = default;

void Session::read_recordings() {
  read_for(page());
  compare_.read_chip();
}

void Session::read_for(Page page) {
  race_.turned_to(page);
  roofline_.turned_to(page);
  which_.turned_to(page);
  tree_.turned_to(page);
  if (is_of_the_call(page) || page == Page::Compare) which_.read_rules();  // these name PyTorch's default
  lab_.turned_to(page);
}

void Session::dispatch(const Command& command) {
  const std::uint64_t revision = revision_;
  const Settings before = settings_of(document_.view);
  std::optional<Standing> earlier;
  if (can_be_undone(command)) earlier = standing();
  const bool skips = shows_one_row() && command.as<Action>() && *command.as<Action>() == Action::OneRow;
  if (tour_.runs() && !toured_ && !skips && !changes_look(command) && !text_of(command).empty())
    end_tour(command);  // a person does something else
  const bool in_lesson = lesson_.lesson() != nullptr;
  carry_out(command);
  if (in_lesson && !lesson_.lesson()) compare_.show_all();  // a lesson's view of the lanes is not the person's
  if (call_of_lesson_ && !lesson_.lesson()) restore_call();
  roofline_.follow(lesson_.lesson() != nullptr);
  race_.follow();
  if (shows_last_card()) roofline_.want_times();  // which the card says
  if (chooses_settings(command) && !toured_) settings_ = with_choice(settings_, before, settings_of(document_.view));
  const SetTiling* tiling = command.as<SetTiling>();
  const bool goes_on = tiling && tiling->again.value_or(false) && undo_.steps_back() > 0;
  if (earlier && !goes_on && !same_subject(earlier->document, document_)) undo_.changed(std::move(*earlier));
  if (hand_.follow(checks_.problem_revision())) ++revision_;
  if (!shows_one_row()) explained_row_.follow(schedule(), state(), problem_revision());
  if (settings_.recent != editing_.recent()) settings_.recent = editing_.recent();
  if (!toured_) settings_.guess_first = roofline_.chose_guesses();
  settings_.comparison = compare_.chosen_filling();
  if (!led_ && revision_ != revision) follow_lesson();
}

// A call that a person chose after the lesson's stays.
void Session::restore_call() {
  if (has_call_of_lesson()) {
    window_call_ = call_of_lesson_->own;
    read_for(page());
    ++revision_;
  }
  call_of_lesson_.reset();
}

// The lesson's commands are dispatched like any other; then its goal is evaluated.
void Session::follow_lesson() {
  const WindowCall before = window_call_;
  led_ = true;
  for (const Command& due : lesson_.take_due()) dispatch(due);
  if (lesson_.observe()) {
    ++revision_;
    for (const Command& due : lesson_.take_due()) dispatch(due);
  }
  led_ = false;
  if (window_call_ == before) return;
  call_of_lesson_ = {.own = has_call_of_lesson() ? call_of_lesson_->own : before, .set = window_call_};
}

void Session::tick(double now) {
  const bool moved = walk_.tick(now), ended = messages_.tick(now), ran = race_.tick(now),
             zoomed = endless_zoom_.tick(now), explained = one_row_.tick(now), returned = explained_row_.tick(now),
             stepped = lab_.tick(now), called = compare_.tick(now), looped = tree_.tick(now);
  if (moved || ended || ran || zoomed || explained || returned || stepped || called || looped) ++revision_;
  follow_tour(now);
}

void Session::carry_out_due(const std::vector<Command>& commands) {
  toured_ = true;
  for (const Command& due : commands) dispatch(due);
  toured_ = false;
}

void Session::follow_tour(double now) { carry_out_due(tour_.take_due(now, cursor())); }

void Session::work(std::int64_t visits) {
  if (walk_.busy() ? walk_.work(visits) : roofline_.busy() ? roofline_.work() : lab_.work()) ++revision_;
}

void Session::open_file(const OpenFile& c) {
  if (c.path.ends_with(".cu")) {
    open_dialog(Dialog::None);
    show_page(Page::Lab);
    return lab_.open_file(c.path);
  }
  if (!names_a_profile(c.path)) {
    editing_.carry_out(c);
    return read_recordings();
  }
  open_dialog(Dialog::None);
  show_page(Page::Which);
  which_.read_profile(c.path);
}

void Session::open_example_profile(const OpenExampleProfile& c) {
  open_dialog(Dialog::None);
  show_page(Page::Which);
  which_.carry_out(c);
}

void Session::open_lesson(const OpenLesson& c) {
  view_.forget_code_of_lesson();
  close_animations();
  lesson_.carry_out(c);
  if (view_.dialog() == Dialog::Lessons || view_.dialog() == Dialog::Review || view_.dialog() == Dialog::Glossary)
    open_dialog(Dialog::None);
}

void Session::copy_link() {
  view_.copy(page_address() + "#" + view_fragment(*this));
  messages_.say("Copied: " + view_.clipboard());
}

void Session::choose_compared(const ChooseCompared& c) {
  compare_.carry_out(c);
  if (moves_call()) walk_.pause();
}

void Session::to_end(int direction) {
  if (page() == Page::Lab) return lab_.to_end(direction);
  if (moves_call()) return compare_.call().to_end(direction);
  walk_.move_to(direction < 0 ? 0 : schedule().step_count());
}

void Session::next_unit() { page() == Page::Lab ? lab_.next_unit() : walk_.next_unit(); }

void Session::zoom_by(double factor) { page() == Page::Compare ? compare_.zoom_by(factor) : walk_.zoom_by(factor); }

void Session::show_all() { page() == Page::Compare ? compare_.show_all() : walk_.show_all(); }

void Session::toggle_endless_zoom() {
  if (shows_endless_zoom()) return endless_zoom_.close();
  hold_endless_zoom(0);
  if (shows_endless_zoom()) endless_zoom_.begin();
}

void Session::close_animations() {
  endless_zoom_.close();
  one_row_.close();
  animation_presented_ = false;
}

bool Session::makes_way_for(const char* picture) {
  if (lesson_.lesson()) {
    messages_.refuse(std::string("Leave the lesson first: ") + picture + " shows what it asks", About::Cursor);
    return false;
  }
  walk_.pause();
  if (page() != Page::Walk) show_page(Page::Walk);
  close_animations();
  return true;
}

void Session::hold_endless_zoom(double t) {
  if (makes_way_for("the zoom")) endless_zoom_.hold(t);
}

// A tour's commands open the row and close it, and present pages: it begins with the row closed and nothing presented.
void Session::begin_tour(Tour tour) {
  close_animations();
  view_.present(false);
  tour_.begin(tour);
  carry_out_due(tour_.take_first());
}

// The source, which the card was in the place of, stays away until somebody asks for it.
void Session::close_tour() {
  if (tour_.offers() && !view_.code(false)) view_.show_code(false, false);
  tour_.offer(false);
}

// What the tour presented goes back to the window. Present does that by itself.
void Session::end_tour(const Command& by) {
  tour_.end();
  if (!by.as<Action>() || *by.as<Action>() != Action::Present) view_.present(false);
}

// The tour goes on with what follows the row.
void Session::toggle_one_row() {
  if (shows_one_row() && tour_.runs() && !toured_) return tour_.skip();
  if (shows_one_row()) {
    one_row_.close();
    return explained_row_.begin(q_tile_at(schedule(), state()), problem_revision(), document_.view.motion);
  }
  hold_one_row(0);
  if (shows_one_row()) one_row_.begin();
}

void Session::hold_one_row(double t) {
  if (makes_way_for("the row")) one_row_.hold(t);
}

void Session::show_page(Page page) {
  if (page == Page::Compare && (document_.view.page != page || led_)) compare_.opened();
  if (page != Page::Compare) compare_.pause();
  document_.view.page = page;
  if (!led_ || kNotPresented[std::size_t(page)]) view_.present(false);  // a lesson's screens stay presented
  read_for(page);
}

void Session::turn_to(Page there) {
  if (page() == there) return show_page(Page::Walk);
  for (const Command& command : opening(there)) carry_out(command);
}

// On another page this opens the page of comparison.
void Session::toggle_filling(Filling filling) {
  if (page() != Page::Compare) show_page(Page::Compare);
  compare_.toggle_filling(filling);
  if (toured_ || led_) return;
  compare_.choose_filling(compare_.filling());
  compare_.play_when_shown();
}

void Session::hold_motion(double t) {
  if (page() == Page::Lab) return lab_.hold_flood(t);
  if (page() == Page::Tree) return tree_.hold(t);
  shows_warps_visit() ? compare_.hold_visit(t) : walk_.hold_motion(t);
}

bool Session::shows_last_card() const {
  return page() == Page::Walk && !view_.presenting() && !lesson_.lesson() && !hand_.on() && walk_.has_last_card();
}

bool Session::shows_code() const {
  const bool in_lesson = lesson_.lesson() != nullptr;
  return view_.code(in_lesson).value_or(!in_lesson || lesson_.scene().code);
}

bool Session::compares_mistake() const {
  return problem().fault != Fault::None && !lesson_.lesson() && view_.code(false) != true;
}

bool Session::shows_endless_zoom() const { return endless_zoom_.open() && page() == Page::Walk && !lesson_.lesson(); }

bool Session::shows_one_row() const { return one_row_.open() && page() == Page::Walk && !lesson_.lesson(); }

// Opening clears the message line; closing removes the errors about the dialog.
void Session::open_dialog(Dialog dialog) {
  view_.open(dialog);
  if (dialog == Dialog::None) return messages_.done(About::Problem);
  messages_.clear();
  walk_.pause();
  if (dialog == Dialog::Lessons || dialog == Dialog::Review || dialog == Dialog::Glossary) lesson_.read();
  if (dialog == Dialog::Questions) questions_.read();
  if (dialog == Dialog::Call) which_.read_rules();
  if (dialog == Dialog::Problem) editing_.reset_draft();
  if (dialog == Dialog::OpenFile || dialog == Dialog::SaveFile) editing_.carry_out(ShowFolder{});
  if (dialog == Dialog::Presets) race_.read_recorded();  // presets are listed with its times
}

std::vector<Command> Session::opening(Page there) const {
  if (there != Page::Compare || page() == there || lesson_.lesson()) return {ShowPage{there}};
  return opening_comparison(compare_.filling_at_first());
}

std::vector<Command> Session::opening_comparison(Filling filling) const {
  const std::optional<Action> toggle = toggle_of(filling);
  std::vector<Command> out = {toggle ? Command{*toggle} : Command{ShowPage{Page::Compare}}};
  if (const Compared of = compare_.compared_at_first(); of != Compared::Walk) out.push_back(ChooseCompared{of});
  return out;
}

bool Session::shows_call() const {
  return is_of_the_call(page()) || (page() == Page::Compare && compare_.compared() == Compared::Call);
}

void Session::edit_problem() { open_dialog(shows_call() ? Dialog::Call : Dialog::Problem); }

std::optional<double> Session::seconds_to_change(double now) const {
  std::optional<double> seconds = messages_.seconds_left(now);
  for (const std::optional<double>& other :
       {walk_.seconds_to_next_move(now), tour_.seconds_to_next(now), race_.seconds_to_next(),
        endless_zoom_.seconds_to_next(), one_row_.seconds_to_next(), explained_row_.seconds_to_next(),
        lab_.seconds_to_next(now), compare_.seconds_to_next(), tree_.seconds_to_next()})
    if (other) seconds = seconds ? std::min(*seconds, *other) : other;
  return seconds;
}

// Page, theme, zoom and selection do not change. The cursor is restored.
void Session::take_back(std::optional<Standing> to, const char* done, const char* nothing) {
  if (!to) return messages_.note(nothing, About::Cursor);
  walk_.pause();
  const std::string words = undone_words(document_, to->document);
  to->document.view = document_.view;
  if (const Issues issues = restore(*to); !issues.empty()) return messages_.refuse(issues, About::Problem);
  messages_.say(std::string(done) + ": " + words);
}

Issues Session::restore(Standing& to) {
  Document next = std::move(to.document);
  if (next.paths.any() || document_.paths.any()) {
    std::shared_ptr<const Schedule> schedule = make_schedule(next.problem);
    show({std::move(next), std::move(schedule), std::move(to.read)}, true);
  } else if (Issues issues = adopt(std::move(next), true); !issues.empty()) {
    return issues;
  }
  editing_.came_from(std::move(to.file));
  return {};
}

void Session::set_problem_aside() {
  if (!aside_) aside_ = Aside{standing(), window_call_};
}

void Session::back_to_problem() {
  if (!aside_) return messages_.say("No problem is set aside", About::Cursor);
  walk_.pause();
  Aside was = *aside_;
  put_settings(settings_of(document_.view), was.standing.document.view);
  if (const Issues issues = restore(was.standing); !issues.empty()) return messages_.refuse(issues, About::Problem);
  window_call_ = was.call;
  aside_.reset();
  read_for(page());
  view_.present(false);
  messages_.say("Back at your problem");
}

}  // namespace tilewalk
