// The page of which attention runs: the window's call as it is typed, the refused fields with their issues, and
// PyTorch's rules, read when the page is first opened. A refused text does not change the call and stays in its field.
// Also the name of a kernel, and a profile, which a job reads: serials request the reading or its end.
#pragma once

#include <functional>
#include <vector>

#include "dispatch/rule_table.h"
#include "session/command/command.h"
#include "session/document/document_owner.h"
#include "session/document/message_line.h"
#include "session/document/window_call.h"

namespace tilewalk {

class WhichController {
 public:
  struct Setup {
    std::function<Result<std::vector<RuleTable>>()> load_rules;            // called when the page is opened
    std::function<Result<Profile>(const std::string& name)> load_example;  // one of kExampleProfiles
  };

  WhichController(Document& document, MessageLine& messages, DocumentOwner& owner, WindowCall& window, Setup setup)
      : document_(document), messages_(messages), owner_(owner), window_(window), setup_(std::move(setup)) {}
  void read_rules();  // reads them once
  void turned_to(Page page) {
    answered_ = false;
    if (page == Page::Which) read_rules();
  }
  void begin_presenting() { answered_ = false; }
  bool answered() const { return answered_; }  // presented: the reason, which answers the page's question, is shown
  bool answer_presented(int direction);        // true if that step forward shows it

  const Call& call() const { return window_.call; }
  const CallWords& draft() const { return draft_; }  // fields whose text was refused
  const Issues& issues() const { return issues_; }   // why, by field
  const RuleTable* table() const;                    // of the call's PyTorch version; null where there are no rules
  const std::string& missing() const { return missing_; }  // why there are none

  void walk();
  void walk_kernel();
  void stop_profile() { profile_.stop(); }
  void close_profile();
  void forget_call();
  void carry_out(const EditCall&);
  void carry_out(const TakeAdvice&);

  const std::string& name() const { return name_; }  // of a kernel
  const ProfileReading& profile() const { return profile_; }
  void read_profile(const std::string& path);
  void carry_out(const ReadName&);
  void carry_out(const OpenExampleProfile&);
  const std::string& example() const { return example_; }  // the name of the profile in view; empty: another, or none
  void carry_out(const ReportProfile&);

 private:
  Result<Call> read(const CallWords&) const;
  void take(const CallWords&);
  void adopt(const Problem&);

  Document& document_;
  MessageLine& messages_;
  DocumentOwner& owner_;
  WindowCall& window_;
  Setup setup_;
  std::vector<RuleTable> tables_;
  std::string missing_;
  CallWords draft_;
  Issues issues_;
  std::string name_;
  ProfileReading profile_;
  std::string example_;
  bool answered_ = false;
};

}  // namespace tilewalk
