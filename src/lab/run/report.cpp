#include <algorithm>
#include <cstdio>

#include "base/contains.h"
#include "lab/language/arithmetic.h"
#include "lab/run/machine.h"

namespace tilewalk::lab {

// One of a kind for each pair of lines.
void Machine::report(Finding finding) {
  for (const Finding& each : findings_)
    if (each.kind == finding.kind && each.at.place == finding.at.place && each.other.place == finding.other.place)
      return;
  if (findings_.size() < setup_.most_findings || ends_run(finding.kind)) findings_.push_back(std::move(finding));
}

FindingParty Machine::party(int thread, std::int32_t at) const {
  return {std::size_t(at) < code().places.size() ? code().places[std::size_t(at)] : SourcePlace{}, thread, block_};
}

FindingParty Machine::party(const MemoryAccess& access) const {
  FindingParty out = party(access.thread, access.at);
  if (access.epoch < block_epoch_) out.block = -1;  // another block
  return out;
}

void Machine::report_bounds(int object, const std::string& element, int thread, std::int32_t at) {
  Finding finding{.kind = FindingKind::OutOfBounds, .at = party(thread, at), .element = element};
  finding.what = element + " is out of bounds";
  if (object >= 0 && std::size_t(object) < code().objects.size()) {
    const MemoryObject& memory = code().objects[std::size_t(object)];
    finding.what += ": the array is " + memory.name + memory.sides();
  }
  finding.what += ".";
  report(std::move(finding));
}

bool Machine::is_known(FindingKind kind, std::int32_t at, std::int32_t other_at) {
  const Known one{kind, kernel_, at, other_at};
  if (known_.size() >= setup_.most_findings || contains(known_, one)) return true;
  known_.push_back(one);
  return false;
}

void Machine::report_unfilled(const MemoryObject& object, std::int64_t element, int thread, std::int32_t at) {
  if (!is_known(FindingKind::UnfilledRead, at, 1)) report_unfilled(object.element_name(element), thread, at);
}

void Machine::report_unfilled(const std::string& element, int thread, std::int32_t at) {
  if (is_known(FindingKind::UnfilledRead, at, 0)) return;
  report({.kind = FindingKind::UnfilledRead,
          .at = party(thread, at),
          .element = element,
          .what = element + " is read before it was written."});
}

void Machine::report_race(const MemoryObject& object, std::int64_t index, const MemoryAccess& other, bool reads,
                          bool other_reads, int thread, std::int32_t at) {
  if (is_known(FindingKind::DataRace, std::min(at, other.at), std::max(at, other.at))) return;
  const std::string element = object.element_name(index);
  Finding finding{.kind = FindingKind::DataRace, .at = party(thread, at), .other = party(other), .element = element};
  const bool blocks = finding.other.block < 0;
  finding.what = "data race on " + element + ": this thread " + (reads ? "reads" : "writes") + " it, and " +
                 (blocks ? "a thread of another block" : "thread " + std::to_string(other.thread)) +
                 (other_reads ? " reads" : " writes") + " it in line " + std::to_string(finding.other.place.line) +
                 ", without a barrier between.";
  const bool own_line = finding.at.place.line == finding.other.place.line;
  finding.instead =
      blocks     ? "Blocks have no barrier: start a second kernel."
      : own_line ? "Give each element to one thread alone, as in e += THREADS. Or, where the next turn of a loop "
                   "comes too early, write __syncthreads() at the end of the loop."
                 : "Write __syncthreads() between the two, or at the end of the loop where one of them is of "
                   "its next turn.";
  report(std::move(finding));
}

void Machine::report_not_finite(float value, int thread, std::int32_t at) {
  const bool nan = value != value;
  bool& found = nan ? found_nan_ : found_infinity_;
  if (found) return;
  found = true;
  report({.kind = FindingKind::NotFinite,
          .at = party(thread, at),
          .element = nan         ? "NaN"
                     : value > 0 ? "inf"
                                 : "-inf",
          .what = nan ? "here the first NaN is made." : "here the first infinity is made."});
}

// At the end of a kernel: the worst access.
void Machine::report_conflicts() {
  const BankTurns& turns = banks_.turns();
  if (turns.most < 2) return;
  FindingParty at = party(-1, turns.at);
  at.block = -1;
  report({.kind = FindingKind::BankConflict,
          .at = at,
          .what = "here the threads of a warp need " + std::to_string(turns.most) +
                  " turns for one access of shared memory: their words are in the same bank.",
          .instead = "Make a row one word longer, or let adjacent threads access adjacent words."});
}

void Machine::print(const Instruction& i, int thread) {
  const PrintFormat& format = code().formats[std::size_t(i.imm)];
  const std::uint64_t* const r = registers_.data() + std::size_t(thread) * code().registers.size() + i.a;
  if (output_.size() >= setup_.most_output) {
    output_cut_ = true;
    return;
  }
  std::size_t argument = 0;
  for (std::size_t at = 0; at < format.text.size(); ++at) {
    if (format.text[at] != '%') {
      output_ += format.text[at];
      continue;
    }
    if (at + 1 < format.text.size() && format.text[at + 1] == '%') {
      output_ += '%';
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end + 1 < format.text.size() && std::string_view("duxifeg").find(format.text[end]) == std::string_view::npos)
      ++end;
    const char letter = format.text[end];
    std::string one = format.text.substr(at, end - at);
    const std::uint64_t bits = argument < format.arguments.size() ? r[argument] : 0;
    char buffer[12'000];
    int size = 0;
    if (letter == 'f' || letter == 'e' || letter == 'g')
      size = std::snprintf(buffer, sizeof buffer, (one + letter).c_str(), double(float_in(bits)));
    else if (letter == 'd' || letter == 'i')
      size = std::snprintf(buffer, sizeof buffer, (one + "lld").c_str(), static_cast<long long>(bits));
    else
      size = std::snprintf(buffer, sizeof buffer, (one + "ll" + letter).c_str(), static_cast<unsigned long long>(bits));
    output_.append(buffer, std::size_t(std::clamp(size, 0, int(sizeof buffer) - 1)));
    ++argument;
    at = end;
  }
  if (output_.size() > setup_.most_output) {
    output_.resize(setup_.most_output);
    output_cut_ = true;
  }
}

}  // namespace tilewalk::lab
