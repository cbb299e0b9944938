// One line for the user: what was done, or why not. A message stays until its time has passed (longer for longer
// texts; 4 seconds where there was nothing to do), another message replaces it, or it is out of date: the cursor moved,
// a cell was selected, the race ended, the problem changed, the dialog was closed. No other command removes it. tick()
// passes the time in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"

namespace tilewalk {

struct Message {
  std::string text;
  bool error = false;        // a command was refused
  bool no_op = false;        // a command had nothing to do
  std::uint64_t serial = 0;  // grows with every message
};

enum class About { Deed, Cursor, Selection, Race, Problem };  // the change that makes a message out of date; Deed: none

class MessageLine {
 public:
  void say(std::string text, About about = About::Deed) { put({.text = std::move(text)}, about); }
  void note(std::string text, About about = About::Deed) { put({.text = std::move(text), .no_op = true}, about); }
  void refuse(std::string text, About about) { put({.text = std::move(text), .error = true}, about); }
  void refuse(const Issues& issues, About about) { put({.text = text_of(issues), .error = true}, about); }
  void done(About about);
  void clear() { message_.reset(); }
  bool tick(double now);  // seconds from any origin; true if the message's time has just ended

  const std::optional<Message>& message() const { return message_; }
  std::optional<double> seconds_left(double now) const;  // empty without a message

 private:
  void put(Message, About about);
  double seconds_shown() const;

  std::optional<Message> message_;
  About about_ = About::Deed;
  std::optional<double> since_;  // the first tick after it was set
  std::uint64_t serial_ = 0;
};

}  // namespace tilewalk
