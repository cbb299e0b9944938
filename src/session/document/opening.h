// An opened document: the document, the walk of its problem, and the contents of its files. Made once, from flags, a
// preset or a file, and passed on; nobody reads or plans again. The values are those at the time of reading.
// changed_files() lists files that changed on disk afterwards; their new contents are not used until a person opens
// them again.
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
  FileIdentity identity;  // at the time of reading
  bool operator==(const ReadFile&) const = default;
};

struct LoadedInputs {
  FileInputs tensors;
  std::vector<ReadFile> files;
};

// Reads the tensors that a document names; refuses those that do not fit its problem.
using InputLoader = std::function<Result<LoadedInputs>(const Document&)>;
Result<LoadedInputs> load_inputs(const Document&);

// Reads every file of `paths`, of any shape, and calls `look` with each. Adds an issue for a file that cannot be read
// or that changed during the reading.
LoadedInputs read_inputs(const InputPaths& paths, Issues& issues,
                         const std::function<void(const InputSlot&, const InputTensor&)>& look);

// Paths of the files that differ now from when they were read.
std::vector<std::string> changed_files(const LoadedInputs&);

struct Opening {
  Document document;
  std::shared_ptr<const Schedule> schedule;
  LoadedInputs read;
  ReadFile session{};             // the session file of the document; no path: there is none
  std::vector<Preset> presets{};  // presets that were read on the way

  Inputs inputs() const { return Inputs(document.problem, read.tensors, document.edits); }
};

// The document of a file. A session (.toml): as it was saved. A recording (.safetensors): its problem. Tensors named q,
// k, v, and do for a backward pass (.safetensors): a problem of their shape with the default tiles. A trace of tile
// visits (.safetensors): its problem at the first wrong visit.
Result<WalkedDocument> document_of_file(const std::string& path);

// The presets read on the way, else those under `root`; empty where there are none.
std::vector<Preset> take_presets(Opening&, const std::string& root);

// Makes the missing parts: the walk, unless the document comes with one, and the inputs.
Result<Opening> open_document(WalkedDocument, const InputLoader&);

}  // namespace tilewalk
