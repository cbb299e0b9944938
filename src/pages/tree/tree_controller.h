// The page of the family tree: the chosen member.
#pragma once

#include <algorithm>
#include <iterator>

#include "session/command/command.h"
#include "session/document/document.h"
#include "session/document/words.h"

namespace tilewalk {

class TreeController {
 public:
  TreeMember member() const { return member_; }
  void choose(TreeMember member) { member_ = member; }
  bool step_presented(StepUnit, int direction) {  // to the next member, while the page is presented
    member_ = TreeMember(std::clamp(int(member_) + direction, 0, int(std::size(kTreeWords)) - 1));
    return true;
  }

 private:
  TreeMember member_ = TreeMember::Flash2;
};

}  // namespace tilewalk
