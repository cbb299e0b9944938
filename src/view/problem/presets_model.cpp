#include "view/problem/presets_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/units.h"
#include "base/words.h"
#include "core/schedules/registry.h"

namespace tilewalk {
namespace {

std::string problem_words(const Problem& p) {
  const Shape& s = p.shape;
  std::string out = title_of(p.schedule);
  out += s.n_q == s.n_kv ? fmt::format(" · N {}", format_count(s.n_q))
                         : fmt::format(" · N {} × {}", format_count(s.n_q), format_count(s.n_kv));
  out += fmt::format(" · d {} · tiles {}×{}", s.d, p.tiling.br, p.tiling.bc);
  if (s.batch > 1) out += fmt::format(" · batch {}", s.batch);
  if (s.heads > 1) out += fmt::format(" · {} heads", s.heads);
  if (s.kv_heads != s.heads) out += fmt::format(", {} for K and V", s.kv_heads);
  return out + " · " + name_of(p.numerics.dtype);
}

}  // namespace

bool of_real_size(const Problem& p) { return std::max(p.shape.n_q, p.shape.n_kv) >= 1024; }

PresetsModel build_presets_model(const std::vector<Preset>& presets, const Race* recorded) {
  PresetsModel model;
  for (const Preset& preset : presets) {
    const Document& d = preset.document;
    PresetRow row;
    row.name = preset.name;
    row.title = d.title.empty() ? preset.name : d.title;
    row.about = d.about;
    row.problem = problem_words(d.problem);
    row.grid = build_grid_picture(d.problem);
    const bool real = of_real_size(d.problem);
    if (real && recorded) row.recorded = recorded_times(*recorded, d.problem);
    row.group = real ? "Of real size" : "Small: walk them step by step";
    model.rows.push_back(std::move(row));
  }
  return model;
}

std::vector<PresetRow> presets_with(const PresetsModel& model, const std::string& words) {
  std::vector<PresetRow> out;
  for (const PresetRow& row : model.rows) {
    const std::string text = lower_case(row.name + " " + row.title + " " + row.about + " " + row.problem);
    std::istringstream stream(lower_case(words));
    bool all = true;
    for (std::string word; stream >> word;) all = all && text.find(word) != std::string::npos;
    if (all) out.push_back(row);
  }
  return out;
}

}  // namespace tilewalk
