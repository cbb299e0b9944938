// FlashAttention-3 (hopper/): cutlass::device_kernel of a kernel type whose arguments are its main loop, its epilogue
// and its scheduler.
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

struct KernelType {
  std::string_view word;
  KernelPass pass;
  std::optional<int> sm = {};
  std::optional<ScheduleKind> schedule = {};
};
constexpr KernelType kTypes[] = {
    {"FlashAttnFwdSm90", Forward, 90, ScheduleKind::FlashV3},
    {"FlashAttnFwdSm80", Forward, 80, ScheduleKind::FlashV2},
    {"FlashAttnBwdSm90", Backward, 90, ScheduleKind::Backward},
    {"FlashAttnBwdSm80", Backward, 80, ScheduleKind::Backward},
    {"FlashAttnFwdCombine", Combine, {}, ScheduleKind::SplitKv},
    {"FlashAttnBwdPreprocess", Helper},
    {"FlashAttnBwdPostprocessConvertdQ", Helper},
    {"prepare_varlen_num_blocks_kernel", Helper},
};

struct MainLoop {
  std::string_view word;
  std::size_t tile;         // which argument is [rows of Q, keys, d]
  std::size_t split_after;  // flags between the architecture and the one that says split; 0: it has none
};
constexpr MainLoop kLoops[] = {
    {"CollectiveMainloopFwdSm90", 2, 10},
    {"CollectiveMainloopFwdSm80", 3, 0},
    {"CollectiveMainloopBwdSm90", 4, 0},
    {"CollectiveMainloopBwdSm80", 2, 0},
};

// The kernel type itself, or what cutlass::device_kernel and flash::enable_sm90 hold.
const CppName* kernel_type(const CppName& name) {
  const CppName* at = &name;
  for (int depth = 0; at && depth < 4; ++depth) {
    for (const KernelType& type : kTypes)
      if (at->word() == type.word) return at->path.size() == 1 || at->lies_in("flash") ? at : nullptr;
    at = name_at(at->arguments(), 0);
  }
  return nullptr;
}

// cute::C<128>
std::optional<std::int64_t> constant(const CppName* name) {
  if (!name || name->word() != "C") return std::nullopt;
  return number_at(name->arguments(), 0);
}

void read_tile(DecodedKernel& out, const CppName* shape) {
  if (!shape || shape->word() != "tuple" || shape->arguments().size() != 3 || shape->cut()) return;
  const CppNames& sizes = shape->arguments();
  out.tile = tile_of(constant(name_at(sizes, 0)), constant(name_at(sizes, 1)));
  out.d = head_size(constant(name_at(sizes, 2)));
}

// Of the flags that follow the architecture.
std::optional<bool> flag_after_architecture(const CppNames& arguments, std::size_t index, std::size_t skipped) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i]->lies_in("arch")) {
      for (std::size_t at = i + 1 + skipped; at <= i + 1 + skipped + index; ++at)
        if (!flag_at(arguments, at)) return std::nullopt;
      return flag_at(arguments, i + 1 + skipped + index);
    }
  return std::nullopt;
}

// The main loop says it and the epilogue says it; where they disagree, it is another version than this one knows.
std::optional<bool> split_of(const CppName& type, const MainLoop& loop) {
  if (loop.split_after == 0) return std::nullopt;
  const CppName* main = name_at(type.arguments(), 0);
  const CppName* epilogue = name_at(type.arguments(), 1);
  const auto said = flag_after_architecture(main->arguments(), loop.split_after, 0);
  if (!said || !epilogue || epilogue->word() != "CollectiveEpilogueFwd") return std::nullopt;
  return flag_after_architecture(epilogue->arguments(), 2, 1) == said ? said : std::nullopt;
}

}  // namespace

Decoded decode_flash3(const CppName& name) {
  const CppName* type = kernel_type(name);
  if (!type) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Flash3};
  for (const KernelType& row : kTypes)
    if (row.word == type->word()) out.pass = row.pass, out.sm = row.sm, out.schedule = row.schedule;
  if (out.pass == Combine) out.split_kv = true;
  if (out.pass == Combine || out.pass == Helper) {
    for (const auto& argument : type->arguments())
      if (argument->lies_in("arch")) out.sm = number_after(argument->word(), "Sm");
    if (type->word() == "FlashAttnBwdPostprocessConvertdQ") {  // <[rows of Q, d], …>; elsewhere the size is that of V
      const CppName* shape = name_at(type->arguments(), 0);
      if (shape && shape->word() == "tuple" && shape->arguments().size() == 2)
        out.d = head_size(constant(name_at(shape->arguments(), 1)));
    }
    out.dtype = dtype_among(type->arguments());
    return out;
  }
  const CppName* main = name_at(type->arguments(), 0);
  for (const MainLoop& loop : kLoops)
    if (main && main->word() == loop.word) {
      read_tile(out, name_at(main->arguments(), loop.tile));
      out.dtype = dtype_among(main->arguments());
      out.split_kv = split_of(*type, loop);
      if (out.split_kv == true) out.schedule = ScheduleKind::SplitKv;
    }
  return out;
}

}  // namespace tilewalk
