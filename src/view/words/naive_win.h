// The speed-up over naive attention that is the figure of a page: in the same words on the roofline, at a race and at
// the kernel that PyTorch runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/problem/contender.h"
#include "measured/race_times.h"
#include "measured/win_pair.h"

namespace tilewalk {

// How many times as fast as naive attention a kernel is, how both times are known, and the speed-up of one other kernel
// beside it. Times are of one call.
struct NaiveWin {
  std::string fast, naive = contender_row(Contender::Naive).title;  // their names
  double fast_ms = 0, naive_ms = 0;
  const char* kind = "recorded";  // how both times are known
  std::string role = {};          // "the fastest here", "PyTorch's default"; empty: neither
  std::string where = {};         // " there", " without the mask"
  std::string stands_for = {};    // ", with the schedule that runs,": after the kernel's name
  std::string other = {};         // the other kernel's name; empty: none
  std::string other_role = {};    // as role
  double other_ms = 0;            // of the same kind

  // The other kernel becomes PyTorch's default.
  void add_default(Contender, double ms);
  std::string figure() const;   // "4.7×"
  std::string caption() const;  // what the figure says: "as fast as naive"
  // "recorded: the fastest here, FA-3 by Tilewalk, takes 1.93 ms, naive 9.04 ms. PyTorch's default, cuDNN: 3.9×."
  std::string times() const;
  std::string words() const { return caption() + ", " + times(); }
  std::string named_figure() const;        // "the fastest here, FA-3 by Tilewalk: 4.7×"
  std::string named_other_figure() const;  // "PyTorch's default, cuDNN: 3.9×"; empty without another kernel
};

inline constexpr const char *kFastestHere = "the fastest here", *kTorchDefault = "PyTorch's default";

// A sentence of it: with a capital letter at its start and a full stop.
std::string sentence_of(std::string words);

// The speed-up of the call, as every page and verb give it (measured/win_pair.h). Beside a recorded one: the kernel
// that PyTorch runs for the call, or, where that is not known, PyTorch's fastest recorded one. Beside a predicted one:
// the kernel that PyTorch runs, by the recorded ratio (measured/win_pair.h). None where one of the two has no
// time. Rows of one call on a GPU; races: of that card, or null.
std::optional<NaiveWin> call_win(const std::vector<PredictionRow>&, std::optional<Contender> torch_default = {},
                                 const RaceTimes* races = nullptr);

// The same of another tiled kernel over naive. Precondition: this one and naive have a time.
NaiveWin win_over_naive(const PredictionRow& fast, const std::vector<PredictionRow>&);

}  // namespace tilewalk
