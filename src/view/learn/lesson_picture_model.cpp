#include "view/learn/lesson_picture_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/units.h"
#include "session/lesson/answer.h"
#include "session/lesson/marked_tiles.h"
#include "view/learn/figure_text.h"

namespace tilewalk {
namespace {

constexpr std::int64_t kMostPictureCells = 512;
constexpr std::int64_t kMostPictureTiles = 64;  // a side

class PictureReader {
 public:
  PictureReader(const Session& session, const LessonPicture& picture)
      : session_(session), picture_(picture), done_(session.lesson().done()) {}

  LessonPictureModel read() const {
    LessonPictureModel out;
    const LessonController& lesson = session_.lesson();
    out.kind = picture_.kind;
    out.title = text(picture_.title);
    out.note = text(picture_.note);
    out.columns = picture_.columns;
    out.place = fmt::format("{} {}", lesson.lesson()->id, lesson.screen_place());
    out.done = done_;
    for (const PictureItem& item : picture_.items) out.items.push_back(item_of(item));
    const bool bands = picture_.kind == PictureKind::Bars || picture_.kind == PictureKind::Cells;
    out.asks_several = bands && std::count_if(out.items.begin(), out.items.end(),
                                              [](const PictureItemModel& item) { return item.asked; }) > 1;
    if (picture_.logarithmic)
      scale_by_logarithm(out);
    else
      scale(out);
    if (picture_.kind == PictureKind::Trips) out.trips = trips();
    return out;
  }

 private:
  std::string text(const Sentence& sentence) const {
    return sentence_text(sentence, session_.lesson().facts(), session_.problem());
  }
  std::optional<double> value(const Expression& expression) const {
    const Result<Figure> figure = expression.value(session_.lesson().facts());
    if (!figure || !figure->number() || !std::isfinite(*figure->number())) return std::nullopt;
    return *figure->number();
  }

  PictureItemModel item_of(const PictureItem& item) const {
    PictureItemModel out{.heading = item.heading, .name = item.name, .hue = item.hue, .sram = item.sram};
    const std::optional<double> number = item.value ? value(*item.value) : std::nullopt;
    out.asked = item.asked;
    out.hidden = (item.asked && !done_) || (item.value && !number);
    out.words = out.hidden ? "?" : text(item.says);
    out.zoomed = item.zoomed && !out.hidden;
    for (const Sentence& each : item.numbers) out.numbers.push_back(out.hidden ? "?" : text(each));
    if (out.hidden && item.asked && item.guess) out.guess = value(*item.guess);
    if (!number) return out;
    if (picture_.kind == PictureKind::Tiles) {
      out.count = std::clamp<std::int64_t>(std::llround(*number), 1, kMostPictureTiles);
      out.plain = item.shape_asked && !done_;
      if (out.plain) out.words.clear();
      set_marks(out);
      return out;
    }
    if (picture_.kind == PictureKind::Cells || picture_.kind == PictureKind::Pairs)
      out.count = out.hidden ? 0 : std::clamp<std::int64_t>(std::llround(*number), 0, kMostPictureCells);
    else if (!out.hidden)
      out.share = std::max(0.0, *number);
    if (item.shape_asked && !done_) return out;
    out.group = item.group;
    out.rings = item.rings;
    return out;
  }

  // Tiles that were checked and are wrong have a sign until they are unmarked.
  void set_marks(PictureItemModel& out) const {
    const LessonController& lesson = session_.lesson();
    if (done_ || !lesson.screen().task || lesson.screen().task->kind != TaskKind::MarkTiles) return;
    const LessonTask& task = *lesson.screen().task;
    const int side = side_of(task, lesson.facts());
    if (side != out.count) return;
    const TileMarks now = read_tile_marks(lesson.draft(), side).marks;
    const TileMarks checked = read_tile_marks(lesson.checked_draft(), side).marks, right = right_tiles(task, side);
    for (std::size_t i = 0; i < now.marked.size(); ++i)
      out.marks.push_back(!now.marked[i]                          ? TileMark::None
                          : checked.marked[i] && !right.marked[i] ? TileMark::Wrong
                                                                  : TileMark::Marked);
  }

