// Draws the window off-screen, as it would be at a document's cursor. Needs no display.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "render/png_file.h"
#include "session/command.h"
#include "session/opening.h"

namespace tilewalk {

struct RenderOptions {
  int width = 1600, height = 900;
  bool dark = true;
  double ui_scale = 0;        // 0: from the size
  std::vector<Command> then;  // carried out before anything is drawn
  std::string panel;          // empty: the whole window; else a row of ui/panels/panel_table.h
  std::string page;           // walk, compare, warps or race; empty: walk
  std::string race;           // a file of `race --csv`, shown on the page of the race as run here
  std::string dialog;         // empty, or one of: problem, presets, open, save, go-to, keys, palette, traffic
};

Result<Picture> render_picture(Opening, const RenderOptions&);

}  // namespace tilewalk
