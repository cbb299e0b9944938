// The page of the family tree: the chosen member.
#pragma once

#include "session/command/command.h"

namespace tilewalk {

class TreeController {
 public:
  TreeMember member() const { return member_; }
  void choose(TreeMember member) { member_ = member; }

 private:
  TreeMember member_ = TreeMember::Flash2;
};

}  // namespace tilewalk
