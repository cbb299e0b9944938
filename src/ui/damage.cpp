#include "ui/damage.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tilewalk {
namespace {

std::uint64_t mixed(std::uint64_t digest, std::uint64_t word) {
  digest = (digest ^ word) * 0x9fb21c651e98df25ull;
  return digest ^ (digest >> 29);
}

std::uint64_t digest_of(const ImDrawVert& v) {
  std::uint64_t words[3] = {};
  std::memcpy(words, &v, sizeof v);
  static_assert(sizeof(ImDrawVert) <= sizeof words);
  return mixed(mixed(words[0], words[1]), words[2]);
}

struct Box {
  float x0, y0, x1, y1;
};

Box bounds(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImVec4& clip) {
  return {
      std::max(std::min({a.pos.x, b.pos.x, c.pos.x}), clip.x), std::max(std::min({a.pos.y, b.pos.y, c.pos.y}), clip.y),
      std::min(std::max({a.pos.x, b.pos.x, c.pos.x}), clip.z), std::min(std::max({a.pos.y, b.pos.y, c.pos.y}), clip.w)};
}

// The part of a command's clip rectangle within `r`, in whole pixels. ImGui's OpenGL backend truncates the clip's
// origin and its size, with y from below. The same truncation here makes neighbouring parts meet without a seam.
ImVec4 pixels_within(const ImVec4& clip, const draw::Rect& r, const ImDrawData& data) {
  const float sx = data.FramebufferScale.x, sy = data.FramebufferScale.y;
  const ImVec2 at = data.DisplayPos;
  const int high = int(data.DisplaySize.y * sy);
  const int x0 = int((clip.x - at.x) * sx), x1 = x0 + int((clip.z - clip.x) * sx);
  const int y1 = high - int(float(high) - (clip.w - at.y) * sy), y0 = y1 - int((clip.w - clip.y) * sy);
  const float left = std::max(float(x0), std::floor(r.x0 * sx)), right = std::min(float(x1), std::ceil(r.x1 * sx));
  const float top = std::max(float(y0), std::floor(r.y0 * sy)), bottom = std::min(float(y1), std::ceil(r.y1 * sy));
  return {left / sx + at.x, top / sy + at.y, right / sx + at.x, bottom / sy + at.y};
}

}  // namespace

const std::vector<draw::Rect>& Damage::update(const ImDrawData& data) {
  const int wide = std::max(1, int(std::ceil(data.DisplaySize.x / kPatch))),
            high = std::max(1, int(std::ceil(data.DisplaySize.y / kPatch)));
  const bool all = wide != wide_ || high != high_ || digests_.empty();
  const auto at = [wide](int x, int y) { return std::size_t(y) * std::size_t(wide) + std::size_t(x); };
  wide_ = wide;
  high_ = high;
  next_.assign(std::size_t(wide) * std::size_t(high), 1);
  for (int n = 0; n < list_count(data); ++n) {
    const ImDrawList& list = *list_at(data, n);
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
      const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
      const std::uint64_t paint = mixed(texture_key(command), 7);
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const ImDrawVert &a = vertex[index[i]], &b = vertex[index[i + 1]], &c = vertex[index[i + 2]];
        const Box box = bounds(a, b, c, command.ClipRect);
        if (box.x1 <= box.x0 || box.y1 <= box.y0) continue;
        std::uint64_t digest = mixed(mixed(mixed(paint, digest_of(a)), digest_of(b)), digest_of(c));
        // A change outside the clip rectangle is invisible, but the rectangle itself is part of the picture.
        std::uint64_t cut[2];
        std::memcpy(cut, &box, sizeof cut);
        digest = mixed(mixed(digest, cut[0]), cut[1]);
        const int x0 = std::clamp(int(box.x0 - data.DisplayPos.x) / kPatch, 0, wide - 1),
                  x1 = std::clamp(int(box.x1 - data.DisplayPos.x) / kPatch, 0, wide - 1);
        const int y0 = std::clamp(int(box.y0 - data.DisplayPos.y) / kPatch, 0, high - 1),
                  y1 = std::clamp(int(box.y1 - data.DisplayPos.y) / kPatch, 0, high - 1);
        for (int y = y0; y <= y1; ++y)
          for (int x = x0; x <= x1; ++x) {
            std::uint64_t& patch = next_[at(x, y)];
            patch = mixed(patch, digest);
          }
      }
    }
  }
  rects_.clear();
  std::int64_t changed = 0;
  if (all) {
    rects_.push_back({0, 0, data.DisplaySize.x, data.DisplaySize.y});
    changed = std::int64_t(next_.size());
  } else {
    // Joins changed patches of a row into rectangles; a rectangle as wide as the one above it is merged with that one.
    for (int y = 0; y < high; ++y)
      for (int x = 0; x < wide; ++x) {
        if (next_[at(x, y)] == digests_[at(x, y)]) continue;
        const int begin = x;
        while (x < wide && next_[at(x, y)] != digests_[at(x, y)]) ++x;
        changed += x - begin;
        const draw::Rect run{float(begin * kPatch), float(y * kPatch), std::min(float(x * kPatch), data.DisplaySize.x),
                             std::min(float((y + 1) * kPatch), data.DisplaySize.y)};
        const auto above = std::find_if(rects_.begin(), rects_.end(), [&](const draw::Rect& r) {
          return r.x0 == run.x0 && r.x1 == run.x1 && r.y1 == run.y0;
        });
        if (above != rects_.end())
          above->y1 = run.y1;
        else
          rects_.push_back(run);
      }
  }
  share_ = double(changed) / double(next_.size());
  digests_.swap(next_);
  return rects_;
}

Filtered::Filtered(ImDrawData& data, const std::vector<draw::Rect>& rects)
    : data_(data), kept_(std::size_t(list_count(data))) {
  for (int n = 0; n < list_count(data); ++n) {
    ImDrawList& list = *list_at(data, n);
    Kept& kept = kept_[std::size_t(n)];
    kept.commands.swap(list.CmdBuffer);
    kept.indices.swap(list.IdxBuffer);
    for (const draw::Rect& r : rects)
      for (const ImDrawCmd& command : kept.commands) {
        const ImVec4 clip = pixels_within(command.ClipRect, r, data);
        if (clip.z <= clip.x || clip.w <= clip.y) continue;
        const int begin = list.IdxBuffer.Size;
        const ImDrawIdx* index = kept.indices.Data + command.IdxOffset;
        const ImDrawVert* vertex = list.VtxBuffer.Data + command.VtxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
          const Box box = bounds(vertex[index[i]], vertex[index[i + 1]], vertex[index[i + 2]], clip);
          if (box.x1 < box.x0 || box.y1 < box.y0) continue;
          list.IdxBuffer.push_back(index[i]);
          list.IdxBuffer.push_back(index[i + 1]);
          list.IdxBuffer.push_back(index[i + 2]);
        }
        if (list.IdxBuffer.Size == begin) continue;
        ImDrawCmd thin = command;
        thin.ClipRect = clip;
        thin.IdxOffset = unsigned(begin);
        thin.ElemCount = unsigned(list.IdxBuffer.Size - begin);
        list.CmdBuffer.push_back(thin);
      }
  }
}

Filtered::~Filtered() {
  for (int n = 0; n < list_count(data_); ++n) {
    list_at(data_, n)->CmdBuffer.swap(kept_[std::size_t(n)].commands);
    list_at(data_, n)->IdxBuffer.swap(kept_[std::size_t(n)].indices);
  }
}

}  // namespace tilewalk
