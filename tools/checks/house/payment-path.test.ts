import { expect, test } from 'vitest';
import { readImports } from '../../arrows/import-graph.ts';
import { root } from '../../root.ts';
import { countPaymentPath, findGaps } from './payment-path.ts';

const IMPORTS: Record<string, string[]> = { button: ['call'], call: ['rest'], route: ['pay'] };
const importsOf = (file: string) => IMPORTS[file] ?? [];

test('each step of a path is imported by an earlier one, or handed over', () => {
  const path = ['button', 'call', 'route', 'pay'];
  expect(findGaps(path, { importsOf, handedOver: ['route'] })).toEqual([]);
  expect(findGaps(path, { importsOf, handedOver: [] })).toEqual(['route']);
});

test('a step before the one that leads to it is a gap', () => {
  expect(findGaps(['button', 'pay', 'route'], { importsOf, handedOver: ['route'] })).toEqual(['pay']);
});

test('the path of a payment leads from the button to the ledger', () => {
  expect(countPaymentPath((file) => readImports(root, file).map(({ to }) => to))).toBeLessThanOrEqual(30);
});
