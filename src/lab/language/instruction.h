// The instructions that a kernel's text becomes. A flat array; registers are 64 bits wide, one file of them a thread.
//
// A register has an int as 64 bits with its sign, an unsigned with zeros above, a float in its low 32 bits, a pointer
// as in Pointer. So comparisons, divisions and indices are the same for all whole numbers.
#pragma once

#include <cstdint>

namespace tilewalk::lab {

// Registers a, b, c; imm as said, where it is not another register.
enum class Op : std::uint16_t {
  Move,  // a = b
  // a = b . c of int, then of unsigned and long long; divisions and shifts to the right of unsigned are those of the
  // others, since its registers have zeros above
  AddI,
  SubI,
  MulI,
  DivI,
  RemI,
  ShlI,
  ShrI,
  AddU,
  SubU,
  MulU,
  ShlU,
  AddL,
  SubL,
  MulL,
  DivL,
  RemL,
  ShlL,
  ShrL,
  // of all whole numbers
  And,
  Or,
  Xor,
  Less,
  LessEqual,
  Equal,
  NotEqual,
  Min,
  Max,
  // of floats
  AddF,
  SubF,
  MulF,
  DivF,
  MinF,
  MaxF,
  LessF,
  LessEqualF,
  EqualF,
  NotEqualF,
  Fma,  // a = b * c + register imm, rounded once
  // a = f(b)
  NegF,
  AbsF,
  Exp2,
  Exp,
  Log2,
  Log,
  Sqrt,
  ToFloat,
  FloatToI,
  FloatToU,
  FloatToL,
  WrapI,  // modulo 2^32, as an int
  WrapU,  // likewise, as an unsigned
  ToBool,
  ToBoolF,
  // to instruction imm: always; by a; by a . b
  Jump,
  JumpTrue,
  JumpFalse,
  JumpLess,
  JumpNotLess,
  JumpLessEqual,
  JumpNotLessEqual,
  JumpEqual,
  JumpNotEqual,
  JumpLessF,
  JumpNotLessF,
  JumpLessEqualF,
  JumpNotLessEqualF,
  JumpEqualF,
  JumpNotEqualF,
  // a = imm[b][c] and imm[b][c] = a, imm is an object
  LoadShared1,
  LoadShared2,
  LoadLocal1,
  LoadLocal2,
  StoreShared1,
  StoreShared2,
  StoreLocal1,
  StoreLocal2,
  Load,               // a = (pointer b)[c]
  Store,              // (pointer b)[c] = a
  Index,              // a = b * size + c, where c < size: imm is the object * 8 + the dimension
  MovePointer,        // a = b + c
  PointerDifference,  // a = b - c
  ForgetLocal,        // all elements of imm count as not written
  CheckSet,           // refuses if a is 0: imm is an index into Kernel::unset_names
  AtomicAdd,          // a = *(pointer b), which grows by c; imm: 1 for float, 0 for int
  Barrier,
  WarpBarrier,  // mask a
  Shuffle,      // a = b of lane c; imm: mask register * 4 + ShuffleKind
  VisitDone,    // a and the four registers after it: q_tile, kv_tile, m, l, o
  RowDone,      // a and the four after it: row, kv_tile, m, l, o; b, c: has m, l
  Print,        // the format imm, with values from register a on
  Return
};

enum ShuffleKind { kShuffleLane, kShuffleXor, kShuffleDown };

struct Instruction {
  Op op{};
  std::uint16_t a = 0, b = 0, c = 0;
  std::int32_t imm = 0;
};

// An element of a memory object: object number plus one in the upper 24 bits, offset in elements below, moved by kBias
// so that a pointer may stand before the first element. 0 is nullptr.
struct Pointer {
  static constexpr int kOffsetBits = 40;
  static constexpr std::uint64_t kMask = (std::uint64_t(1) << kOffsetBits) - 1;
  static constexpr std::int64_t kBias = std::int64_t(1) << (kOffsetBits - 1);
  static constexpr std::uint64_t to(int object, std::int64_t offset) {
    return (std::uint64_t(object + 1) << kOffsetBits) | (std::uint64_t(offset + kBias) & kMask);
  }
  static constexpr int object(std::uint64_t bits) { return int(bits >> kOffsetBits) - 1; }
  static constexpr std::int64_t offset(std::uint64_t bits) { return std::int64_t(bits & kMask) - kBias; }
};

}  // namespace tilewalk::lab
