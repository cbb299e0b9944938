// The list of presets: for each a small score grid, its description, what to see in it and, for problems of real size,
// the times recorded on a GPU. The search shows the presets that contain all typed words.
#pragma once

#include <string>
#include <vector>

#include "session/document/session_file.h"
#include "view/problem/grid_picture.h"
#include "view/problem/recorded_times.h"

namespace tilewalk {

struct PresetRow {
  std::string name, title, about;
  std::string problem;  // "FA-3 · N 8,192 · d 128 · 32 heads · bf16"
  GridPicture grid;
  RecordedTimes recorded;
  std::string group;  // "Of real size"
};

struct PresetsModel {
  std::vector<PresetRow> rows;
};

// `recorded` may be null.
PresetsModel build_presets_model(const std::vector<Preset>&, const Race* recorded);
std::vector<PresetRow> presets_with(const PresetsModel&, const std::string& words);

bool of_real_size(const Problem&);  // too long to walk tile by tile

}  // namespace tilewalk
