// What was opened: a document, the walk of its problem, and what its files held. Made once, on the way from flags, a
// preset or a file, and handed on: whoever gets one neither reads nor plans again.
// Values are those that were read then. A file that changes on disk afterwards is named by changed_files() and not
// taken until a person opens it again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/inputs.h"
#include "core/walk/schedule.h"
#include "files/file_io.h"
#include "files/tensor_files.h"
#include "session/document/session_file.h"

namespace tilewalk {

struct ReadFile {
  std::string path;
  FileIdentity identity;  // when it was read
  bool operator==(const ReadFile&) const = default;
};

struct LoadedInputs {
  FileInputs tensors;
  std::vector<ReadFile> files;
};

// Reads the tensors that a document names; those that do not fit its problem are refused.
using InputLoader = std::function<Result<LoadedInputs>(const Document&)>;
Result<LoadedInputs> load_inputs(const Document&);

// Every file of `paths`, whatever shape it has; `look` is shown each. What cannot be read goes to `issues`, as does a
// file that changed while it was read.
LoadedInputs read_inputs(const InputPaths& paths, Issues& issues,
                         const std::function<void(const InputSlot&, const InputTensor&)>& look);

// Paths of those that are other files now than when they were read.
std::vector<std::string> changed_files(const LoadedInputs&);

struct Opening {
  Document document;
  std::shared_ptr<const Schedule> schedule;
  LoadedInputs read;
  ReadFile session{};             // the session file that the document came from; no path: from none
  std::vector<Preset> presets{};  // where they were read on the way

  Inputs inputs() const { return Inputs(document.problem, read.tensors, document.edits); }
};

// The document that a file asks for: a session (.toml) as it was saved, a recording (.safetensors) its problem, tensors
// named q, k, v, and do for a backward pass (.safetensors), a problem of their shape with the default tiles.
Result<WalkedDocument> document_of_file(const std::string& path);

// Those read on the way, or else those under `root`; nothing where there are none.
std::vector<Preset> take_presets(Opening&, const std::string& root);

// Makes what is missing of it: the walk, unless the document comes with one, and the inputs.
Result<Opening> open_document(WalkedDocument, const InputLoader&);

}  // namespace tilewalk