  // One scale for the items under a heading, and under those after it with `same_scale`: the same before and after the
  // answer. The mark is on the last scale.
  void scale(LessonPictureModel& out) const {
    const std::optional<double> mark = picture_.mark ? value(picture_.mark->value) : std::nullopt;
    const bool areas = picture_.kind == PictureKind::Areas;
    for (std::size_t first = 0; first < out.items.size();) {
      std::size_t end = first + 1;
      while (end < out.items.size() && (out.items[end].heading.empty() || picture_.items[end].same_scale)) ++end;
      const bool last = end == out.items.size();
      double known = last ? mark.value_or(0) : 0, most = 0;
      for (std::size_t i = first; i < end; ++i) {
        if (!out.items[i].asked) known = std::max(known, out.items[i].share);
        most = std::max(most, out.items[i].share);
      }
      if (known > 0) most = known;
      const double room = known > 0 ? room_of_known(first, end, known) : 1;
      for (std::size_t i = first; i < end && most > 0; ++i) {
        const double share = room * out.items[i].share / most;
        out.items[i].share = areas ? std::sqrt(share) : share;
      }
      for (std::size_t i = first; i < end; ++i) set_guess(out.items[i], most, room);
      if (last && mark && most > 0) out.mark = room * *mark / most, out.mark_name = picture_.mark->name;
      first = end;
    }
  }

  // One scale for all items, from 1 to the next power of 10 that all fit below: the same before and after the answer.
  void scale_by_logarithm(LessonPictureModel& out) const {
    const std::optional<double> mark = picture_.mark ? value(picture_.mark->value) : std::nullopt;
    double most = std::max(10.0, mark.value_or(0));
    for (const PictureItem& item : picture_.items) most = std::max(most, value(*item.value).value_or(0));
    const double decades = std::ceil(std::log10(most));
    const auto share = [&](double number) { return number > 1 ? std::min(1.0, std::log10(number) / decades) : 0; };
    for (PictureItemModel& item : out.items) {
      item.share = share(item.share);
      if (item.guess) item.beyond = share(*item.guess) >= 1, item.guess = share(*item.guess);
    }
    if (mark) out.mark = share(*mark), out.mark_name = picture_.mark->name;
    for (int power = 0; power <= int(decades); ++power)
      out.ticks.push_back({power / decades, format_count(std::llround(std::pow(10.0, power)))});
  }

  // Returns the width of the longest known bar, or the largest known area: 1 where no item is asked, else the largest
  // power of one half at which the answer fits, for a bar at most a half. The picture reveals that power of the answer
  // and no more. An area may be 1 beside an asked one: a small answer would else be too small to see.
  double room_of_known(std::size_t first, std::size_t end, double known) const {
    double room = 1;
    for (std::size_t i = first; i < end; ++i) {
      const PictureItem& item = picture_.items[i];
      if (!item.asked || !item.value) continue;
      if (picture_.kind == PictureKind::Bars) room = std::min(room, 0.5);
      const double ratio = value(*item.value).value_or(0) / known;
      while (room * ratio > 1 && room > 1e-6) room /= 2;
    }
    return room;
  }

  // On the scale of the others under its heading; where there are none, along the task's slider.
  void set_guess(PictureItemModel& item, double most, double room) const {
    if (!item.guess) return;
    const double guess = *item.guess;
    const LessonTask& task = *session_.lesson().screen().task;
    if (!(guess > 0)) return item.guess.reset();
    double share = 0;
    if (picture_.kind == PictureKind::Areas)
      share = most > 0 ? std::sqrt(room * guess / most) : 0;
    else if (most > 0)
      share = room * guess / most;
    else if (task.low > 0 && task.high > task.low)
      share = std::log(guess / task.low) / std::log(task.high / task.low);
    const double most_share = picture_.kind == PictureKind::Areas ? 2.2 : 1;
    item.beyond = share > most_share;
    item.guess = std::clamp(share, 0.0, most_share);
    item.words = "your guess";
  }

  std::vector<PictureTrip> trips() const {
    std::vector<PictureTrip> out;
    for (const PictureItem& item : picture_.items) out.push_back({.letter = "", .text = item.name, .moves = item.trip});
    if (!out.empty()) return out;
    const LessonTask& task = *session_.lesson().screen().task;
    const std::vector<int> shown = shuffled(task);
    for (const char c : session_.lesson().draft()) {
      const std::size_t place = std::size_t(c - 'a');
      if (c < 'a' || place >= shown.size()) continue;
      const TaskOption& option = task.options[std::size_t(shown[place])];
      out.push_back({.letter = std::string(1, c), .text = option.text, .moves = option.trip});
    }
    return out;
  }

  const Session& session_;
  const LessonPicture& picture_;
  const bool done_;
};

}  // namespace

bool shows_lesson_picture(const Session& session) {
  const LessonController& controller = session.lesson();
  if (!controller.lesson() || !controller.screen().picture) return false;
  const std::optional<LessonTask>& task = controller.screen().task;
  return !(task && !task->show.empty() && controller.done() && session.page() != Page::Walk);
}

bool lesson_picture_covers_page(const Session& session) {
  return shows_lesson_picture(session) && session.lesson().has_picture();
}

std::optional<LessonPictureModel> build_lesson_picture_model(const Session& session) {
  if (!shows_lesson_picture(session)) return std::nullopt;
  return PictureReader(session, *session.lesson().screen().picture).read();
}

}  // namespace tilewalk
