// Result<T>: a value, or every reason why there is none.
//
// A fault of input is reported as an Issue: the field, its value, the rule that this value breaks, and what to do.
// Functions that read input of a user or a file return Result<T>; they never print, throw for bad input, or exit. All
// issues that can be found at once are reported at once. Parts of an Issue may contain any bytes of a file or of a
// command line: its text is one line of harmless characters (base/shown), and of many issues the first ten are listed.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilewalk {

struct Issue {
  std::string field;       // where the fault is: "br", "q.npy, byte 12"
  std::string value;       // the value, as text; may be empty
  std::string rule;        // the rule it breaks: "must be from 1 to 256"
  std::string suggestion;  // what to do; may be empty

  bool operator==(const Issue&) const = default;
  std::string text() const;  // one line: "br = 0: must be from 1 to 256. Try 1"
};

using Issues = std::vector<Issue>;

inline void append(Issues& to, const Issues& more) { to.insert(to.end(), more.begin(), more.end()); }

std::vector<std::string> lines_of(const Issues&);  // ten at most, then "and 5 more"
std::string text_of(const Issues&);                // the same, with line ends between
std::string in_one_line(const Issues&);            // the same, as a part of a sentence

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Issue issue) : state_(Issues{std::move(issue)}) {}
  Result(Issues issues) : state_(std::move(issues)) {}

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }
  T& value() { return std::get<T>(state_); }
  const T& value() const { return std::get<T>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Issues& issues() const { return std::get<Issues>(state_); }

 private:
  std::variant<T, Issues> state_;
};

struct Done {};  // Result<Done>: nothing to return but success

// Stores the value in `to`, or adds the reasons why there is none to `issues`.
template <class T, class U>
void put(Result<T> from, U& to, Issues& issues) {
  if (from)
    to = U(std::move(*from));
  else
    append(issues, from.issues());
}
template <class T>
void add(Result<T> from, std::vector<T>& to, Issues& issues) {
  if (from)
    to.push_back(std::move(*from));
  else
    append(issues, from.issues());
}

}  // namespace tilewalk
