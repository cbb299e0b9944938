#include "session/document/message_line.h"

#include <algorithm>

namespace tilewalk {

void MessageLine::put(Message message, About about) {
  message_ = std::move(message);
  message_->serial = ++serial_;
  about_ = about;
  since_.reset();
}

void MessageLine::done(About about) {
  if (message_ && about_ == about) message_.reset();
}

// Time to notice a message and to read it at 15 letters a second; an error is read twice.
double MessageLine::seconds_shown() const {
  if (message_->no_op) return 4;
  return (4 + double(message_->text.size()) / 15) * (message_->error ? 2 : 1);
}

bool MessageLine::tick(double now) {
  if (!message_) return false;
  if (!since_) since_ = now;
  if (now - *since_ < seconds_shown()) return false;
  message_.reset();
  return true;
}

std::optional<double> MessageLine::seconds_left(double now) const {
  if (!message_) return std::nullopt;
  return std::max(0.0, seconds_shown() - (now - since_.value_or(now)));
}

}  // namespace tilewalk
