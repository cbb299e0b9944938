#include "lab/run/finding.h"

namespace tilewalk::lab {

const char* name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::OutOfBounds: return "out of bounds";
    case FindingKind::UnfilledRead: return "unfilled read";
    case FindingKind::DataRace: return "data race";
    case FindingKind::DivergentBarrier: return "divergent barrier";
    case FindingKind::DivergentShuffle: return "divergent shuffle";
    case FindingKind::DivisionByZero: return "division by zero";
    case FindingKind::StepLimit: return "step limit";
    case FindingKind::ChangedAfterMark: return "changed after the mark";
    case FindingKind::BadMark: return "bad mark";
    case FindingKind::MarkedTwice: return "marked twice";
    case FindingKind::NotFinite: return "not finite";
    case FindingKind::AtomicOrder: return "order of atomics";
    case FindingKind::BankConflict: return "bank conflict";
  }
  return "";
}

bool is_warning(FindingKind kind) {
  return kind == FindingKind::NotFinite || kind == FindingKind::AtomicOrder || kind == FindingKind::BankConflict ||
         kind == FindingKind::MarkedTwice;
}

bool ends_run(FindingKind kind) {
  return kind == FindingKind::OutOfBounds || kind == FindingKind::DivergentBarrier ||
         kind == FindingKind::DivergentShuffle || kind == FindingKind::DivisionByZero ||
         kind == FindingKind::StepLimit || kind == FindingKind::BadMark;
}

std::string text_of(const Finding& finding) {
  std::string out = "line " + std::to_string(finding.at.place.line) + ": ";
  if (finding.at.thread >= 0)
    out += "thread " + std::to_string(finding.at.thread) + " of block " + std::to_string(finding.at.block) + ": ";
  out += finding.what;
  if (!finding.instead.empty()) out += " " + finding.instead;
  return out;
}

}  // namespace tilewalk::lab
