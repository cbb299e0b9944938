#include "session/document/settings.h"

#include "base/contains.h"
#include "base/shown.h"
#include "base/words.h"
#include "files/table_reader.h"
#include "files/toml_text.h"
#include "session/document/playback.h"
#include "session/document/words.h"

namespace tilewalk {
namespace {

constexpr const char* kMotions[] = {"full", "reduced"};
constexpr const char* kThemes[] = {"dark", "light"};
constexpr double kSlowestInFiles = 0.001;     // slower than the screen allows; older files may have it
constexpr std::int64_t kMostBytes = 1 << 18;  // eight paths of 4 KiB, every letter an escape sequence

void read_recent(TableReader& reader, std::vector<std::string>& recent) {
  const toml::node* node = reader.take("recent");
  if (!node) return;
  const toml::array* list = node->as_array();
  if (!list) return reader.refuse(*node, "recent", "must be a list of paths", "Such as recent = [\"session.toml\"]");
  for (const toml::node& each : *list) {
    const auto path = each.value_exact<std::string>();
    if (!path) return reader.refuse(each, "recent", "must contain paths in quotes", "Delete it");
    if (recent.size() < kMostRecent) recent.push_back(*path);
  }
}

}  // namespace

Settings settings_of(const ViewSettings& view) {
  return {
      .dark = view.dark, .text_scale = view.text_scale, .motion = view.motion, .unit = view.unit, .speed = view.speed};
}

void put_settings(const Settings& settings, ViewSettings& view) {
  view.dark = settings.dark;
  view.text_scale = settings.text_scale;
  view.motion = settings.motion;
  view.unit = settings.unit;
  view.speed = settings.speed;
}

Settings with_choice(Settings kept, const Settings& before, const Settings& after) {
  if (before.dark != after.dark) kept.dark = after.dark;
  if (before.text_scale != after.text_scale) kept.text_scale = after.text_scale;
  if (before.motion != after.motion) kept.motion = after.motion;
  if (before.unit != after.unit) kept.unit = after.unit;
  if (before.speed != after.speed) kept.speed = after.speed;
  if (before.guess_first != after.guess_first) kept.guess_first = after.guess_first;
  if (before.comparison != after.comparison) kept.comparison = after.comparison;
  return kept;
}

void read_settings(TableReader& reader, Settings& settings) {
  settings.unit = StepUnit(reader.choice("step", kUnitWords, int(settings.unit)));
  reader.number("speed", settings.speed, kSlowestInFiles, kMaxSpeed);
  settings.dark = reader.choice("theme", kThemes, settings.dark ? 0 : 1) == 0;
  settings.motion = reader.choice("motion", kMotions, settings.motion ? 0 : 1) == 0;
  reader.number("text-scale", settings.text_scale, kLeastTextScale, kMostTextScale);
}

std::string settings_lines(const Settings& settings) {
  return "step = " + toml_text(kUnitWords[int(settings.unit)]) + "\nspeed = " + toml_number(settings.speed) +
         "\ntheme = " + toml_text(kThemes[settings.dark ? 0 : 1]) +
         "\nmotion = " + toml_text(kMotions[settings.motion ? 0 : 1]) +
         "\ntext-scale = " + toml_number(settings.text_scale) + "\n";
}

std::string settings_path() { return user_file_path("XDG_CONFIG_HOME", ".config", "settings.toml"); }

Result<Settings> parse_settings(std::string_view text, const std::string& name) {
  return read_tables<Settings>(text, name, [](TableReader& reader, const toml::table&, Issues&, Settings& settings) {
    read_settings(reader, settings);
    reader.yes_or_no("guess-first", settings.guess_first);
    settings.comparison = Filling(reader.choice("comparison", kFillingWords, int(settings.comparison)));
    read_recent(reader, settings.recent);
  });
}

Result<Settings> load_settings(const std::string& path) { return load_user_file(path, kMostBytes, parse_settings); }

// The file is UTF-8, so a name that is not UTF-8 is left out.
std::string settings_text(const Settings& settings) {
  std::string recent;
  for (const std::string& file : settings.recent)
    if (is_utf8(file)) add_to_list(recent, toml_text(file));
  // Not written by default, so that programs older than these keys still read the file.
  const std::string comparison = toml_text(kFillingWords[int(settings.comparison)]);
  return settings_lines(settings) + (settings.guess_first ? "guess-first = true\n" : "") +
         (settings.comparison == Settings{}.comparison ? "" : "comparison = " + comparison + "\n") +
         (recent.empty() ? "" : "recent = [" + recent + "]\n");
}

Result<KeptFile> save_settings(const Settings& before, const Settings& now, const std::string& path) {
  return change_user_file(path, kMostBytes, [&](std::string_view text) -> Result<std::string> {
    const Result<Settings> there = parse_settings(text, path);
    if (!there) return there.issues();
    if (text.empty()) return settings_text(now);
    Settings next = with_choice(*there, before, now);
    next.recent = now.recent;
    for (const std::string& file : there->recent)
      if (next.recent.size() < kMostRecent && !contains(now.recent, file)) next.recent.push_back(file);
    return settings_text(next);
  });
}

}  // namespace tilewalk
