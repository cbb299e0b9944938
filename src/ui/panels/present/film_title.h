// The first still of a film: over the window one sentence that says what the film shows. Drawn by draw_ui.
#pragma once

#include <string>

namespace tilewalk {

struct FilmTitle {   // kept in UiState
  std::string text;  // empty: no title
};

}  // namespace tilewalk
