import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BenchFigure } from '../../tools/bench/bench.ts';
import { WEB_FOLDER } from '../../tools/build-web.ts';
import { measureEntryPage } from '../../tools/checks/check-bundle.ts';
import { FLOOR_FOLDER } from './floor.ts';

/** What a first visit to `/` loads, gzipped. */
export function entryPageBytes(): BenchFigure[] {
  const { script, style, page, everything } = bytesOf(WEB_FOLDER);
  return [
    { name: 'entry page, gzipped: script', value: script / 1000, unit: 'kB', limit: { atMost: 125 } },
    { name: 'entry page, gzipped: style', value: style / 1000, unit: 'kB', limit: { atMost: 20 } },
    { name: 'entry page, gzipped: the page itself', value: page / 1000, unit: 'kB' },
    { name: 'entry page, gzipped: everything', value: everything / 1000, unit: 'kB' },
  ];
}

/** The same compared with the floor. */
export function besideFloor(): BenchFigure[] {
  const entry = bytesOf(WEB_FOLDER);
  const floor = bytesOf(FLOOR_FOLDER);
  const withoutStyle = floor.everything - floor.style;
  return [
    ...entryPageBytes(),
    { name: 'the floor, gzipped: script', value: floor.script / 1000, unit: 'kB' },
    { name: 'the floor, gzipped: style', value: floor.style / 1000, unit: 'kB' },
    { name: 'the floor, gzipped: everything', value: floor.everything / 1000, unit: 'kB' },
    { name: 'script of the entry page, of the floor’s', value: entry.script / floor.script, unit: 'times' },
    {
      name: 'entry page, of the floor',
      value: entry.everything / floor.everything,
      unit: 'times',
      limit: { atMost: 1.15 },
    },
    { name: 'entry page, of a floor without style', value: entry.everything / withoutStyle, unit: 'times' },
  ];
}

function bytesOf(folder: string) {
  const { jsBytes: script, cssBytes: style } = measureEntryPage(folder);
  const page = gzipSync(readFileSync(join(folder, 'index.html'))).length;
  return { script, style, page, everything: script + style + page };
}
