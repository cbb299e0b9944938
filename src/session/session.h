// The session: the document on screen, the state at its cursor, and everything a person can change about the view.
// dispatch() is the only function that changes it (law 4); everything else reads. The controller of a Command executes
// it; the session itself executes what concerns several controllers (another document, pages, dialogs, time). Tick
// passes the time in; no clock is read. state().cursor is the cursor of the numbers on screen. Not modelled: where
// checks run (the window's jobs run them and report by Command), pixels, windows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/by_type.h"
#include "pages/compare/compare_controller.h"
#include "pages/lab/lab_controller.h"
#include "pages/race/race_controller.h"
#include "pages/roofline/roofline_controller.h"
#include "pages/tree/tree_controller.h"
#include "pages/which/which_controller.h"
#include "session/controllers/check_controller.h"
#include "session/controllers/document_controller.h"
#include "session/controllers/endless_zoom_controller.h"
#include "session/controllers/explained_row_controller.h"
#include "session/controllers/hand_controller.h"
#include "session/controllers/one_row_controller.h"
#include "session/controllers/tour_controller.h"
#include "session/controllers/undo_controller.h"
#include "session/controllers/view_controller.h"
#include "session/controllers/walk_controller.h"
#include "session/document/opening.h"
#include "session/document/settings.h"
#include "session/export_controller.h"
#include "session/lesson/lesson_controller.h"
#include "session/questions/questions_controller.h"

namespace tilewalk {

// True if a class can be asked about a number that the last step computed.
using HasQuestion = std::function<bool(const Schedule&, const State&)>;

struct SessionSetup {
  InputLoader load_inputs;              // without it, a document with paths is refused
  std::shared_ptr<WorkerPool> workers;  // for parallel replay; may be null
  std::vector<Preset> presets;
  ReadingTime reading_time;                       // without it, a second a phase
  HasQuestion has_question;                       // without it, presenting has no questions
  Settings settings;                              // of the previous start
  LessonLoader load_lessons = {};                 // called when a lesson or the list of lessons opens
  LessonsProgress progress = {};                  // of the lessons, at the previous start
  QuestionsController::Load load_questions = {};  // called when the list of questions first opens
  bool gpu_present = false;
  std::string gpu_reason;  // why there is no GPU to check on
  ByType pages = {};       // setup of each page's controller

  template <class Controller>
  typename Controller::Setup& of() {
    return pages.of<typename Controller::Setup>();
  }
};

class Session final : private DocumentOwner {
 public:
  static Result<std::unique_ptr<Session>> open(const Document&, SessionSetup);
  static std::unique_ptr<Session> of(Opening, SessionSetup);  // of an opened document
  ~Session();

  void dispatch(const Command&);

  const Document& document() const { return document_; }
  const Problem& problem() const { return document_.problem; }
  Page page() const { return document_.view.page; }
  const FileInputs& files() const { return read_.tensors; }
  Opening opening() const { return {document_, walk_.shared_schedule(), read_}; }  // the open document

  const WalkController& walk() const { return walk_; }
  const Schedule& schedule() const { return walk_.schedule(); }
  const Inputs& inputs() const { return walk_.inputs(); }
  std::int64_t cursor() const { return walk_.cursor(); }
  const State& state() const { return walk_.state(); }
  bool busy() const { return walk_.busy() || roofline_.busy() || lab_.busy(); }

  const HandController& hand() const { return hand_; }
  const CompareController& compare() const { return compare_; }
  Problem baseline() const { return compare_.baseline(); }
  const Races& race() const { return race_.races(); }
  const WindowCall& call() const { return window_call_; }
  // The commands by which a person opens the page. The comparison opens as pipes or as the person's last choice, and of
  // a tiny walk on the call. The command ShowPage of scripts, lessons and links opens it on the walk, as lanes.
  std::vector<Command> opening(Page) const;
  std::vector<Command> opening_comparison(Filling) const;
  bool shows_call() const;  // the page on screen is of the window's call, not of the walk
  const RooflineController& roofline() const { return roofline_; }
  const TreeController& tree() const { return tree_; }
  const WhichController& which() const { return which_; }
  const LabController& lab() const { return lab_; }
  const Exports& exporting() const { return exporting_.exports(); }
  const DocumentController& editing() const { return editing_; }
  const LessonController& lesson() const { return lesson_; }
  const QuestionsController& questions() const { return questions_; }
  const UndoController& undo() const { return undo_; }
  const ViewController& view() const { return view_; }
  const TourController& tour() const { return tour_; }
  const EndlessZoomController& endless_zoom() const { return endless_zoom_; }
  bool shows_endless_zoom() const;  // instead of the walk, also while presenting; not in a lesson
  const OneRowController& one_row() const { return one_row_; }
  bool shows_one_row() const;  // instead of the walk, also while presenting; not in a lesson
  const ExplainedRowController& explained_row() const { return explained_row_; }
  bool shows_animation() const { return shows_endless_zoom() || shows_one_row(); }
  // Presenting, the page on screen covers the window, or the zoom, the row or the picture of a lesson. False on the
  // walk, where a class sees its step (view/present).
  bool presents_page() const;
  bool covers_window() const { return presents_page() || shows_one_row(); }  // no header, no panels beside the picture
  bool presents_own_question() const;  // the presented page's, not that of a lesson
  const char* not_presented() const;   // why the page on screen is not shown to a class; null: it is
  // What Esc does while presenting: a zoom or a row that was opened meanwhile gives way to what was presented before.
  Action way_out() const;
  // The card at the end of the walk is on screen: not in a lesson, nor while numbers are worked by hand.
  bool shows_last_card() const;
  bool shows_code() const;  // the kernel's source is beside the walk
  // A wrong row of the output is in the place of the source, until the user asks for that; not in a lesson.
  bool compares_mistake() const;
  // The problem that was on screen before a question showed its own; null: none is set aside.
  const Document* set_aside() const { return aside_ ? &aside_->standing.document : nullptr; }
  bool has_call_of_lesson() const { return call_of_lesson_ && call_of_lesson_->set == window_call_; }
  bool hides_answer() const;  // presenting: the question about the current step is open
  const CheckController& checks() const { return checks_; }
  const CheckReport& check() const { return checks_.check(); }
  std::optional<AccuracyReport> baseline_accuracy() const {
    return checks_.baseline_accuracy(compare_.baseline_revision());
  }
  const std::optional<Message>& message() const { return messages_.message(); }
  // True while a picture changes with time: frames then follow at an even pace.
  bool is_in_motion() const {
    return walk_.motion().moves() || walk_.healing().moves() || endless_zoom_.moves() || one_row_.moves() ||
           explained_row_.moves() || compare_.visit().moves();
  }
  // Seconds until playback moves or a message ends; empty if neither will happen.
  std::optional<double> seconds_to_change(double now) const;

