// Checks of the values on screen: the report of the last check, their distance from float64, and whether there is a GPU
// to check on. Checks run elsewhere and report by Command; a report about an earlier problem is dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/command/command.h"
#include "session/document/message_line.h"

namespace tilewalk {

class CheckController {
 public:
  CheckController(MessageLine& messages, bool gpu_present, std::string gpu_reason)
      : messages_(messages), gpu_present_(gpu_present), gpu_reason_(std::move(gpu_reason)) {}
  void open();  // another problem or other inputs: clears all reports

  std::uint64_t problem_revision() const { return problem_revision_; }  // grows with every change of problem or inputs
  const CheckReport& check() const { return check_; }
  // Distance from float64 of the values on screen, and of the baseline at that revision; empty until measured.
  const std::optional<AccuracyReport>& accuracy() const { return accuracy_; }
  std::optional<AccuracyReport> baseline_accuracy(std::uint64_t baseline_revision) const;

  bool gpu_present() const { return gpu_present_; }
  std::string why_no_gpu(const char* otherwise) const { return gpu_reason_.empty() ? otherwise : gpu_reason_; }
  std::uint64_t live_check_serial() const { return live_check_serial_; }  // grows with each request for a live check

  void check_live();
  void carry_out(const ReportCheck&);
  void carry_out(const ReportAccuracy&);
  void carry_out(const ReportDevices&);

 private:
  MessageLine& messages_;
  bool gpu_present_ = false;
  std::string gpu_reason_;  // why there is no GPU to check on
  CheckReport check_;
  std::optional<AccuracyReport> accuracy_;
  std::optional<ReportAccuracy> baseline_accuracy_;
  std::uint64_t problem_revision_ = 0, live_check_serial_ = 0;
};

}  // namespace tilewalk
