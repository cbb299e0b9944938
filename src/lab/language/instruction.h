// The instructions that a kernel's text becomes. A flat array; registers are 64 bits wide, one file of them a thread.
//
// A register has an int as 64 bits with its sign, an unsigned with zeros above, a float in its low 32 bits, a pointer
// as in Pointer. So comparisons, divisions and indices are the same for all whole numbers.
#pragma once

#include <cstdint>

namespace tilewalk::lab {

// name: what it does with registers a, b, c and with imm.
#define TILEWALK_LAB_OPS(OP)                                                                                           \
  OP(Move)                                                                                                             \
  OP(AddI)                                                                                                             \
  OP(SubI)                                                                                                             \
  OP(MulI) OP(DivI) OP(RemI) OP(ShlI) OP(ShrI)                             /* a = b . c, int */                        \
      OP(AddU) OP(SubU) OP(MulU) OP(ShlU)                                  /* unsigned */                              \
      OP(AddL) OP(SubL) OP(MulL) OP(DivL) OP(RemL) OP(ShlL) OP(ShrL)       /* long long */                             \
      OP(And) OP(Or) OP(Xor) OP(Less) OP(LessEqual) OP(Equal) OP(NotEqual) /* whole numbers */                         \
      OP(Min) OP(Max) OP(AddF) OP(SubF) OP(MulF) OP(DivF) OP(MinF) OP(MaxF) OP(LessF) OP(LessEqualF) OP(EqualF)        \
          OP(NotEqualF) OP(Fma)                                    /* a = b * c + imm */                               \
      OP(NegF) OP(AbsF) OP(Exp2) OP(Exp) OP(Log2) OP(Log) OP(Sqrt) /* a = f(b) */                                      \
      OP(ToFloat) OP(FloatToI) OP(FloatToU) OP(FloatToL) OP(WrapI) OP(WrapU) OP(ToBool) OP(ToBoolF)                    \
          OP(Jump)               /* to imm */                                                                          \
      OP(JumpTrue) OP(JumpFalse) /* by a */                                                                            \
      OP(JumpLess) OP(JumpNotLess) OP(JumpLessEqual) OP(JumpNotLessEqual) OP(JumpEqual) OP(JumpNotEqual) OP(JumpLessF) \
          OP(JumpNotLessF) OP(JumpLessEqualF) OP(JumpNotLessEqualF) OP(JumpEqualF) OP(JumpNotEqualF) /* by a . b */    \
      OP(LoadShared1) OP(LoadShared2) OP(LoadLocal1) OP(LoadLocal2)     /* a = imm[b][c] */                            \
      OP(StoreShared1) OP(StoreShared2) OP(StoreLocal1) OP(StoreLocal2) /* imm[b][c] = a */                            \
      OP(Load) OP(Store)                                                /* a, (pointer b)[c] */                        \
      OP(Index)                             /* a = b * size + c, where c < size: imm is the object * 8 + dimension */  \
      OP(MovePointer)                       /* a = b + c */                                                            \
      OP(PointerDifference) OP(ForgetLocal) /* all elements of imm count as not written */                             \
      OP(CheckSet)                          /* refuses if a is 0: imm is an index into Kernel::unset_names */          \
      OP(AtomicAdd)                         /* a = *(pointer b), which grows by c; imm: 1 for float, 0 for int */      \
      OP(Barrier) OP(WarpBarrier)           /* mask a */                                                               \
      OP(Shuffle)                           /* a = b of lane c; imm: mask register * 4 + ShuffleKind */                \
      OP(VisitDone)                         /* a and the four registers after it: q_tile, kv_tile, m, l, o */          \
      OP(RowDone)                           /* a and the four after it: row, kv_tile, m, l, o; b, c: has m, l */       \
      OP(Print)                             /* the format imm, with values from register a on */                       \
      OP(Return)

enum class Op : std::uint16_t {
#define TILEWALK_LAB_OP(name) name,
  TILEWALK_LAB_OPS(TILEWALK_LAB_OP)
#undef TILEWALK_LAB_OP
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
