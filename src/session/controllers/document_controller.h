// Changes of the document: the draft of the problem, values edited by hand, schedules, presets, files. An edit that
// breaks a rule changes only the draft and its issues; the last valid problem stays on screen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/folder.h"
#include "session/command/command.h"
#include "session/controllers/view_controller.h"
#include "session/controllers/walk_controller.h"
#include "session/document/document_owner.h"
#include "session/document/message_line.h"
#include "session/document/opening.h"
#include "session/document/problem_draft.h"
#include "session/document/session_file.h"

namespace tilewalk {

class DocumentController {
 public:
  DocumentController(const Document& document, MessageLine& messages, DocumentOwner& owner, const WalkController& walk,
                     ViewController& view, std::vector<Preset> presets)
      : document_(document),
        messages_(messages),
        owner_(owner),
        walk_(walk),
        view_(view),
        presets_(std::move(presets)) {}
  void reset_draft();  // to the problem on screen

  const Draft& draft() const { return draft_; }
  const Issues& draft_issues() const { return draft_issues_; }
  const std::vector<Preset>& presets() const { return presets_; }
  const std::string& path() const { return file_.path; }  // of the session file last opened or saved
  const ReadFile& file() const { return file_; }
  void came_from(ReadFile file) { file_ = std::move(file); }
  // The path that SaveFile did not replace because it is not the open file; empty: no question is open.
  const std::string& asks_to_replace() const { return asks_to_replace_; }
  const std::optional<FolderListing>& folder() const { return folder_; }  // of the dialogs that open and save
  const std::vector<std::string>& recent() const { return recent_; }      // opened or saved, latest first
  void remember(std::vector<std::string> recent) { recent_ = std::move(recent); }
  // Bytes by which the last requested tiles exceed SRAM; 0 where they fit.
  std::int64_t too_large_by() const { return too_large_by_; }

  void clear_values();
  void copy_command_line();
  void carry_out(const SetSchedule&);
  void carry_out(const SetFault&);
  void carry_out(const EditField&);
  void carry_out(const ApplyEdit&);
  void carry_out(const EditValue&);
  void carry_out(const LoadPreset&);
  void carry_out(const ShowFolder&);
  void carry_out(const SetTiling&);
  void carry_out(const OpenFile&);
  void carry_out(const SaveFile&);

 private:
  const Problem& problem() const { return document_.problem; }
  void adopt_or_say(Document next);
  std::int64_t same_place_in(const Problem&) const;  // the cursor in that problem that has the same current scores
  void used(const std::string& path);
  bool would_replace_another(const std::string& path) const;

  const Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  const WalkController& walk_;
  ViewController& view_;
  std::vector<Preset> presets_;
  Draft draft_;
  Issues draft_issues_;
  ReadFile file_;
  std::string asks_to_replace_;
  std::optional<FolderListing> folder_;
  std::vector<std::string> recent_;
  std::int64_t too_large_by_ = 0;
};

}  // namespace tilewalk
