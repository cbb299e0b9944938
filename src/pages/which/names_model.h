// A kernel's name, decoded part by part, and the attention kernels in a profile: the page of which attention runs shows
// both, `tilewalk decode` prints them. Parts that a name does not contain are listed, never guessed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pages/which/which_controller.h"

namespace tilewalk {

std::string owner_of(const DecodedKernel&);         // "PyTorch's memory-efficient attention: the forward pass"
std::vector<std::string> notes_on(const Profile&);  // possible misreadings of the profile, one or two sentences each
std::string family_title(KernelFamily);             // "EFFICIENT · CUTLASS"
std::string work_of(KernelPass);                    // "the backward pass"
std::string gpu_time_text(std::int64_t ns);
std::string share_text(const std::optional<double>& share);  // "62.1 %", "–"

struct NamePart {
  std::string part, text;  // "tile", "64 rows of Q, 128 keys"
};

struct ProfileRow {
  std::string family, pass, calls, time, share;
  std::optional<ReadName> read;  // the command of a click: the longest kernel of the group
  std::string tip;
};

struct NamesModel {
  std::string name;
  std::vector<NamePart> parts;  // empty: no name was typed
  std::string missing;          // "Not in the name: tile, split-KV."; may be empty
  std::string walk_words;       // "FA-2 with tiles 128×64"; empty where no schedule shows it

  std::string file, headline;  // of the profile; may be empty
  std::vector<ProfileRow> rows;
  std::string so;
  std::vector<std::string> notes;
  bool running = false, stopping = false;
  double fraction = 0;
  std::string failure;
};

NamesModel build_names_model(const std::string& name, const ProfileReading&);

}  // namespace tilewalk
