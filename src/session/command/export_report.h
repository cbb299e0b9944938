// What the window can export, one row for each format, and the progress of an export. A format is its enumerator, its
// row here and its writer in app/jobs/export_task.cpp; app/window/picture_export writes the formats that need the
// picture of the window.
#pragma once

#include <string>

#include "session/command/job_state.h"

namespace tilewalk {

enum class ExportKind { Picture, Film, Counters, Lanes, Worksheet, Kernel };

inline constexpr int kSquareSide = 1200;  // pixels of a picture for a post

enum class ExportNeeds { Walk, View, Frames };  // the opened problem, the window's picture, or one after each step

struct ExportRow {
  ExportKind kind{};
  const char* word;    // as commands spell it
  const char* title;   // "Picture of the view"
  const char* about;   // one sentence
  const char* ending;  // ".png"
  const char* other_ending = nullptr;
  const char* name;  // default name of the file
  ExportNeeds needs{};
  const char* verb;          // the verb that writes it without a window
  const char* reveals[5]{};  // words of kHideWords that the file would show; none: it shows no number
};
inline constexpr ExportRow kExports[] = {
    {.kind = ExportKind::Picture,
     .word = "picture",
     .title = "Picture of the view (PNG)",
     .about = "The window as it is, without this dialog.",
     .ending = ".png",
     .name = "view.png",
     .needs = ExportNeeds::View,
     .verb = "tilewalk render --out"},
    {.kind = ExportKind::Film,
     .word = "film",
     .title = "This Q tile, moving (GIF or APNG)",
     .about = "The window after each step, from where this Q tile starts to where it ends. For slides.",
     .ending = ".gif",
     .other_ending = ".apng",
     .name = "q-tile.gif",
     .needs = ExportNeeds::Frames,
     .verb = "tilewalk render --animate",
     .reveals = {"levels", "traffic", "advice", "saves", "times"}},
    {.kind = ExportKind::Counters,
     .word = "counters",
     .title = "Counters, step by step (CSV)",
     .about = "Bytes and FLOPs after every step, a line each. For a spreadsheet.",
     .ending = ".csv",
     .name = "counters.csv",
     .needs = ExportNeeds::Walk,
     .verb = "tilewalk counters --csv",
     .reveals = {"traffic"}},
    {.kind = ExportKind::Lanes,
     .word = "lanes",
     .title = "Lanes of this thread block (Perfetto)",
     .about = "Who does what, when: the modelled timeline. ui.perfetto.dev opens it.",
     .ending = ".json",
     .name = "lanes.json",
     .needs = ExportNeeds::Walk,
     .verb = "tilewalk counters --perfetto",
     .reveals = {"saves", "times"}},
    {.kind = ExportKind::Worksheet,
     .word = "worksheet",
     .title = "Worksheet and key (PDF)",
     .about = "This Q tile to work by hand on paper. Tiles and head size up to 8.",
     .ending = ".pdf",
     .name = "worksheet.pdf",
     .needs = ExportNeeds::Walk,
     .verb = "tilewalk worksheet --out"},
    {.kind = ExportKind::Kernel,
     .word = "kernel",
     .title = "Your kernel of the lab (CUDA C)",
     .about = "The text of the lab's open task, as you wrote it.",
     .ending = ".cu",
     .name = "my.cu",
     .needs = ExportNeeds::Walk,
     .verb = "tilewalk lab new"}};
inline constexpr const ExportRow& export_row(ExportKind kind) { return kExports[int(kind)]; }
inline constexpr bool needs_a_picture(ExportKind kind) { return export_row(kind).needs != ExportNeeds::Walk; }

struct ExportNews {  // reported by the writer
  bool running = false;
  double fraction = 0;
  bool stopped = false;  // stopped before it was complete; no file was written
  std::string failure;   // why there is no file
  bool operator==(const ExportNews&) const = default;
};

struct Exports : JobState {
  ExportKind kind = ExportKind::Picture;  // the last one requested
  std::string path;
  bool square = false;          // of kSquareSide pixels, in large type
  std::string asks_to_replace;  // the path that a person must agree to replace; empty: no question is open
};

}  // namespace tilewalk
