// What can be exported from the window, and how far an export is. Made outside (app/jobs writes what needs no picture,
// the window draws the others), kept by the export desk.
#pragma once

#include <cstdint>
#include <string>

namespace tilewalk {

enum class ExportKind { Picture, Film, Counters, Lanes, Worksheet };

struct ExportRow {
  ExportKind kind{};
  const char* word;    // as commands spell it
  const char* title;   // "Picture of the view"
  const char* about;   // one sentence
  const char* ending;  // ".png"
  const char* other_ending = nullptr;
  const char* name;  // of the file, unless a person chooses another
};
inline constexpr ExportRow kExports[] = {
    {.kind = ExportKind::Picture,
     .word = "picture",
     .title = "Picture of the view (PNG)",
     .about = "The window as it is, without this dialog.",
     .ending = ".png",
     .name = "view.png"},
    {.kind = ExportKind::Film,
     .word = "film",
     .title = "This Q tile, moving (GIF or APNG)",
     .about = "The window after each step, from where this Q tile starts to where it ends. For slides.",
     .ending = ".gif",
     .other_ending = ".apng",
     .name = "q-tile.gif"},
    {.kind = ExportKind::Counters,
     .word = "counters",
     .title = "Counters, step by step (CSV)",
     .about = "Bytes and FLOPs after every step, a line each. For a spreadsheet.",
     .ending = ".csv",
     .name = "counters.csv"},
    {.kind = ExportKind::Lanes,
     .word = "lanes",
     .title = "Lanes of this thread block (Perfetto)",
     .about = "Who does what, when: the modelled timeline. ui.perfetto.dev opens it.",
     .ending = ".json",
     .name = "lanes.json"},
    {.kind = ExportKind::Worksheet,
     .word = "worksheet",
     .title = "Worksheet and key (PDF)",
     .about = "This Q tile to work by hand on paper. Tiles and head size up to 8.",
     .ending = ".pdf",
     .name = "worksheet.pdf"}};
inline constexpr const ExportRow& row_of(ExportKind kind) { return kExports[int(kind)]; }

struct ExportNews {  // from whoever writes it
  bool running = false;
  double fraction = 0;
  bool stopped = false;  // before it was whole; nothing was written
  std::string failure;   // why there is no file
  bool operator==(const ExportNews&) const = default;
};

struct Exports {
  ExportKind kind = ExportKind::Picture;  // asked for last
  std::string path;
  bool running = false, stopping = false;
  double fraction = 0;
  std::string asks_to_replace;                      // a path that would be replaced; empty: nothing is to be asked
  std::uint64_t start_serial = 0, stop_serial = 0;  // grow with each request; the window acts on them
};

}  // namespace tilewalk