  std::uint64_t revision() const { return revision_; }    // grows with every change a panel could show
  const Settings& settings() const { return settings_; }  // the last user choices, independent of the open document
  std::uint64_t problem_revision() const { return checks_.problem_revision(); }

 private:
  explicit Session(SessionSetup setup);
  Issues adopt(Document next, bool keep_view) override;
  Issues open_anew(WalkedDocument) override;
  void show(Opening, bool keep_view);
  void show_around_the_walk(Document next, std::shared_ptr<const Schedule>);
  Standing standing() const { return {document_, read_, editing_.file()}; }
  void set_problem_aside();  // unless one is set aside already
  void back_to_problem();
  Issues restore(Standing&);  // its document, with the view that the document has
  void take_back(std::optional<Standing> to, const char* done, const char* nothing);
  void read_recordings();  // for the document's page and pinned lanes

  struct Handlers;                 // one for each row of session/command/actions.inc and session/command/commands.inc
  void carry_out(const Command&);  // calls the handler of its row
  void restore_call();
  void follow_lesson();
  void follow_tour(double now);
  void tick(double now);
  void work(std::int64_t visits);
  void open_file(const OpenFile&);
  void open_example_profile(const OpenExampleProfile&);
  void open_lesson(const OpenLesson&);
  void copy_link();
  // These move the walk; on the page of the lab the learner's run; on the page of comparison the call, where it is of
  // the call.
  void step(StepUnit, int direction);
  void play_or_pause();
  void to_end(int direction);
  void next_unit();
  bool moves_call() const { return page() == Page::Compare && compare_.moves_call(); }
  bool shows_warps_visit() const { return page() == Page::Compare && compare_.shows_visit(); }
  void hold_motion(double t);
  void choose_compared(const ChooseCompared&);
  void zoom_by(double factor);  // of the scores, or of the lanes on the page of comparison
  void show_all();              // likewise
  void toggle_endless_zoom();
  void hold_endless_zoom(double t);
  void begin_tour(Tour);
  void end_tour(const Command& by);
  void close_tour();
  void carry_out_due(const std::vector<Command>&);  // of the tour
  void toggle_one_row();
  void hold_one_row(double t);
  void close_animations();
  bool makes_way_for(const char* picture);  // false in a lesson, which may ask for figures that it shows
  void play_presenting();
  bool step_presented(StepUnit, int direction);  // false: what moves is the walk, or the compared call
  bool turn_presented_lesson(int direction);     // false: no lesson is open
  bool turns_lesson_on_walk(StepUnit) const;     // a presented walk of a lesson that asks for no step of it
  void show_page(Page);
  void toggle_filling(Filling);
  void open_dialog(Dialog);
  void edit_problem();  // of the page: the walk's, or the window's call
  void read_for(Page);  // reads the page's files once
  void turn_to(Page);   // turns to the page, or back to the walk
  void present(bool on);
  void show_win();

  InputLoader load_inputs_;
  HasQuestion has_question_;
  std::shared_ptr<WorkerPool> workers_;
  Document document_;
  LoadedInputs read_;
  Settings settings_;
  MessageLine messages_;
  WindowCall window_call_;
  WalkController walk_;
  ViewController view_;
  CheckController checks_;
  HandController hand_;
  CompareController compare_;
  RaceController race_;
  RooflineController roofline_;
  TreeController tree_{document_};
  WhichController which_;
  LabController lab_;
  DocumentController editing_;
  LessonController lesson_;
  QuestionsController questions_;
  ExportController exporting_;
  TourController tour_;
  struct NoSteps {  // of a page whose presented steps are the walk's, or that is not presented
    bool step_presented(StepUnit, int) { return false; }
  } no_steps_;
  struct WhichSteps {  // the reason first, then the call's other lengths
    bool step_presented(StepUnit unit, int direction) {
      return which.answer_presented(direction) || roofline.step_presented(unit, direction);
    }
    WhichController& which;
    RooflineController& roofline;
  } which_steps_{which_, roofline_};
  EndlessZoomController endless_zoom_;
  OneRowController one_row_;
  ExplainedRowController explained_row_;
  UndoController undo_;
  struct Aside {
    Standing standing;
    WindowCall call;
  };
  std::optional<Aside> aside_;
  struct CallOfLesson {
    WindowCall own, set;  // the person's, and the lesson's in its place
  };
  std::optional<CallOfLesson> call_of_lesson_;  // restored when the lesson is left
  std::uint64_t revision_ = 0;
  bool toured_ = false;               // true while a command of the tour runs
  bool animation_presented_ = false;  // it was open before presenting began
  bool led_ = false;                  // true while the lesson's commands run, so that they do not call it again
};

}  // namespace tilewalk
