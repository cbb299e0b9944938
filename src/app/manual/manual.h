// The man page, and what shells offer after Tab: written when the program is built, from the tables that the parser and
// --help read (verbs(), flag_rows.h). Pure text from rows; make_manual.cpp writes it to files.
// Not offered: numbers, and names that only a session knows.
#pragma once

#include <string>
#include <vector>

namespace tilewalk {

struct ShippedNames {  // that lie in assets/, so no row has them
  std::vector<std::string> presets, lessons;
};

std::string man_page(const std::string& version);  // of section 1, for man-db

std::string bash_completion(const ShippedNames&);
std::string zsh_completion(const ShippedNames&);
std::string fish_completion(const ShippedNames&);

}  // namespace tilewalk
