// Compares the layer tables of src/README.md with the build's links and the sources' includes; and folders within a
// library, which must not include one another in a circle.
#include <map>
#include <set>
#include <sstream>

#include "tests/support/catch.h"
#include "tests/tidy/repository.h"

using namespace tilewalk::test;

namespace {

namespace fs = std::filesystem;

using Links = std::map<std::string, std::set<std::string>>;  // from a folder to those it links

// The layers of the files in src/pages, as tilewalk_page has them: session, view or ui by path, without its ending
// where that is .cpp. So a header belongs to the layer of the source of its name.
const std::map<std::string, std::string>& layers_of_pages() {
  static const std::map<std::string, std::string> out = [] {
    std::map<std::string, std::string> layers;
    std::string text;
    for (const std::string& line : lines_of("src/pages/CMakeLists.txt")) text += line.substr(0, line.find('#')) + "\n";
    for (const std::string& call : all_matches(text, R"(\ntilewalk_page\s*\(([^)]*)\))")) {
      std::string page, layer;
      std::istringstream in(call);
      in >> page;
      for (std::string word; in >> word;) {
        if (word == "SESSION" || word == "VIEW" || word == "UI")
          layer = word == "SESSION" ? "session" : word == "VIEW" ? "view" : "ui";
        else
          layers["src/pages/" + page + "/" + (word.ends_with(".cpp") ? word.substr(0, word.size() - 4) : word)] = layer;
      }
    }
    return layers;
  }();
  return out;
}

std::string layer_in_page(const fs::path& file) {  // empty: in none
  const auto& layers = layers_of_pages();
  const auto of_source = layers.find((file.parent_path() / file.stem()).string()), of_file = layers.find(file.string());
  return of_file != layers.end() ? of_file->second : of_source != layers.end() ? of_source->second : "";
}

// In the folder of a page or in a folder of that.
bool is_of_a_page(const fs::path& file) {
  const std::string folder = file.parent_path();
  return folder.starts_with("src/pages/");
}

// The library that a file belongs to, by the folder that src/README.md names: "core/walk", "ui", "kernels/race".
std::string library_of(const fs::path& file) {
  if (is_of_a_page(file)) return layer_in_page(file);
  std::vector<std::string> parts;
  for (const fs::path& part : file.parent_path()) parts.push_back(part.string());
  if (parts.size() > 1 && parts[0] == "src" && parts[1] != "core") return parts[1];
  if (parts.size() > 1 && parts[0] == "src") return parts.size() > 2 ? "core/" + parts[2] : "core";
  const bool apart = parts.size() > 1 && (parts[1] == "cpu" || parts[1] == "fast" || parts[1] == "race");
  return apart ? "kernels/" + parts[1] : parts[0];
}

std::string house_of(const std::string& library) { return library.starts_with("core/") ? "core" : library; }

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

// The files that CMake reads, without their comments.
std::map<fs::path, std::string> build_files() {
  std::map<fs::path, std::string> out;
  for (const char* folder : {"src", "kernels"})
    for (const fs::path& file : files_under(folder))
      if (file.filename() == "CMakeLists.txt" || file.extension() == ".cmake")
        for (const std::string& line : lines_of(file)) out[file] += line.substr(0, line.find('#')) + "\n";
  return out;
}

Links real_links() {
  std::map<std::string, std::string> library;  // by target
  for (const auto& [file, text] : build_files()) {
    const bool core = library_of(file) == "core";  // the folder of a core library is named in its sources
    const std::string making = R"((?:tilewalk_library|add_library|add_executable)\s*\(([^)]*)\))";
    for (const std::string& call : all_matches(text, making)) {
      const std::vector<std::string> words = split_words(call);
      library[words.at(0)] = library_of(core ? file.parent_path() / words.at(1) : file);
    }
  }
  Links out;
  for (const auto& [target, folder] : library) out[folder];
  for (const auto& [file, text] : build_files()) {
    for (const std::string& call : all_matches(text, R"(target_link_libraries\s*\(([^)]*)\))")) {
      const std::vector<std::string> words = split_words(call);
      const std::string& from = library.at(words.at(0));
      for (const std::string& word : words)
        if (word.starts_with("tilewalk_") && library.at(word) != from) out[from].insert(library.at(word));
    }
  }
  return out;
}

// The core as one folder, as in the first table.
Links among_houses(const Links& links) {
  Links out;
  for (const auto& [from, to] : links)
    for (const std::string& each : to) {
      out[house_of(from)];
      if (house_of(each) != house_of(from)) out[house_of(from)].insert(house_of(each));
    }
  for (const auto& [from, to] : links) out[house_of(from)];
  return out;
}

Links of_core(const Links& links) {
  Links out;
  for (const auto& [from, to] : links)
    if (from.starts_with("core/")) out[from] = to;
  return out;
}

struct Row {
  std::string folder;  // without src/
  std::set<std::string> links;
};

std::vector<Row> rows_of(bool core) {
  std::vector<Row> out;
  bool second = false;
  for (const std::string& line : lines_of("src/README.md")) {
    if (line == "The core is ten libraries:") second = true;
    if (line.starts_with("## Adding")) break;
    if (second != core || !line.starts_with("| `")) continue;
    std::vector<std::string> cells = all_matches(line, "([^|]*)\\|");
    std::string folder = in_backticks(cells.at(1)).at(0);
    const std::vector<std::string> links = in_backticks(cells.at(3));
    out.push_back({folder.starts_with("src/") ? folder.substr(4) : folder, {links.begin(), links.end()}});
  }
  return out;
}

// The folder itself and all folders that it links, directly or through others.
std::set<std::string> reach_of(const std::string& folder, const Links& links) {
  std::set<std::string> out{folder};
  std::vector<std::string> open{folder};
  while (!open.empty()) {
    const std::string each = open.back();
    open.pop_back();
    if (const auto at = links.find(each); at != links.end())
      for (const std::string& next : at->second)
        if (out.insert(next).second) open.push_back(next);
  }
  return out;
}

void check_table(const std::vector<Row>& rows, const Links& links) {
  std::set<std::string> above{"base"}, named;
  for (const Row& row : rows) {
    CAPTURE(row.folder);
    CHECK((fs::is_directory(root() / "src" / row.folder) || fs::is_directory(root() / row.folder)));
    REQUIRE(links.contains(row.folder));
    CHECK(row.links == links.at(row.folder));
    CHECK(std::includes(above.begin(), above.end(), row.links.begin(), row.links.end()));
    above.insert(row.folder);
    CHECK(named.insert(row.folder).second);
  }
  for (const auto& [folder, to] : links) {
    CAPTURE(folder);
    CHECK(named.contains(folder));
  }
}

void check_every_folder_has_a_row(const fs::path& in, const std::vector<Row>& rows, const std::string& prefix) {
  for (const auto& each : fs::directory_iterator(root() / in)) {
    const std::string name = prefix + each.path().filename().string();
    CAPTURE(name);
    if (each.is_directory() && name != "pages")  // which are parts of three libraries
      CHECK(std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.folder == name; }));
  }
}

