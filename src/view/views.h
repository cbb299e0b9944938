// Every view model of a session at one moment, rebuilt when the session's revision or the space on screen changes: the
// models of every page, those of the page on screen (view/pages.h), and those of lists and dialogs over it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "base/by_type.h"
#include "session/session.h"
#include "view/learn/glossary_model.h"
#include "view/learn/lesson_panel_model.h"
#include "view/learn/questions_model.h"
#include "view/learn/review_model.h"
#include "view/present/present_model.h"
#include "view/problem/presets_model.h"
#include "view/problem/problem_model.h"
#include "view/view_room.h"
#include "view/walk/accuracy_model.h"
#include "view/walk/code_model.h"
#include "view/walk/hardware_model.h"
#include "view/walk/traffic_model.h"
#include "view/walk/verify_model.h"
#include "view/words/call_model.h"

namespace tilewalk {

// The models of a page, in a type that only the page knows. Copies share the models: unlike std::any it does not
// compile in each source how they are copied.
class PageModels {
 public:
  PageModels() = default;  // of no page
  template <class P>
  static PageModels of(P models) {
    PageModels out;
    out.type_ = &typeid(P);
    out.models_ = std::make_shared<P>(std::move(models));
    return out;
  }

  bool empty() const { return !type_; }
  template <class P>
  P* as() const {  // null if they are of another type
    return type_ && *type_ == typeid(P) ? static_cast<P*>(models_.get()) : nullptr;
  }

 private:
  const std::type_info* type_ = nullptr;
  std::shared_ptr<void> models_;
};

struct HeaderTab {
  ScheduleKind kind{};
  std::string title;
  bool active = false;
  bool backward = false;  // these are in one group, behind one word
};

struct HeaderModel {
  std::vector<HeaderTab> tabs;
  std::vector<std::string> problem;  // "N 16 · d 4 · …", then shorter ones
  std::string title;                 // of the document
  CallModel call;
  LearnModel learn;
  std::optional<VerifyModel> badge;  // of the walk's check, or the page's own
};

struct Views {
  HeaderModel header;
  VerifyModel verify;
  AccuracyModel accuracy;
  bool output_right = false;  // a deliberate mistake changes numbers on the way, and the result is right all the same
  TrafficModel traffic;
  std::optional<HardwareModel> hardware;  // where this problem was measured
  Page shown_page = Page::Walk;
  PageModels on_page;                            // the models of the current page (src/pages); empty while presenting
  std::optional<PresentModel> present;           // while presenting, instead of the page
  std::optional<ProblemModel> problem;           // while the editor is open
  std::optional<PresetsModel> presets;           // while their list is open
  std::optional<LessonPanelModel> lesson_panel;  // while a lesson is open
  std::vector<LessonEntry> lessons;              // while their list is open
  std::optional<ReviewModel> review;             // while the review is open
  std::vector<GlossaryEntry> glossary;           // likewise
  std::vector<QuestionEntry> questions;          // while their list is open

  // The models of that page if it is on screen; else null.
  template <class P>
  const P* page() const {
    return on_page.as<P>();
  }
};

class ViewBuilder {
 public:
  // Kernel sources by schedule; without one the panel says so.
  explicit ViewBuilder(KernelTexts kernels) : kernels_(std::move(kernels)) {}
  // Counters measured on a GPU; without them the models have no hardware figures.
  void set_hardware(HardwareTraffic traffic) { hardware_ = std::move(traffic); }
  // Rebuilds the models that the session's revision or the space changed, and returns all.
  const Views& build(const Session&, const ViewRoom&);
  std::uint64_t builds() const { return builds_; }

 private:
  void build_present(const Session&, const ViewRoom&);

  KernelTexts kernels_;
  std::optional<HardwareTraffic> hardware_;
  Views views_;
  ByType caches_;  // caches of pages
  WholeRuns runs_;
  ViewRoom room_;
  std::uint64_t revision_ = ~0ull, builds_ = 0;
  std::optional<Problem> runs_of_;
};

}  // namespace tilewalk
