// One line for the person: what was done, or why not. A message stays until its time has passed (longer words stay
// longer), another one replaces it, or what it speaks of is done: the cursor moved on, a cell was selected, the race is
// over, the problem is another, the dialog is closed. No other command takes it away. Time comes in with tick().
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace tilewalk {

struct Message {
  std::string text;
  bool error = false;
  std::uint64_t serial = 0;  // grows with every message
};

enum class About { Deed, Cursor, Selection, Race, Problem };  // what would make a message out of date; Deed: nothing

class MessageLine {
 public:
  void say(std::string text, About about = About::Deed) { put(std::move(text), false, about); }
  void refuse(std::string text, About about) { put(std::move(text), true, about); }
  void refuse(const Issues& issues, About about) { put(text_of(issues), true, about); }
  void done(About about);
  void clear() { message_.reset(); }
  bool tick(double now);  // seconds, any origin; true if its time has passed just now

  const std::optional<Message>& message() const { return message_; }
  std::optional<double> seconds_left(double now) const;  // nothing without a message

 private:
  void put(std::string text, bool error, About about);
  double seconds_shown() const;

  std::optional<Message> message_;
  About about_ = About::Deed;
  std::optional<double> since_;  // the first tick that saw it
  std::uint64_t serial_ = 0;
};

}  // namespace tilewalk
