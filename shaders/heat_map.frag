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

// How many whole pixels lie between this one and the nearest edge of its tile. Where a distance of pixel centres is a
// whole number, rounding would decide which pixels a line gets; so an edge lies a hundredth of a pixel before.
float whole_edge(vec2 pixel, vec2 tile) {
  vec2 pitch = picture_pixels / tiles_in_view;
  vec2 here = floor(tile + 0.01 / pitch) - tile_offset;
  vec2 begin = ceil(here * pitch - 0.51), end = ceil((here + 1.0) * pitch - 0.51), at = floor(pixel);
  vec2 within = min(at - begin, end - 1.0 - at);
  return min(within.x, within.y);
}

void main() {
  vec2 tile = tile_offset + place * tiles_in_view;
  ivec2 size = textureSize(tiles, 0);
  ivec2 texel = clamp(ivec2(floor(tile * vec2(size) / tile_count)), ivec2(0), size - 1);
  uint state = texelFetch(tiles, texel, 0).r;

  vec2 pixel = place * picture_pixels;
  vec2 in_tile = fract(tile) * tile_pixels;
  float edge = min(min(in_tile.x, tile_pixels.x - in_tile.x), min(in_tile.y, tile_pixels.y - in_tile.y));
  float least = min(tile_pixels.x, tile_pixels.y);
  float gap = least > 12.0 ? 1.0 : least > 6.0 ? 0.5 : 0.0;
  if (least > 12.0) edge = whole_edge(pixel, tile);

  vec3 c = pending;
  if (state == 3u) {
    float stripe = fract((floor(pixel.x) + floor(pixel.y) + 0.5) / hatch_pixels);
    c = stripe < 0.28 ? hatch : hatch_fill;
  } else if (state != 0u) {
    float value = texture(values, place).r;
    if (isinf(value) || isnan(value)) c = masked;
    else c = viridis((value - range.x) / (range.y - range.x));
    if (state == 2u) c = mix(c, panel, dim);
  }
  if (state == 0u && least > 6.0 && edge < gap + 1.0) c = pending_line;
  if (edge < gap) c = panel;
  colour = vec4(c, 1.0);
}
