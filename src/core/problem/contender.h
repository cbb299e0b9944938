// Everyone who computes attention in a race or a prediction, one row each: the one place for their names and for what
// tables and pictures need to know about them. The order is that of a race's bars. core/predict/attention_method
// predicts their times. CUDA includes this: constants, nothing else.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace tilewalk {

enum class Contender {
  Naive,
  FlashV1,
  FlashV2,
  FlashV3,
  FlashV2Backward,
  FlashV3Backward,
  CpuNaive,
  CpuTiled,
  TorchEfficient,
  TorchFlash,
  TorchCudnn,
  Eager
};

enum class RunBy { Tilewalk, Processor, PyTorch };  // kernels/fast, kernels/cpu, or a backend of PyTorch

struct ContenderRow {
  Contender who{};
  const char* word = "";            // as files of races, commands and --json spell it
  const char* title = "";           // "FA-2", in tables and sentences
  const char* race_title = "";      // "FA-2 here", at its bar in a race
  const char* short_title = title;  // "cuDNN", where the text already names PyTorch
  RunBy by{};
  int generation = 0;  // of FlashAttention or a similar method: selects colour and mark; 0: S goes through memory
  Contender baseline = Contender::Naive;  // the contender that its speed-ups are relative to
  bool in_roofline = false;               // a point of the roofline page
  bool race_rival = false;                // a race gives every contender's speed-up over it
  bool backward = false;                  // a backward pass
  Contender recorded_as = who;            // as a race's file names it: a backward pass by its forward pass's word
  int fast_number = 0;                    // its number in kernels/fast/fast_attention.h; 0: not a kernel of that folder
};

inline constexpr ContenderRow kContenders[] = {
    {.who = Contender::Naive,
     .word = "naive",
     .title = "naive",
     .race_title = "Naive, cuBLAS",
     .by = RunBy::Tilewalk,
     .in_roofline = true,
     .fast_number = 1},
    {.who = Contender::FlashV1,
     .word = "flash_v1",
     .title = "FA-1",
     .race_title = "FA-1 here",
     .by = RunBy::Tilewalk,
     .generation = 1,
     .in_roofline = true,
     .fast_number = 4},
    {.who = Contender::FlashV2,
     .word = "flash_v2",
     .title = "FA-2",
     .race_title = "FA-2 here",
     .by = RunBy::Tilewalk,
     .generation = 2,
     .in_roofline = true,
     .fast_number = 2},
    {.who = Contender::FlashV3,
     .word = "flash_v3",
     .title = "FA-3",
     .race_title = "FA-3 here",
     .by = RunBy::Tilewalk,
     .generation = 3,
     .in_roofline = true,
     .fast_number = 3},
    {.who = Contender::FlashV2Backward,
     .word = "flash_v2_backward",
     .title = "FA-2 backward",
     .race_title = "FA-2 here",
     .by = RunBy::Tilewalk,
     .generation = 2,
     .backward = true,
     .recorded_as = Contender::FlashV2},
    {.who = Contender::FlashV3Backward,
     .word = "flash_v3_backward",
     .title = "FA-3 backward",
     .race_title = "FA-3 here",
     .by = RunBy::Tilewalk,
     .generation = 3,
     .backward = true,
     .recorded_as = Contender::FlashV3},
    {.who = Contender::CpuNaive,
     .word = "cpu_naive",
     .title = "cpu_naive",
     .race_title = "Naive, OpenBLAS",
     .by = RunBy::Processor,
     .baseline = Contender::CpuNaive},
    {.who = Contender::CpuTiled,
     .word = "cpu_tiled",
     .title = "cpu_tiled",
     .race_title = "Tiled here",
     .by = RunBy::Processor,
     .generation = 2,
     .baseline = Contender::CpuNaive},
    {.who = Contender::TorchEfficient,
     .word = "torch_efficient",
     .title = "PyTorch EFFICIENT",
     .race_title = "PyTorch efficient",
     .short_title = "EFFICIENT",
     .by = RunBy::PyTorch,
     .generation = 1},
    {.who = Contender::TorchFlash,
     .word = "torch_flash",
     .title = "PyTorch FLASH",
     .race_title = "PyTorch FLASH",
     .short_title = "FLASH",
     .by = RunBy::PyTorch,
     .generation = 2,
     .race_rival = true},
    {.who = Contender::TorchCudnn,
     .word = "torch_cudnn",
     .title = "PyTorch cuDNN",
     .race_title = "PyTorch cuDNN",
     .short_title = "cuDNN",
     .by = RunBy::PyTorch,
     .generation = 3,
     .race_rival = true},
    {.who = Contender::Eager, .word = "eager", .title = "eager", .race_title = "eager", .by = RunBy::PyTorch}};

constexpr const ContenderRow& contender_row(Contender who) { return kContenders[std::size_t(who)]; }
constexpr const char* word_of(Contender who) { return contender_row(who).word; }
constexpr const char* title_of(Contender who) { return contender_row(who).title; }

// The contender with this word; null: none.
constexpr const ContenderRow* contender_named(std::string_view word) {
  for (const ContenderRow& row : kContenders)
    if (word == row.word) return &row;
  return nullptr;
}

// The contender for which a race's file uses this word, forward or backward; null: none.
constexpr const ContenderRow* contender_raced_as(std::string_view word, bool backward) {
  for (const ContenderRow& row : kContenders)
    if (row.backward == backward && word == word_of(row.recorded_as)) return &row;
  return nullptr;
}

// The contender with this number in kernels/fast; null: none.
constexpr const ContenderRow* contender_of_fast_number(int number) {
  for (const ContenderRow& row : kContenders)
    if (number > 0 && row.fast_number == number) return &row;
  return nullptr;
}

constexpr bool rows_are_in_order() {
  for (std::size_t i = 0; i < std::size(kContenders); ++i)
    if (std::size_t(kContenders[i].who) != i) return false;
  return std::size(kContenders) == std::size_t(Contender::Eager) + 1;
}
static_assert(rows_are_in_order(), "a contender's row stands where its enumerator does");

}  // namespace tilewalk
