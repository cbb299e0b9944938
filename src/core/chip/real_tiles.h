// Tile sizes of the released FlashAttention kernels, forward, by head size and GPU.
// Sources: FlashAttention-2, csrc/flash_attn/src/flash_fwd_launch_template.h (fp16 and bf16, no dropout);
// FlashAttention-3, hopper/tile_size.h (16 bits; fp8 not listed); FlashAttention-1 as released (1.0: 16 query rows, in
// contrast to the paper). A head size between two of the list takes the larger
// one's, as the kernels do. Not modelled: dropout, local windows, paged caches, backward kernels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/schedules/schedule_row.h"

namespace tilewalk {

// The tile that the released kernel uses for this problem's schedule, head size, mask and device. Empty where there is
// none (flash_v3 runs on Hopper alone, flash_v2 from Ampere on, both up to d = 256).
std::optional<RealTile> real_tile(const Problem&);

// Why there is no released tile; empty where there is one.
std::string why_no_real_tile(const Problem&);
std::string way_to_real_tile(const Problem&);  // what to change where there is no released tile: "Try --device h100"

// The rule of FA-1's paper (arXiv 2205.14135, Algorithm 1, line 1): Bc = ceil(M / 4d), Br = min(Bc, d). M is the SRAM
// of one thread block in fp32 elements, as S and O are in fp32. Bc is reduced where the working set would not fit. For
// flash_v1 alone; empty elsewhere, and where not even one row and one column fit.
std::optional<RealTile> paper_tile(const Problem&);

// Tiles that a command can name: "released" (the kernel of the problem's own schedule), "fa2", "fa3" (those kernels,
// for any schedule), "fa1", "split-kv" and "paper" (under their own schedules).
struct NamedTile {
  std::string name;   // "fa2"
  std::string title;  // "FA-2's kernel"
  RealTile tile;
};
// Every kernel that has a tile for this head size, mask and device. The released kernels have no fp32: for an fp32
// problem this lists the fp16 tiles, and the caller has to say so.
std::vector<NamedTile> named_tiles(const Problem&);
Result<RealTile> tile_named(const Problem&, const std::string& name);

}  // namespace tilewalk
