#include "app/cli/text/lesson_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/text/profile_text.h"
#include "app/cli/text/walk_text.h"
#include "app/cli/text/which_text.h"
#include "base/contains.h"
#include "base/words.h"
#include "pages/tree/tree_model.h"
#include "pages/which/which_page.h"
#include "session/command/command_text.h"
#include "view/hand/hide.h"
#include "view/hide_asked.h"
#include "view/sentence/sentence.h"

namespace tilewalk {

namespace {

std::string lines_text(const std::vector<LessonLine>& lines) {
  std::string out;
  for (const LessonLine& line : lines)
    out += wrapped(plain_text(line), line.item ? "  - " : "") + (line.item ? "" : "\n");
  return out;
}

bool points_at(const LessonPanelModel& lesson_panel, std::initializer_list<const char*> names) {
  return std::any_of(lesson_panel.outline.begin(), lesson_panel.outline.end(),
                     [&](const std::string& name) { return contains(names, name); });
}

// Clicks of the window become typed commands.
std::string tree_text(const TreeModel& tree) {
  std::string out = "The family tree, a row for each kind of change:\n";
  for (const TreeLane& lane : tree.lanes) {
    std::string members;
    for (const TreeBox& box : tree.boxes)
      if (box.row >= lane.row && box.row < lane.row + lane.rows) {
        const std::string id = text_of(Command{box.choose});
        add_to_list(members, fmt::format("{} ({})", box.name, id.substr(id.find(' ') + 1)));
      }
    out += wrapped(members, "  " + lane.title + ": ");
  }
  out += fmt::format("\n{}\n", tree.name) + wrapped(tree.changes, "  ") + "\n";
  return out + "Another: choose-member and the word in brackets, such as choose-member ring.\n\n";
}

std::string page_text(const Session& session) {
  if (session.page() == Page::Tree) return tree_text(build_tree_model(session.tree().member()));
  if (session.page() != Page::Which) return "";
  if (const ProfileNews& opened = session.which().profile().news; opened.profile)
    return profile_text(*opened.profile, opened.path) + "\n";
  WhichPage page = build_which_page(session.which(), nullptr);
  if (!page.model) return page.missing + "\n\n";
  hide_answers(*page.model, session.lesson());
  return which_call_text(*page.model) + "\n";
}

}  // namespace

std::string lesson_list_text(const std::vector<LessonEntry>& lessons) {
  std::string out, phase;
  for (const LessonEntry& lesson : lessons) {
    if (lesson.phase != phase) add_to_list(out, lesson.phase + "\n", "\n");
    phase = lesson.phase;
    out += fmt::format("{:>4}  {}\n      {}, {} of {} done\n", lesson.number, lesson.title, lesson.time, lesson.done,
                       lesson.tasks);
  }
  return out;
}

std::string review_text(const ReviewModel& review) {
  std::string out = wrapped(review.opening, "") + "\n";
  for (const ReviewStep& step : review.steps) {
    out += wrapped(fmt::format("{}: {}", step.screen, step.said), "- ");
    out += wrapped(fmt::format("lesson {}, {}", step.open.number, step.lesson), "    ");
    out += fmt::format("    tilewalk lesson {} --screen {}\n", step.open.number, *step.open.screen);
  }
  out += std::string(review.steps.empty() ? "" : "\n") + "Read next\n";
  for (const Reading& reading : readings()) {
    out += wrapped(fmt::format("{} ({}, {})", reading.title, reading.source, reading.year), "- ");
    out += wrapped(reading.look_for, "    ");
  }
  return out;
}

std::string scene_text(const Session& session, const LessonPanelModel& lesson_panel) {
  const Schedule& schedule = session.schedule();
  const SeenState seen = session.hand().seen();
  const State& state = seen.state();
  std::string out = page_text(session);
  if (points_at(lesson_panel, {"scores", "tile", "mask"})) out += tile_map_text(schedule, state);
  if (points_at(lesson_panel, {"m", "alpha", "l", "table"})) out += softmax_text(schedule, seen);
  if (points_at(lesson_panel, {"o"})) out += o_tile_text(schedule, seen);
  if (points_at(lesson_panel, {"hbm", "sram", "memory"})) out += memory_text(schedule, state);
  if (points_at(lesson_panel, {"traffic"}))
    out +=
        session.lesson().hides("traffic") ? wrapped(kAskedNow, "HBM traffic: ") : traffic_text(schedule, state.cursor);
  if (points_at(lesson_panel, {"sentence", "transport"}))
    out += wrapped(session.hand().hides() ? kSentenceWaits : step_sentence(schedule, state),
                   fmt::format("Step {}: ", state.cursor));
  return out.empty() ? out : out + "\n";
}

std::string question_text(const Session& session) {
  const HandField* const open = session.hand().first_open();
  if (!open) return "";
  const std::string prompt = session.hand().focused() ? "\n" + wrapped(session.hand().prompt(), "   ") : "\n";
  return prompt + fmt::format("   {} = ?\n", place_name(open->place));
}

std::string asked_text(const Session& session) {
  const Schedule& schedule = session.schedule();
  const SeenState seen = session.hand().seen();
  return visit_text(schedule, session.inputs(), seen) + softmax_text(schedule, seen) + o_tile_text(schedule, seen) +
         question_text(session);
}

const char* form_of(RoofMark::Kind kind) {
  switch (kind) {
    case RoofMark::Kind::Slope: return "TB/s";
    case RoofMark::Kind::Ceiling: return "TFLOP/s";
    case RoofMark::Kind::Point: break;
  }
  return "FLOP per byte, then TFLOP/s";
}

// Commands that can be typed for a task, without their arguments.
std::string commands_for(const Session& session) {
  const auto verb = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  std::vector<std::string> wanted;
  for (const Command& command : session.lesson().screen().task->show)
    if (const std::string of = verb(text_of(command)); !contains(wanted, of)) wanted.push_back(of);
  std::string out;
  const std::vector<CommandForm> forms = command_forms();
  for (const std::string& one : wanted)
    for (const CommandForm& form : forms)
      if (verb(form.text) == one) out += fmt::format("     {}: {}\n", form.text, form.help);
  return out;
}

std::string screen_text(const Session& session, const LessonPanelModel& lesson_panel) {
  std::string out =
      fmt::format("== {}\n   {} · screen {} of {}\n\n", lesson_panel.screen_title, lesson_panel.head,
                  1 + std::count_if(lesson_panel.marks.begin(),
                                    std::find(lesson_panel.marks.begin(), lesson_panel.marks.end(), ScreenMark::Now),
                                    [](ScreenMark) { return true; }),
                  lesson_panel.marks.size());
  out += lines_text(lesson_panel.terminal.empty() ? lesson_panel.lines : lesson_panel.terminal) +
         scene_text(session, lesson_panel);
  if (!lesson_panel.task) return out;
  const LessonTaskModel& task = *lesson_panel.task;
  out += wrapped(plain_text(task.ask), "?? ");
  if (task.kind == TaskKind::Predict)
    out += fmt::format("   between {:g} and {:g} {}\n", task.low, task.high, task.unit);
  std::vector<std::string> places;
  for (const LessonOption& option : task.options) {
    out += wrapped(option.text, "   " + option.letter + ") ");
    if (!option.place.empty()) places.push_back(option.place);
  }
  for (std::size_t i = 0; i < places.size(); ++i) out += wrapped(places[i], fmt::format("   place {}: ", i + 1));
  if (task.kind == TaskKind::Do)
    out += "   In the window you click and press keys. Here you type commands:\n" + commands_for(session);
  if (task.kind == TaskKind::ByHand) out += "\n" + asked_text(session);
  if (task.kind == TaskKind::Draw) {
    for (const RoofMark& mark : session.lesson().screen().task->marks)
      if (!mark.given) out += fmt::format("   {}: {}\n", mark.name, form_of(mark.kind));
    out += "   Type a name and its numbers; several with ; between them.\n";
  }
  if (task.kind == TaskKind::MarkTiles)
    out += wrapped(
        "Type tiles by their Q tile, counted from 0 at the top, and their K tile, from the left, such as: 2,0 3,1-2",
        "   ");
  if (task.kind == TaskKind::Order || task.kind == TaskKind::Label)
    out += "   Type the letters in their right order, such as: b a c\n";
  return out;
}

std::string notes_text(const LessonPanelModel& lesson_panel) {
  std::string out;
  for (const LessonNote& note : lesson_panel.notes) {
    const char* const mark = note.kind == LessonNote::Kind::Right    ? "ok "
                             : note.kind == LessonNote::Kind::Wrong  ? "no "
                             : note.kind == LessonNote::Kind::NotYet ? "not yet: "
                             : note.kind == LessonNote::Kind::Hint   ? "hint: "
                                                                     : "";
    out += wrapped(plain_text(note.line), mark);
  }
  if (!lesson_panel.done || !lesson_panel.task) return out;
  if (out.empty()) out = "ok Right.\n";
  if (!lesson_panel.task->answer.empty()) out += wrapped(lesson_panel.task->answer, "   ");
  for (const LessonField& field : lesson_panel.task->fields) out += wrapped(field.name + " = " + field.answer, "   ");
  if (lesson_panel.task->kind == TaskKind::Order || lesson_panel.task->kind == TaskKind::Label)
    for (const LessonOption& option : lesson_panel.task->options)
      out += wrapped(option.place.empty() ? option.text : option.text + ": " + option.place, "   - ");
  return out + "\n" + lines_text(lesson_panel.after);
}

}  // namespace tilewalk
