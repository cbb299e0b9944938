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
  int part = 0;  // of `of`; of a stretch, its first KV tile
  int of = 1;
  int slot = 0;  // of a part: its place in Parts; of a stretch, below 0 for a whole tile
};

TILEWALK_BOTH inline int work_items(const Parts& parts) { return parts.whole + parts.tiles * parts.each; }

TILEWALK_BOTH inline WorkItem work_item(const Parts& parts, int index) {
  const int slot = index - parts.whole;
  if (slot < 0) return {parts.whole_first + index};
  return {parts.first + slot / parts.each, slot % parts.each, parts.each, slot};
}

// Or the KV tiles of all heads, one head after another, are shared out equally: each thread block takes a stretch of
// them. A head that lies in several stretches has a part in each, and a stretch parts of at most two heads, which are
// in its two slots. Source: Osama et al., "Stream-K", PPoPP 2023, section 3.
struct Stretches {
  int blocks = 0;               // thread blocks
  int heads = 0, kv_tiles = 0;  // of each head
};

TILEWALK_BOTH inline long long stretch_begin(const Stretches& s, int block) {
  return (long long)s.heads * s.kv_tiles * block / s.blocks;
}

// The thread block whose stretch has KV tile `tile` of all.
TILEWALK_BOTH inline int stretch_of(const Stretches& s, long long tile) {
  return (int)(((tile + 1) * s.blocks - 1) / ((long long)s.heads * s.kv_tiles));
}

// Of a head's part in a stretch: the second slot where the stretch begins in the head before.
TILEWALK_BOTH inline int stretch_slot(const Stretches& s, int head, int block) {
  return 2 * block + (stretch_begin(s, block) < (long long)head * s.kv_tiles);
}

// The item that begins with KV tile `first` of all, and how many KV tiles it has.
TILEWALK_BOTH inline WorkItem stretch_item(const Stretches& s, int block, int first, int& count) {
  const int head = first / s.kv_tiles, in_head = first % s.kv_tiles;
  const int left = (int)stretch_begin(s, block + 1) - first;
  count = left < s.kv_tiles - in_head ? left : s.kv_tiles - in_head;
  return {head, in_head, 1, count == s.kv_tiles ? -1 : stretch_slot(s, head, block)};
}

// The KV tiles of an item, of a Q tile that sees `count`: every of-th, so that parts that run together read
// neighbouring tiles, and DRAM one stream of a head.
TILEWALK_BOTH inline int kv_tiles_of(const WorkItem& item, int count) {
  return (count - item.part + item.of - 1) / item.of;
}
TILEWALK_BOTH inline int nth_kv_tile(const WorkItem& item, int nth) { return item.part + nth * item.of; }

}  // namespace tilewalk::fast
