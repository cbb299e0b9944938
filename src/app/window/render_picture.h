// Draws the window off-screen, at a document's cursor. Needs no display.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/film_cursors.h"
#include "app/window/screen.h"
#include "base/result.h"
#include "render/offscreen_context.h"
#include "render/png_file.h"
#include "session/command/command.h"
#include "session/document/opening.h"

namespace tilewalk {

struct PanelRow;

struct RenderOptions {
  int width = 1600, height = 900;
  bool dark = true;
  double ui_scale = 0;         // 0: from the size
  std::vector<Command> then;   // executed before anything is drawn
  std::string panel;           // empty: the whole window; else a row of ui/panels/panel_table.h, drawn at this size
  bool panel_at_size = false;  // the size is the panel's, not the window's
  bool post = false;           // the memories, the matrix and the sentence alone, for a square picture
  std::string page;            // walk, compare, warps or race; empty: walk
  std::string race;            // a file of `race --csv`, shown on the page of the race as one run here
  std::string dialog;          // empty, or one of: problem, presets, open, save, go-to, keys, palette, traffic
};

// The window drawn off-screen, for one picture or for many of one walk.
class OffscreenWindow {
 public:
  static Result<std::unique_ptr<OffscreenWindow>> open(Opening, const RenderOptions&);
  ~OffscreenWindow();
  Session& session();
  void go_to(std::int64_t cursor, double t = 1);  // t: of the motion of the step before the cursor
  void go_to(const FilmFrame&);
  Result<Picture> picture();
  // As a window draws it at that time, in seconds; time passes with each call.
  Result<Picture> picture_at(double now);

 private:
  explicit OffscreenWindow(RenderOptions options) : options_(std::move(options)) {}
  void draw(int width, int height);
  std::pair<int, int> window_around(const PanelRow&);

  RenderOptions options_;
  std::optional<std::pair<int, int>> around_;  // the size of the window
  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<Screen> screen_;  // after the context, so that it is destroyed first
};

}  // namespace tilewalk
