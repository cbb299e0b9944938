#include "session/resources.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "dispatch/rule_table.h"
#include "measured/chip_timeline.h"
#include "measured/recorded_race.h"
#include "session/questions/question_file.h"

namespace tilewalk {
namespace fs = std::filesystem;
namespace {

// Loads at the first call; copies share the result.
template <class Load>
auto kept(Load load) {
  return [load, has = std::make_shared<std::optional<decltype(load())>>()] {
    if (!*has) has->emplace(load());
    return **has;
  };
}

}  // namespace

Result<std::string> find_resource_root() {
  std::error_code error;
  auto holds_assets = [&](const fs::path& folder) { return fs::is_directory(folder / "assets" / "presets", error); };
  if (const char* root = std::getenv("TILEWALK_ROOT")) {
    if (holds_assets(root)) return std::string(root);
    return Issue{"TILEWALK_ROOT", root, "contains no assets/presets", "Set it to Tilewalk's folder, or leave it unset"};
  }
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (const fs::path installed = beside.parent_path() / "share" / "tilewalk"; holds_assets(installed))
    return installed.string();
  for (fs::path folder = beside; !folder.empty(); folder = folder.parent_path()) {
    if (holds_assets(folder)) return folder.string();
    if (folder == folder.parent_path()) break;
  }
#ifdef TILEWALK_SOURCE_DIR
  if (holds_assets(TILEWALK_SOURCE_DIR)) return std::string(TILEWALK_SOURCE_DIR);
#endif
  return Issue{"assets", "", "are neither above the program nor in share/tilewalk beside its folder",
               "Set TILEWALK_ROOT to Tilewalk's folder"};
}

void read_from(const std::string& root, SessionSetup& setup) {
  setup.of<RaceController>().load_race = kept([root] { return load_shipped_race(root); });
  setup.of<CompareController>().load_chip =
      kept([root] { return load_chip_timelines(root + "/" + kChipTimelineFile); });
  setup.load_questions = kept([root] { return load_questions(root); });
  setup.of<LabController>().load_tasks = kept([root] { return lab::load_tasks(root + "/assets/lab"); });
  setup.of<LabController>().read_changed = [](const std::string& path,
                                              FileIdentity& known) -> std::optional<Result<std::string>> {
    const FileIdentity now = identity_of(path);
    if (now == known && known != FileIdentity{}) return std::nullopt;
    known = now;
    return read_text_file(path, kMostKernelText);
  };
  setup.of<WhichController>().load_rules = kept([root] { return load_rule_tables(root); });
  setup.of<WhichController>().load_example = [root](const std::string& name) {
    return read_profile(root + "/assets/profiles/" + name + ".json");
  };
  setup.of<RooflineController>().load_processors = kept([root] { return load_known_processors(root); });
  setup.of<RooflineController>().load_times =
      [root, kept = std::make_shared<std::map<std::string, Result<RaceTimes>>>()](const std::string& device) {
        const auto at = kept->find(device);
        return at != kept->end() ? at->second : kept->emplace(device, load_race_times(root, device)).first->second;
      };
}

}  // namespace tilewalk
