import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { encodePng } from './encode-png.ts';

function pixels(
  width: number,
  height: number,
  color: (x: number, y: number) => readonly number[],
): Uint8Array {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set([...color(x, y), 255], (y * width + x) * 4);
  }
  return data;
}

const decode = (png: Buffer) => new Uint8Array(PNG.sync.read(png, { checkCRC: true }).data);

test('keeps a picture of few colors exactly', () => {
  const picture = pixels(17, 9, (x, y) => [x * 15, y * 28, (x + y) % 2]);
  expect(decode(encodePng(picture, { width: 17, height: 9 }))).toEqual(picture);
});

test('keeps the commonest of many colors, and approximates the others', () => {
  const paper = [255, 255, 255];
  const picture = pixels(64, 64, (x, y) => (y < 32 ? paper : [x * 4, (y - 32) * 8, 128]));
  const seen = decode(encodePng(picture, { width: 64, height: 64 }));
  expect(seen.subarray(0, 64 * 32 * 4)).toEqual(picture.subarray(0, 64 * 32 * 4));
  const furthest = seen.reduce((most, value, at) => Math.max(most, Math.abs(value - (picture[at] ?? 0))), 0);
  expect(furthest).toBeLessThan(64);
});
