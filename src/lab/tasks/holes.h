// The holes of a task's start: where its text and the solution's differ. Filling one leaves the rest of the learner's
// text as it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tilewalk::lab {

struct Hole {  // lines [first, end) of the start, from 0; they may be none
  std::size_t first = 0, end = 0;
  std::vector<std::string> solution;  // what belongs there
};

struct HoleLines {  // of a text, from 1; an empty hole's last line is before its first
  int first = 0, last = 0;
  bool open = true;  // its lines are as in the start
};

class TaskHoles {
 public:
  TaskHoles() = default;
  // Where fewer than half of the solution's lines are the start's, all of the text is one hole.
  TaskHoles(const std::string& start, const std::string& solution);

  const std::vector<Hole>& holes() const { return holes_; }
  // The text with its first hole filled that is not yet as in the solution. Nothing where all are, or where the lines
  // beside the others were changed.
  std::optional<std::string> fill_next(const std::string& text) const;
  // Those whose neighbouring lines are as in the start.
  std::vector<HoleLines> find(const std::string& text) const;

 private:
  struct Place {
    const Hole* hole = nullptr;
    std::size_t first = 0, end = 0;  // lines of the text
  };
  std::vector<Place> places(const std::vector<std::string>& lines) const;

  std::vector<std::string> start_;
  std::vector<Hole> holes_;
};

}  // namespace tilewalk::lab
