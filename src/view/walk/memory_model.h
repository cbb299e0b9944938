// The two levels of memory: the state of each tensor's tiles in HBM, the contents of SRAM, and the transfers between
// them. For the head in view; with more than `most_tiles` tiles, those far from the current tile are folded. Not
// modelled: caches, registers, alignment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

// The state of a tile in HBM. Idle: of an input. Written: an output, in whole or in part. Unwritten: an output, not
// written yet. OnChip: has a copy in SRAM now.
enum class MemoryTileState { Idle, OnChip, Written, Unwritten };

struct MemoryTile {
  std::int64_t tile = 0;  // −1: a fold of several tiles
  MemoryTileState state = MemoryTileState::Idle;
  std::string label;  // "Q2", "…"
  // A pass writes S, P and their gradients tile by tile. The share of this row that is in HBM after the current step,
  // and the part of that share that this step writes. 1 and 0 for all other tensors.
  double written = 1, written_now = 0;
  bool now = false;  // of the step at hand
};

struct MemoryRow {
  TensorId tensor = TensorId::Q;
  std::string label;  // "Q"
  std::string size;   // "256 B"
  std::string note;   // instead of tiles: "never written"
  std::string help;
  std::vector<MemoryTile> tiles;
  bool thin = false;  // one number a row, written once beside the output
};

struct MemoryResident {
  TensorId tensor = TensorId::Q;
  std::string tile;   // its name as a tile that moves: "Q2", "m2"
  std::string label;  // "Q2", "m ℓ", "O2 in registers"
  std::int64_t bytes = 0;
  double share = 0;    // of the capacity
  bool fresh = false;  // filled or changed by the current step
};

struct MemoryMove {
  TensorId tensor = TensorId::Q;
  bool to_sram = true;
  std::string label;   // "K1", "S"
  std::string in_hbm;  // the tile there: "K1", "S2"
  std::string bytes;   // "64 B"
  std::int64_t byte_count = 0;
};

// The texts to reserve space for, so that nothing on screen moves from one step to the next: all transfers of this
// walk's steps, all sets of residents (labels), and the purposes of its steps.
struct MemoryRoom {
  std::vector<std::vector<MemoryMove>> moves;
  std::vector<std::vector<std::string>> residents;
  std::vector<std::string> purposes;  // each once
};

struct MemoryModel {
  std::vector<MemoryRow> hbm;
  std::vector<MemoryMove> moves;
  bool moves_now = false;  // false: the moves of an earlier step of this visit
  std::string moves_note;  // "nothing moves", where there are none
  // "nothing crosses: 992 B so far", where this step moves nothing; before the first step "first from HBM: Q0 64 B"
  std::string so_far;
  std::string hbm_title;   // "HBM · global memory"; among several heads "HBM · one head of 16"
  std::string sram_title;  // "SRAM · one thread block"
  std::vector<MemoryResident> residents;
  std::vector<MemoryResident> to_come;  // before the first step: what the first visit will hold
  double filled = 0;                    // share of the capacity
  std::int64_t filled_bytes = 0;
  bool too_large = false;     // the last requested tiles do not fit; sram_text says by how much
  std::string sram_text;      // "352 B of 1.00 KiB; H200 has 227 KiB"
  std::string purpose, cost;  // of this step
  MemoryRoom room;
  // The two memories of the problem's GPU: size and speed of each, and the ratio between them.
  std::string levels_title, hbm_level, sram_level, apart;
  std::string sram_tip;  // an SM's SRAM beside a thread block's limit, where they differ
};

bool is_of_keys(TensorId);  // its tiles are KV tiles: K, V and their gradients
// The transfers of a step between HBM and SRAM: one for each tensor and direction.
std::vector<MemoryMove> moves_of(const Schedule&, const Step&);

// The tiles that SRAM has while a step runs; m and ℓ are one.
std::vector<MemoryResident> residents_of(const Schedule&, const Step&);

MemoryModel build_memory_model(const Schedule&, const State&, int most_tiles);

}  // namespace tilewalk
