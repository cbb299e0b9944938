// The problem: everything that decides what attention is computed and how it is walked. A plain value.
//
// Shapes: Q, O, dO, dQ [batch, heads, n_q, d]; K, V, dK, dV [batch, kv_heads, n_kv, d]; L, D [batch, heads, n_q].
// Query head h reads KV head h / (heads / kv_heads).
// Lengths are counts of rows, sram_bytes is bytes. Nothing here touches a file: inputs read from files are handed to
// Inputs by whoever read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/mask.h"

namespace tilewalk {

enum class ScheduleKind {
  Standard,
  FlashV1,
  FlashV2,
  FlashV3,
  FlashV4,
  SplitKv,
  Backward,
  BackwardV1,
  BackwardStandard
};
enum class DType { Fp32, Fp16, Bf16 };
enum class Base { E, Two };
enum class KvOrder { Forward, Reverse };
enum class Distribution { Normal, Uniform, Integers, Outliers };

// One classic mistake, switched on in the replay alone, to see it caught.
enum class Fault {
  None,
  ForgetRescaleO,  // O is not multiplied by alpha
  ForgetRescaleL,  // l is not multiplied by alpha
  TileMax,         // the tile's own max stands in for the running max
  NoMax,           // no max is subtracted at all
  InverseRescale,  // the erratum of the FA-2 paper: O is divided by alpha
  MaskOffByOne,    // the causal edge (or the window's right edge) lets one more column in
  SkipDiagonal,    // tiles that the mask cuts through are skipped too
  RaggedRead,      // columns past N_kv are read as zeros and take part
};

struct Problem {
  ScheduleKind schedule = ScheduleKind::FlashV2;
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t n_q = 16;
  std::int64_t n_kv = 16;
  std::int64_t d = 4;  // head size, 1 to 256
  Mask mask{};
  std::int64_t br = 4;  // rows of a Q tile
  std::int64_t bc = 4;  // rows of a KV tile
  KvOrder order = KvOrder::Forward;
  DType dtype = DType::Fp32;  // of Q, K, V, P and O in HBM; S, m, l, L are always fp32
  Base base = Base::E;
  std::optional<double> scale;  // default 1/sqrt(d) in base e, 1 in base 2
  std::uint64_t seed = 7;
  Distribution distribution = Distribution::Normal;
  std::string device = "h200";     // a name from core/device_model
  std::int64_t sram_bytes = 1024;  // what one thread block may hold
  Fault fault = Fault::None;
  std::int64_t splits = 1;       // split_kv: thread blocks that share a Q tile's KV range, 1 to 256
  double rescale_threshold = 8;  // flash_v4: tau in log2 units; a max that grew by no more is not followed
  // flash_v3, flash_v4: tiles in the circular buffer, K and V in turn. The released kernels keep two of each: 4.
  int stages = 4;
  // Who does what when: they change the modelled timeline alone, never steps, values or bytes.
  bool warp_specialised = true;  // flash_v3: a producer warp loads; else consumer 0 does, between its own work
  bool ping_pong = true;         // flash_v3: the two consumers take turns at the tensor cores
  bool overlap = true;           // flash_v3: inside a consumer, PV of a tile runs beside the next tile's softmax
  double exp2_share = 0.25;      // flash_v4: exponentials done by a polynomial (published: 0.10 to 0.25)

  bool operator==(const Problem&) const = default;

  std::int64_t q_tiles() const { return (n_q + br - 1) / br; }
  std::int64_t kv_tiles() const { return (n_kv + bc - 1) / bc; }
  std::int64_t q_tile_rows(std::int64_t q_tile) const { return q_tile * br + br <= n_q ? br : n_q - q_tile * br; }
  std::int64_t kv_tile_cols(std::int64_t kv_tile) const { return kv_tile * bc + bc <= n_kv ? bc : n_kv - kv_tile * bc; }
  std::int64_t split_tiles() const { return (kv_tiles() + splits - 1) / splits; }  // KV tiles of one split
  std::int64_t kv_head_of(std::int64_t head) const { return head / (heads / kv_heads); }
  int element_bytes() const { return dtype == DType::Fp32 ? 4 : 2; }
  Band band() const { return mask.band(n_q, n_kv); }
  double scale_value() const;     // the scale in force
  float score_factor() const;     // c: scores leave the product in log2 units (kernels/README.md)
  float gradient_factor() const;  // g: what dQ and dK are multiplied by at the end of the backward pass
  std::int64_t head_group() const { return heads / kv_heads; }  // query heads that share a KV head
};

// Names as the command line and files spell them.
const char* name_of(ScheduleKind);
const char* name_of(DType);
const char* name_of(Base);
const char* name_of(KvOrder);
const char* name_of(Distribution);
const char* name_of(Fault);
const char* title_of(ScheduleKind);  // as people say it: "Naive", "FA-2"
const char* description_of(Fault);   // one sentence: what is done wrong
std::optional<ScheduleKind> schedule_from(const std::string&);
std::optional<DType> dtype_from(const std::string&);
std::optional<Base> base_from(const std::string&);
std::optional<KvOrder> order_from(const std::string&);
std::optional<Distribution> distribution_from(const std::string&);
std::optional<Fault> fault_from(const std::string&);
const std::vector<ScheduleKind>& all_schedules();  // as they are listed: forward, then backward, oldest first
const std::vector<Fault>& all_faults();  // without None
bool fault_applies(Fault, ScheduleKind);
bool is_backward(ScheduleKind);  // one of the three backward passes

// Every rule the problem breaks, all at once; empty when it can be walked. Totals of every counter are checked to stay
// below 2^63 here, so that nothing downstream can overflow.
Issues validate(const Problem&);

// 64x64 halved (rows and columns together, not below 1) until the schedule's working set fits p.sram_bytes.
void choose_default_tiles(Problem& p);

// 1, but for split_kv where none were chosen: 4, or as many as there are KV tiles.
void choose_default_splits(Problem& p);

}  // namespace tilewalk
