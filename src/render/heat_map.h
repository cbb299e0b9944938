// Draws a large tile grid: values and one byte of state for each tile go to the GPU as two small textures, a shader
// does the rest. Redrawn only when something it shows has changed; then the other of two pictures is used, so that
// whoever compares texture names sees the change. Needs a current context; leaves the bound framebuffer and viewport as
// they were.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "render/framebuffer.h"
#include "render/shader_program.h"
#include "view/scores/scores_model.h"

namespace tilewalk {

struct HeatMapColours {
  std::array<float, 3> panel{}, pending{}, pending_line{}, masked{}, hatch{}, hatch_fill{};
  float dim = 0.45f;
  float hatch_pixels = 8;
  bool operator==(const HeatMapColours&) const = default;
};

class HeatMap {
 public:
  static Result<std::unique_ptr<HeatMap>> create(const std::string& shader_folder);
  ~HeatMap();
  HeatMap(const HeatMap&) = delete;
  HeatMap& operator=(const HeatMap&) = delete;

  unsigned draw(const ScoresModel&, int width, int height, const HeatMapColours&);  // texture name
  std::uint64_t draws() const { return draws_; }

 private:
  HeatMap() = default;
  std::unique_ptr<ShaderProgram> program_;
  Framebuffer pictures_[2];
  int front_ = 0;
  unsigned values_ = 0, tiles_ = 0, vertex_array_ = 0;
  std::shared_ptr<const std::vector<float>> shown_values_;
  std::vector<std::uint8_t> shown_tiles_;
  std::array<double, 10> shown_place_{};
  HeatMapColours shown_colours_;
  std::uint64_t draws_ = 0;
};

}  // namespace tilewalk
