// What a person chose of how Tilewalk looks and plays: theme, size of text, what playing moves by and how fast. Kept
// from one start to the next in $XDG_CONFIG_HOME/tilewalk/settings.toml, or ~/.config/tilewalk/settings.toml. A session
// file has these too, and is shown as it was saved; opening one chooses nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/user_file.h"
#include "session/document/document.h"

namespace tilewalk {

class TableReader;

inline constexpr std::size_t kMostRecent = 8;

struct Settings {
  bool dark = true;
  double text_scale = 1;
  bool motion = true;
  StepUnit unit = StepUnit::Phase;
  double speed = 1;
  std::vector<std::string> recent = {};  // files that were opened or saved, the last one first; in no session file
  bool operator==(const Settings&) const = default;
};

Settings settings_of(const ViewSettings&);
void put_settings(const Settings&, ViewSettings&);
Settings with_choice(Settings kept, const Settings& before, const Settings& after);  // what differs between those two

// As a table of a file: its keys, and its lines.
void read_settings(TableReader&, Settings&);
std::string settings_lines(const Settings&);

std::string settings_path();  // empty: the system names no home
Result<Settings> parse_settings(std::string_view text, const std::string& name);
std::string settings_text(const Settings&);               // the whole file
Result<Settings> load_settings(const std::string& path);  // as if just installed, where there is no file
// What was chosen between `before` and `now` goes into the file; whatever another window chose since stays.
Result<KeptFile> save_settings(const Settings& before, const Settings& now, const std::string& path);

}  // namespace tilewalk
