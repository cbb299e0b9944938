// The user's choices of look and playing: theme, size of text, unit and speed of playing; whether the roofline's
// answers wait for a guess; and what the page of comparison opens on. Stored between starts in
// $XDG_CONFIG_HOME/tilewalk/settings.toml, or
// ~/.config/tilewalk/settings.toml. A session file has its own and is shown with them; opening one does not change the
// settings.
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
  bool guess_first = false;              // on the page of the roofline; not in session files
  Filling comparison = Filling::Pipes;   // what the page of comparison opens on; not in session files
  std::vector<std::string> recent = {};  // files opened or saved, latest first; not in session files
  bool operator==(const Settings&) const = default;
};

Settings settings_of(const ViewSettings&);
void put_settings(const Settings&, ViewSettings&);
Settings with_choice(Settings kept, const Settings& before, const Settings& after);  // kept, with after - before

// The settings as keys of a TOML table: parse and format.
void read_settings(TableReader&, Settings&);
std::string settings_lines(const Settings&);

std::string settings_path();  // empty: the system names no home folder
Result<Settings> parse_settings(std::string_view text, const std::string& name);
std::string settings_text(const Settings&);               // the whole file
Result<Settings> load_settings(const std::string& path);  // the defaults where there is no file
// Writes what changed between `before` and `now`; keeps what another window wrote since.
Result<KeptFile> save_settings(const Settings& before, const Settings& now, const std::string& path);

}  // namespace tilewalk
