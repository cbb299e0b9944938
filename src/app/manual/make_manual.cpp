// A tool of the build: writes the man page and the completions of bash, zsh and fish into a folder.
#include <fmt/format.h>

#include <fstream>

#include "app/manual/manual.h"
#include "session/document/session_file.h"
#include "session/lesson/lesson_file.h"

namespace {

tilewalk::Result<tilewalk::ShippedNames> shipped_under(const std::string& root) {
  const auto presets = tilewalk::load_presets(root);
  if (!presets) return presets.issues();
  const auto lessons = tilewalk::load_lessons(root + "/assets/lessons");
  if (!lessons) return lessons.issues();
  tilewalk::ShippedNames out;
  for (const tilewalk::Preset& preset : *presets) out.presets.push_back(preset.name);
  for (const tilewalk::Lesson& lesson : *lessons) out.lessons.push_back(std::to_string(lesson.number));
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return fmt::print(stderr, "make_manual VERSION SOURCE FOLDER\n"), 2;
  const auto shipped = shipped_under(argv[2]);
  if (!shipped) return fmt::print(stderr, "{}\n", tilewalk::text_of(shipped.issues())), 1;
  const std::string folder = argv[3];
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream file(folder + "/" + name);
    file << text;
    return bool(file.flush());
  };
  const bool written = write("tilewalk.1", tilewalk::man_page(argv[1])) &&
                       write("tilewalk.bash", tilewalk::bash_completion(*shipped)) &&
                       write("_tilewalk", tilewalk::zsh_completion(*shipped)) &&
                       write("tilewalk.fish", tilewalk::fish_completion(*shipped));
  if (!written) fmt::print(stderr, "cannot write into {}\n", folder);
  return written ? 0 : 1;
}
