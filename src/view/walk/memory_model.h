// The two levels of memory: what each tensor's tiles in HBM are doing, what lies in SRAM, what moves between them.
// Shown for the head in view; tiles past `most_tiles` are folded round the tile at hand.
// Not modelled: caches, registers, alignment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/replay/replay.h"
#include "core/walk/schedule.h"

namespace tilewalk {

// Of a tile in HBM. Idle: an input. Written, Unwritten: of an output, all or a part of it, or nothing yet. OnChip: one
// that HBM holds has a copy in SRAM now.
enum class MemoryTileState { Idle, OnChip, Written, Unwritten };

struct MemoryTile {
  std::int64_t tile = 0;  // −1: a fold of the tiles left out
  MemoryTileState state = MemoryTileState::Idle;
  std::string label;  // "Q2", "…"
};

struct MemoryRow {
  TensorId tensor = TensorId::Q;
  std::string label;  // "Q"
  std::string size;   // "256 B"
  std::string note;   // instead of tiles: "never written"
  std::string help;
  std::vector<MemoryTile> tiles;
};

struct MemoryResident {
  TensorId tensor = TensorId::Q;
  std::string label;  // "Q2", "m ℓ"
  std::int64_t bytes = 0;
  double share = 0;    // of the capacity
  bool fresh = false;  // filled or changed by the step at hand
};

struct MemoryMove {
  TensorId tensor = TensorId::Q;
  bool to_sram = true;
  std::string label;  // "K1"
  std::string bytes;  // "64 B"
  std::int64_t byte_count = 0;
};

// What is kept room for, so that nothing on screen moves from one step to the next: all that steps of this walk move,
// all that lies on chip at once (labels), and what its steps are for.
struct MemoryRoom {
  std::vector<std::vector<MemoryMove>> moves;
  std::vector<std::vector<std::string>> residents;
  std::vector<std::string> purposes;  // each once
};

struct MemoryModel {
  std::vector<MemoryRow> hbm;
  std::vector<MemoryMove> moves;
  bool moves_now = false;  // false: the moves are this visit's, made by an earlier step
  std::string moves_note;  // "nothing moves", where there are none
  std::string sram_title;  // "SRAM · one thread block"
  std::vector<MemoryResident> residents;
  double filled = 0;          // share of the capacity
  bool too_large = false;     // tiles were asked for that do not fit; sram_text says by how much
  std::string sram_text;      // "352 B of 1.00 KiB; H200 has 227 KiB"
  std::string purpose, cost;  // this step: what it is for, what it cost
  MemoryRoom room;
  // The two memories of the problem's GPU: size and speed of each, and how far apart they are.
  std::string levels_title, hbm_level, sram_level, apart;
};

bool is_of_keys(TensorId);  // its tiles are KV tiles: K, V and their gradients
// What a step moves between HBM and SRAM: a tensor and a direction each.
std::vector<MemoryMove> moves_of(const Schedule&, const Step&);

MemoryModel build_memory_model(const Schedule&, const State&, int most_tiles);

}  // namespace tilewalk