// Each line of the sources that includes a file of the repository: from which file, which file.
const std::vector<std::pair<fs::path, fs::path>>& includes_of_sources() {
  static const std::vector<std::pair<fs::path, fs::path>> out = [] {
    std::vector<std::pair<fs::path, fs::path>> pairs;
    for (const char* folder : {"src", "kernels"})
      for (const fs::path& file : files_under(folder)) {
        const std::string ending = file.extension();
        if (ending != ".h" && ending != ".cpp" && ending != ".cu" && ending != ".inc") continue;
        for (const std::string& line : lines_of(file)) {
          const std::string start = "#include \"";
          if (!line.starts_with(start)) continue;
          const std::string name = line.substr(start.size(), line.find('"', start.size()) - start.size());
          const fs::path included = name.starts_with("kernels/") ? fs::path(name) : "src" / fs::path(name);
          if (fs::exists(root() / included)) pairs.emplace_back(file, included);  // else made by the build
        }
      }
    return pairs;
  }();
  return out;
}

// A page's folder is one for each of its layers: "src/pages/which, view".
std::string folder_of(const fs::path& file) {
  const std::string folder = file.parent_path();
  return is_of_a_page(file) ? folder + ", " + layer_in_page(file) : folder;
}

}  // namespace

TEST_CASE("the layer table equals the build's links, from top to bottom", "[unit]") {
  check_table(rows_of(false), among_houses(real_links()));
  check_every_folder_has_a_row("src", rows_of(false), "");
}

TEST_CASE("the core's table equals the build's links, from top to bottom", "[unit]") {
  check_table(rows_of(true), of_core(real_links()));
  check_every_folder_has_a_row("src/core", rows_of(true), "core/");
}

TEST_CASE("each file of a page belongs to a layer", "[unit]") {
  int files = 0;
  for (const fs::path& file : files_under("src/pages")) {
    if (!is_of_a_page(file)) continue;
    CAPTURE(file);
    ++files;
    CHECK(!layer_in_page(file).empty());
  }
  CHECK(files > 30);
}

TEST_CASE("a library includes from itself and from what it links, and from nothing else", "[unit]") {
  const Links links = real_links();
  std::vector<std::string> offenders;
  int includes = 0;
  for (const auto& [file, included] : includes_of_sources()) {
    ++includes;
    // The fast kernels are built by their scripts too, with a header of measured and no library.
    const std::string library = library_of(file);
    if (library != "kernels/fast" && !reach_of(library, links).contains(library_of(included)))
      offenders.push_back(file.string() + " includes " + included.string());
  }
  CHECK(includes > 500);
  INFO(one_a_line(offenders));
  CHECK(offenders.empty());
}

TEST_CASE("no folders include one another in a circle", "[unit]") {
  Links links;
  for (const auto& [file, included] : includes_of_sources())
    if (folder_of(file) != folder_of(included)) links[folder_of(file)].insert(folder_of(included));
  CHECK(links.size() > 30);
  std::map<std::string, std::set<std::string>> reach;
  for (const auto& [folder, to] : links) reach[folder] = reach_of(folder, links);
  std::set<std::set<std::string>> circles;
  for (const auto& [folder, to] : links) {
    std::set<std::string> circle;
    for (const std::string& other : reach[folder])
      if (reach[other].contains(folder)) circle.insert(other);
    if (circle.size() > 1) circles.insert(circle);
  }
  for (const std::set<std::string>& circle : circles) {
    std::vector<std::string> lines;
    for (const auto& [file, included] : includes_of_sources())
      if (folder_of(file) != folder_of(included) && circle.contains(folder_of(file)) &&
          circle.contains(folder_of(included)))
        lines.push_back(folder_of(file) + " -> " + folder_of(included) + ": " + file.string() + " includes " +
                        included.string());
    INFO(one_a_line(lines));
    CHECK(circle.empty());
  }
  CHECK(circles.empty());
}
