// Visible texts, each with its place in the window: each page and panel adds its own for view/check/every_text.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct ShownText {
  std::string where;  // "traffic", "softmax row 9, α"
  std::string text;
};

struct ShownTexts {
  std::vector<ShownText> all;

  void say(const std::string& where, const std::string& text) {
    if (!text.empty()) all.push_back({where, text});
  }
  void say(const std::string& where, const std::vector<std::string>& texts) {
    for (const std::string& each : texts) say(where, each);
  }
};

}  // namespace tilewalk
