#include "session/lesson/marked_tiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "base/parse.h"
#include "base/words.h"

namespace tilewalk {
namespace {

// "3" or "1-4"; false where it is neither, or not within the side.
bool read_range(const std::string& text, int side, int& first, int& last) {
  const std::size_t dash = text.find('-');
  const std::optional<std::int64_t> from = parse_integer(text.substr(0, dash));
  const std::optional<std::int64_t> to = dash == std::string::npos ? from : parse_integer(text.substr(dash + 1));
  if (!from || !to || *from < 0 || *to < *from || *to >= side) return false;
  first = int(*from), last = int(*to);
  return true;
}

bool read_tiles(const std::string& word, TileMarks& marks) {
  const std::size_t comma = word.find(',');
  int q = 0, last_q = 0, k = 0, last_k = 0;
  if (comma == std::string::npos || !read_range(word.substr(0, comma), marks.side, q, last_q) ||
      !read_range(word.substr(comma + 1), marks.side, k, last_k))
    return false;
  for (; q <= last_q; ++q)
    for (int each = k; each <= last_k; ++each) marks.marked[marks.place(q, each)] = true;
  return true;
}

TileMarks none_of(int side) { return {side, std::vector<bool>(std::size_t(side) * std::size_t(side))}; }

// The lesson's text about the first kind that is marked and should not be; null: it has none.
const WrongTiles* named_mistake(const LessonTask& task, const TileMarks& wrong) {
  const auto is_marked = [&](TileKind kind) {
    for (int q = 0; q < wrong.side; ++q)
      for (int k = 0; k < wrong.side; ++k)
        if (wrong.at(q, k) && tile_kind(q, k) == kind) return true;
    return false;
  };
  const auto found = std::find_if(task.wrong_tiles.begin(), task.wrong_tiles.end(),
                                  [&](const WrongTiles& each) { return is_marked(each.kind); });
  return found == task.wrong_tiles.end() ? nullptr : &*found;
}

}  // namespace

int TileMarks::count() const { return int(std::count(marked.begin(), marked.end(), true)); }

int side_of(const LessonTask& task, const Facts& facts) {
  const Result<Figure> side = task.answer->value(facts);
  if (!side || !side->number() || !(*side->number() >= 1)) return 0;
  return int(std::min(std::round(*side->number()), double(kMostMarkedSide)));
}

ReadTileMarks read_tile_marks(const std::string& text, int side) {
  ReadTileMarks out{.marks = none_of(side), .error = ""};
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (!read_tiles(word, out.marks)) {
      out.error = fmt::format(
          "{} names no tile. Type the Q tile and the K tile, 0 to {}: 2,0. A range of K tiles: 3,1-2.", word, side - 1);
      return out;
    }
  return out;
}

std::string text_of(const TileMarks& marks) {
  std::string out;
  for (int q = 0; q < marks.side; ++q)
    for (int k = 0; k < marks.side; ++k) {
      if (!marks.at(q, k)) continue;
      const int first = k;
      while (k + 1 < marks.side && marks.at(q, k + 1)) ++k;
      add_to_list(out, first == k ? fmt::format("{},{}", q, k) : fmt::format("{},{}-{}", q, first, k), " ");
    }
  return out;
}

std::string with_tile_turned(const std::string& draft, int side, int q, int k) {
  TileMarks marks = read_tile_marks(draft, side).marks;
  const std::size_t at = marks.place(q, k);
  marks.marked[at] = !marks.marked[at];
  return text_of(marks);
}

TileMarks right_tiles(const LessonTask& task, int side) {
  TileMarks out = none_of(side);
  for (int q = 0; q < side; ++q)
    for (int k = 0; k < side; ++k) out.marked[out.place(q, k)] = tile_kind(q, k) == task.tiles;
  return out;
}

CheckedAnswer check_tiles(const LessonTask& task, const std::string& text, const Facts& facts) {
  const int side = side_of(task, facts);
  if (side == 0) return {AnswerVerdict::Unknown, {}, ""};
  const ReadTileMarks read = read_tile_marks(text, side);
  if (!read.error.empty()) return {AnswerVerdict::Unread, {}, read.error};
  const int marked = read.marks.count();
  if (marked == 0) return {AnswerVerdict::Unread, {}, "No tile is marked yet."};
  const TileMarks right = right_tiles(task, side);
  if (read.marks.marked == right.marked) return {AnswerVerdict::Right, {}, ""};
  TileMarks wrong = read.marks;
  for (std::size_t i = 0; i < wrong.marked.size(); ++i) wrong.marked[i] = wrong.marked[i] && !right.marked[i];
  if (wrong.count() == 0)
    return {AnswerVerdict::Wrong, {}, fmt::format("{} marked, all of them right. There are more.", marked)};
  const WrongTiles* const said = named_mistake(task, wrong);
  return {AnswerVerdict::Wrong, said ? said->says : Sentence{},
          fmt::format("{} of {} marked tiles {} wrong: {} (Q tile, K tile).", wrong.count(), marked,
                      wrong.count() == 1 ? "is" : "are", text_of(wrong))};
}

}  // namespace tilewalk
