// PNG files of 8 bits a channel, as Chromium and Tilewalk write them, to rows of RGB; and the distance of two pictures.
import {readFileSync} from 'node:fs';
import {inflateSync} from 'node:zlib';

export function read_png(path) {
  const bytes = readFileSync(path), packed = [];
  let width = 0, height = 0, channels = 0;
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at), kind = bytes.toString('latin1', at + 4, at + 8),
      data = bytes.subarray(at + 8, at + 8 + length);
    if (kind == 'IHDR') width = data.readUInt32BE(0), height = data.readUInt32BE(4), channels = {2: 3, 6: 4}[data[9]];
    if (kind == 'IDAT') packed.push(data);
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(packed)), stride = width * channels, rgb = Buffer.alloc(width * height * 3);
  let before = Buffer.alloc(stride);
  for (let y = 0; y < height; ++y) {
    const filter = rows[y * (stride + 1)],
      row = Buffer.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; ++x) {
      const a = x < channels ? 0 : row[x - channels], b = before[x], c = x < channels ? 0 : before[x - channels];
      const p = a + b - c, pa = Math.abs(p - a), pb = Math.abs(p - b), pc = Math.abs(p - c);
      row[x] += [0, a, b, (a + b) >> 1, pa <= pb && pa <= pc ? a : pb <= pc ? b : c][filter];
    }
    for (let x = 0; x < width; ++x) row.copy(rgb, (y * width + x) * 3, x * channels, x * channels + 3);
    before = row;
  }
  return {width, height, rgb};
}

// Mean over all channels, of 255; and the share of pixels that are more than a quarter of the scale apart.
export function distance(a, b) {
  if (a.width != b.width || a.height != b.height) return {mean: 255, far: 1};
  let sum = 0, far = 0;
  for (let i = 0; i < a.rgb.length; i += 3) {
    let most = 0;
    for (let c = 0; c < 3; ++c) {
      const apart = Math.abs(a.rgb[i + c] - b.rgb[i + c]);
      sum += apart, most = Math.max(most, apart);
    }
    far += most > 64;
  }
  return {mean: sum / a.rgb.length, far: far / (a.rgb.length / 3)};
}
