// A compiled kernel text: instructions, and all that the machine needs to run them and to name what it finds.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lab/language/ast.h"
#include "lab/language/instruction.h"

namespace tilewalk::lab {

enum class MemorySpace { Global, Shared, Local };

// An array of 32-bit elements: a tensor, or a shared or local array of a kernel.
struct MemoryObject {
  std::string name = {};
  MemorySpace space{};
  BaseType element = BaseType::Float;
  std::vector<std::int64_t> dims = {};  // a tensor has its own shape
  std::int64_t size = 0;                // elements
  std::int64_t offset = 0;              // in the shared memory of a block, or in the local memory of a thread
  bool is_const = false;                // an input: kernels may not write it
  bool is_scratch = false;
  SourcePlace place = {};  // of a tensor: none

  std::string element_name(std::int64_t index) const;  // "sS[3][7]"
  std::string sides() const;                           // "[4][8]"; of a tensor "[32]", its elements
};

struct Variable {  // as a debugger shows it
  std::string name = {};
  TypeName type = {};
  int reg = 0;
  int object = kNone;      // of an array
  int begin = 0, end = 0;  // instructions where the name is known
  SourcePlace place = {};
};

struct PrintFormat {
  std::string text = {};                 // with escapes replaced
  std::vector<TypeName> arguments = {};  // checked against the text
};

struct Kernel {
  std::string name = {};
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::vector<int> parameters = {};  // indices of Program::tensors
  std::vector<Instruction> code = {};
  std::vector<SourcePlace> places = {};       // one for each instruction
  std::vector<std::uint64_t> registers = {};  // as a thread starts
  std::vector<MemoryObject> objects = {};     // tensors first, as in Program
  std::int64_t shared_words = 0, local_words = 0;
  std::vector<PrintFormat> formats = {};
  std::vector<std::string> unset_names = {};
  std::vector<Variable> variables = {};

  std::int64_t threads() const { return block[0] * block[1] * block[2]; }
  std::int64_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};
// Registers 0 to 5: threadIdx.x, y, z and blockIdx.x, y, z.
inline constexpr int kBlockIndexRegister = 3, kFirstFreeRegister = 6;

struct Program {
  std::vector<MemoryObject> tensors = {};  // the task's, then scratch
  std::vector<Kernel> kernels = {};        // in the order of their launch
  std::vector<Tag> tags = {};
  bool base_two = false;  // m, l and L are in log2 units: // base: 2
  int lines = 0;

  // The tag of a line: the last one on it or above it; empty where there is none.
  const std::string& tag_of(int line) const;
};

inline constexpr std::int64_t kMostThreads = 1024, kMostBlocks = 1 << 20, kMostSharedBytes = 48 * 1024,
                              kMostElements = std::int64_t(1) << 24, kMostInstructions = 60'000, kMostRegisters = 4'000;

}  // namespace tilewalk::lab
