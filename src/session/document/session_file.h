// Documents as TOML files: sessions that a person saves, and the presets in assets/presets. Reading a damaged,
// oversized or foreign file gives Issues that name the file, line and key; an unknown key is an error, so that a
// misspelt one is not ignored. Saving writes a temporary file beside the target and renames it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/walk/schedule.h"
#include "session/document/document.h"

namespace tilewalk {

inline constexpr std::size_t kMaxSessionBytes = 1 << 20;

Result<Document> parse_document(std::string_view text, const std::string& name);
std::string document_text(const Document&);

// Rules beyond validate(): edits lie inside their tensors, the cursor inside the walk, the head in view exists. `name`
// is the document's name in messages. Precondition: validate(document.problem) is empty, and the schedule is that of
// the problem.
Issues check_document(const Document&, const Schedule&, const std::string& name);

struct WalkedDocument {
  Document document;
  std::shared_ptr<const Schedule> schedule;  // the walk of its problem, if already made
  std::string found = {};                    // what the file says besides: the verdict on a trace
};
Result<WalkedDocument> load_document(const std::string& path);
Result<Done> save_document(const Document&, const std::string& path);

struct Preset {
  std::string name;  // file name without .toml
  Document document;
  std::shared_ptr<const Schedule> schedule = nullptr;  // the walk of its problem, if already made
};

// Presets of assets/presets in the order of their `order` key. `root` is the folder that holds assets/.
Result<std::vector<Preset>> load_presets(const std::string& root);

// The exact command line that reproduces a document: "tilewalk replay --n 16 … --step 28".
std::string command_line_for(const Document&, std::string_view verb);

}  // namespace tilewalk
