// Kernels with tiles chosen by their own package: FA-1, FA-3, FA-4, FlexAttention; and eager attention.
#include <fmt/format.h>

#include <algorithm>

#include "core/chip/real_tiles.h"
#include "core/problem/device_model.h"
#include "dispatch/kernel/shows.h"
#include "dispatch/kernel_schedule.h"

namespace tilewalk {
namespace {

void put_real_tile(const Call& call, KernelSchedule& out, const std::string& card) {
  Problem p;
  p.schedule = *out.schedule;
  p.machine.device = card;
  p.shape.d = call.d;
  p.numerics.dtype = DType::Fp16;
  if (call.is_causal && call.n_q > 1) p.shape.mask.kind = MaskKind::Causal;
  if (call.d > 256 || call.d != call.value_size()) return;
  if (const std::optional<RealTile> tile = real_tile(p)) {
    out.br = tile->br, out.bc = tile->bc;
    out.tile_source = tile->source;
  }
}

// hopper/tile_size.h, tile_size_fwd_sm8x: 16 bits, rows of equal length.
void put_flash3_tile_before_hopper(const Call& call, KernelSchedule& out) {
  const bool small = call.sm() == 86 || call.sm() == 89;
  out.br = 128;
  out.bc = call.d <= 64    ? 112
           : call.d <= 96  ? 64
           : call.d <= 128 ? (small ? 128 : 64)
           : call.d <= 192 ? 96
           : small         ? 64
                           : 96;
  out.tile_source = "hopper/tile_size.h";
}

}  // namespace

KernelSchedule shown_eager() {
  return {.schedule = shows::unfused,
          .split_kv = false,
          .sentence = "attention operation by operation, so that S and P go to memory whole and come back"};
}

KernelSchedule shown_flash1(const Call& call) {
  KernelSchedule out{.schedule = shows::keys_outside,
                     .split_kv = false,
                     .generation = "FA-1",
                     .sentence = "FlashAttention-1's own kernel"};
  put_real_tile(call, out, device_of_capability(kAmpere).name);
  return out;
}

KernelSchedule shown_flash3(const Call& call) {
  KernelSchedule out{.split_kv = false};  // the default num_splits of flash_attn_func is 1
  if (call.sm() < 90) {
    out.schedule = shows::queries_outside;
    out.generation = "FA-2";
    out.sentence = "the FA-3 package's kernel for Ampere and Ada, with a schedule of FA-2's kind";
    put_flash3_tile_before_hopper(call, out);
    return out;
  }
  out.schedule = shows::warps_by_trade;
  out.generation = "FA-3";
  out.sentence = "FlashAttention-3's own kernel";
  put_real_tile(call, out, device_of_capability(kHopper).name);
  return out;
}

KernelSchedule shown_flash4(const Call& call) {
  const int major = call.sm() / 10;
  if (major == 10 || major == 11)
    return {.schedule = shows::seldom_rescaled,
            .split_kv = false,
            .generation = "FA-4",
            .sentence = "FlashAttention-4's own kernel",
            .unknown = "Its tile is not listed here."};
  const bool hopper = major == 9;
  return {.schedule = hopper ? shows::warps_by_trade : shows::queries_outside,
          .split_kv = false,
          .generation = hopper ? "FA-3" : "FA-2",
          .sentence = fmt::format("the FA-4 package's kernel for SM {}, with a schedule of {}'s kind",
                                  hopper ? "9.0" : "8.0", hopper ? "FA-3" : "FA-2"),
          .unknown = "Its tile is not known: it changed from beta to beta."};
}

// torch/_inductor/kernel/flex: below 128 query rows FlexDecoding, where a power of two of heads share a KV head.
KernelSchedule shown_flex(const Call& call) {
  KernelSchedule out{
      .generation = "FA-2",
      .unknown = "Its tile is not known: torch.compile chooses it, and the kernel's name does not contain it."};
  if (!call.on_gpu) {
    out.schedule = shows::queries_outside;
    out.split_kv = false;
    out.sentence = "a loop over tiles in C++ that torch.compile writes for the CPU, in the order of FA-2";
    return out;
  }
  const std::int64_t shared = call.heads / std::max<std::int64_t>(call.heads_of_kv(), 1);
  if (call.n_q >= 128 || (shared & (shared - 1)) != 0) {
    out.schedule = shows::queries_outside;
    out.split_kv = false;
    out.sentence = "a Triton kernel that torch.compile writes, in the order of FA-2";
    return out;
  }
  out.sentence = "FlexDecoding, a Triton kernel for few query rows that torch.compile writes, in the order of FA-2";
  const std::optional<int> sms = multiprocessors_of(call);
  if (!sms) {
    out.unknown = "Among how many thread blocks a row's keys are shared out hangs on the number of multiprocessors.";
    return out;
  }
  const std::int64_t blocks = call.batch * call.heads_of_kv();
  out.splits = std::max<std::int64_t>(*sms / blocks * 2, 1);
  out.split_kv = *out.splits > 1;
  out.schedule = *out.split_kv ? shows::keys_shared_out : shows::queries_outside;
  if (*out.split_kv) out.sentence += fmt::format(", with a row's keys shared out among {} thread blocks", *out.splits);
  return out;
}

}  // namespace tilewalk
