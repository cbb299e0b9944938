// The problem: everything that decides what attention is computed and how it is walked. A plain value.
//
// Shapes: Q, O, dO, dQ [batch, heads, n_q, d]; K, V, dK, dV [batch, kv_heads, n_kv, d]; L, D [batch, heads, n_q]. Query
// head h reads KV head h / (heads / kv_heads). Lengths are counts of rows, sram_bytes is bytes. Nothing here reads a
// file: the caller reads input files and passes their tensors to Inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/problem/mask.h"

namespace tilewalk {

enum class ScheduleKind {  // core/schedules/registry describes each
#define SCHEDULE(id) id,
#include "core/problem/schedules.inc"
#undef SCHEDULE
};
enum class DType { Fp32, Fp16, Bf16 };
enum class Base { E, Two };
enum class KvOrder { Forward, Reverse };
enum class Distribution { Normal, Uniform, Integers, Outliers };

// One classic mistake, applied in the replay alone, so that the checker can catch it.
enum class Fault {
  None,
  ForgetRescaleO,  // O is not multiplied by alpha
  ForgetRescaleL,  // l is not multiplied by alpha
  TileMax,         // the tile's own max is used instead of the running max
  NoMax,           // no max is subtracted at all
  InverseRescale,  // the erratum of the FA-2 paper: O is divided by alpha
  MaskOffByOne,    // the causal edge (or the window's right edge) is one column too far right
  SkipDiagonal,    // tiles that the mask cuts through are skipped too
  RaggedRead,      // columns past N_kv are read as zeros and take part
};

// The sizes: counts of rows.
struct Shape {
  std::int64_t batch = 1;
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t n_q = 16;
  std::int64_t n_kv = 16;
  std::int64_t d = 4;  // head size, 1 to 256
  Mask mask{};

  bool operator==(const Shape&) const = default;
  Band band() const { return mask.band(n_q, n_kv); }
  std::int64_t kv_head_of(std::int64_t head) const { return head / (heads / kv_heads); }
  std::int64_t head_group() const { return heads / kv_heads; }  // query heads that share a KV head
};

// Number formats, and the source of the values.
struct Numerics {
  DType dtype = DType::Fp32;  // of Q, K, V, P and O in HBM; m, l, L are always fp32, and so is S by default
  // standard in 16 bits: S has this dtype in HBM too, as in the naive attention that races. False for every other
  // schedule and for fp32.
  bool narrow_scores = false;
  Base base = Base::E;
  std::optional<double> scale;  // default 1/sqrt(d) in base e, 1 in base 2
  std::uint64_t seed = 7;
  Distribution distribution = Distribution::Normal;

  bool operator==(const Numerics&) const = default;
  int element_bytes() const { return dtype == DType::Fp32 ? 4 : 2; }
  int score_bytes() const { return narrow_scores ? element_bytes() : 4; }  // of an element of S in HBM
};

// How the score matrix is tiled and walked.
struct Tiling {
  std::int64_t br = 4;  // rows of a Q tile
  std::int64_t bc = 4;  // rows of a KV tile
  KvOrder order = KvOrder::Forward;
  std::int64_t splits = 1;       // split_kv: thread blocks that share a Q tile's KV range, 1 to 256
  double rescale_threshold = 8;  // flash_v4: tau in log2 units; a max that grew by no more is not followed
  // flash_v3, flash_v4: tiles in the circular buffer, K and V in turn. The released kernels keep two of each: 4.
  int stages = 4;

  bool operator==(const Tiling&) const = default;
};

// The default GPU, by its name in core/problem/device_table: the one with the most measurements.
inline constexpr const char* kDefaultDevice = "h200";

// The hardware.
struct Machine {
  std::string device = kDefaultDevice;  // a name from core/problem/device_table
  std::int64_t sram_bytes = 1024;       // the limit of one thread block

  bool operator==(const Machine&) const = default;
};

// Settings of the lanes: they change the modelled timeline alone, never steps, values or bytes.
struct LaneSettings {
  bool warp_specialised = true;  // flash_v3: a producer warp loads; else consumer 0 loads between its own work
  bool ping_pong = true;         // flash_v3: the two consumers take turns at the tensor cores
  bool overlap = true;           // flash_v3: inside a consumer, PV of a tile overlaps with the next tile's softmax
  double exp2_share = 0.25;      // flash_v4: exponentials done by a polynomial (published: 0.10 to 0.25)

  bool operator==(const LaneSettings&) const = default;
};

struct Problem {
  ScheduleKind schedule = ScheduleKind::FlashV2;
  Shape shape;
  Numerics numerics;
  Tiling tiling;
  Machine machine;
  LaneSettings lanes;
  Fault fault = Fault::None;

  bool operator==(const Problem&) const = default;

  // Values derived from several of these.
  std::int64_t q_tiles() const { return (shape.n_q + tiling.br - 1) / tiling.br; }
  std::int64_t kv_tiles() const { return (shape.n_kv + tiling.bc - 1) / tiling.bc; }
  std::int64_t q_tile_rows(std::int64_t q_tile) const {
    return q_tile * tiling.br + tiling.br <= shape.n_q ? tiling.br : shape.n_q - q_tile * tiling.br;
  }
  std::int64_t kv_tile_cols(std::int64_t kv_tile) const {
    return kv_tile * tiling.bc + tiling.bc <= shape.n_kv ? tiling.bc : shape.n_kv - kv_tile * tiling.bc;
  }
  std::int64_t split_tiles() const { return (kv_tiles() + tiling.splits - 1) / tiling.splits; }  // KV tiles of a split
  double scale_value() const;     // the given scale, or its default
  float score_factor() const;     // c: the product's factor, which leaves scores in log2 units (kernels/README.md)
  float gradient_factor() const;  // g: the factor of dQ and dK at the end of the backward pass
};

// Names in the command line and in files.
const char* name_of(DType);
const char* name_of(Base);
const char* name_of(KvOrder);
const char* name_of(Distribution);
const char* name_of(Fault);
const char* title_of(Fault);        // in plain words: "uses this tile's max only"
const char* description_of(Fault);  // one sentence: what is done wrong
std::string harm_of(Fault);         // one sentence or two: why it is a mistake, even where O happens to be right
const char* risk_of(Fault);         // what may happen where O is still right; empty where O is always wrong
std::optional<DType> dtype_from(const std::string&);
std::optional<Base> base_from(const std::string&);
std::optional<KvOrder> order_from(const std::string&);
std::optional<Distribution> distribution_from(const std::string&);
std::optional<Fault> fault_from(const std::string&);
const std::vector<Fault>& all_faults();  // without None

}  // namespace tilewalk
