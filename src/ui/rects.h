// The rectangle of everything clickable in the frame before, by panel and id: "transport/play". Tests and programs that
// drive the window (app/window/mirror.h) read positions here instead of computing them. The
// later one of two with the same id counts. Drawing does not read them.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "ui/draw.h"

namespace tilewalk {

class Rects {
 public:
  void begin_frame() { rects_.clear(); }
  void within(std::string panel) { panel_ = std::move(panel); }
  void put(const std::string& id, const draw::Rect& r) { rects_[panel_ + "/" + id] = r; }
  const std::map<std::string, draw::Rect>& all() const { return rects_; }
  std::optional<draw::Rect> find(const std::string& place) const {
    const auto at = rects_.find(place);
    return at == rects_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::string panel_;
  std::map<std::string, draw::Rect> rects_;
};

}  // namespace tilewalk
