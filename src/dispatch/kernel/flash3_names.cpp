// FlashAttention-3 (hopper/): cutlass::device_kernel with a kernel type whose arguments are its main loop, its epilogue
// and its scheduler.
#include "dispatch/kernel/name_rules.h"

namespace tilewalk {
namespace {

using enum KernelPass;

constexpr NamedKernel kTypes[] = {
    {"FlashAttnFwdSm90", Forward, shows::warps_by_trade},
    {"FlashAttnFwdSm80", Forward, shows::queries_outside},
    {"FlashAttnBwdSm90", Backward, shows::backward},
    {"FlashAttnBwdSm80", Backward, shows::backward},
    {"FlashAttnFwdCombine", Combine, shows::keys_shared_out},
    {"FlashAttnBwdPreprocess", Helper},
    {"FlashAttnBwdPostprocessConvertdQ", Helper},
    {"prepare_varlen_num_blocks_kernel", Helper},
};

struct MainLoop {
  std::string_view word;
  std::size_t tile;  // index of the argument [rows of Q, keys, d]
  bool may_split;
};
constexpr MainLoop kLoops[] = {
    {"CollectiveMainloopFwdSm90", 2, true},
    {"CollectiveMainloopFwdSm80", 3, false},
    {"CollectiveMainloopBwdSm90", 4, false},
    {"CollectiveMainloopBwdSm80", 2, false},
};

// The kernel type itself, or the argument of cutlass::device_kernel or flash::enable_sm90, with what its word says.
struct KernelType {
  const CppName* name = nullptr;
  KernelFacts facts{};
};
KernelType kernel_type(const CppName& name) {
  const CppName* at = &name;
  bool launched = false;
  for (int depth = 0; at && depth < 4; ++depth) {
    const bool at_home = at->lies_in("flash");
    if (const auto facts = find_kernel(kTypes, at->word()))
      return at->path.size() == 1 || at_home ? KernelType{at, *facts} : KernelType{};
    // Nothing else is launched in this way from this namespace; which kernel it is was cut off.
    const CppName* inner = type_at(at->path.back(), 0);
    if (launched && at_home && (!inner || beginning_of(at->word()))) return {at, {}};
    launched = at->word() == "device_kernel" || (at_home && at->word().starts_with("enable_sm"));
    at = inner;
  }
  return {};
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

// The consecutive flags after the architecture and `skipped` other arguments.
std::vector<bool> flags_after_architecture(const CppNames& arguments, std::size_t skipped) {
  std::vector<bool> out;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i]->lies_in("arch")) {
      for (std::size_t at = i + 1 + skipped; const auto flag = flag_at(arguments, at); ++at) out.push_back(*flag);
      break;
    }
  return out;
}

// The main loop's last flag but one and the epilogue's third flag both say it. Where they disagree, the version is not
// known here.
std::optional<bool> split_of(const CppName& type) {
  const CppName* main = name_at(type.arguments(), 0);
  const CppName* epilogue = name_at(type.arguments(), 1);
  if (!epilogue || epilogue->word() != "CollectiveEpilogueFwd" || main->cut() || epilogue->cut()) return std::nullopt;
  const std::vector<bool> in_main = flags_after_architecture(main->arguments(), 0);
  const std::vector<bool> in_epilogue = flags_after_architecture(epilogue->arguments(), 1);
  if ((in_main.size() != 12 && in_main.size() != 13) || in_epilogue.size() < 4) return std::nullopt;
  const bool split = in_main[in_main.size() - 2];
  return split == in_epilogue[2] ? std::optional(split) : std::nullopt;
}

}  // namespace

Decoded decode_flash3(const CppName& name) {
  const auto [type, facts] = kernel_type(name);
  if (!type) return std::nullopt;
  DecodedKernel out{.family = KernelFamily::Flash3, .pass = facts.pass, .schedule = facts.schedule};
  if (facts.word.ends_with("Sm90")) out.sm = 90;
  if (facts.word.ends_with("Sm80")) out.sm = 80;
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
      if (loop.may_split) out.split_kv = split_of(*type);
      if (out.split_kv == true) out.schedule = shows::keys_shared_out;
    }
  return out;
}

}  // namespace tilewalk
