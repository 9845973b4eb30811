import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../root.ts';
import { checkArrows } from './check-arrows.ts';
import { readImports } from './import-graph.ts';
import { listSources } from './list-sources.ts';
import { readArrows } from './read-arrows.ts';

test('every import follows the table of docs/architecture.md, and none goes in a circle', () => {
  const files = listSources(root);
  const arrows = readArrows(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));
  const imports = files.flatMap((file) => readImports(root, file));
  expect(files.length).toBeGreaterThan(300);
  expect(checkArrows(arrows, files, imports)).toEqual([]);
});

describe('a table of three rooms', () => {
  const arrows = readArrows(
    '```arrows\nshop: src/shop src/till.ts -> stock\nstock: src/stock ->\ntop: src/*.ts -> *\nsrc/shop/*.page.ts never pg node:*\n```',
  );
  const files = [
    'src/main.ts',
    'src/till.ts',
    'src/shop/sell.ts',
    'src/shop/shop.page.ts',
    'src/stock/count.ts',
  ];
  const check = (from: string, to: string) => checkArrows(arrows, files, [{ from, to }]);

  test.each([
    ['src/shop/sell.ts', 'src/stock/count.ts'],
    ['src/shop/sell.ts', 'src/till.ts'],
    ['src/main.ts', 'src/stock/count.ts'],
    ['src/shop/sell.ts', 'pg'],
  ])('lets %s import %s', (from, to) => {
    expect(check(from, to)).toEqual([]);
  });

  test.each([
    ['src/stock/count.ts', 'src/shop/sell.ts', 'stock may not import shop'],
    ['src/till.ts', 'src/main.ts', 'shop may not import top'],
    ['src/shop/shop.page.ts', 'pg', 'src/shop/*.page.ts never may'],
    ['src/shop/shop.page.ts', 'node:fs', 'src/shop/*.page.ts never may'],
  ])('refuses that %s imports %s', (from, to, reason) => {
    expect(check(from, to)).toEqual([`${from} imports ${to}: ${reason}`]);
  });

  test('names a whole circle, and a file without a room', () => {
    const imports = [
      { from: 'src/shop/sell.ts', to: 'src/till.ts' },
      { from: 'src/till.ts', to: 'src/shop/shop.page.ts' },
      { from: 'src/shop/shop.page.ts', to: 'src/shop/sell.ts' },
    ];
    expect(checkArrows(arrows, [...files, 'lib/lost.ts'], imports)).toEqual([
      'lib/lost.ts stands in no room',
      'a circle of imports: src/shop/sell.ts, src/shop/shop.page.ts, src/till.ts',
    ]);
  });

  test('says the same of several rooms in one line', () => {
    const { rooms } = readArrows('```arrows\nstock: src/stock ->\nshop/{till,shelf}: src/{} -> stock\n```');
    expect(rooms.slice(1)).toEqual([
      { name: 'shop/till', paths: ['src/till'], mayImport: ['stock'] },
      { name: 'shop/shelf', paths: ['src/shelf'], mayImport: ['stock'] },
    ]);
  });

  test('refuses a room that it does not have, and a line that it cannot read', () => {
    expect(() => readArrows('```arrows\nshop: src/shop -> cellar\n```')).toThrow('cellar, which is no room');
    expect(() => readArrows('```arrows\nshop may import stock\n```')).toThrow('not a line');
  });
});
