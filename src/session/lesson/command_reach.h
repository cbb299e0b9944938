// How far a command reaches, and so who may give it. Lessons, questions and links are written by somebody else, so that
// they have a list of what they may do, and a command is on it or is not: they look, walk, ask, and change the problem
// in memory. What writes or opens files, lists folders, fills the clipboard, runs races, measurements or a GPU, changes
// what is kept between starts, or ends the program, a person alone may give.
#pragma once

#include "session/command.h"

namespace tilewalk {

enum class Reach {
  Scene,   // what a lesson may do
  Link,    // and turn to a lesson: what a question or a link may do
  Person,  // anything
};

Reach reach_of(const Command&);

}  // namespace tilewalk
