// The man page, and the shells' completions: generated when the program is built, from the tables of the parser and of
// --help (verbs(), flag_rows.h). Pure text from rows; make_manual.cpp writes it to files. Not completed: numbers, and
// names that only a session has.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct ShippedNames {  // names of files in assets/, which no row contains
  std::vector<std::string> presets, lessons;
};

std::string man_page(const std::string& version);  // of section 1, for man-db

std::string bash_completion(const ShippedNames&);
std::string zsh_completion(const ShippedNames&);
std::string fish_completion(const ShippedNames&);

}  // namespace tilewalk
