#include "render/heat_map.h"

#include <algorithm>
#include <cmath>

#include "render/gl.h"

namespace tilewalk {
namespace {

unsigned make_texture() {
  unsigned name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return name;
}

}  // namespace

Result<std::unique_ptr<HeatMap>> HeatMap::create(const std::string& folder) {
  auto program = ShaderProgram::load(folder + "/heat_map.vert", folder + "/heat_map.frag");
  if (!program) return program.issues();
  std::unique_ptr<HeatMap> self(new HeatMap);
  self->program_ = std::move(*program);
  self->values_ = make_texture();
  self->tiles_ = make_texture();
  glGenVertexArrays(1, &self->vertex_array_);
  return self;
}

HeatMap::~HeatMap() {
  if (values_) glDeleteTextures(1, &values_);
  if (tiles_) glDeleteTextures(1, &tiles_);
  if (vertex_array_) glDeleteVertexArrays(1, &vertex_array_);
}

unsigned HeatMap::draw(const ScoresModel& model, int width, int height, const HeatMapColours& colours) {
  const ScoresTexture& t = model.texture;
  if (!t.values || t.tiles.empty() || t.width <= 0 || t.height <= 0) return 0;
  const std::array<double, 10> place = {double(width),     double(height),    t.offset_x,  t.offset_y,
                                        t.tiles_in_view_x, t.tiles_in_view_y, t.tile_px_w, t.tile_px_h,
                                        double(model.low), double(model.high)};
  if (shown_values_ == t.values && shown_tiles_ == t.tiles && shown_place_ == place && shown_colours_ == colours)
    return pictures_[front_].texture();

  int framebuffer = 0, viewport[4] = {};
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &framebuffer);
  glGetIntegerv(GL_VIEWPORT, viewport);
  front_ = 1 - front_;
  ++draws_;
  pictures_[front_].resize(width, height);
  pictures_[front_].bind();
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glActiveTexture(GL_TEXTURE1);
  glBindTexture(GL_TEXTURE_2D, tiles_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_R8UI, t.tiles_wide, t.tiles_high, 0, GL_RED_INTEGER, GL_UNSIGNED_BYTE,
               t.tiles.data());
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, values_);
  if (shown_values_ != t.values)
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, t.width, t.height, 0, GL_RED, GL_FLOAT, t.values->data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);

  program_->use();
  const auto set2 = [&](const char* name, double x, double y) {
    glUniform2f(program_->uniform(name), float(x), float(y));
  };
  const auto set3 = [&](const char* name, const std::array<float, 3>& c) {
    glUniform3f(program_->uniform(name), c[0], c[1], c[2]);
  };
  glUniform1i(program_->uniform("values"), 0);
  glUniform1i(program_->uniform("tiles"), 1);
  set2("tile_offset", t.offset_x, t.offset_y);
  set2("tiles_in_view", t.tiles_in_view_x, t.tiles_in_view_y);
  set2("tile_count", std::ceil(t.offset_x + t.tiles_in_view_x - 1e-9),
       std::ceil(t.offset_y + t.tiles_in_view_y - 1e-9));
  set2("tile_pixels", t.tile_px_w, t.tile_px_h);
  set2("picture_pixels", width, height);
  set2("range", model.low, model.high);
  set3("panel", colours.panel);
  set3("pending", colours.pending);
  set3("pending_line", colours.pending_line);
  set3("masked", colours.masked);
  set3("hatch", colours.hatch);
  set3("hatch_fill", colours.hatch_fill);
  glUniform1f(program_->uniform("dim"), colours.dim);
  glUniform1f(program_->uniform("hatch_pixels"), colours.hatch_pixels);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glBindVertexArray(vertex_array_);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glBindVertexArray(0);
  glBindFramebuffer(GL_FRAMEBUFFER, unsigned(framebuffer));
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
  shown_values_ = t.values;
  shown_tiles_ = t.tiles;
  shown_place_ = place;
  shown_colours_ = colours;
  return pictures_[front_].texture();
}

}  // namespace tilewalk
