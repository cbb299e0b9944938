// Tiles divided along the keys, and how a work index becomes a tile or a part of one. No CUDA here: a test counts on
// it without a GPU.
#pragma once

#ifdef __CUDACC__
#define TILEWALK_BOTH __host__ __device__
#else
#define TILEWALK_BOTH
#endif

namespace tilewalk::fast {

// Where heads are few, some tiles are divided along the keys into parts, so that all multiprocessors work until the
// end; join_parts.h joins the parts by L. Whole tiles are drawn first. Tiles are numbered as in work_tile().
struct Parts {
  int first = 0, tiles = 0;        // the divided tiles: first .. first + tiles - 1
  int each = 1;                    // parts of each
  int whole_first = 0, whole = 0;  // the other tiles, likewise
  float* o = nullptr;              // [divided tile][part][row of the tile][D], fp32, each part normalised
  float* lse = nullptr;            // [divided tile][part][row of the tile]; -inf for a part without a visible key
};

// One unit of work where tiles are divided: a tile, or a part of one.
struct WorkItem {
  int tile;      // its number, for work_tile()
  int part = 0;  // of `of`
  int of = 1;
  int slot = 0;  // of a part: its place in Parts
};

TILEWALK_BOTH inline int work_items(const Parts& parts) { return parts.whole + parts.tiles * parts.each; }

TILEWALK_BOTH inline WorkItem work_item(const Parts& parts, int index) {
  const int slot = index - parts.whole;
  if (slot < 0) return {parts.whole_first + index};
  return {parts.first + slot / parts.each, slot % parts.each, parts.each, slot};
}

// The KV tiles of an item, of a Q tile that sees `count`: every of-th, so that parts that run together read
// neighbouring tiles, and DRAM one stream of a head.
TILEWALK_BOTH inline int kv_tiles_of(const WorkItem& item, int count) {
  return (count - item.part + item.of - 1) / item.of;
}
TILEWALK_BOTH inline int nth_kv_tile(const WorkItem& item, int nth) { return item.part + nth * item.of; }

}  // namespace tilewalk::fast
