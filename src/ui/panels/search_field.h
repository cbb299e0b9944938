// A field that searches the list below it: typed words filter the list, arrows choose an entry, Enter opens it.
#pragma once

#include <string>

#include "ui/ui.h"

namespace tilewalk {

struct SearchField {  // kept from one frame to the next
  std::string words;
  int choice = 0;  // index in the list as filtered
};

struct Searched {  // in this frame
  bool typed = false, entered = false;
};

// Draws the field. `appeared`: empties it and gives it the caret. `hint`: shown while it is empty; may be empty.
Searched search_field(const UiFrame&, SearchField&, bool appeared, const char* hint = "");
// Moves the choice by arrows within so many entries; to the first after typing. True if it changed.
bool move_choice(SearchField&, const Searched&, std::size_t entries);

}  // namespace tilewalk
