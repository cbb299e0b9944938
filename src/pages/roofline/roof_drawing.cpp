#include "pages/roofline/roof_drawing.h"

#include <algorithm>
#include <cmath>

#include "pages/roofline/roofline_scale.h"

namespace tilewalk {
namespace {

constexpr RooflineScale kPaper{.least_x = 1, .most_x = 16384, .least_y = 1, .most_y = 3000};
constexpr double kNear = 0.04;  // of the plot

const LessonTask* drawing_task(const LessonController& lesson) {
  if (!lesson.lesson() || !lesson.screen().task) return nullptr;
  const LessonTask& task = *lesson.screen().task;
  return task.kind == TaskKind::Draw ? &task : nullptr;
}

// Its places in the task's list, for the marks that a person places.
std::vector<std::size_t> placeable(const LessonTask& task) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < task.marks.size(); ++i)
    if (!task.marks[i].given) out.push_back(i);
  return out;
}

double from_log(double at, double least, double most) {
  return least * std::exp(std::clamp(at, 0.0, 1.0) * std::log(most / least));
}

// A place on the paper as numbers. A slope is told by where it would meet 1 FLOP per byte.
PlacedMark mark_at(RoofMark::Kind kind, const PlotPoint& at) {
  const double x = from_log(at.x, kPaper.least_x, kPaper.most_x), y = from_log(at.y, kPaper.least_y, kPaper.most_y);
  switch (kind) {
    case RoofMark::Kind::Slope: return {1, y / x};
    case RoofMark::Kind::Ceiling: return {1, y};
    case RoofMark::Kind::Point: break;
  }
  return {x, y};
}

// The number of the first mark of a kind, once it has a place.
std::optional<double> first_of(RoofMark::Kind kind, const LessonTask& task, const PlacedMarks& places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (task.marks[i].kind == kind && places[i]) return places[i]->y;
  return std::nullopt;
}

// Ceilings begin on the slope, which ends at the first of them, the roof.
void put(DrawnMark& mark, const PlacedMark& placed, const std::optional<double>& slope,
         const std::optional<double>& roof) {
  switch (mark.kind) {
    case RoofMark::Kind::Slope: {
      const double top = std::min({roof.value_or(kPaper.most_y), kPaper.most_y, placed.y * kPaper.most_x});
      const double from = std::max(1.0, kPaper.least_y / placed.y);
      mark.at = {kPaper.x(from), kPaper.y(from * placed.y)};
      mark.to = {kPaper.x(top / placed.y), kPaper.y(top)};
      return;
    }
    case RoofMark::Kind::Ceiling:
      mark.at = {slope ? kPaper.x(placed.y / *slope) : 0, kPaper.y(placed.y)};
      mark.to = {1, mark.at.y};
      return;
    case RoofMark::Kind::Point: mark.at = {kPaper.x(placed.x), kPaper.y(placed.y)}; return;
  }
}

PlacedMarks places_of(const LessonController& lesson, const LessonTask& task) {
  PlacedMarks places = placed_marks(task, lesson.draft()).marks;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (task.marks[i].given) places[i] = right_place(task.marks[i], lesson.facts());
  return places;
}

}  // namespace

std::optional<RoofDrawing> build_roof_drawing(const LessonController& lesson) {
  const LessonTask* const task = drawing_task(lesson);
  if (!task) return std::nullopt;
  RoofDrawing out{.axes = {.x_ticks = {}, .y_ticks = {}, .x_title = "FLOP per byte", .y_title = "TFLOP/s"},
                  .marks = {},
                  .choices = {},
                  .done = lesson.done()};
  kPaper.add_ticks(out.axes);
  const PlacedMarks places = places_of(lesson, *task);
  const std::optional<double> slope = first_of(RoofMark::Kind::Slope, *task, places),
                              roof = first_of(RoofMark::Kind::Ceiling, *task, places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const RoofMark& mark = task->marks[i];
    const int choice = mark.given ? -1 : int(out.choices.size());
    if (!mark.given) out.choices.push_back(mark.name);
    if (!places[i]) continue;
    DrawnMark drawn{.label = mark.name + " " + words_of(mark, *places[i]),
                    .kind = mark.kind,
                    .look = mark.given ? DrawnMark::Look::Given : DrawnMark::Look::Placed,
                    .at = {},
                    .to = {},
                    .choice = choice};
    if (!mark.given && (lesson.checked() || lesson.done()))
      drawn.look = judged(*task, i, *places[i], lesson.facts()).right ? DrawnMark::Look::Right : DrawnMark::Look::Wrong;
    put(drawn, *places[i], slope, roof);
    out.marks.push_back(std::move(drawn));
  }
  return out;
}

std::string draft_with(const LessonController& lesson, int choice, const PlotPoint& at) {
  const LessonTask& task = *drawing_task(lesson);
  const std::size_t mark = placeable(task)[std::size_t(choice)];
  PlacedMarks places = placed_marks(task, lesson.draft()).marks;
  places[mark] = mark_at(task.marks[mark].kind, at);
  return text_of_marks(task, places);
}

std::string draft_moved(const LessonController& lesson, int choice, double across, double up) {
  const LessonTask& task = *drawing_task(lesson);
  const std::size_t mark = placeable(task)[std::size_t(choice)];
  PlacedMarks places = placed_marks(task, lesson.draft()).marks;
  if (!places[mark]) return draft_with(lesson, choice, {0.5, 0.5});
  const auto moved = [](double value, double by, double least, double most) {
    return std::clamp(value * std::exp(by * std::log(most / least)), least * 1e-3, most * 1e3);
  };
  if (task.marks[mark].kind == RoofMark::Kind::Point)
    places[mark]->x = moved(places[mark]->x, across, kPaper.least_x, kPaper.most_x);
  places[mark]->y = moved(places[mark]->y, up, kPaper.least_y, kPaper.most_y);
  return text_of_marks(task, places);
}

int choice_near(const RoofDrawing& drawing, const PlotPoint& at) {
  double nearest = kNear;
  int choice = -1;
  for (const DrawnMark& mark : drawing.marks) {
    if (mark.choice < 0) continue;
    double off = std::hypot(mark.at.x - at.x, mark.at.y - at.y);
    if (mark.kind != RoofMark::Kind::Point) {
      const double along =
          mark.to.x > mark.at.x ? std::clamp((at.x - mark.at.x) / (mark.to.x - mark.at.x), 0.0, 1.0) : 0;
      off = std::hypot(mark.at.x + along * (mark.to.x - mark.at.x) - at.x,
                       mark.at.y + along * (mark.to.y - mark.at.y) - at.y);
    }
    if (off < nearest) nearest = off, choice = mark.choice;
  }
  return choice;
}

}  // namespace tilewalk
