// The score matrix, tile by tile: one byte of state for each tile decides how its values are shown.
// values: one texel for each cell or sample in view, minus infinity where masked.
// tiles:  one texel for each tile in view: 0 to do, 1 now, 2 done, 3 skipped.
in vec2 place;
out vec4 colour;

uniform sampler2D values;
uniform usampler2D tiles;
uniform vec2 tile_offset;    // where in the first tile the view begins, in tiles
uniform vec2 tiles_in_view;
uniform vec2 tile_count;     // tiles behind the texels of `tiles`
uniform vec2 tile_pixels;    // size of a tile on screen
uniform vec2 picture_pixels;
uniform vec2 range;          // values at the ends of the colour scale
uniform vec3 panel, pending, pending_line, masked, hatch, hatch_fill;
uniform float dim;           // how far done tiles fade into the panel
uniform float hatch_pixels;

const vec3 kViridis[9] = vec3[9](vec3(0.267, 0.004, 0.329), vec3(0.278, 0.176, 0.482), vec3(0.231, 0.322, 0.545),
                                 vec3(0.173, 0.447, 0.557), vec3(0.129, 0.569, 0.549), vec3(0.157, 0.682, 0.502),
                                 vec3(0.369, 0.788, 0.384), vec3(0.678, 0.863, 0.188), vec3(0.992, 0.906, 0.145));

vec3 viridis(float at) {
  float x = clamp(at, 0.0, 1.0) * 8.0;
  int i = min(int(x), 7);
  return mix(kViridis[i], kViridis[i + 1], x - float(i));
}

const uint kToDo = 0u, kDone = 2u, kSkipped = 3u;

uint state_of(vec2 tile) {
  ivec2 size = textureSize(tiles, 0);
  return texelFetch(tiles, clamp(ivec2(floor(tile * vec2(size) / tile_count)), ivec2(0), size - 1), 0).r;
}

void main() {
  vec2 tile = tile_offset + place * tiles_in_view;
  uint state = state_of(tile);

  // The whole pixels that a tile has. Where a distance of pixel centres is a whole number, rounding would decide which
  // pixels a line gets; so an edge lies a hundredth of a pixel before. A tile ends where the picture does.
  vec2 pixel = floor(place * picture_pixels), pitch = picture_pixels / tiles_in_view;
  vec2 here = floor(tile + 0.01 / pitch) - tile_offset;
  vec2 begin = max(ceil(here * pitch - 0.51), vec2(0.0)),
       end = min(ceil((here + 1.0) * pitch - 0.51), picture_pixels);
  float least = min(tile_pixels.x, tile_pixels.y);

  vec3 c = pending;
  if (state == kSkipped) {
    float stripe = fract((pixel.x + pixel.y + 0.5) / hatch_pixels);
    c = stripe < 0.28 ? hatch : hatch_fill;
  } else if (state != kToDo) {
    float value = texture(values, place).r;
    if (isinf(value) || isnan(value)) c = masked;
    else c = viridis((value - range.x) / (range.y - range.x));
    if (state == kDone) c = mix(c, panel, dim);
  }
  if (least > 12.0) {  // each tile has its own outline, and a gap around it
    vec2 within = min(pixel - begin, end - 1.0 - pixel);
    float edge = min(within.x, within.y);
    if (state == kToDo && edge < 2.0) c = pending_line;
    if (edge < 1.0) c = panel;
  } else if (least > 4.0) {  // neighbours share a line of one pixel
    bvec2 first = equal(pixel, begin), last = equal(pixel, picture_pixels - 1.0);
    bool left = first.x && here.x + tile_offset.x >= 1.0 && state_of(tile - vec2(1.0, 0.0)) == kToDo,
         above = first.y && here.y + tile_offset.y >= 1.0 && state_of(tile - vec2(0.0, 1.0)) == kToDo;
    bool own = any(first) || any(last);
    if (left || above || (state == kToDo && own)) c = pending_line;
    else if (state != kSkipped && any(first)) c = mix(c, panel, 0.6);
  } else if (state == kToDo) {  // too small for lines
    c = mix(pending, pending_line, 0.4);
  }
  colour = vec4(c, 1.0);
}
